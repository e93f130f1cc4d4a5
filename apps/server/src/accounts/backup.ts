import { createReadStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import * as z from 'zod'
import type { AccountsLocation, Database, Query } from './database.ts'
import { labelTable } from './labelStore.ts'
import { createTables } from './openAccounts.ts'
import { openDatabase } from './openDatabase.ts'
import { nonceTable } from './siweStore.ts'

/** A backup cannot be written or restored. Nothing was changed. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}

export type BackupCounts = { labels: number; nonces: number }

/** Largest number of rows in memory. */
const pageSize = 1_000

const header = z.object({ format: z.literal('lineage accounts'), version: z.literal(1), savedAt: z.iso.datetime() })
const label = z.tuple([z.string(), z.string(), z.string(), z.boolean(), z.int()])
const nonce = z.tuple([z.string(), z.int()])
const row = z.union([z.object({ label }), z.object({ nonce })])
const footer = z.object({ labels: z.int(), nonces: z.int() })
type Row = z.infer<typeof row>

/**
 * Writes all labels and used nonces to a file, as they are at one moment. Sessions are left out: one that was signed out
 * afterwards must not come back. The file can be restored to either kind of database.
 *
 * @throws {BackupError} when the file exists, or cannot be written
 */
export async function saveBackup(location: AccountsLocation, file: string): Promise<BackupCounts> {
  const partial = `${file}.partial`
  const counts: BackupCounts = { labels: 0, nonces: 0 }
  // People's own words: for the owner of the file only.
  const output = await open(file, 'wx', 0o600)
    .then((made) => made.close())
    .then(() => openPartial(partial, file))
    .catch((error: Error) => {
      throw new BackupError(`The file cannot be written: ${error.message}.`)
    })
  try {
    const write = (line: unknown) => output.write(`${JSON.stringify(line)}\n`)
    await write({ format: 'lineage accounts', version: 1, savedAt: new Date().toISOString() })
    await withDatabase(location, (database) =>
      database.transaction(async (query) => {
        await query('set transaction isolation level repeatable read, read only', [])
        for await (const one of readRows(query)) {
          await write(one)
          counts['label' in one ? 'labels' : 'nonces']++
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

/** Opens the unfinished file anew: a link in its place is removed, not followed. `file` is removed if this fails. */
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
 * Adds the labels and used nonces of a backup to a database. Of two labels for one address the newer one is kept, so this can be
 * repeated, and what was written since the backup stays.
 *
 * @throws {BackupError} when the file is not a whole backup
 */
export async function restoreBackup(location: AccountsLocation, file: string): Promise<BackupCounts> {
  const counts: BackupCounts = { labels: 0, nonces: 0 }
  // Read once before anything is changed: a file that was cut off is refused.
  for await (const one of readBackup(file)) counts['label' in one ? 'labels' : 'nonces']++
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

/** Reads all rows in pages, in the order of their keys. */
async function* readRows(query: Query): AsyncGenerator<Row> {
  let after = ['', '']
  for (;;) {
    const rows = await query(
      `select * from ${labelTable} where (account, address) > ($1, $2) order by account, address limit ${pageSize}`,
      after,
    )
    for (const { account, address, text, watched, updated_at } of rows)
      yield { label: [String(account), String(address), String(text), watched === true, Number(updated_at)] }
    const last = rows.at(-1)
    if (!last) break
    after = [String(last.account), String(last.address)]
  }
  for (let from = ''; ; ) {
    const rows = await query(`select * from ${nonceTable} where nonce > $1 order by nonce limit ${pageSize}`, [from])
    for (const one of rows) yield { nonce: [String(one.nonce), Number(one.expires_at)] }
    const last = rows.at(-1)
    if (!last) return
    from = String(last.nonce)
  }
}

/** Reads the rows of a backup. @throws {BackupError} at the first line that is not one, or when the end is missing */
async function* readBackup(file: string): AsyncGenerator<Row> {
  const counts: BackupCounts = { labels: 0, nonces: 0 }
  let number = 0
  let end: BackupCounts | undefined
  for await (const line of readLines(file)) {
    number++
    const parsed = parseJson(line)
    if (number === 1) {
      if (!header.safeParse(parsed).success) throw new BackupError(`${file} is not a backup of accounts.`)
      continue
    }
    const { data } = row.safeParse(parsed)
    if (!data || end) {
      end = end ? undefined : footer.safeParse(parsed).data
      if (!end) throw new BackupError(`Line ${number} of ${file} is damaged. Nothing was restored.`)
      continue
    }
    counts['label' in data ? 'labels' : 'nonces']++
    yield data
  }
  if (end?.labels !== counts.labels || end.nonces !== counts.nonces)
    throw new BackupError(`${file} is not complete: its end is missing. Nothing was restored.`)
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
  const labels = rows.flatMap((one) => ('label' in one ? [one.label] : []))
  const nonces = rows.flatMap((one) => ('nonce' in one ? [one.nonce] : []))
  await query(
    `insert into ${labelTable} as existing
     select one->>0, one->>1, one->>2, (one->>3)::boolean, (one->>4)::bigint from jsonb_array_elements($1::jsonb) as one
     on conflict (account, address) do update
       set text = excluded.text, watched = excluded.watched, updated_at = excluded.updated_at
       where existing.updated_at < excluded.updated_at`,
    [JSON.stringify(labels)],
  )
  await query(
    `insert into ${nonceTable}
     select one->>0, (one->>1)::bigint from jsonb_array_elements($1::jsonb) as one
     on conflict (nonce) do nothing`,
    [JSON.stringify(nonces)],
  )
}
