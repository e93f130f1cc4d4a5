import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

/** Nothing can be kept there. */
export class DataDirError extends Error {
  override readonly name = 'DataDirError'
}

/**
 * Where one start, told apart by its port, keeps what it makes. Other tenants of the folder, such as `accounts`, are left
 * alone.
 */
export function dataDir(base: string, port: number) {
  const root = resolve(base, String(port))
  const indexes = join(root, 'index')
  const running = join(root, 'running.json')
  return {
    root,
    /** Accounts outlive every index. */
    accounts: join(root, 'accounts'),
    demoConfig: join(root, 'demo.config.json'),
    log: (name: string) => join(root, 'logs', `${name}.log`),
    /** An index belongs to one chain, named by a block only that chain has. */
    index: (kind: 'chain' | 'demo', blockHash: string) => join(indexes, `${kind}-${blockHash.slice(2, 18)}`),

    /** A demo chain ends with its process; what was read from it is of no use to the next. */
    async forgetDemos() {
      for (const name of await readdir(indexes).catch(() => []))
        if (name.startsWith('demo-')) await rm(join(indexes, name), { recursive: true, force: true })
    },
    async forgetLogs() {
      await rm(join(root, 'logs'), { recursive: true, force: true })
    },

    /**
     * Notes that this process runs here.
     *
     * @throws {DataDirError}
     */
    async claim() {
      try {
        await mkdir(root, { recursive: true })
        await writeFile(running, JSON.stringify({ pid: process.pid, since: new Date().toISOString() }))
      } catch (cause) {
        throw new DataDirError(
          `Nothing can be kept in ${root} (${(cause as Error).message}). Make that folder writable, or name another with LINEAGE_DATA_DIR.`,
          { cause },
        )
      }
    },
    async release() {
      await rm(running, { force: true })
    },
    /** The start that runs here already; `undefined` when what was noted is no longer alive. */
    async claimant(): Promise<{ pid: number; since: string } | undefined> {
      try {
        const { pid, since } = JSON.parse(await readFile(running, 'utf8')) as { pid: unknown; since: unknown }
        if (typeof pid !== 'number' || typeof since !== 'string' || pid === process.pid) return undefined
        process.kill(pid, 0)
        return { pid, since }
      } catch {
        return undefined
      }
    },
  }
}
