import { describeError, findDatabaseFault, runTransaction } from '@lineage/database'
import type { Pool } from 'pg'
import { summarizeError } from '../lib/log.ts'

/** Schemas of the tables that servers create: those of accounts and alerts, and those of pg-boss. */
export const serverSchemas = ['lineage_accounts', 'lineage_jobs'] as const

type Row = Record<string, unknown>

/** Runs one statement, with its values as `$1`, `$2`, and returns the rows, whose type the caller names. */
export type Query = <row extends object = Row>(text: string, values: readonly unknown[]) => Promise<row[]>

/** Statements of the stores of accounts and alerts. */
export type Database = {
  query: Query
  /** Runs the statements of `work` as one transaction, rolled back when `work` throws. */
  transaction: <Result>(work: (query: Query) => Promise<Result>) => Promise<Result>
}

/** Creates the database of the stores from connections. */
export const createDatabase = (pool: Pool): Database => ({
  query: queryWith(pool),
  transaction: (work) => runTransaction(pool, (client) => work(queryWith(client))),
})

/** Returns an error as one sentence: a fault of the database with what to do, any other error with its own text. */
export const summarizeFault = (error: unknown): string =>
  findDatabaseFault(error) === undefined ? summarizeError(error) : describeError(error)

const queryWith =
  (connection: Pick<Pool, 'query'>): Query =>
  async <row extends object>(text: string, values: readonly unknown[]) =>
    (await connection.query(text, [...values])).rows as row[]

/** Time for which a clock may be wrong before it deletes anything, in milliseconds. */
const patience = 3_600_000

/**
 * Creates a function that returns a time that has passed for certain: the clock has shown it an hour ago, and shows it
 * still. So a clock that jumps ahead and is set back within that hour deletes nothing.
 */
export function createPast(elapsed = () => performance.now()): () => number {
  let seen = { time: 0, at: Number.NEGATIVE_INFINITY }
  let past = 0
  return () => {
    if (elapsed() - seen.at >= patience) {
      past = seen.time
      seen = { time: Date.now(), at: elapsed() }
    }
    return Math.min(past, Date.now())
  }
}
