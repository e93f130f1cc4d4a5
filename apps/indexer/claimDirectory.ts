import { existsSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const heartbeat = 2_000
/** Milliseconds without a heartbeat after which a claim is stale, even if a process with its id is running. */
const patience = 10_000

/**
 * Claims a PGlite directory for this process until it exits, because two processes at once would corrupt it. Calls
 * `onLost` when the claim is gone: the folder was deleted, or another process has claimed it since.
 *
 * @returns the state in which the last process left the directory, or the process that holds it
 */
export function claimDirectory(
  directory: string,
  onLost: () => void,
): 'empty' | 'closed' | 'killed' | { heldBy: number } {
  const file = `${directory}.pid`
  let left: 'empty' | 'closed' | 'killed' = existsSync(directory) ? 'closed' : 'empty'
  if (existsSync(file)) {
    const heldBy = Number(readFileSync(file, 'utf8'))
    if (isRunning(heldBy) && Date.now() - statSync(file).mtimeMs < patience) return { heldBy }
    if (left === 'closed') left = 'killed'
  }
  mkdirSync(dirname(directory), { recursive: true })
  writeFileSync(file, String(process.pid))
  const timer = setInterval(() => {
    if (isOwn(file)) return utimesSync(file, new Date(), new Date())
    clearInterval(timer)
    onLost()
  }, heartbeat).unref()
  process.once('exit', () => isOwn(file) && rmSync(file, { force: true }))
  return left
}

const isOwn = (file: string) => existsSync(file) && readFileSync(file, 'utf8') === String(process.pid)

function isRunning(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
