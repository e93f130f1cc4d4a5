import type { Address } from '@lineage/referral-api'
import type { SiweStore, StoredSession } from '@lineage/wallet-kit/siwe-server'
import { alertAccountTables, alertTableNames, alertTables, lockAlerts } from '../alerts/alertTables.ts'
import { AlertLimitError } from '../alerts/store/alertLimits.ts'
import { type AlertStore, createAlertStore } from '../alerts/store/createAlertStore.ts'
import type { Health } from '../findFaults.ts'
import { createDelayed } from './createDelayed.ts'
import type { AccountsLocation, Database, JobDatabase, Query } from './database.ts'
import { createLabelStore, LabelLimitError, type LabelStore, labelTable } from './labelStore.ts'
import { openDatabase } from './openDatabase.ts'
import { createSiweStore, sessionTable } from './siweStore.ts'

/** Storage of accounts. It is separate from the index, so it survives a new indexing. */
export type Accounts = SiweStore & {
  labels: LabelStore
  alerts: AlertStore
  listSessions: (account: Address) => Promise<StoredSession[]>
  /** The database of the jobs of `createDeliveryQueue`. */
  jobs: JobDatabase
  /** Deletes the labels, watches, alerts, webhooks and all sessions of an account. */
  removeAccount: (account: Address) => Promise<void>
  /** Returns whether the last statement was answered. After a failure, each call lets the database be tried again. */
  getHealth: () => Health
  /** Number of statements waiting for the database. */
  countWaiting: () => number
  close: () => Promise<void>
}

/** SQL that creates all tables, under a lock because several processes may open an empty database at once. */
export const createTables = `
  begin;
  select pg_advisory_xact_lock(4361);
  create schema if not exists lineage_accounts;
  create table if not exists lineage_accounts.used_nonces (nonce text primary key, expires_at bigint not null);
  create table if not exists lineage_accounts.sessions (
    id text primary key,
    address text not null,
    chain_id bigint not null,
    expires_at bigint not null
  );
  create table if not exists lineage_accounts.labels (
    account text not null,
    address text not null,
    text text not null,
    watched boolean not null,
    updated_at bigint not null,
    primary key (account, address)
  );
  ${alertTables}
  commit;
`

/** Largest number of waiting statements and transactions. */
const queueLimit = 100

/** Interval between two health checks of the database, in milliseconds. */
const checkInterval = 5_000

/** Thrown when too many statements wait for the database. */
export class DatabaseBusyError extends Error {
  override readonly name = 'DatabaseBusyError'
}

/**
 * Returns the storage of accounts at a location. The first call opens the database; after a failure the next call
 * tries again, so the server also runs without it. Deleted labels are removed from the database's files after
 * `eraseAfter` milliseconds.
 */
export function openAccounts(location: AccountsLocation, { eraseAfter = 60_000 } = {}): Accounts {
  let opening: Promise<Database> | undefined
  let waiting = 0
  let health: Health = { status: 'unknown' }
  let checkedAt = Number.NEGATIVE_INFINITY

  const open = () => {
    opening ??= openTables(location)
    return opening
  }
  /** Lets the next call open the database, unless another call has opened it again. */
  const forget = (last: Promise<Database>) => {
    if (opening === last) opening = undefined
  }
  async function getDatabase(): Promise<Database> {
    const current = open()
    try {
      const database = await current
      if (database.isOpen()) return database
    } catch (error) {
      forget(current)
      throw error
    }
    forget(current)
    return open()
  }
  async function use<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
    if (waiting >= queueLimit) throw new DatabaseBusyError(`${waiting} statements wait for the accounts' database.`)
    waiting++
    try {
      const result = await work(await getDatabase())
      health = { status: 'working' }
      return result
    } catch (error) {
      // A refused change is a normal answer of the database.
      if (!(error instanceof LabelLimitError || error instanceof AlertLimitError) && health.status !== 'failing')
        health = { status: 'failing', since: Date.now() }
      throw error
    } finally {
      waiting--
    }
  }
  const query: Query = (text, values) => use((database) => database.query(text, values))
  const transaction: Database['transaction'] = (work) => use((database) => database.transaction(work))

  function getHealth(): Health {
    const isDue = health.status !== 'unknown' && performance.now() - checkedAt > checkInterval
    if (isDue) {
      checkedAt = performance.now()
      query('select 1', []).catch(() => undefined)
    }
    return health
  }

  const erase = (tables: readonly string[]) => () =>
    use(async (database) => {
      for (const table of tables) await database.erase(table)
    })
  const erasing = createDelayed(erase([labelTable, sessionTable]), eraseAfter)
  const erasingAlerts = createDelayed(erase(alertTableNames), eraseAfter)
  return {
    ...createSiweStore(query),
    async removeAccount(account) {
      await transaction(async (query) => {
        await query(lockAlerts, [])
        for (const [table, column] of [
          [labelTable, 'account'],
          [sessionTable, 'address'],
          ...alertAccountTables.map((name) => [name, 'account']),
        ])
          await query(`delete from ${table} where ${column} = $1`, [account])
      })
      erasing.request()
      erasingAlerts.request()
    },
    getHealth,
    countWaiting: () => waiting,
    // Statements of a library may fail by design, and are repeated by it: they say nothing about the database.
    jobs: { kind: location.kind, execute: async (text, values) => (await getDatabase()).execute(text, values) },
    labels: createLabelStore({ query, transaction, onDelete: erasing.request }),
    alerts: createAlertStore({ query, transaction }),
    async close() {
      await erasing.flush()
      await erasingAlerts.flush()
      const database = await opening?.catch(() => undefined)
      await database?.close()
    },
  }
}

async function openTables(location: AccountsLocation): Promise<Database> {
  const database = await openDatabase(location)
  try {
    await database.run(createTables)
    return database
  } catch (error) {
    await database.close().catch(() => undefined)
    throw error
  }
}
