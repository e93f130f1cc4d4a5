import { renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'

type Database = { query(sql: string): Promise<{ rows: unknown[] }>; close(): Promise<void> }

export type LastRunParameters = {
  /** Where the tables are: the embedded database's directory, or the URL of a PostgreSQL. */
  database: { directory: string } | { url: string }
  schema: string
  /** `killed`: Ponder's lock is released, which would otherwise be waited for up to 25 seconds. */
  ended: 'killed' | 'unknown'
}

/**
 * Looks into the tables before Ponder does, and takes back what is in an embedded database after the moment from which
 * Ponder reads again.
 *
 * @returns the last block that they hold for final, below which Ponder refuses to start; `undefined` where there is none,
 * or where the database cannot be opened: Ponder says why
 */
export async function readLastRun({ database, schema, ended }: LastRunParameters): Promise<number | undefined> {
  const opened = await ('url' in database ? openPostgres(database.url) : openPglite(database.directory)).catch(
    () => undefined,
  )
  try {
    if (ended === 'killed')
      await opened?.query(`update "${schema}"._ponder_meta set value = jsonb_set(value, '{is_locked}', '0')`)
    // In a PostgreSQL another indexer may be at it.
    if (opened && 'directory' in database) await takeBack(opened, schema)
    const found = await opened?.query(
      `select substr(finalized_checkpoint, 27, 16)::float8 as block from "${schema}"._ponder_checkpoint where chain_id = 56`,
    )
    return (found?.rows as { block: number }[] | undefined)?.[0]?.block
  } catch {
    // Ended before its first table, or filled for another configuration: there is no lock and no block.
    return undefined
  } finally {
    await opened?.close()
  }
}

/**
 * Ponder takes rows back by what it has noted of each, and can never start again where a row is there without its note.
 * Rows are only ever added, so that those after the checkpoint are all there is to take back.
 */
async function takeBack(database: Database, schema: string): Promise<void> {
  // Digits: ten of a time, sixteen of the chain, of the block and of the transaction, one of the kind, sixteen of the log.
  const checkpoint = `select substr(safe_checkpoint, 27, 16)::int8, case when substr(safe_checkpoint, 59, 1) = '0' then -1
    else least(substr(safe_checkpoint, 60, 16)::numeric, 2147483647)::int end
    from "${schema}"._ponder_checkpoint where chain_id = 56`
  await database.query('begin')
  for (const table of ['bind_event', 'volume_event', 'reward_event']) {
    // Ponder's triggers want what it makes for itself; it makes them anew.
    await database.query(`alter table "${schema}".${table} disable trigger user`)
    await database.query(`delete from "${schema}".${table} where (block, log_index) > (${checkpoint})`)
    await database.query(`delete from "${schema}"."_reorg__${table}"`)
  }
  await database.query('commit')
}

/**
 * Makes an embedded database. One that was killed while it was being made can never be opened: it gets its name when it
 * is whole.
 */
export async function createDirectory(directory: string): Promise<void> {
  const unfinished = `${directory}.new`
  rmSync(unfinished, { recursive: true, force: true })
  const made = await openPglite(unfinished)
  await made.close()
  renameSync(unfinished, directory)
}

/** The very version that Ponder opens the tables with. */
const fromPonder = createRequire(import.meta.resolve('ponder'))

function openPglite(directory: string): Promise<Database> {
  const { PGlite } = fromPonder('@electric-sql/pglite') as { PGlite: { create(directory: string): Promise<Database> } }
  return PGlite.create(directory)
}

async function openPostgres(connectionString: string): Promise<Database> {
  const { Client } = fromPonder('pg') as {
    Client: new (
      options: object,
    ) => {
      connect(): Promise<void>
      query: Database['query']
      end(): Promise<void>
    }
  }
  const client = new Client({ connectionString, connectionTimeoutMillis: 10_000, query_timeout: 10_000 })
  await client.connect()
  return { query: (sql) => client.query(sql), close: () => client.end() }
}
