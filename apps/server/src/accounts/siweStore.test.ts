import { openPool } from '@lineage/database'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createDatabase } from '../../test/serve.ts'
import { createPast, createDatabase as openDatabase, type Query } from '../database/database.ts'
import { createTables } from './openAccounts.ts'
import { createSiweStore } from './siweStore.ts'

const [hour, day] = [3_600_000, 86_400_000]
const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

let pool: ReturnType<typeof openPool>
let query: Query

beforeAll(async () => {
  pool = openPool({ url: await createDatabase() })
  await pool.query(createTables)
  query = openDatabase(pool).query
})
afterAll(() => pool.end())

const countRows = async (table: string) =>
  Number((await query(`select count(*) as count from lineage_accounts.${table}`, []))[0]?.count)

/** Adds rows that expired long ago. */
async function addExpired(count: number): Promise<void> {
  await query(`insert into lineage_accounts.used_nonces select 'old' || n, n from generate_series(1, $1::int) n`, [
    count,
  ])
  await query(
    `insert into lineage_accounts.sessions select 'old' || n, 'a' || n, 56, n from generate_series(1, $1::int) n`,
    [count],
  )
}

test('behavior: a sign-in deletes a bounded number of expired nonces and sessions, more than it adds', async () => {
  await addExpired(250)
  const store = createSiweStore(query, () => Date.now())
  const counts = []
  for (let index = 0; index < 3; index++) {
    await store.useNonce(`new${index}`, Date.now())
    await store.saveSession({ id: `new${index}`, address, chainId: 56, expiresAt: Date.now() + hour })
    counts.push([await countRows('used_nonces'), await countRows('sessions')])
  }
  expect(counts).toEqual([
    [151, 151],
    [52, 52],
    [3, 3],
  ])
})

test.each([
  ['used_nonces', 'expires_at <= 1 order by expires_at limit 100'],
  ['sessions', 'expires_at <= 1 order by expires_at limit 100'],
  ['sessions', `address = 'a' order by expires_at desc`],
])('behavior: no scan of %s finds where %s', async (table, where) => {
  const client = await pool.connect()
  await client.query('set enable_seqscan = off')
  const { rows } = await client.query(`explain select * from lineage_accounts.${table} where ${where}`)
  client.release(true)
  expect(JSON.stringify(rows)).toMatch(/Index (Only )?Scan/)
})

test('attack: a clock that jumps ten years ahead and back forgets no nonce and ends no session', async () => {
  let elapsed = 0
  const store = createSiweStore(
    query,
    createPast(() => elapsed),
  )
  const clock = vi.spyOn(Date, 'now')
  const now = Date.now()
  const signIn = async (id: string) => [
    await store.useNonce(id, Date.now() + 600_000),
    await store.saveSession({ id, address, chainId: 56, expiresAt: Date.now() + 7 * day }),
  ]
  for (const [id, ahead, passed] of [
    ['before', 0, 0],
    ['ahead', 3_650 * day, hour],
    ['still ahead', 3_650 * day, hour / 2],
    ['after', 0, hour],
    ['long after', hour, hour],
  ] as const) {
    clock.mockReturnValue(now + ahead)
    elapsed += passed
    await signIn(id)
  }
  expect(await store.useNonce('before', now)).toBe(false)
  expect(await store.findSession('before')).toBeDefined()
  clock.mockRestore()
})

test('attack: an account that signs in again and again keeps its newest 50 sessions', async () => {
  const store = createSiweStore(query)
  const account = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  for (let index = 0; index < 55; index++)
    await store.saveSession({ id: `many${index}`, address: account, chainId: 56, expiresAt: Date.now() + hour + index })
  const kept = (await store.listSessions(account)).map(({ id }) => id)
  expect([kept.length, kept[0], kept.at(-1)]).toEqual([50, 'many54', 'many5'])
})
