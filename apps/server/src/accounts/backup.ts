import { createReadStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { addressPattern } from '@lineage/referral-api/address'
import { watchRules } from '@lineage/referral-api/schemas'
import * as z from 'zod'
import type { AccountsLocation, Database, Query } from '../database/database.ts'
import { openDatabase } from '../database/openDatabase.ts'
import { labelTable } from './labelStore.ts'
import { createTables } from './openAccounts.ts'
import { nonceTable } from './siweStore.ts'

/** Thrown when a backup cannot be written or restored. Nothing was changed. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}

/** A table in the backup. */
type SavedTable = {
  table: string
  /** Columns of a row in order, each with its SQL type. */
  columns: Record<string, string>
  /** Number of leading columns that form the key. Key columns are of type text. */
  key: number
  /** SQL condition that selects the rows. @default all rows */
  where?: string
  row: z.ZodTuple
  /** Columns that are not in the backup, each with the SQL value that a restore writes. */
  added?: Record<string, string>
  /** Action of `on conflict` for a key that exists. The row in the table is called `existing`. */
  conflict: string
}

const isNewer = (columns: string[]) =>
  `do update set ${columns.map((name) => `${name} = excluded.${name}`)} where existing.updated_at < excluded.updated_at`

const addressText = z.string().regex(addressPattern)

/** Lists the tables of a backup by the name of their rows in the file, in the order of the restore. */
const savedTables = {
  label: {
    table: labelTable,
    columns: { account: 'text', address: 'text', text: 'text', watched: 'boolean', updated_at: 'bigint' },
    key: 2,
    row: z.tuple([addressText, addressText, z.string(), z.boolean(), z.int()]),
    conflict: isNewer(['text', 'watched', 'updated_at']),
  },
  nonce: {
    table: nonceTable,
    columns: { nonce: 'text', expires_at: 'bigint' },
    key: 1,
    row: z.tuple([z.string(), z.int()]),
    conflict: 'do nothing',
  },
  cursor: {
    table: 'lineage_accounts.alert_cursors',
    columns: { community: 'text', block: 'bigint' },
    key: 1,
    row: z.tuple([z.string(), z.int()]),
    conflict: 'do nothing',
  },
  watch: {
    table: 'lineage_accounts.watches',
    columns: {
      ...{ account: 'text', community: 'text', address: 'text' },
      ...{ rules: 'jsonb', since_block: 'bigint', updated_at: 'bigint' },
    },
    key: 3,
    row: z.tuple([addressText, z.string(), addressText, watchRules, z.int(), z.int()]),
    conflict: isNewer(['rules', 'updated_at']),
  },
  digest: {
    table: 'lineage_accounts.digest_events',
    columns: {
      ...{ account: 'text', community: 'text', address: 'text', event: 'text' },
      ...{ block: 'bigint', starts: 'bigint', ends: 'bigint' },
    },
    key: 4,
    row: z.tuple([addressText, z.string(), addressText, z.string(), z.int(), z.int(), z.int()]),
    conflict: 'do nothing',
  },
  webhook: {
    table: 'lineage_accounts.webhooks',
    columns: { id: 'text', account: 'text', url: 'text', secret: 'text', state: 'text', created_at: 'bigint' },
    key: 1,
    row: z.tuple([z.string(), addressText, z.url(), z.string(), z.enum(['active', 'paused']), z.int()]),
    // A restored webhook gets only alerts that are derived after the restore.
    added: { sent: 'coalesce((select max(number) from lineage_accounts.alerts), 0)' },
    conflict: 'do nothing',
  },
  feed: {
    table: 'lineage_accounts.alert_accounts',
    columns: { account: 'text', feed: 'text' },
    key: 1,
    where: 'feed is not null',
    row: z.tuple([addressText, z.string()]),
    conflict: 'do update set feed = coalesce(existing.feed, excluded.feed)',
  },
} satisfies Record<string, SavedTable>

type SavedName = keyof typeof savedTables
const savedNames = Object.keys(savedTables) as SavedName[]

/** Number of rows by table. */
export type BackupCounts = Record<SavedName, number>
const noRows = () => Object.fromEntries(savedNames.map((name) => [name, 0])) as BackupCounts

/** Number of rows read or written at once. */
const pageSize = 1_000

/** Version of the file format. Version 1 had labels and nonces only. */
const version = 2
const header = z.object({
  format: z.literal('lineage accounts'),
  version: z.int().min(1).max(version),
  savedAt: z.iso.datetime(),
})
const rowSchemas = savedNames.map((name) => z.strictObject({ [name]: savedTables[name].row }))
const footer = z.union([
  z.strictObject(Object.fromEntries(savedNames.map((name) => [name, z.int()]))),
  z
    .strictObject({ labels: z.int(), nonces: z.int() })
    .transform(({ labels, nonces }) => ({ label: labels, nonce: nonces })),
])
/** A row and the name of its table in the file. */
type Row = { name: SavedName; values: unknown[] }

/**
 * Writes a consistent snapshot of all labels, watches, webhooks, feed links and used nonces to a file. Leaves out
 * sessions, so that a restore does not bring back one that was signed out later, and alerts: the server derives those
 * after the snapshot again. The file can be restored to either kind of database.
 *
 * @throws {BackupError} when the file exists, or cannot be written
 */
export async function saveBackup(location: AccountsLocation, file: string): Promise<BackupCounts> {
  const partial = `${file}.partial`
  const counts = noRows()
  // The file holds private texts and webhook secrets: only its owner may read it.
  const output = await open(file, 'wx', 0o600)
    .then((made) => made.close())
    .then(() => openPartial(partial, file))
    .catch((error: Error) => {
      throw new BackupError(`The file cannot be written: ${error.message}.`)
    })
  try {
    const write = (line: unknown) => output.write(`${JSON.stringify(line)}\n`)
    await write({ format: 'lineage accounts', version, savedAt: new Date().toISOString() })
    await withDatabase(location, (database) =>
      database.transaction(async (query) => {
        await query('set transaction isolation level repeatable read, read only', [])
        for await (const { name, values } of readRows(query)) {
          await write({ [name]: values })
          counts[name]++
        }
      }),
    )
    await write(counts)
    await output.sync()
    await output.close()
    await rename(partial, file)
    return counts
  } catch (error) {
    await output.close().catch(() => undefined)
    for (const one of [partial, file]) await rm(one, { force: true })
    throw error
  }
}

/** Creates the unfinished file. Removes a link in its place instead of following it, and `file` on failure. */
async function openPartial(partial: string, file: string) {
  try {
    await rm(partial, { force: true })
    return await open(partial, 'wx', 0o600)
  } catch (error) {
    await rm(file, { force: true })
    throw error
  }
}

/**
 * Adds the rows of a backup to a database. Where a label or watch exists in both, the newer one is kept. So a restore
 * can be repeated, and keeps changes made after the backup.
 *
 * @throws {BackupError} when the file is not a complete backup
 */
export async function restoreBackup(location: AccountsLocation, file: string): Promise<BackupCounts> {
  const counts = noRows()
  // Reads the whole file before any change, to refuse a truncated one.
  for await (const { name } of readBackup(file)) counts[name]++
  await withDatabase(location, (database) =>
    database.transaction(async (query) => {
      let page: Row[] = []
      for await (const one of readBackup(file)) {
        page.push(one)
        if (page.length < pageSize) continue
        await insert(query, page)
        page = []
      }
      await insert(query, page)
    }),
  )
  return counts
}

async function withDatabase(location: AccountsLocation, work: (database: Database) => Promise<void>): Promise<void> {
  const database = await openDatabase(location)
  try {
    await database.run(createTables)
    await work(database)
  } finally {
    await database.close()
  }
}

/** Reads all rows of all tables in pages, in the order of their keys. */
async function* readRows(query: Query): AsyncGenerator<Row> {
  for (const name of savedNames) {
    const { table, columns, key, where = 'true' }: SavedTable = savedTables[name]
    const names = Object.keys(columns)
    const keys = names.slice(0, key)
    const text = `select jsonb_build_array(${names}) as row from ${table} where (${keys}) > (${keys.map((_, index) => `$${index + 1}`)})
      and ${where} order by ${keys} limit ${pageSize}`
    for (let after = keys.map(() => ''); ; ) {
      const rows = (await query(text, after)).map(({ row }) => row as unknown[])
      for (const values of rows) yield { name, values }
      const last = rows.at(-1)
      if (!last) break
      after = last.slice(0, key).map(String)
    }
  }
}

/** Reads the rows of a backup. @throws {BackupError} at the first invalid line, or when the end is missing */
async function* readBackup(file: string): AsyncGenerator<Row> {
  const counts = noRows()
  let number = 0
  let end: Partial<BackupCounts> | undefined
  for await (const line of readLines(file)) {
    number++
    const parsed = parseJson(line)
    if (number === 1) {
      if (!header.safeParse(parsed).success) throw new BackupError(`${file} is not a backup of accounts.`)
      continue
    }
    const found = parseRow(parsed)
    if (!found || end) {
      end = end ? undefined : footer.safeParse(parsed).data
      if (!end) throw new BackupError(`Line ${number} of ${file} is damaged. Nothing was restored.`)
      continue
    }
    counts[found.name]++
    yield found
  }
  if (!end || savedNames.some((name) => (end?.[name] ?? 0) !== counts[name]))
    throw new BackupError(`${file} is not complete: its end is missing. Nothing was restored.`)
}

function parseRow(parsed: unknown): Row | undefined {
  const name = savedNames.find((_, index) => rowSchemas[index]?.safeParse(parsed).success)
  return name && { name, values: (parsed as Record<SavedName, unknown[]>)[name] }
}

async function* readLines(file: string): AsyncGenerator<string> {
  const input = createReadStream(file)
  const opened = new Promise<void>((resolve, reject) => input.once('open', () => resolve()).once('error', reject))
  await opened.catch((error: Error) => {
    throw new BackupError(`The file cannot be read: ${error.message}.`)
  })
  yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function insert(query: Query, rows: readonly Row[]): Promise<void> {
  for (const name of savedNames) {
    const own = rows.filter((row) => row.name === name).map(({ values }) => values)
    if (own.length === 0) continue
    const { table, columns, key, added = {}, conflict }: SavedTable = savedTables[name]
    const names = Object.keys(columns)
    const values = Object.values(columns).map((type, at) =>
      type === 'jsonb' ? `one->${at}` : `(one->>${at})::${type}`,
    )
    await query(
      `insert into ${table} as existing (${[...names, ...Object.keys(added)]})
       select ${[...values, ...Object.values(added)]} from jsonb_array_elements($1::jsonb) as one
       on conflict (${names.slice(0, key)}) ${conflict}`,
      [JSON.stringify(own)],
    )
  }
}
