import { existsSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const heartbeat = 2_000
/** Milliseconds without a heartbeat after which a claim is stale, even if a process with its id is running. */
const patience = 10_000

/** Thrown when another process has opened the folder of the embedded database. */
export class DirectoryInUseError extends Error {
  override readonly name = 'DirectoryInUseError'
}

/**
 * Claims the folder of an embedded database until the returned function is called or this process exits: two processes at once
 * would damage it.
 *
 * @throws {DirectoryInUseError}
 */
export function claimDirectory(directory: string): () => void {
  const file = `${directory}.pid`
  if (existsSync(file)) {
    const holder = Number(readFileSync(file, 'utf8'))
    if (isRunning(holder) && Date.now() - statSync(file).mtimeMs < patience)
      throw new DirectoryInUseError(`${directory} is open in process ${holder}, which must end first`)
  }
  mkdirSync(dirname(directory), { recursive: true })
  writeFileSync(file, String(process.pid))
  const timer = setInterval(() => touch(file), heartbeat).unref()
  const release = () => {
    clearInterval(timer)
    process.off('exit', release)
    rmSync(file, { force: true })
  }
  process.once('exit', release)
  return release
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

/** Updates the heartbeat file. Does nothing if the folder was deleted. */
function touch(file: string): void {
  try {
    utimesSync(file, new Date(), new Date())
  } catch {
    // The folder was deleted: there is no claim for the next process to find.
  }
}
