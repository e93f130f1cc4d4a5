import type { WatchRules } from '@lineage/referral-api'
import { afterAll, expect, test } from 'vitest'
import { createDatabase } from '../../test/serve.ts'
import { openAccounts } from '../accounts/openAccounts.ts'
import { createDatabase as openDatabase } from '../database/database.ts'
import { addressOf, bind, type TestStep } from '../follow/test/tables.ts'
import { startLookups } from '../lookups/test/startLookups.ts'
import { createDerive } from './createAlerts.ts'
import { createDeriveStore } from './deriveStore.ts'

const ends: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
})

const [account, other] = [addressOf(900), addressOf(901)]
const rules: WatchRules = {
  directs: true,
  team: 'off',
  milestones: true,
  referrer: false,
  irregular: false,
  volumeFrom: null,
}

/** Serves a community in which member 0 is watched since block 2, and derives its alerts. */
async function start(change: Partial<WatchRules> = {}) {
  const url = await createDatabase()
  const [served, accounts] = [await startLookups(url, 'one'), openAccounts(await createDatabase())]
  ends.push(served.close, () => accounts.close())
  await served.tables.step('one', { block: 2, finalized: 2, events: [bind(1, 1, 0), bind(2, 2, 0)] })
  await served.reach(2)
  const watch = { community: 'one', address: addressOf(0), rules: { ...rules, ...change }, updatedAt: 0 }
  await accounts.alerts.saveWatch(account, watch, { block: 2, finalizedBlock: 2 })
  const derive = createDerive({
    store: createDeriveStore(openDatabase(accounts.pool)),
    readEvents: served.lookups.findWatchedEvents,
    sendJobs: async () => undefined,
    onStored: () => undefined,
  })
  const deriveAll = async () => {
    while ((await derive('one')) === 'behind');
  }
  await deriveAll()
  let state = ''
  return {
    watch,
    accounts,
    deriveAll,
    /** Writes a step of the tables, waits until it is served, and derives the alerts. */
    async step(...[change]: Parameters<typeof served.tables.step> extends [string, infer Step] ? [Step] : never) {
      await served.tables.step('one', change)
      await expect.poll(() => served.follower.view('one')?.version).not.toBe(state)
      await served.reach(change.block)
      if (change.rebuilds || change.name)
        await expect.poll(() => served.follower.view('one')?.version.split('.')[1]).toBe(await rebuildsOf())
      state = served.follower.view('one')?.version ?? ''
      await deriveAll()
    },
    /** Lists what the account was told, the oldest first. */
    async told(of = account) {
      const alerts = await accounts.alerts.listAlerts(of, { before: Number.MAX_SAFE_INTEGER, limit: 5_000 })
      return alerts
        .toReversed()
        .map(({ kind, block, members, isUndated }) =>
          [kind, block ?? '', ...(members ? [members] : []), ...(isUndated ? ['undated'] : [])].join(' '),
        )
    },
  }

  async function rebuildsOf() {
    const { rows } = await served.pool.query('select rebuilds from lineage_1.source')
    return String(rows[0].rebuilds)
  }
}

test('behavior: a bind that turns up in a final block is told once, and those told before are not told again', async () => {
  const { step, told, deriveAll, accounts, watch } = await start({ directs: false })
  await step({ block: 10, finalized: 10, events: [bind(5, 5, 0)] })
  expect(await told()).toEqual([])
  // Now the rules would tell of the bind in block 5 too.
  await accounts.alerts.saveWatch(account, { ...watch, rules }, { block: 10, finalizedBlock: 10 })
  await accounts.alerts.saveWatch(other, watch, { block: 10, finalizedBlock: 10 })
  await step({ block: 20, finalized: 20, events: [bind(15, 15, 0, 0)] })
  // Block 2 is before the watch, and a bind of block 5 was known.
  await step({ block: 21, finalized: 20, rebuilds: 1, events: [bind(2, 3, 0, 1)], healed: [{ block: 2, added: [1] }] })
  await step({ block: 22, finalized: 20, rebuilds: 1, events: [bind(5, 6, 0, 1)], healed: [{ block: 5, added: [1] }] })
  await step({
    block: 23,
    finalized: 20,
    rebuilds: 1,
    events: [bind(15, 7, 0, 1)],
    healed: [{ block: 15, added: [1] }],
  })
  await deriveAll()
  expect(await told()).toEqual(['direct 15', 'direct 5', 'direct 15'])
  expect(await told(other)).toEqual([])
})

test('behavior: a block that is replaced before its alerts were derived is told like all others', async () => {
  const { step, told } = await start()
  await step({ block: 20, finalized: 10, events: [bind(15, 15, 0)] })
  await step({ block: 21, finalized: 10, rebuilds: 1, events: [bind(16, 16, 0)], healed: [{ block: 16, added: [0] }] })
  await step({ block: 22, finalized: 22 })
  expect(await told()).toEqual(['direct 15', 'direct 16'])
})

