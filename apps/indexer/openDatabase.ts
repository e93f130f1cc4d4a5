import { realpathSync } from 'node:fs'
import { createRequire, findPackageJSON } from 'node:module'

export type OpenDatabase = {
  query(sql: string): Promise<{ rows: unknown[] }>
  close(): Promise<void>
}

/**
 * Requires a package as Ponder does, so that tables are opened with the driver version that made them. `ponder` may be a link:
 * its packages are beside the folder that it leads to.
 */
export const requireFromPonder = createRequire(
  realpathSync(findPackageJSON('ponder', import.meta.url) ?? import.meta.filename),
)

/** Opens an embedded database; no other process may have it open. */
export function openPglite(directory: string): Promise<OpenDatabase> {
  const { PGlite } = requireFromPonder('@electric-sql/pglite') as {
    PGlite: { create(directory: string): Promise<OpenDatabase> }
  }
  return PGlite.create(directory)
}

/** Creates a pool of one connection to a PostgreSQL, which is opened again after it was lost. */
export function createPostgresPool(connectionString: string): Pick<OpenDatabase, 'query'> {
  type Pool = Pick<OpenDatabase, 'query'> & { on(event: 'error', listener: () => void): void }
  const { Pool } = requireFromPonder('pg') as { Pool: new (options: object) => Pool }
  const pool = new Pool({ connectionString, max: 1, connectionTimeoutMillis: 10_000, query_timeout: 30_000 })
  // Without a listener the error of an idle connection would end the process.
  pool.on('error', () => undefined)
  return pool
}

/** Opens a PostgreSQL; waits ten seconds at most, for the connection and for each query. */
export async function openPostgres(connectionString: string): Promise<OpenDatabase> {
  type Client = { connect(): Promise<void>; query: OpenDatabase['query']; end(): Promise<void> }
  const { Client } = requireFromPonder('pg') as { Client: new (options: object) => Client }
  const client = new Client({ connectionString, connectionTimeoutMillis: 10_000, query_timeout: 10_000 })
  await client.connect()
  return { query: (sql) => client.query(sql), close: () => client.end() }
}

/** A connection whose end is noticed on both sides within seconds. */
export type LockSession = OpenDatabase & { onEnd(listener: () => void): void }

/** Opens a connection to a PostgreSQL that stays open as long as this process. */
export async function openLockSession(connectionString: string, name: string): Promise<LockSession> {
  type Client = { connect(): Promise<void>; query: OpenDatabase['query']; end(): Promise<void> } & {
    on(event: 'error' | 'end', listener: () => void): void
  }
  const { Client } = requireFromPonder('pg') as { Client: new (options: object) => Client }
  const options = { application_name: name, keepAlive: true, keepAliveInitialDelayMillis: 1_000 }
  const client = new Client({ connectionString, connectionTimeoutMillis: 10_000, ...options })
  // The end follows the error.
  client.on('error', () => undefined)
  await client.connect()
  await client.query('set tcp_keepalives_idle = 2; set tcp_keepalives_interval = 1; set tcp_keepalives_count = 2')
  return {
    query: (text) => client.query(text),
    close: () => client.end(),
    onEnd: (listener) => client.on('end', listener),
  }
}
