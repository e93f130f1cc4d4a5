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
 * would damage it. Ends this process if another one has claimed the folder meanwhile, which it can after the folder was deleted.
 *
 * @throws {DirectoryInUseError}
 */
export function claimDirectory(directory: string): () => void {
  const file = `${directory}.pid`
  const before = readHolder(file)
  if (before !== undefined && isRunning(before) && Date.now() - statSync(file).mtimeMs < patience)
    throw new DirectoryInUseError(`${directory} is open in process ${before}, which must end first`)
  mkdirSync(dirname(directory), { recursive: true })
  writeFileSync(file, String(process.pid))
  const timer = setInterval(() => {
    const holder = readHolder(file)
    if (holder === process.pid) utimesSync(file, new Date(), new Date())
    else if (holder !== undefined) {
      console.error(`${directory} was opened by process ${holder} after it had been deleted. This process ends.`)
      process.exit(75)
    }
  }, heartbeat).unref()
  const release = () => {
    clearInterval(timer)
    process.off('exit', release)
    if (readHolder(file) === process.pid) rmSync(file, { force: true })
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

/** Returns the process that holds the folder; `undefined` if the file is gone. */
const readHolder = (file: string) => (existsSync(file) ? Number(readFileSync(file, 'utf8')) : undefined)
