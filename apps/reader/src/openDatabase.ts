import { realpathSync } from 'node:fs'
import { createRequire, findPackageJSON } from 'node:module'

export type OpenDatabase = {
  query(sql: string): Promise<{ rows: unknown[] }>
  close(): Promise<void>
}

/**
 * Loads a package the way Ponder does, so that tables are opened with the same driver version that created them.
 * `ponder` may be a symbolic link: its packages are beside its target folder.
 */
export const requireFromPonder = createRequire(
  realpathSync(findPackageJSON('ponder', import.meta.url) ?? import.meta.filename),
)

/** Opens an embedded database. No other process may have opened it. */
export async function openPglite(directory: string): Promise<OpenDatabase> {
  // `import`, as in Ponder: with `require`, Node would load and compile a second copy.
  const { PGlite } = await import('@electric-sql/pglite')
  return PGlite.create(directory)
}

/** Creates a pool with one connection to PostgreSQL, which reconnects after a loss. */
export function createPostgresPool(connectionString: string): Pick<OpenDatabase, 'query'> {
  type Pool = Pick<OpenDatabase, 'query'> & { on(event: 'error', listener: () => void): void }
  const { Pool } = requireFromPonder('pg') as { Pool: new (options: object) => Pool }
  const pool = new Pool({ connectionString, max: 1, connectionTimeoutMillis: 10_000, query_timeout: 30_000 })
  // Without a listener, an error of an idle connection would end the process.
  pool.on('error', () => undefined)
  return pool
}

type PostgresClient = {
  connect(): Promise<void>
  query: OpenDatabase['query']
  end(): Promise<void>
  on(event: 'error' | 'end', listener: () => void): void
}

/** Connects to PostgreSQL. The connection and each query have a time limit of ten seconds. */
export async function openPostgres(connectionString: string): Promise<OpenDatabase> {
  const { Client } = requireFromPonder('pg') as { Client: new (options: object) => PostgresClient }
  const client = new Client({ connectionString, connectionTimeoutMillis: 10_000, query_timeout: 10_000 })
  // Without a listener, a lost connection would end the process; the query fails anyway.
  client.on('error', () => undefined)
  await client.connect()
  return { query: (sql) => client.query(sql), close: () => client.end() }
}

/** A connection whose loss is detected on both sides within seconds. */
export type LockSession = OpenDatabase & { onEnd(listener: () => void): void }

/** Opens a connection to PostgreSQL that stays open as long as this process. */
export async function openLockSession(connectionString: string, name: string): Promise<LockSession> {
  const { Client } = requireFromPonder('pg') as { Client: new (options: object) => PostgresClient }
  const options = { application_name: name, keepAlive: true, keepAliveInitialDelayMillis: 1_000 }
  const client = new Client({ connectionString, connectionTimeoutMillis: 10_000, ...options })
  // `end` follows the error.
  client.on('error', () => undefined)
  await client.connect()
  await client
    .query('set tcp_keepalives_idle = 2; set tcp_keepalives_interval = 1; set tcp_keepalives_count = 2')
    .catch(async (error: unknown) => {
      await client.end().catch(() => undefined)
      throw error
    })
  return {
    query: (text) => client.query(text),
    close: () => client.end(),
    onEnd: (listener) => client.on('end', listener),
  }
}
