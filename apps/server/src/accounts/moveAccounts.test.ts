import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../../../scripts/vitest/freePort.ts'
import { createDatabase, createTenant } from '../../test/serve.ts'
import { MoveError, moveAccounts } from './moveAccounts.ts'
import { openAccounts } from './openAccounts.ts'

const [mine, other] = [
  '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
] as const
const tables = [
  ...['used_nonces', 'sessions', 'labels', 'watches', 'digest_events'],
  ...['alerts', 'alert_accounts', 'alert_cursors', 'webhooks', 'deliveries'],
]

let directory = ''
/** A folder of accounts, made by the embedded database of the version before. */
let folder = ''

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'lineage-move-'))
  folder = join(directory, 'accounts')
  const earlier = await PGlite.create(folder)
  await earlier.exec(readFileSync(join(import.meta.dirname, 'test/earlierAccounts.sql'), 'utf8'))
  await earlier.close()
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

/** Columns that the earlier version did not have. */
const added = `'{index,heals,is_undated}'::text[]`

/** Returns all rows as JSON, with the columns that both versions have. */
async function readTables(url: string): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {}
  for (const table of tables)
    found[table] = await query(
      url,
      `select to_jsonb(one) - ${added} as row from lineage_accounts.${table} one order by one::text`,
    )
  return found
}

async function readEarlierTables(columnsOf: Record<string, unknown>): Promise<Record<string, unknown>> {
  const copy = join(directory, 'read')
  cpSync(folder, copy, { recursive: true })
  const earlier = await PGlite.create(copy)
  const found: Record<string, unknown> = {}
  for (const table of tables) {
    const [sample] = columnsOf[table] as { row: object }[]
    const columns = Object.keys(sample?.row ?? {}).join()
    const text = `select to_jsonb(one) as row from (select ${columns} from lineage_accounts.${table}) one`
    found[table] = (await earlier.query(text)).rows
  }
  await earlier.close()
  rmSync(copy, { recursive: true })
  return found
}

const sorted = (found: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(found).map(([table, rows]) => [
      table,
      (rows as { row: object }[]).map(({ row }) => JSON.stringify(Object.entries(row).toSorted())).toSorted(),
    ]),
  )

test('behavior: every row of the earlier version is there, and works', async () => {
  const url = await createDatabase()
  const files = () => readdirSync(folder, { recursive: true }).toSorted()
  const before = files()
  const { status, counts } = await moveAccounts(folder, url)
  expect([status, counts]).toEqual([
    'moved',
    {
      ...{ used_nonces: 3, sessions: 2, labels: 6, watches: 2, digest_events: 1 },
      ...{ alerts: 8, alert_accounts: 1, alert_cursors: 1, webhooks: 2, deliveries: 2 },
    },
  ])
  const found = await readTables(url)
  expect(sorted(found)).toEqual(sorted(await readEarlierTables(found)))
  expect(files()).toEqual(before)

  const { labels, findSession, useNonce, alerts, close } = openAccounts(url)
  expect(await labels.list(mine)).toHaveLength(5)
  expect((await labels.list(mine)).at(-1)?.text).toBe('No. 0 – ’ü "quoted" \\ 漢')
  expect(await findSession('s1')).toMatchObject({ address: mine })
  expect(await useNonce('nonce-one', Date.now() + 60_000)).toBe(false)
  expect((await alerts.listWatches(other)).map(({ address }) => address)).toHaveLength(1)
  expect((await alerts.listWebhooks(mine))[0]).toMatchObject({ state: 'active', url: 'https://hooks.example/a' })
  expect((await alerts.listWebhooks(other))[0]).toMatchObject({ state: 'paused' })
  expect(await alerts.countUnread(mine)).toBe(3)
  await close()
  // A number that was given before is not given again: webhooks have passed it.
  expect(await query(url, `select nextval('lineage_accounts.alerts_number_seq')::int as next`)).toEqual([{ next: 10 }])
})

test('behavior: a second move changes nothing, even after people have made changes', async () => {
  const url = await createDatabase()
  await moveAccounts(folder, url)
  const { labels, close } = openAccounts(url)
  await labels.removeAll(mine)
  await close()
  const before = await readTables(url)
  expect(await moveAccounts(folder, url)).toEqual({ status: 'moved_before', counts: {} })
  expect(await readTables(url)).toEqual(before)
})

