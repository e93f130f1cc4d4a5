/** One statement, its values as `$1`, `$2`. */
export type Query = (text: string, values: readonly (string | number | boolean)[]) => Promise<Record<string, unknown>[]>

/** The little that the accounts ask of PostgreSQL, embedded or not. */
export type Database = {
  query: Query
  /** Statements that hold together; undone when `work` throws. */
  transaction: (work: (query: Query) => Promise<void>) => Promise<void>
  /** Statements without values, in one go. */
  run: (text: string) => Promise<void>
  close: () => Promise<void>
}

export type AccountsPlace =
  /** `null` keeps them in memory. */
  { kind: 'embedded'; directory: string | null } | { kind: 'postgres'; url: string }

/** Opens the database of a place. */
export function openDatabase(place: AccountsPlace): Promise<Database> {
  return place.kind === 'postgres' ? openPostgres(place.url) : openEmbedded(place.directory)
}

async function openEmbedded(directory: string | null): Promise<Database> {
  const [{ PGlite }, { mkdir }] = await Promise.all([import('@electric-sql/pglite'), import('node:fs/promises')])
  if (directory !== null) await mkdir(directory, { recursive: true })
  const pglite = await PGlite.create(directory ?? 'memory://')
  return {
    query: async (text, values) => (await pglite.query<Record<string, unknown>>(text, [...values])).rows,
    transaction: (work) =>
      pglite.transaction((inside) =>
        work(async (text, values) => (await inside.query<Record<string, unknown>>(text, [...values])).rows),
      ),
    run: async (text) => void (await pglite.exec(text)),
    close: () => pglite.close(),
  }
}

/** Milliseconds a connection or an answer may take. */
const patience = 5_000

async function openPostgres(url: string): Promise<Database> {
  const { default: pg } = await import('pg')
  const pool = new pg.Pool({
    connectionString: url,
    max: 5,
    connectionTimeoutMillis: patience,
    query_timeout: patience,
    idleTimeoutMillis: 30_000,
  })
  // A connection that rests may be cut; the next query opens another.
  pool.on('error', (error) => console.error(error))
  return {
    query: async (text, values) => (await pool.query<Record<string, unknown>>(text, [...values])).rows,
    transaction: async (work) => {
      const client = await pool.connect()
      let broken: Error | undefined
      try {
        await client.query('begin')
        await work(async (text, values) => (await client.query<Record<string, unknown>>(text, [...values])).rows)
        await client.query('commit')
      } catch (error) {
        // A connection that cannot undo is not given to anybody else.
        await client.query('rollback').catch((cause: Error) => {
          broken = cause
        })
        throw error
      } finally {
        client.release(broken)
      }
    },
    run: async (text) => void (await pool.query(text)),
    close: () => pool.end(),
  }
}
