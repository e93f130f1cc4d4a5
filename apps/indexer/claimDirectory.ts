import { existsSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const heartbeat = 2_000
/** Milliseconds without a heartbeat after which a claim is stale, even if a process with its id is running. */
const patience = 10_000

/**
 * Claims a PGlite directory for this process until it exits, because two processes at once would corrupt it.
 *
 * @returns the state in which the last process left the directory, or the process that holds it
 */
export function claimDirectory(directory: string): 'empty' | 'closed' | 'killed' | { heldBy: number } {
  const file = `${directory}.pid`
  let left: 'empty' | 'closed' | 'killed' = existsSync(directory) ? 'closed' : 'empty'
  if (existsSync(file)) {
    const heldBy = Number(readFileSync(file, 'utf8'))
    if (isRunning(heldBy) && Date.now() - statSync(file).mtimeMs < patience) return { heldBy }
    if (left === 'closed') left = 'killed'
  }
  mkdirSync(dirname(directory), { recursive: true })
  writeFileSync(file, String(process.pid))
  setInterval(() => touch(file), heartbeat).unref()
  process.once('exit', () => rmSync(file, { force: true }))
  return left
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