test('behavior: accounts are moved once into a schema of another role', async () => {
  const url = await createTenant(await createDatabase(), 'lineage_accounts')
  expect(await moveAccounts(folder, url)).toMatchObject({ status: 'moved' })
  expect(await moveAccounts(folder, url)).toMatchObject({ status: 'moved_before' })
})

test('behavior: accounts that an earlier version moved are not moved again', async () => {
  const url = await createDatabase()
  await query(url, 'create schema lineage_accounts')
  await query(url, `comment on schema lineage_accounts is 'Accounts were moved here from an embedded database: /data'`)
  expect(await moveAccounts(folder, url)).toEqual({ status: 'moved_before', counts: {} })
})

test('behavior: two moves at once', async () => {
  const url = await createDatabase()
  const moves = await Promise.all([moveAccounts(folder, url), moveAccounts(folder, url)])
  expect(moves.map(({ status }) => status).toSorted()).toEqual(['moved', 'moved_before'])
})

test('behavior: sign-ins before the move are kept beside those of the earlier version', async () => {
  const url = await createDatabase()
  const { useNonce, findSession, saveSession, close } = openAccounts(url)
  await useNonce('early', Date.now() + 60_000)
  await saveSession({ id: 'early', address: other, chainId: 56, expiresAt: Date.now() + 60_000 })
  await moveAccounts(folder, url)
  expect([await useNonce('early', 1), await useNonce('nonce-two', 1)]).toEqual([false, false])
  expect([await findSession('early'), await findSession('s2')]).toMatchObject([{ address: other }, { address: other }])
  await close()
})

test('error: the database has accounts of its own: nothing is changed', async () => {
  const url = await createDatabase()
  const { labels, close } = openAccounts(url)
  await labels.save(other, { address: mine, text: 'own', watched: false, updatedAt: 1 })
  await close()
  const before = await readTables(url)
  await expect(moveAccounts(folder, url)).rejects.toThrow(
    'The database already has accounts of its own (1 rows in lineage_accounts.labels).',
  )
  expect(await readTables(url)).toEqual(before)
})

test('error: the earlier version still runs', async () => {
  const url = await createDatabase()
  writeFileSync(`${folder}.pid`, '1 x y')
  const renewing = setInterval(() => utimesSync(`${folder}.pid`, new Date(), new Date()), 200)
  await expect(moveAccounts(folder, url)).rejects.toThrow(
    `${folder} is open in an earlier version, which must end first.`,
  )
  clearInterval(renewing)
  // A killed process leaves the file behind.
  expect((await moveAccounts(folder, url)).status).toBe('moved')
  rmSync(`${folder}.pid`)
})

test('error: a folder that is none, or is damaged', async () => {
  const url = await createDatabase()
  const listCopies = () => readdirSync(tmpdir()).filter((name) => name.startsWith('lineage-accounts-'))
  // Other processes of this machine may have some.
  const before = listCopies()
  const empty = join(directory, 'empty')
  mkdirSync(empty)
  await expect(moveAccounts(empty, url)).rejects.toThrow(`${empty} is no folder of accounts of an earlier version.`)
  const damaged = join(directory, 'damaged')
  cpSync(folder, damaged, { recursive: true })
  rmSync(join(damaged, 'base'), { recursive: true })
  await expect(moveAccounts(damaged, url)).rejects.toThrow(MoveError)
  expect(listCopies().filter((name) => !before.includes(name))).toEqual([])
})

test('error: the database does not answer', async () => {
  const port = await freePort()
  await expect(moveAccounts(folder, `postgres://127.0.0.1:${port}/none`)).rejects.toThrow('ECONNREFUSED')
})

test('behavior: the command moves a folder, and says so', async () => {
  const DATABASE_URL = await createDatabase()
  const program = join(import.meta.dirname, 'accounts.ts')
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, ['--conditions=@lineage/source', program, ...args], {
      env: { ...process.env, DATABASE_URL },
    })
  expect((await run('move', folder)).stdout).toMatch(/^Moved: 3 used nonces, 2 sessions, 6 labels, /)
  expect((await run('move', folder)).stdout).toBe('Accounts were moved before. Nothing was changed.\n')
  await expect(run('move')).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('Name the folder') })
})
