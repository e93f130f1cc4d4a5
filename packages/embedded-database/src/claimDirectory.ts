import { existsSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const heartbeat = 2_000
/** Milliseconds without a heartbeat after which a claim is stale, even if a process with its id is running. */
const patience = 10_000

/** Thrown when another process has opened the folder of an embedded database. */
export class DirectoryInUseError extends Error {
  override readonly name = 'DirectoryInUseError'
  /** Id of the process that has opened it. */
  readonly holder: number

  constructor(directory: string, holder: number) {
    super(`${directory} is open in process ${holder}, which must end first`)
    this.holder = holder
  }
}

export type Claim = {
  /** State in which the last process left the folder: `empty` if there is none yet. */
  left: 'empty' | 'closed' | 'killed'
  /** Gives the folder back. The end of this process does so too. */
  release: () => void
}

/**
 * Claims the folder of an embedded database for this process: two processes at once would damage it.
 *
 * @param onLost - Called when the claim is gone because its folder was deleted, and when another process has claimed
 * it since, with the id of that process.
 * @throws {DirectoryInUseError}
 */
export function claimDirectory(directory: string, onLost: (holder?: number) => void): Claim {
  const file = `${directory}.pid`
  const before = readHolder(file)
  if (before !== undefined && isRunning(before) && Date.now() - statSync(file).mtimeMs < patience)
    throw new DirectoryInUseError(directory, before)
  const left = !existsSync(directory) ? 'empty' : before === undefined ? 'closed' : 'killed'
  mkdirSync(dirname(directory), { recursive: true })
  writeFileSync(file, String(process.pid))
  let holder: number | undefined = process.pid
  const timer = setInterval(() => {
    const last = holder
    holder = readHolder(file)
    if (holder === process.pid) utimesSync(file, new Date(), new Date())
    else if (holder !== last) onLost(holder)
  }, heartbeat).unref()
  const release = () => {
    clearInterval(timer)
    process.off('exit', release)
    if (readHolder(file) === process.pid) rmSync(file, { force: true })
  }
  process.once('exit', release)
  return { left, release }
}

function isRunning(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Returns the process that holds the folder; `undefined` if the file is gone. */
const readHolder = (file: string) => (existsSync(file) ? Number(readFileSync(file, 'utf8')) : undefined)
