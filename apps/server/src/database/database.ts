import { runTransaction } from '@lineage/database'
import type { Pool } from 'pg'

export type Row = Record<string, unknown>

/** Runs one statement, with its values as `$1`, `$2`, and returns the rows. */
export type Query = (text: string, values: readonly unknown[]) => Promise<Row[]>

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

const queryWith =
  (connection: Pick<Pool, 'query'>): Query =>
  async (text, values) =>
    (await connection.query<Row>(text, [...values])).rows
