import type { Address } from '@lineage/referral-api'
import type { SiweStore, StoredSession } from '@lineage/wallet-kit/siwe-server'
import { alertAccountTables, alertTableNames, alertTables, lockAlerts } from '../alerts/alertTables.ts'
import { AlertLimitError } from '../alerts/store/alertLimits.ts'
import { type AlertStore, createAlertStore } from '../alerts/store/createAlertStore.ts'
import type { AccountsLocation, Database, JobDatabase, Query } from '../database/database.ts'
import { openDatabase } from '../database/openDatabase.ts'
import { createDelayed } from './createDelayed.ts'
import { createLabelStore, LabelLimitError, type LabelStore, labelTable } from './labelStore.ts'
import { createSiweStore, sessionTable } from './siweStore.ts'

export type Health = { status: 'unknown' | 'working' } | { status: 'failing'; since: number }

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
export const queueLimit = 100

/** Interval between two health checks of the database, in milliseconds. */
const checkInterval = 5_000

/** Thrown when too many statements wait for the database. */
export class DatabaseBusyError extends Error {
  override readonly name = 'DatabaseBusyError'
}

/** The state of the storage. */
type StorageState = {
  location: AccountsLocation
  /** The database from its first use on; `undefined` again after it failed. */
  opening: Promise<Database> | undefined
  /** Number of statements and transactions that wait. */
  waiting: number
  health: Health
  /** Time of the last health check. */
  checkedAt: number
}

/**
 * Returns the storage of accounts at a location. The first call opens the database; after a failure the next call
 * tries again, so the server also runs without it. Deleted labels are removed from the database's files after
 * `eraseAfter` milliseconds.
 */
export function openAccounts(location: AccountsLocation, { eraseAfter = 60_000 } = {}): Accounts {
  const storage: StorageState = {
    location,
    opening: undefined,
    waiting: 0,
    health: { status: 'unknown' },
    checkedAt: Number.NEGATIVE_INFINITY,
  }
  const query: Query = (text, values) => use(storage, (database) => database.query(text, values))
  const transaction: Database['transaction'] = (work) => use(storage, (database) => database.transaction(work))
  const erasing = createDelayed(() => erase(storage, [labelTable, sessionTable]), eraseAfter)
  const erasingAlerts = createDelayed(() => erase(storage, alertTableNames), eraseAfter)
  return {
    ...createSiweStore(query),
    async removeAccount(account) {
      await transaction((run) => deleteRows(run, account))
      erasing.request()
      erasingAlerts.request()
    },
    getHealth: () => getHealth(storage, query),
    countWaiting: () => storage.waiting,
    jobs: {
      kind: location.kind,
      // Statements of a library may fail by design, and are repeated by it: they say nothing about the database.
      execute: async (text, values) => (await getDatabase(storage)).execute(text, values),
    },
    labels: createLabelStore({ query, transaction, onDelete: erasing.request }),
    alerts: createAlertStore({ query, transaction }),
    async close() {
      await erasing.flush()
      await erasingAlerts.flush()
      const database = await storage.opening?.catch(() => undefined)
      await database?.close()
    },
  }
}

/** Runs work with the database, and notes whether it answered. @throws {DatabaseBusyError} */
async function use<Result>(storage: StorageState, work: (database: Database) => Promise<Result>): Promise<Result> {
  if (storage.waiting >= queueLimit)
    throw new DatabaseBusyError(`${storage.waiting} statements wait for the accounts' database.`)
  storage.waiting++
  try {
    const result = await work(await getDatabase(storage))
    storage.health = { status: 'working' }
    return result
  } catch (error) {
    // A refused change is a normal answer of the database.
    const isRefusal = error instanceof LabelLimitError || error instanceof AlertLimitError
    if (!isRefusal && storage.health.status !== 'failing') storage.health = { status: 'failing', since: Date.now() }
    throw error
  } finally {
    storage.waiting--
  }
}

/** Returns the open database. Opens it again if it has ended. */
async function getDatabase(storage: StorageState): Promise<Database> {
  const current = open(storage)
  try {
    const database = await current
    if (database.isOpen()) return database
  } catch (error) {
    forget(storage, current)
    throw error
  }
  forget(storage, current)
  return open(storage)
}

function open(storage: StorageState): Promise<Database> {
  storage.opening ??= openTables(storage.location)
  return storage.opening
}

/** Lets the next call open the database, unless another call has opened it again. */
function forget(storage: StorageState, last: Promise<Database>): void {
  if (storage.opening === last) storage.opening = undefined
}

/** Returns the health of the database, and checks it if the last check was long ago. */
function getHealth(storage: StorageState, query: Query): Health {
  const isDue = storage.health.status !== 'unknown' && performance.now() - storage.checkedAt > checkInterval
  if (isDue) {
    storage.checkedAt = performance.now()
    query('select 1', []).catch(() => undefined)
  }
  return storage.health
}

/** Removes the deleted rows of tables from the files. */
function erase(storage: StorageState, tables: readonly string[]): Promise<void> {
  return use(storage, async (database) => {
    for (const table of tables) await database.erase(table)
  })
}

/** Deletes all rows of an account. */
async function deleteRows(query: Query, account: Address): Promise<void> {
  await query(lockAlerts, [])
  for (const [table, column] of [
    [labelTable, 'account'],
    [sessionTable, 'address'],
    ...alertAccountTables.map((name) => [name, 'account']),
  ])
    await query(`delete from ${table} where ${column} = $1`, [account])
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