test('behavior: an alert of a final block whose event was false is taken back', async () => {
  const { step, told } = await start()
  await step({ block: 20, finalized: 20, events: [bind(15, 15, 0), bind(16, 16, 0)] })
  await step({ block: 20, finalized: 20, fork: 16, rebuilds: 1, healed: [{ block: 16, added: [] }] })
  expect(await told()).toEqual(['direct 15', 'direct 16', 'retracted 16'])
})

test.each<[string, Pick<TestStep, 'finalized' | 'reorgs' | 'rebuilds' | 'healed'>]>([
  ['final', { finalized: 20, rebuilds: 1, healed: [{ block: 15, added: [0] }] }],
  ['not final', { finalized: 10, reorgs: 1 }],
])(
  'behavior: an event that another one of the same log replaces is told anew in a block that is %s',
  async (_, change) => {
    const { step, told } = await start()
    const { finalized = 0 } = change
    await step({ block: 20, finalized, events: [bind(15, 0, 15), bind(16, 16, 0)] })
    await step({ block: 21, fork: 15, events: [bind(15, 15, 0), bind(16, 16, 0)], ...change })
    await step({ block: 22, fork: 15, events: [bind(15, 17, 0), bind(16, 16, 0)], ...change })
    await step({ block: 41, finalized: 41 })
    expect(await told()).toEqual(['direct 16', 'direct 15', 'direct 15', 'retracted 15'])
  },
)

test('behavior: binds that count no longer, or only since, because of a late one are told', async () => {
  const { step, told } = await start()
  const events = [bind(5, 9, 3), bind(15, 15, 0), bind(16, 9, 0)]
  await step({ block: 20, finalized: 20, events })
  expect(await told()).toEqual(['direct 15'])
  // In block 5 another member was bound than the node had said.
  const healed = [
    { block: 5, added: [0] },
    { block: 15, added: [] },
    { block: 16, added: [0] },
  ]
  await step({ block: 21, finalized: 20, fork: 5, rebuilds: 1, events: [bind(5, 15, 3), ...events.slice(1)], healed })
  expect(await told()).toEqual(['direct 15', 'direct 16', 'retracted 15'])
})

test('behavior: tables that were made again tell nothing of earlier blocks', async () => {
  const { step, told } = await start()
  await step({ block: 20, finalized: 20, events: [bind(15, 15, 0)] })
  const events = [bind(1, 1, 0), bind(2, 2, 0), bind(5, 5, 0), bind(15, 15, 0), bind(25, 25, 0)]
  await step({
    block: 30,
    finalized: 30,
    fork: 1,
    name: 'again',
    rebuilds: 1,
    events,
    healed: [{ block: 5, added: [0] }],
  })
  expect(await told()).toEqual(['direct 15', 'direct 25'])
})

test('behavior: a milestone that a late bind leads to is told once', async () => {
  const { step, told } = await start({ directs: false })
  const many = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => bind(10, 100 + from + index, 0, from + index))
  await step({ block: 20, finalized: 20, events: many(1, 97) })
  expect(await told()).toEqual([])
  await step({ block: 21, finalized: 20, rebuilds: 1, events: many(98, 98), healed: [{ block: 10, added: [98] }] })
  await step({ block: 22, finalized: 20, rebuilds: 1, events: many(99, 99), healed: [{ block: 10, added: [99] }] })
  expect(await told()).toEqual(['milestone 10 100'])
})

test('behavior: a late member of a digest that was sent is in one more digest', async () => {
  const { step, told } = await start({ directs: false, team: 'hour' })
  await step({ block: 20, finalized: 20, events: [bind(15, 15, 0)] })
  const hours = [8_000, 16_000, 24_000]
  for (const block of hours) await step({ block, finalized: block })
  expect(await told()).toEqual(['digest  1'])
  await step({
    block: 24_001,
    finalized: 24_000,
    rebuilds: 1,
    events: [bind(15, 16, 0, 1)],
    healed: [{ block: 15, added: [1] }],
  })
  expect(await told()).toEqual(['digest  1', 'digest  1'])
})

test('behavior: binds without a date are told as such, and have a digest of their own', async () => {
  const { step, told } = await start({ team: 'hour' })
  const unknown = { grade: 'between', firstBlock: 3 } as const
  await step({
    block: 20,
    finalized: 20,
    events: [bind(15, 15, 0), { ...bind(16, 16, 0), ...unknown }, { ...bind(17, 17, 0), ...unknown }],
  })
  for (const block of [8_000, 16_000, 24_000]) await step({ block, finalized: block })
  expect(await told()).toEqual([
    'direct 15',
    'direct 16 undated',
    'direct 17 undated',
    'digest  1',
    'digest  2 undated',
  ])
})
