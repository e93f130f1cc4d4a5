import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startPostgres } from './embedded/startPostgres.ts'

export type TestPostgres = Awaited<ReturnType<typeof startTestPostgres>>

/** Starts a PostgreSQL server in a temporary folder, for the tests of one file. */
export async function startTestPostgres() {
  const directory = await mkdtemp(join(tmpdir(), 'lineage-postgres-'))
  const start = (port?: number) =>
    startPostgres({
      directory,
      settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' },
      log: () => undefined,
      ...(port !== undefined && { port }),
    })
  let postgres = await start()
  const { url } = postgres
  let databases = 0
  return {
    /** URL of the database `postgres`, as a user who may do everything. */
    url,
    /** Creates an empty database, and returns its URL. */
    async createDatabase() {
      databases++
      const name = `test_${databases}`
      await runStatement(url, `create database ${name}`)
      return url.replace(/postgres$/, name)
    },
    /** Replaces the rules of who may connect (`pg_hba.conf`), for new connections. */
    async setRules(rules: string) {
      await writeFile(join(directory, 'data', 'pg_hba.conf'), rules)
      await runStatement(url, 'select pg_reload_conf()')
    },
    /** Ends the server as a crash of the machine would, and starts it again on the same port. */
    async restart(between: () => Promise<void> = async () => undefined) {
      await postgres.stop()
      await between()
      postgres = await start(Number(new URL(url).port))
    },
    async stop() {
      await postgres.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function runStatement(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
