import pg from 'pg'

export type OpenPoolParameters = {
  url: string
  /** Largest number of connections. @default 5 */
  max?: number
  /** Milliseconds until a connection is opened, and until a statement is answered. @default 5_000 */
  timeout?: number
  /** Called when an idle connection ends. The next statement opens another one. */
  onError?: (error: Error) => void
}

/** Parses `int8` as a number: no block, time or count of the product exceeds the safe integers. */
export const types = {
  getTypeParser: ((id: number, format?: 'text' | 'binary') =>
    id === pg.types.builtins.INT8 && format !== 'binary'
      ? Number
      : pg.types.getTypeParser(id, format as 'text')) as typeof pg.types.getTypeParser,
}

/**
 * Settings of each connection, so that PostgreSQL ends a session whose process was cut off or paused in a transaction: its
 * row locks would keep the next writer waiting. Systems that lack a setting of TCP refuse it.
 */
const sessionSettings = [
  "set idle_in_transaction_session_timeout = '10s'",
  "set tcp_user_timeout = '10s'",
  'set tcp_keepalives_idle = 5',
  'set tcp_keepalives_interval = 2',
  'set tcp_keepalives_count = 3',
]

/** Opens a pool of connections to PostgreSQL. The first statement connects. */
export function openPool({ url, max = 5, timeout = 5_000, onError = () => undefined }: OpenPoolParameters): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: timeout,
    query_timeout: timeout,
    idleTimeoutMillis: 30_000,
    types,
  })
  pool.on('error', onError)
  pool.on('connect', (client) => {
    // A statement that the caller has given up must not be carried out later.
    const settings = [...sessionSettings, `set statement_timeout = ${timeout}`]
    for (const setting of settings) client.query(setting).catch(() => undefined)
  })
  return pool
}

/** Runs statements as one transaction, which is rolled back if the work throws. */
export async function runTransaction<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  let broken: Error | undefined
  const onError = (cause: Error) => {
    broken = cause
  }
  // The pool listens only to idle connections.
  client.on('error', onError)
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    // A connection that cannot roll back is not used again.
    await client.query('rollback').catch(onError)
    throw error
  } finally {
    client.off('error', onError)
    client.release(broken)
  }
}
