import { summarizeError } from '../lib/log.ts'
import type { Database } from './database.ts'

/** Time limit to connect, and to answer a query, in milliseconds. */
const timeout = 5_000

/** Connects to a PostgreSQL server. */
export async function openPostgres(url: string): Promise<Database> {
  const { default: pg } = await import('pg')
  const pool = new pg.Pool({
    connectionString: url,
    max: 5,
    connectionTimeoutMillis: timeout,
    query_timeout: timeout,
    idleTimeoutMillis: 30_000,
  })
  // An idle connection may be closed; the next query opens another. Without a listener the error would end the process.
  pool.on('error', (error) => console.error(`PostgreSQL closed an idle connection: ${summarizeError(error)}.`))
  return {
    query: async (text, values) => (await pool.query<Record<string, unknown>>(text, [...values])).rows,
    transaction: async (work) => {
      const client = await pool.connect()
      let broken: Error | undefined
      const onError = (cause: Error) => {
        broken = cause
      }
      // The pool listens only to idle connections.
      client.on('error', onError)
      try {
        await client.query('begin')
        await work(async (text, values) => (await client.query<Record<string, unknown>>(text, [...values])).rows)
        await client.query('commit')
      } catch (error) {
        // A connection that cannot roll back is not used again.
        await client.query('rollback').catch(onError)
        throw error
      } finally {
        client.off('error', onError)
        client.release(broken)
      }
    },
    run: async (text) => void (await pool.query(text)),
    execute: async (text, values) => {
      // The driver returns a list for several statements.
      const results = [await pool.query<Record<string, unknown>>(text, values)].flat()
      return results.flatMap(({ rows }) => rows)
    },
    erase: async () => undefined,
    isOpen: () => true,
    close: () => pool.end(),
  }
}
