import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'

/** Thrown when the embedded PostgreSQL cannot start. Its message tells an operator what to do. */
export class PostgresStartError extends Error {
  override readonly name = 'PostgresStartError'
}

/** Returns the error for a folder in which PostgreSQL could not start, with the reason in plain words where known. */
export function describeStartFailure(directory: string, reason: string): PostgresStartError {
  if (/ENOSPC|no space left|disk is full|free disk space/i.test(reason)) {
    const { bavail, bsize } = statfsSync(existsSync(directory) ? directory : dirname(directory))
    const free = Math.floor((bavail * bsize) / 1e6)
    return new PostgresStartError(
      `PostgreSQL needs more room on the disk of ${directory}, where ${free} MB are free. Make room, or choose another folder.`,
    )
  }
  if (/EROFS|EACCES|EPERM|read-only|permission denied|unable to open database file|not permitted/i.test(reason))
    return new PostgresStartError(
      `PostgreSQL cannot use ${directory}: ${reason}. Make the folder writable for this user, or choose another one.`,
    )
  return new PostgresStartError(`PostgreSQL did not start in ${directory}: ${reason}`)
}

export type Folder = Awaited<ReturnType<typeof openFolder>>

/**
 * Creates the folder of a database if it does not exist, and locks it against other processes. Ends a server in it
 * whose starter was killed.
 *
 * @throws {PostgresStartError} If another process uses the folder.
 */
export async function openFolder(path: string) {
  mkdirSync(path, { recursive: true })
  const directory = realpathSync(path)
  const release = lock(directory)
  try {
    const data = join(directory, 'data')
    await endServer(data, ['SIGINT', 'SIGQUIT', 'SIGKILL'])
    const passwordFile = join(directory, 'password')
    if (!existsSync(passwordFile) && existsSync(data))
      throw new PostgresStartError(`${passwordFile}, the password of ${data}, is missing. Put it back.`)
    return {
      directory,
      /** Folder of PostgreSQL's own files. */
      data,
      passwordFile,
      password: readPassword(passwordFile),
      /** Lets other processes use the folder. */
      release,
    }
  } catch (error) {
    release()
    throw error
  }
}

/**
 * Locks the folder, and returns the function that unlocks it. SQLite's lock is one of the operating system, which
 * ends with the process even if it is killed; Node itself offers none.
 */
function lock(directory: string): () => void {
  const holder = join(directory, 'holder')
  const database = new DatabaseSync(join(directory, 'lock'))
  try {
    database.exec('begin exclusive')
    writeFileSync(holder, String(process.pid))
  } catch (error) {
    database.close()
    if ((error as { errcode?: number }).errcode !== 5) throw error
    const pid = existsSync(holder) ? readFileSync(holder, 'utf8') : 'unknown'
    throw new PostgresStartError(`${directory} is in use by process ${pid}. End it, or choose another folder.`)
  }
  return () => {
    if (!database.isOpen) return
    rmSync(holder, { force: true })
    database.close()
  }
}

function readPassword(file: string): string {
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('base64url'), { mode: 0o600 })
  return readFileSync(file, 'utf8').trim()
}

/** Milliseconds that a server has to end after each signal. */
const patience = 8_000

/** Ends the server of a data folder, if one runs, by the first of the signals that it obeys. */
export async function endServer(data: string, signals: NodeJS.Signals[]): Promise<void> {
  const pidFile = join(data, 'postmaster.pid')
  const pid = existsSync(pidFile) ? Number.parseInt(readFileSync(pidFile, 'utf8'), 10) : Number.NaN
  if (!(pid > 0)) return
  if (readCommand(pid).includes(`-D ${data} `))
    for (const signal of signals) {
      if (readCommand(pid) !== '') process.kill(pid, signal)
      for (const end = Date.now() + patience; readCommand(pid) !== '' && Date.now() < end; ) await delay(50)
    }
  // Another program may have the id, after a restart of the machine. PostgreSQL would take it for a server.
  if (!readCommand(pid).includes('postgres')) rmSync(pidFile, { force: true })
}

/** Returns the command line of a process; an empty text if it does not run. */
function readCommand(pid: number): string {
  if (process.platform !== 'linux')
    return spawnSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? ''
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}
