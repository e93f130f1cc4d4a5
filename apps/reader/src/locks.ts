import pg from 'pg'

/** First key of the advisory locks of writers; the second one is the source. */
const lockSpace = 4362

/**
 * Creates the locks by which one reader writes to a source. They belong to one connection, so PostgreSQL releases them
 * when this process ends, however it ends.
 *
 * @see https://www.postgresql.org/docs/current/explicit-locking.html#ADVISORY-LOCKS
 */
export function createSourceLocks(url: string) {
  let client: pg.Client | undefined
  const held = new Set<number>()

  async function connect(): Promise<pg.Client> {
    if (client) return client
    const opened = new pg.Client({
      connectionString: url,
      application_name: 'lineage reader lock',
      keepAlive: true,
      keepAliveInitialDelayMillis: 1_000,
      connectionTimeoutMillis: 5_000,
      query_timeout: 5_000,
    })
    // Ends the connection; `end` follows.
    opened.on('error', () => void opened.end().catch(() => undefined))
    opened.on('end', () => {
      if (client !== opened) return
      client = undefined
      held.clear()
    })
    await opened.connect()
    // Both sides notice a lost connection within seconds.
    for (const setting of ['tcp_keepalives_idle = 2', 'tcp_keepalives_interval = 1', 'tcp_keepalives_count = 2'])
      await opened.query(`set ${setting}`)
    client = opened
    return opened
  }

  return {
    /** Returns whether this process has the lock of a source, or gets it. */
    async take(source: number): Promise<boolean> {
      const opened = await connect()
      if (held.has(source)) return true
      const { rows } = await opened.query('select pg_try_advisory_lock($1, $2) as taken', [lockSpace, source])
      if (rows[0].taken) held.add(source)
      return rows[0].taken
    },
    async close(): Promise<void> {
      await client?.end().catch(() => undefined)
    },
  }
}
