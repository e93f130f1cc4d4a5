import pg from 'pg'

export type OpenPoolParameters = {
  url: string
  /** Largest number of connections. @default 5 */
  max?: number
  /** Milliseconds until a statement is answered. A connection is opened within five seconds. @default 5_000 */
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

/** Milliseconds that a statement waits for a lock: less than for its answer, so that the error names the reason. */
const lockTimeout = 4_000

/**
 * Makes PostgreSQL end a session whose process was cut off or paused in a transaction: its row locks would keep the next
 * writer waiting, and its snapshot the vacuum. Replaces time limits of a role or database, and undoes settings that would
 * change the meaning of our statements and of pg-boss's. Statements instead of parameters of the connection, which poolers
 * refuse.
 *
 * @param statementTimeout Milliseconds after which PostgreSQL gives up a statement; without it, never.
 */
export async function prepareSession(client: pg.ClientBase, statementTimeout = 0): Promise<void> {
  await client.query(
    `set idle_in_transaction_session_timeout = '10s'; set statement_timeout = ${Math.floor(statementTimeout)};
    set lock_timeout = ${lockTimeout}; set idle_session_timeout = 0; set default_transaction_isolation = 'read committed';
    set standard_conforming_strings = on; set client_encoding = 'UTF8'; set bytea_output = 'hex';
    set datestyle = 'ISO'; set intervalstyle = 'postgres';
    -- PostgreSQL 17 and newer. A large community is loaded in one transaction.
    select set_config(name, '0', false) from pg_settings where name = 'transaction_timeout' and setting <> '0'`,
  )
  // Systems that lack one of these settings refuse it.
  await client
    .query(
      `set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3;
      set tcp_user_timeout = '10s'`,
    )
    .catch(() => undefined)
}

/** Opens a pool of connections to PostgreSQL. The first statement connects. */
export function openPool({ url, max = 5, timeout = 5_000, onError = () => undefined }: OpenPoolParameters): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    // On a line that was cut, another attempt is faster than waiting for this one.
    connectionTimeoutMillis: Math.min(timeout, 5_000),
    query_timeout: timeout,
    idleTimeoutMillis: 30_000,
    types,
    // PostgreSQL gives up first, so that the connection can go on, and no statement is carried out later.
    // oxlint-disable-next-line typescript/no-misused-promises -- The pool awaits it; its types do not say so.
    onConnect: (client) => prepareSession(client, timeout * 0.9),
  })
  pool.on('error', onError)
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
