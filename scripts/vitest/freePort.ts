import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

const directory = join(tmpdir(), `lineage-ports-${userInfo().username}`)
/** Below the ports that systems give to outgoing connections and to servers on port 0: from 32768 on. */
const range = { first: 20_000, count: 12_000 }

/** Returns a free port, which no other call in any process returns until the current process ends. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = range.first + Math.floor(Math.random() * range.count)
    if (claim(port) && (await isFree(port))) return port
  }
}

/** Returns whether the port could be claimed. A claim is a file with the id of its process. */
function claim(port: number): boolean {
  mkdirSync(directory, { recursive: true })
  const file = join(directory, String(port))
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch {
    if (isRunning(Number(readFileSync(file, 'utf8')))) return false
    writeFileSync(file, String(process.pid))
    return true
  }
}

/** Returns whether a process of this id runs. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
