import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

/** Thrown when the data folder cannot be written. */
export class DataDirError extends Error {
  override readonly name = 'DataDirError'
}

/** Returns the places where a start stores its data, in a folder for its port. */
export function dataDir(base: string, port: number) {
  const root = resolve(base, String(port))
  const running = join(root, 'running.json')
  return {
    root,
    /** The embedded PostgreSQL: the index and the accounts. */
    postgres: join(root, 'postgres'),
    /** The indexes and the accounts of earlier versions. */
    earlier: { indexes: join(root, 'index'), accounts: join(root, 'accounts') },
    demoConfig: join(root, 'demo.config.json'),
    log: (name: string) => join(root, 'logs', `${name}.log`),

    /**
     * Records that this process runs here.
     *
     * @throws {DataDirError}
     */
    async claim() {
      try {
        await mkdir(root, { recursive: true })
        await writeFile(running, JSON.stringify({ pid: process.pid, since: new Date().toISOString() }))
      } catch (cause) {
        const { code, message } = cause as NodeJS.ErrnoException
        const advice = code === 'ENOSPC' ? 'Make room on its disk' : 'Make the folder writable'
        throw new DataDirError(`Cannot write to ${root} (${message}). ${advice}, or set LINEAGE_DATA_DIR to another.`, {
          cause,
        })
      }
    },
    async release() {
      await rm(running, { force: true })
    },
    /** Returns the start that is already running here; `undefined` if its process has ended. */
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
