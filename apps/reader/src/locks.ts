import pg from 'pg'

/** First key of the advisory locks of writers; the second one is the source. */
const lockSpace = 4362

/** Milliseconds between two statements that show PostgreSQL that this process runs. */
const touchInterval = 2_000

/** Both sides notice a lost connection within seconds, and PostgreSQL ends that of a process that is paused. */
const sessionSettings = [
  "set idle_session_timeout = '8s'",
  'set tcp_keepalives_idle = 2',
  'set tcp_keepalives_interval = 1',
  'set tcp_keepalives_count = 2',
]

/**
 * Creates the locks by which one reader writes to a source. They belong to one connection, so PostgreSQL releases them
 * when this process ends, however it ends, or is paused.
 *
 * @see https://www.postgresql.org/docs/current/explicit-locking.html#ADVISORY-LOCKS
 */
export function createSourceLocks(url: string) {
  let client: pg.Client | undefined
  /** Settles after the last statement: one is sent after the other. */
  let last: Promise<unknown> = Promise.resolve()
  const held = new Set<number>()

  function ask(connection: pg.Client, text: string, values: unknown[] = []): Promise<pg.QueryResult> {
    const answer = last.then(() => connection.query(text, values))
    last = answer.catch(() => undefined)
    return answer
  }

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
    let touching: NodeJS.Timeout | undefined
    const end = () => {
      clearInterval(touching)
      void opened.end().catch(() => undefined)
      if (client !== opened) return
      client = undefined
      held.clear()
    }
    opened.on('error', end).on('end', end)
    try {
      await opened.connect()
      for (const setting of sessionSettings) await ask(opened, setting)
    } catch (error) {
      end()
      throw error
    }
    touching = setInterval(() => void ask(opened, 'select 1').catch(end), touchInterval)
    client = opened
    return opened
  }

  return {
    /** Returns whether this process has the lock of a source, or gets it. */
    async take(source: number): Promise<boolean> {
      const opened = await connect()
      if (held.has(source)) return true
      const { rows } = await ask(opened, 'select pg_try_advisory_lock($1, $2) as taken', [lockSpace, source])
      if (rows[0].taken) held.add(source)
      return rows[0].taken
    },
    async close(): Promise<void> {
      await client?.end().catch(() => undefined)
    },
  }
}
