import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../test/serve.ts'
import { type Accounts, openAccounts } from '../accounts/openAccounts.ts'
import { type Database, createDatabase as openDatabase } from '../database/database.ts'
import { type AlertStore, createAlertStore, type NewAlert } from './alertStore.ts'
import { createDeliveryStore, prune } from './deliveryStore.ts'
import { createDeriveStore } from './deriveStore.ts'
import { AlertLimitError } from './watchStore.ts'

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
  database.query(
    `truncate ${['watches', 'visits', 'alerts', 'alert_cursors'].map((name) => `lineage_accounts.${name}`)}`,
    [],
  ),
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
  const events = { upTo: block, asOf, heals: { index: 'a', number: 0 } }
  await store.storeDerived({ community: 'demo', cursor, derived: all, events, sendJobs })
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

test('behavior: the alerts of many accounts are pruned by statements that each end in time', async () => {
  const added = Array.from({ length: 500 }, (_, account) => ({ account: addressOf(account) }) as NewAlert)
  const sizes: number[] = []
  await prune(
    async (_, [accounts]) => {
      sizes.push((accounts as string[]).length)
      return []
    },
    [...added, ...added],
    1,
  )
  expect(sizes).toEqual([200, 200, 100])
})

test('behavior: details that a newer server stored are not told, and change no field of the alert', async () => {
  await addAlerts(1)
  await database.query(`update lineage_accounts.alerts set details = '{"members":2,"id":"other","later":1}'`, [])
  const [alert] = await store.listAlerts(me, { before: Number.MAX_SAFE_INTEGER, limit: 1 })
  expect(alert).toMatchObject({ id: 'id1', members: 2, member: null, isUndated: false })
  expect(alert).not.toHaveProperty('later')
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

/** Fills the places of all watches: each account has as many, and has the networks that `of` returns. */
async function fillPlaces(each: number, networksOf: (account: number) => string[]): Promise<void> {
  const holders = Array.from({ length: 20_000 / each }, (_, index) => ({ name: `a${index}`, path: networksOf(index) }))
  await database.query(
    `insert into lineage_accounts.visits
     select name, array(select jsonb_array_elements_text(path)), 0, 0 from jsonb_to_recordset($1::jsonb) of(name text, path jsonb)`,
    [JSON.stringify(holders)],
  )
  await database.query(
    `insert into lineage_accounts.watches select account, 'demo', 'w' || i, '{}'::jsonb, 0, i
     from lineage_accounts.visits, generate_series(1, $1::int) i`,
    [each],
  )
}
const watchFrom = (account: typeof me, networks: string[], of = watch) =>
  store.saveWatch(account, of, { block: 0, finalizedBlock: 0 }, networks).then(
    () => 'saved',
    (error: unknown) => (error instanceof AlertLimitError ? error.message : error),
  )

test('attack: a network of /32 whose accounts have all watches loses its newest one to an account of another', async () => {
  await fillPlaces(50, (index) => ['2001:db8', `2001:db8:${index % 10}`, `2001:db8:${index % 10}:${index}`])
  expect(await watchFrom(me, ['198.51', '198.51.100', '198.51.100.7'])).toBe('saved')
  expect(await watchFrom(them, ['2001:db8', '2001:db8:9', '2001:db8:9:aaaa'])).toBe('saved')
  // A changed watch needs no place.
  expect(await watchFrom(me, ['198.51', '198.51.100', '198.51.100.7'])).toBe('saved')
  expect(await count('watches')).toBe(20_000)
  const lost = await database.query(
    `select account, max(updated_at)::int as newest from lineage_accounts.watches where account like 'a%'
     group by account having count(*) < 50`,
    [],
  )
  expect(lost).toEqual([
    { account: expect.stringMatching(/^a\d+$/), newest: 49 },
    { account: expect.stringMatching(/^a\d+$/), newest: 49 },
  ])
})

test('error: if all networks have as many watches, a further one is refused, and nothing is changed', async () => {
  await fillPlaces(1, (index) => [`n${index}`, `n${index}`, `n${index}`])
  expect(await watchFrom(me, ['198.51', '198.51.100', '198.51.100.7'])).toMatch(/^This service can keep 20000 watches/)
  expect(await count('watches')).toBe(20_000)
})

test('behavior: watches end 180 days after the last visit, those of accounts that never came back after 30 days', async () => {
  const day = 86_400_000
  const now = Date.now()
  const seen = { left: [400, 181], lately: [400, 179], onlyOnce: [31, 31], newcomer: [29, 29], ahead: [400, -3_650] }
  for (const [account, [since = 0, last = 0]] of Object.entries(seen)) {
    await store.saveWatch(account as typeof me, watch, { block: 0, finalizedBlock: 0 })
    await database.query('update lineage_accounts.visits set since = $2, seen_at = $3 where account = $1', [
      account,
      now - since * day,
      now - last * day,
    ])
  }
  // An account of a version that noted no visits.
  await database.query(`insert into lineage_accounts.watches values ('earlier', 'demo', 'w', '{}', 0, 1)`, [])
  await store.endUnusedWatches(0)
  expect(await count('watches')).toBe(6)
  await store.endUnusedWatches(now)
  const left = await database.query('select account from lineage_accounts.watches order by account', [])
  expect(left.map(({ account }) => account)).toEqual(['ahead', 'earlier', 'lately', 'newcomer'])
  await store.endUnusedWatches(now + 181 * day)
  expect(await count('watches')).toBe(0)
})

test.each([
  ['signs in', () => accounts.saveSession({ id: 's', address: me, chainId: 56, expiresAt: Date.now() + 1_000 })],
  ['reads its feed', async () => accounts.alerts.findFeedAccount(await accounts.alerts.renewFeed(me))],
  [
    'gets an alert by its webhook',
    async () => {
      const webhook = await store.findActive((await store.addWebhook(me, 'https://receiver.example/')).id)
      await store.noteSent(webhook as NonNullable<typeof webhook>, 1, delivery)
    },
  ],
])('behavior: an account that %s keeps its watches', async (_, visit) => {
  await store.saveWatch(me, watch, { block: 0, finalizedBlock: 0 })
  await database.query('update lineage_accounts.visits set since = 0, seen_at = 0', [])
  await visit()
  await store.endUnusedWatches(Date.now())
  expect(await count('watches')).toBe(1)
})

test.each(['not analyzed', 'analyzed'])(
  'behavior: no statement about few alerts or digests reads the table of all: %s',
  async (state) => {
    onTestFinished(async () => void (await database.query('truncate lineage_accounts.digest_events', [])))
    await accounts.pool.query(`
      alter table lineage_accounts.alerts set (autovacuum_enabled = off);
      alter table lineage_accounts.digest_events set (autovacuum_enabled = off);
      insert into lineage_accounts.watches select 'a' || i, 'demo', 'w' || i, '{}', 0, 1 from generate_series(1, 100) i;
      insert into lineage_accounts.digest_events
        select 'a' || i % 100, 'demo', 'w' || i % 100, 'e' || i, i, 0, i from generate_series(1, 30000) i`)
    await addAlerts(30_000)
    await accounts.pool.query(
      `insert into lineage_accounts.alert_cursors (community, block) values ('demo', 29990), ('rare', 0)`,
    )
    if (state === 'analyzed') await accounts.pool.query('analyze')
    const plans: string[] = []
    const query: Database['query'] = async (text, values) => {
      const rows = await database.query(`explain ${text}`, values)
      plans.push(`${text}\n${rows.map((row) => row['QUERY PLAN']).join('\n')}`)
      return database.query(text, values)
    }
    const explained = { query, transaction: async (work: (own: typeof query) => unknown) => work(query) } as Database
    const { listWatchedCommunities, readCursor, readPending, storeDerived } = createDeriveStore(explained)
    if (state === 'analyzed') await createAlertStore(explained).listNews(1e9)
    expect(await listWatchedCommunities()).toContain('demo')
    const cursor = (await readCursor('demo')) as NonNullable<Awaited<ReturnType<typeof readCursor>>>
    await readPending('demo', { after: cursor.block })
    const asOf = { block: 30_010, timestamp: 1, finalizedBlock: 29_990 }
    const step = { community: 'demo', derived, sendJobs: async () => undefined }
    const events = { upTo: 30_010, asOf, heals: { index: 'a', number: 0 } }
    await storeDerived({ ...step, cursor, events })
    const healed = { ...events, healed: { blocks: [1, 2], added: [] } }
    await storeDerived({ ...step, cursor: { ...cursor, version: 1 }, events: healed })
    await createAlertStore(explained).saveWatch(me, { ...watch, community: 'rare' }, asOf)
    expect(plans.length).toBeGreaterThan(15)
    expect(plans.filter((plan) => /Seq Scan on (alerts|digest_events)/.test(plan))).toEqual([])
  },
)
