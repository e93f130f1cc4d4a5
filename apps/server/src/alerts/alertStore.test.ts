import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createDatabase } from '../../test/serve.ts'
import { type Accounts, openAccounts } from '../accounts/openAccounts.ts'
import { type Database, createDatabase as openDatabase } from '../database/database.ts'
import { AlertLimitError, type AlertStore } from './alertStore.ts'
import { createDeliveryStore } from './deliveryStore.ts'
import { createDeriveStore } from './deriveStore.ts'

const addressOf = (index: number) => `0x${index.toString(16).padStart(40, '0')}` as const
const [me, them, watched] = [addressOf(1), addressOf(2), addressOf(3)]
const rules = {
  directs: true,
  team: 'off',
  milestones: false,
  referrer: false,
  irregular: false,
  volumeFrom: null,
} as const
const watch = { community: 'demo', address: watched, rules, updatedAt: 1 }
const delivery = { alert: null, at: 1, status: 200, milliseconds: 1, answer: '' }
const derived = { alerts: [], retracted: [], counted: [], eventsOnChain: [] }

let accounts: Accounts
let database: Database
let store: AlertStore & ReturnType<typeof createDeriveStore> & ReturnType<typeof createDeliveryStore>

beforeAll(async () => {
  accounts = openAccounts(await createDatabase())
  // Creates the tables.
  await accounts.alerts.listWatches(me)
  database = openDatabase(accounts.pool)
  store = { ...accounts.alerts, ...createDeriveStore(database), ...createDeliveryStore(database) }
})
beforeEach(() =>
  database.query('truncate lineage_accounts.watches, lineage_accounts.alerts, lineage_accounts.alert_cursors', []),
)
afterAll(() => accounts.close())

const count = async (table: string) =>
  Number((await database.query(`select count(*) as count from lineage_accounts.${table}`, []))[0]?.count)
const cursorBlock = async () =>
  Number((await database.query('select block from lineage_accounts.alert_cursors', []))[0]?.block)

/** Inserts alerts of one block each, from block 1 on. */
const addAlerts = (alerts: number) =>
  database.query(
    `insert into lineage_accounts.alerts (id, base, account, kind, community, address, block, hash, log_index, time, details)
     select 'id' || i, 'id' || i, $1, 'direct', 'demo', $2, i, '0x1', 0, 1, '{}'::jsonb from generate_series(1, $3::int) i`,
    [me, watched, alerts],
  )

/** Stores an alert of a block by the way of the derivation, with all blocks up to it final. */
async function derive(block: number): Promise<void> {
  const cursor = await store.readCursor('demo')
  if (!cursor) throw new Error('There is no cursor.')
  const place = { community: 'demo', address: watched, block, hash: '0x1', logIndex: 0, time: 1 }
  const alert = { id: `new${block}`, base: `new${block}`, account: me, kind: 'direct' as const, ...place, details: {} }
  const asOf = { block, timestamp: 1, finalizedBlock: block }
  const all = { ...derived, alerts: [alert] }
  const sendJobs = async () => undefined
  await store.storeDerived({ community: 'demo', cursor, derived: all, upTo: block, asOf, sendJobs })
}

test('behavior: the newest 1,000 alerts are kept, and all that an active webhook has not got', async () => {
  await store.saveWatch(me, watch, { block: 0, finalizedBlock: 0 })
  const { id } = await store.addWebhook(me, 'https://receiver.example/')
  await addAlerts(2_500)
  await derive(3_000)
  expect(await count('alerts')).toBe(2_501)

  const webhook = await store.findActive(id)
  const [newest] = await store.listAlerts(me, { before: Number.MAX_SAFE_INTEGER, limit: 1 })
  if (!webhook || !newest) throw new Error('There is no webhook or no alert.')
  expect(await store.noteSent(webhook, newest.number, delivery)).toBe(true)
  await derive(3_001)
  expect(await count('alerts')).toBe(1_000)
  expect((await store.listAlerts(me, { before: Number.MAX_SAFE_INTEGER, limit: 1 }))[0]?.id).toBe('new3001')
})

test('behavior: a community that was not watched is read from its final block, one that is from where it was left', async () => {
  await store.saveWatch(me, watch, { block: 110, finalizedBlock: 100 })
  await store.saveWatch(them, watch, { block: 210, finalizedBlock: 200 })
  expect(await cursorBlock()).toBe(100)
  for (const account of [me, them]) await store.removeWatch(account, 'demo', watched)
  await store.saveWatch(me, watch, { block: 310, finalizedBlock: 300 })
  expect(await cursorBlock()).toBe(300)
})

test('behavior: a community with alerts that may be taken back is read from where it was left', async () => {
  await store.saveWatch(me, watch, { block: 0, finalizedBlock: 0 })
  await addAlerts(1)
  await store.removeWatch(me, 'demo', watched)
  await store.saveWatch(me, watch, { block: 310, finalizedBlock: 300 })
  expect(await cursorBlock()).toBe(0)
})

test('behavior: a watch that is changed tells of all events since it was made', async () => {
  await store.saveWatch(me, watch, { block: 110, finalizedBlock: 100 })
  await store.saveWatch(me, { ...watch, rules: { ...rules, irregular: true } }, { block: 210, finalizedBlock: 200 })
  expect(await store.readWatches('demo')).toMatchObject([{ since: 110, rules: { irregular: true } }])
})

test('error: beyond the watches of the service nothing is changed', async () => {
  await database.query(
    `insert into lineage_accounts.watches select 'account' || i, 'demo', $1, '{}'::jsonb, 0, 0 from generate_series(1, $2::int) i`,
    [watched, 20_000],
  )
  const refused = await store.saveWatch(me, watch, { block: 0, finalizedBlock: 0 }).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(AlertLimitError)
  expect((refused as Error).message).toMatch(/^This service can keep 20000 watches/)
  expect(await count('watches')).toBe(20_000)
})
