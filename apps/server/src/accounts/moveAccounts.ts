import { cpSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openPool, runTransaction } from '@lineage/database'
import type { Pool, PoolClient } from 'pg'
import { createTables } from './openAccounts.ts'

/** Thrown when accounts cannot be moved. Nothing was changed. */
export class MoveError extends Error {
  override readonly name = 'MoveError'
}

/** Tables in the order in which rows can be inserted: a delivery needs its webhook. */
const tables = [
  ...['used_nonces', 'sessions', 'labels', 'watches', 'digest_events'],
  ...['alerts', 'alert_accounts', 'alert_cursors', 'webhooks', 'deliveries'],
]

/** Tables that only have rows if people used the accounts. */
const ownTables = ['labels', 'watches', 'alerts', 'alert_accounts', 'webhooks']

/** Sequences of numbers that must not be given again: a webhook skips numbers that it has passed. */
const sequences = ['alerts_number_seq', 'deliveries_id_seq']

/** Number of rows copied at once. */
const pageSize = 1_000

export type MoveAccountsReturnType = {
  status: 'moved' | 'moved_before'
  /** Number of moved rows by table. */
  counts: Record<string, number>
}

/**
 * Copies all accounts of an earlier version's embedded database into a PostgreSQL database, in one transaction. The
 * folder stays as it is. A database into which accounts were moved is left alone.
 *
 * @param folder Folder that the earlier server kept accounts in: `accounts` in the data folder of `npm start`.
 * @throws {MoveError}
 */
export async function moveAccounts(folder: string, url: string): Promise<MoveAccountsReturnType> {
  const pool = openPool({ url, timeout: 60_000 })
  try {
    if (await wasMoved(pool)) return { status: 'moved_before', counts: {} }
    await requireUnused(folder)
    const source = await openCopy(folder)
    try {
      await pool.query(createTables)
      return await runTransaction(pool, (client) => copyAll(source, client, folder))
    } finally {
      await source.close()
    }
  } finally {
    await pool.end()
  }
}

/** The comment is part of the transaction that moves the accounts. */
const comment = 'Accounts were moved here from an embedded database'
const commented = 'lineage_accounts.sessions'

async function wasMoved(connection: Pick<Pool, 'query'>): Promise<boolean> {
  // An earlier version wrote it on the schema, whose owner may be another role.
  const text = `select coalesce(obj_description(to_regclass('${commented}'), 'pg_class'),
    obj_description(to_regnamespace('lineage_accounts'), 'pg_namespace')) as comment`
  const { rows } = await connection.query<{ comment: string | null }>(text)
  return rows[0]?.comment?.startsWith(comment) ?? false
}

/**
 * Requires that no server of an earlier version has opened the folder: it renews a file beside it every two seconds.
 *
 * @throws {MoveError}
 */
async function requireUnused(folder: string): Promise<void> {
  if (!existsSync(join(folder, 'PG_VERSION')))
    throw new MoveError(`${folder} is no folder of accounts of an earlier version.`)
  const renewedAt = () => statSync(`${folder}.pid`, { throwIfNoEntry: false })?.mtimeMs
  const before = renewedAt()
  if (before === undefined) return
  for (let waited = 0; waited < 3_000; waited += 100) {
    await delay(100)
    if (renewedAt() !== before) throw new MoveError(`${folder} is open in an earlier version, which must end first.`)
  }
}

/** The earlier version's database: runs one statement, whose values are texts. */
type Source = {
  query: (text: string, values?: unknown[]) => Promise<Record<string, string>[]>
  close: () => Promise<void>
}

/** Opens a copy of the folder, because opening a database writes to it. */
async function openCopy(folder: string): Promise<Source> {
  const copy = mkdtempSync(join(tmpdir(), 'lineage-accounts-'))
  const remove = () => rmSync(copy, { recursive: true, force: true })
  try {
    cpSync(folder, copy, { recursive: true })
    const { PGlite } = await import('@electric-sql/pglite')
    const database = await PGlite.create(copy)
    return {
      query: async (text, values) => (await database.query<Record<string, string>>(text, values)).rows,
      async close() {
        await database.close()
        remove()
      },
    }
  } catch (error) {
    remove()
    throw new MoveError(`${folder} cannot be read: ${(error as Error).message}`, { cause: error })
  }
}

async function copyAll(source: Source, client: PoolClient, folder: string): Promise<MoveAccountsReturnType> {
  await client.query('select pg_advisory_xact_lock(4361)')
  // Another process may have moved them meanwhile.
  if (await wasMoved(client)) return { status: 'moved_before', counts: {} }
  await requireEmpty(client)
  // Without watches, no alerts were derived: those of the earlier version go on where they were.
  await client.query('delete from lineage_accounts.alert_cursors')
  const counts: Record<string, number> = {}
  for (const table of tables) counts[table] = await copyTable(source, client, table)
  for (const sequence of sequences) await copySequence(source, client, sequence)
  const from = client.escapeLiteral(`${comment}: ${folder}`)
  await client.query(`comment on table ${commented} is ${from}`)
  return { status: 'moved', counts }
}

/** @throws {MoveError} If people already use accounts in the database. */
async function requireEmpty(client: PoolClient): Promise<void> {
  for (const table of ownTables) {
    const { rows } = await client.query<{ count: number }>(`select count(*) as count from lineage_accounts.${table}`)
    const count = rows[0]?.count ?? 0
    if (count > 0)
      throw new MoveError(
        `The database already has accounts of its own (${count} rows in lineage_accounts.${table}). Move into an empty database, or drop that schema first.`,
      )
  }
}

/** Copies the columns that both versions have, and returns the number of rows. */
async function copyTable(source: Source, client: PoolClient, table: string): Promise<number> {
  const text = `select column_name as name from information_schema.columns
    where table_schema = 'lineage_accounts' and table_name = $1`
  const before = (await source.query(text, [table])).map(({ name }) => name)
  const now = (await client.query<{ name: string }>(text, [table])).rows.map(({ name }) => name)
  const columns = now.filter((name) => before.includes(name)).join()
  if (columns === '') return 0
  for (let done = 0; ; done += pageSize) {
    // The rows stay text, because numbers of JavaScript are not exact enough.
    const [page] = await source.query(
      `select coalesce(jsonb_agg(to_jsonb(one)), '[]')::text as rows, count(*)::text as count
       from (select * from lineage_accounts.${table} order by ctid offset $1 limit $2) as one`,
      [done, pageSize],
    )
    await client.query(
      `insert into lineage_accounts.${table} (${columns}) overriding system value
       select ${columns} from jsonb_populate_recordset(null::lineage_accounts.${table}, $1::jsonb) on conflict do nothing`,
      [page?.rows],
    )
    if (Number(page?.count) < pageSize) return done + Number(page?.count)
  }
}

async function copySequence(source: Source, client: PoolClient, sequence: string): Promise<void> {
  const name = `lineage_accounts.${sequence}`
  const [exists] = await source.query('select to_regclass($1)::text as name', [name])
  if (!exists?.name) return
  const [row] = await source.query(`select last_value::text as last, is_called::text as called from ${name}`)
  await client.query('select setval($1, $2::bigint, $3::boolean)', [name, row?.last, row?.called])
}
