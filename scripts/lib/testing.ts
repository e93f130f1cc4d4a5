import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Creates folders, modules and servers for tests, and removes them: `afterEach(cleanUp)`. */
export function createCleanUp() {
  const made: (() => unknown)[] = []
  async function cleanUp() {
    for (const undo of made.splice(0).toReversed()) await undo()
  }
  return {
    cleanUp,
    folder(): string {
      const path = mkdtempSync(join(tmpdir(), 'lineage-'))
      made.push(() => rmSync(path, { recursive: true, force: true }))
      return path
    },
    /** Writes a module and returns the path of its file. */
    module(text: string): string {
      const path = join(this.folder(), 'program.mjs')
      writeFileSync(path, text)
      return path
    },
    async server(
      listener: RequestListener = (_, response) => response.end(),
      host = '127.0.0.1',
      port = 0,
    ): Promise<number> {
      const server = createServer(listener)
      await new Promise<void>((resolve) => server.listen(port, host, resolve))
      made.push(() => closed(server))
      return (server.address() as AddressInfo).port
    },
    later(undo: () => unknown) {
      made.push(undo)
    },
  }
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}

/** Returns whether a process is running; a zombie is not. */
export function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
  return stdout.trim() !== '' && !stdout.startsWith('Z')
}

/** Returns the ids of all descendants of a process whose command contains the words, each after its parent. */
export function findProcesses(pid: number, words = ''): number[] {
  const rows = execFileSync('ps', ['-ww', '-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((row) => ({ row, ids: row.trim().split(/\s+/, 2).map(Number) }))
  const below = (parent: number): typeof rows =>
    rows.filter(({ ids }) => ids[1] === parent).flatMap((one) => [one, ...below(one.ids[0] ?? 0)])
  return below(pid)
    .filter(({ row }) => row.includes(words))
    .map(({ ids }) => ids[0] ?? 0)
}
