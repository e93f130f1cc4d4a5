import { createMissingSchema, type DatabaseFault, findDatabaseFault, openPool } from '@lineage/database'
import type { Address } from '@lineage/referral-api'
import type { SiweStore, StoredSession } from '@lineage/wallet-kit/siwe-server'
import pg from 'pg'
import { type AlertStore, createAlertStore } from '../alerts/alertStore.ts'
import { alertAccountTables, alertTables, lockAlerts } from '../alerts/alertTables.ts'
import { createDatabase, type Database, type Query, summarizeFault } from '../database/database.ts'
import { createLabelStore, type LabelStore, labelTable } from './labelStore.ts'
import { createSiweStore, sessionTable, siweTables } from './siweStore.ts'

/** `fault` is that of the last statement, if it is a known one. */
type Health = { status: 'unknown' | 'working' } | { status: 'failing'; since: number; fault: DatabaseFault | undefined }

/** Storage of accounts. It is separate from the index, so it survives a new indexing. */
export type Accounts = SiweStore & {
  labels: LabelStore
  alerts: AlertStore
  listSessions: (account: Address) => Promise<StoredSession[]>
  /** Connections for the jobs of the alerts, whose failures say nothing about the health. */
  pool: pg.Pool
  /** Deletes the labels, watches, alerts, webhooks and all sessions of an account. */
  removeAccount: (account: Address) => Promise<void>
  /** Returns whether the last statement was answered. One is sent every five seconds. */
  getHealth: () => Health
  /** Number of statements waiting for the database. */
  countWaiting: () => number
  close: () => Promise<void>
}

/** SQL that creates all tables, under a lock because several processes may open an empty database at once. */
export const createTables = `
  select pg_advisory_xact_lock(4361);
  ${createMissingSchema('lineage_accounts')}
  ${siweTables}
  create table if not exists lineage_accounts.labels (
    account text not null,
    address text not null,
    text text not null,
    watched boolean not null,
    updated_at bigint not null,
    primary key (account, address)
  );
  ${alertTables}
`

/** Largest number of waiting statements and transactions. */
export const queueLimit = 100

/** Interval between two health checks of the database, in milliseconds. */
const checkInterval = 5_000

/** Time limit for creating tables and indexes, in milliseconds. */
const createTimeout = 30_000

/** Thrown when too many statements wait for the database. */
export class DatabaseBusyError extends Error {
  override readonly name = 'DatabaseBusyError'
}

/**
 * Returns the storage of accounts in a PostgreSQL database. The first call creates the tables; after a failure the
 * next call tries again, so the server also runs without the database.
 */
export function openAccounts(url: string): Accounts {
  const pool = openPool({
    url,
    onError: (error) => console.error(`PostgreSQL closed an idle connection: ${summarizeFault(error)}.`),
  })
  const { query, transaction, getHealth, countWaiting, close } = guard(pool)
  return {
    ...createSiweStore(query),
    removeAccount: (account) => transaction((query) => deleteRows(query, account)),
    getHealth,
    countWaiting,
    pool,
    labels: createLabelStore({ query, transaction }),
    alerts: createAlertStore({ query, transaction }),
    close,
  }
}

/** Creates a database that creates its tables at the first use, refuses work beyond its queue, and notes its health. */
function guard(pool: pg.Pool): Database & Pick<Accounts, 'getHealth' | 'countWaiting' | 'close'> {
  const database = createDatabase(pool)
  let tables: Promise<unknown> | undefined
  let waiting = 0
  let health: Health = { status: 'unknown' }

  async function prepare() {
    tables ??= pool.query(withCreateTimeout(createTables))
    await tables.catch((error: unknown) => {
      tables = undefined
      throw error
    })
  }

  async function use<Result>(work: () => Promise<Result>): Promise<Result> {
    if (waiting >= queueLimit) throw new DatabaseBusyError(`${waiting} statements wait for the accounts' database.`)
    waiting++
    try {
      await prepare()
      const result = await work()
      if (health.status === 'failing') console.info("The accounts' database works again.")
      health = { status: 'working' }
      return result
    } catch (error) {
      // A change that a store refuses is a normal answer.
      const fault = findDatabaseFault(error)
      if (fault !== undefined || error instanceof pg.DatabaseError) noteFailure(error, fault)
      throw error
    } finally {
      waiting--
    }
  }

  function noteFailure(error: unknown, fault: DatabaseFault | undefined): void {
    // The start logs its own failure.
    if (health.status === 'working') console.error(`The accounts' database fails: ${summarizeFault(error)}.`)
    const since = health.status === 'failing' ? health.since : Date.now()
    health = { status: 'failing', since, fault }
  }

  const query: Query = (text, values) => use(() => database.query(text, values))
  const checks = setInterval(() => {
    // A read-only database refuses this one.
    if (health.status !== 'unknown')
      query(`select from ${sessionTable} where false for update`, []).catch(() => undefined)
  }, checkInterval).unref()
  return {
    query,
    transaction: (work) => use(() => database.transaction(work)),
    countWaiting: () => waiting,
    getHealth: () => health,
    close() {
      clearInterval(checks)
      return pool.end()
    },
  }
}

/** Allows the statements more time than others: an index of millions of rows is created at the first start after an update. */
const withCreateTimeout = (text: string) => ({
  text: `set local statement_timeout = ${createTimeout}; ${text}`,
  query_timeout: createTimeout,
})

async function deleteRows(query: Query, account: Address): Promise<void> {
  await query(lockAlerts, [])
  for (const [table, column] of [
    [labelTable, 'account'],
    [sessionTable, 'address'],
    ...alertAccountTables.map((name) => [name, 'account']),
  ])
    await query(`delete from ${table} where ${column} = $1`, [account])
}
