import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { createIndexTables } from '@lineage/database'
import { startTestPostgres } from '@lineage/database/testing'
import { createForest, type Forest } from '@lineage/forest'
import * as fc from 'fast-check'
import { afterAll, afterEach, expect, test } from 'vitest'
import { createFollower, type FollowerParameters, type ViewChange } from './createFollower.ts'
import {
  addressOf,
  bind,
  createCommunities,
  createTestTables,
  hashOf,
  type TestEvent,
  type TestStep,
  type TestTables,
} from './test/tables.ts'

const postgres = await startTestPostgres()
afterAll(postgres.stop)
const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

async function start(parameters: Partial<FollowerParameters> = {}, ids = ['demo']) {
  const url = await postgres.createDatabase()
  const communities = createCommunities(...ids)
  const tables = await createTestTables(url, communities)
  const changes: ViewChange[] = []
  const logged: string[] = []
  const follow = () => {
    const follower = createFollower({
      communities,
      databaseUrl: url,
      log: (message) => logged.push(message),
      onChange: (change) => void changes.push(change),
      ...parameters,
    })
    ends.unshift(follower.close)
    return follower
  }
  ends.push(tables.close)
  return { url, tables, follow, changes, logged }
}

const blockOf = (follower: ReturnType<typeof createFollower>, id = 'demo') => follower.view(id)?.asOf.block
const membersOf = (follower: ReturnType<typeof createFollower>) => follower.view('demo')?.forest.counts.members
const kill = ({ pool }: TestTables) =>
  pool.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
  )

/** Adds events to a forest one by one. */
function replay(events: readonly TestEvent[]): Forest {
  const forest = createForest()
  for (const event of events) {
    const at = { ...event, timestamp: event.timestamp ?? 1_700_000_000 + event.block }
    if (at.kind === 'bind') forest.bind(at)
    else if (at.kind === 'volume') forest.addVolume(at)
    else forest.addReward(at)
  }
  return forest
}

const answersOf = (forest: Forest) => [
  forest.metrics({ now: 1_800_000_000 }),
  forest.searchPrefix('0x00', 50).map((summary) => forest.member(forest.find(summary.address) as number)),
]

const event = fc.record({
  kind: fc.constantFrom('bind', 'bind', 'bind', 'unbind', 'volume', 'reward'),
  member: fc.nat(12),
  referrer: fc.nat(12),
  amount: fc.bigInt(0n, 2n ** 256n - 1n),
})
const blocks = fc.array(fc.array(event, { maxLength: 4 }), { minLength: 1, maxLength: 5 })
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ type: fc.constant('mine' as const), blocks }) },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant('reorg' as const), depth: fc.integer({ min: 1, max: 8 }), blocks }),
  },
  fc.record({ type: fc.constant('rebuild' as const), blocks }),
  ...(['kill', 'settle', 'restart', 'save', 'restore'] as const).map((type) => fc.record({ type: fc.constant(type) })),
)
type Chain = {
  events: TestEvent[]
  block: number
  finalized: number
  reorgs: number
  rebuilds: number
  timeline: string
}

function toEvents(of: typeof blocks extends fc.Arbitrary<infer value> ? value : never, first: number, fork: number) {
  return of.flatMap((events, index) =>
    events.map(({ kind, member, referrer, amount }, logIndex): TestEvent => {
      const block = first + index
      const base = { block, logIndex, member: addressOf(member), blockHash: hashOf(block, fork) }
      if (kind === 'volume' || kind === 'reward') return { ...base, kind, amount }
      return { ...base, kind: 'bind', referrer: kind === 'unbind' ? null : addressOf(referrer) }
    }),
  )
}

test('property: whatever happens to the tables and the connections, each view holds the chain up to its block', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.constantFrom(1, 3, 1_000), async (actions, limit) => {
      const faults: unknown[] = []
      /** Events of the chain by its timeline and the numbers of its reorganisations and rebuilds. */
      const chains = new Map<string, readonly TestEvent[]>()
      const check = ({ view }: ViewChange) => {
        const [, rebuilds, reorgs, , , , timeline] = view.version.split('.')
        const all = chains.get(`${rebuilds}.${reorgs}.${timeline}`) ?? []
        try {
          const expected = replay(all.filter(({ block }) => block <= view.asOf.block))
          expect(answersOf(view.forest)).toEqual(answersOf(expected))
        } catch (error) {
          faults.push(error)
        }
      }
      const { tables, follow } = await start({ limit, onChange: check })
      let follower = follow()
      const chain: Chain = { events: [], block: 0, finalized: 0, reorgs: 0, rebuilds: 0, timeline: '0-first' }
      let forks = 0
      let steps = 0
      let saved: { chain: Chain; steps: number; restore: () => Promise<void> } | undefined
      let next: string | undefined
      const write = async (change: Pick<TestStep, 'fork' | 'events' | 'reorgs' | 'rebuilds'>) => {
        chain.finalized = Math.max(chain.finalized, chain.block - 5)
        steps++
        if (next !== undefined) chain.timeline = `${steps}-${next}`
        chains.set(`${chain.rebuilds}.${chain.reorgs}.${chain.timeline}`, chain.events)
        const timeline = next
        next = undefined
        await tables.step('demo', {
          ...change,
          ...(timeline !== undefined && { timeline }),
          block: chain.block,
          finalized: chain.finalized,
          time: 1_700_000_000 + chain.block,
        })
      }
      const replace = (fork: number, events: readonly TestEvent[]) => {
        chain.events = [...chain.events.filter(({ block }) => block < fork), ...events]
      }
      const settle = () =>
        expect
          .poll(() => follower.view('demo')?.version)
          .toMatch(new RegExp(`\\.${chain.rebuilds}\\.${chain.reorgs}\\.${chain.block}\\..*\\.${chain.timeline}$`))
      for (const action of actions) {
        if (action.type === 'kill') await kill(tables)
        else if (action.type === 'settle') await (chain.block > 0 && settle())
        else if (action.type === 'restart') {
          await follower.close()
          follower = follow()
        } else if (action.type === 'save') saved = { chain: { ...chain }, steps, restore: await tables.save('demo') }
        else if (action.type === 'restore') {
          if (!saved || saved.chain.block === 0) continue
          await saved.restore()
          Object.assign(chain, saved.chain)
          steps = saved.steps
          next = `restored${++forks}`
        } else if (action.type === 'mine') {
          const events = toEvents(action.blocks, chain.block + 1, forks)
          replace(chain.block + 1, events)
          chain.block += action.blocks.length
          await write({ events })
        } else if (action.type === 'reorg') {
          const fork = Math.max(chain.finalized + 1, chain.block + 1 - action.depth)
          const events = toEvents(action.blocks, fork, ++forks)
          replace(fork, events)
          chain.block = Math.max(chain.block, fork + action.blocks.length - 1)
          chain.reorgs++
          await write({ fork, events, reorgs: 1 })
        } else if (action.type === 'rebuild') {
          const events = toEvents(action.blocks, 1, ++forks)
          chain.events = events
          chain.block = Math.max(chain.block, action.blocks.length)
          chain.rebuilds++
          await write({ fork: 0, events, rebuilds: 1 })
        }
      }
      if (chain.block > 0) await settle()
      await follower.close()
      await tables.close()
      ends.splice(0)
      expect(faults).toEqual([])
    }),
    { numRuns: Number(process.env.FOLLOW_RUNS ?? 30) },
  )
})

test('behavior: a source is served once it is live, though it was read before', async () => {
  const { tables, follow } = await start()
  const follower = follow()
  await tables.step('demo', { block: 3, events: [bind(1, 1, 0), bind(3, 2, 1)], state: 'backfill' })
  await expect.poll(() => follower.followed[0]?.set.forest.counts.members).toBe(2)
  expect(follower.view('demo')).toBeUndefined()
  await tables.step('demo', { block: 9, events: [bind(9, 3, 1)] })
  await expect.poll(() => [blockOf(follower), membersOf(follower)]).toEqual([9, 3])
  await tables.step('demo', { block: 9, state: 'backfill' })
  await expect.poll(() => follower.view('demo')).toBeUndefined()
})

test('behavior: a change of one community leaves the views of the others as they are', async () => {
  const { tables, follow } = await start({}, ['one', 'two'])
  const follower = follow()
  for (const id of ['one', 'two']) await tables.step(id, { block: 1, events: [bind(1, 1, 0)] })
  await expect.poll(() => [blockOf(follower, 'one'), blockOf(follower, 'two')]).toEqual([1, 1])
  const before = follower.view('two')
  await tables.step('one', { block: 2, events: [bind(2, 2, 0)] })
  await expect.poll(() => blockOf(follower, 'one')).toBe(2)
  expect(follower.view('two')).toBe(before)
})

test('behavior: a reorganisation tells the binds that it took back and those that came', async () => {
  const { tables, follow, changes } = await start()
  const follower = follow()
  await tables.step('demo', { block: 40, events: [bind(1, 1, 0), bind(39, 2, 1), bind(40, 3, 1)] })
  await expect.poll(() => membersOf(follower)).toBe(3)
  await tables.step('demo', { fork: 40, block: 41, events: [bind(41, 4, 1)], reorgs: 1 })
  await expect
    .poll(() => changes.at(-1))
    .toMatchObject({
      fork: 40,
      gone: [{ member: addressOf(3) }],
      rows: [{ member: addressOf(4) }],
      view: { asOf: { block: 41 } },
    })
  expect(membersOf(follower)).toBe(3)
})

test('behavior: tables that were made again, with the same numbers, are read from the start', async () => {
  const { tables, follow } = await start()
  const follower = follow()
  await tables.step('demo', { block: 50, events: [bind(1, 1, 0), bind(2, 2, 1)] })
  await expect.poll(() => membersOf(follower)).toBe(2)
  for (const [block, name] of [
    [40, 'second'],
    [60, 'third'],
  ] as const) {
    await tables.step('demo', { fork: 0, block, events: [bind(1, 3, 0)], finalized: 10, name })
    await expect.poll(() => [blockOf(follower), membersOf(follower)]).toEqual([block, 1])
    expect(follower.view('demo')?.index).toBe(name)
  }
  await tables.pool.query('drop schema lineage_1 cascade')
  await expect.poll(() => follower.view('demo')).toBeUndefined()
})

test.each([
  ['the reader goes on', 76],
  ['nothing else', 69],
])('behavior: a state that a restore took back is not answered any more: then %s', async (_, block) => {
  const { tables, follow, logged } = await start()
  const follower = follow()
  await tables.step('demo', { block: 69, events: [bind(1, 1, 0)] })
  const restore = await tables.save('demo')
  await tables.step('demo', { block: 70, events: [bind(70, 2, 1)] })
  await expect.poll(() => membersOf(follower)).toBe(2)
  await restore()
  if (block > 69) await tables.step('demo', { block, events: [bind(block, 3, 1)], timeline: 'second' })
  await expect.poll(() => blockOf(follower)).toBe(block)
  const { forest } = follower.view('demo') ?? {}
  expect([1, 2, 3].map((member) => forest?.find(addressOf(member)) !== undefined)).toEqual([true, false, block > 69])
  expect(logged.filter((line) => line.includes('restored'))).toEqual([
    expect.stringContaining('The tables of demo were restored, or lost their newest changes in a failover'),
  ])
})

test('behavior: a reader that starts, without a restore, lets nothing be read again', async () => {
  const { tables, follow, changes, logged } = await start()
  await tables.step('demo', { block: 1, events: [bind(1, 1, 0)] })
  const follower = follow()
  await expect.poll(() => blockOf(follower)).toBe(1)
  for (const [index, timeline] of ['second', 'third', 'fourth'].entries())
    await tables.step('demo', { block: 2 + index, events: [bind(2 + index, 2 + index, 1)], timeline })
  await expect.poll(() => membersOf(follower)).toBe(4)
  expect(changes.filter(({ kind }) => kind === 'loaded')).toHaveLength(1)
  expect(logged.join()).not.toContain('restored')
})

test('behavior: a reader of a newer version that adds its columns lets nothing be read again', async () => {
  const { tables, follow, changes } = await start()
  await tables.step('demo', { block: 1, events: [bind(1, 1, 0)] })
  await tables.pool.query('alter table lineage_1.source drop column step, drop column timelines')
  const follower = follow()
  await expect.poll(() => blockOf(follower)).toBe(1)
  await createIndexTables(tables.pool)
  await tables.step('demo', { block: 2, events: [bind(2, 2, 1)] })
  await expect.poll(() => membersOf(follower)).toBe(2)
  expect(changes.filter(({ kind }) => kind === 'loaded')).toHaveLength(1)
})

test('behavior: while other communities are served, a first snapshot is taken in the worker', async () => {
  const refreshed: unknown[] = []
  const snapshots = {
    async refresh(forest: Forest) {
      refreshed.push(forest)
      forest.takeSnapshot()
      return 'taken' as const
    },
  }
  const { tables, follow } = await start({ snapshots }, ['demo', 'late'])
  await tables.step('demo', { block: 1, events: [bind(1, 1, 0)] })
  const follower = follow()
  await expect.poll(() => blockOf(follower)).toBe(1)
  const binds = Array.from({ length: 1_500 }, (_, index) => bind(1, index + 1, index >>> 1, index))
  await tables.step('late', { block: 1, events: binds })
  await expect.poll(() => blockOf(follower, 'late')).toBe(1)
  expect(refreshed).toEqual([follower.view('late')?.forest])
  expect(follower.view('late')?.forest.isSnapshotDue).toBe(false)
})

test('behavior: the first snapshot is taken before the first view, later ones in the worker', async () => {
  const asked: unknown[] = []
  const snapshots = {
    async refresh(forest: unknown) {
      asked.push(forest)
      throw new Error('no worker')
    },
  }
  const { tables, follow, logged } = await start({ snapshots })
  const binds = Array.from({ length: 1_500 }, (_, index) => bind(1, index + 1, index >>> 1, index))
  await tables.step('demo', { block: 1, events: binds })
  const follower = follow()
  await expect.poll(() => membersOf(follower)).toBe(1_500)
  expect([follower.view('demo')?.forest.isSnapshotDue, asked]).toEqual([false, []])
  await tables.step('demo', { block: 2, events: [bind(2, 2_000, 0)] })
  await expect.poll(() => asked).toEqual([follower.view('demo')?.forest])
  await expect.poll(() => logged.join()).toContain('no worker')
})

test('error: the last view stays while the database is away, and the fault and its end are told', async () => {
  const faults: unknown[] = []
  const logged: string[] = []
  const { tables, follow } = await start({
    log: (line) => {
      logged.push(line)
      if (line.includes('cannot be read')) faults.push(follower.fault())
    },
  })
  const follower = follow()
  await tables.step('demo', { block: 1, events: [bind(1, 1, 0)] })
  await expect.poll(() => blockOf(follower)).toBe(1)
  await postgres.restart(async () => {
    await expect.poll(() => follower.fault()).toBe('unreachable')
    expect(blockOf(follower)).toBe(1)
  })
  await expect.poll(() => follower.fault()).toBeUndefined()
  await tables.step('demo', { block: 2 })
  await expect.poll(() => blockOf(follower)).toBe(2)
  expect(logged.filter((line) => line === 'The tables can be read again.')).toHaveLength(1)
  // A busy machine may take so long to stop or start the database that the follower meets it meanwhile.
  expect(new Set(faults)).toContain('unreachable')
  expect(['unreachable', 'closed', 'starting']).toEqual(expect.arrayContaining(faults))
})

test.each(['silence', 'no TLS'])(
  'error: %s of the database does not mean that its tables are damaged',
  async (kind) => {
    const mute = createServer().listen(0, '127.0.0.1')
    await once(mute, 'listening')
    ends.push(async () => void mute.close())
    const databaseUrl =
      kind === 'silence'
        ? `postgres://127.0.0.1:${(mute.address() as AddressInfo).port}/index`
        : `${await postgres.createDatabase()}?sslmode=verify-full`
    const { follow } = await start({ databaseUrl })
    const follower = follow()
    const fault = kind === 'silence' ? 'unreachable' : 'untrusted'
    await expect.poll(() => follower.fault()).toBe(fault)
  },
)

test('error: a load for which the database has no connection left is told', async () => {
  const { url, tables, logged } = await start()
  await tables.step('demo', { block: 1, events: [bind(1, 1, 0)] })
  await tables.pool.query(`create role single login password 'word' connection limit 1`)
  await tables.pool.query('grant pg_read_all_data to single')
  const databaseUrl = url.replace(/\/\/.*@/, '//single:word@')
  const follower = createFollower({
    ...{ communities: createCommunities('demo'), databaseUrl, onChange: () => {} },
    log: (line) => logged.push(line),
  })
  ends.push(follower.close)
  await expect.poll(() => follower.fault()).toBe('crowded')
  expect(logged.join()).toContain('the database has no connection left: raise max_connections')
  await tables.pool.query('alter role single connection limit 2')
  await expect.poll(() => [blockOf(follower), follower.fault()]).toEqual([1, undefined])
})

test('error: rows that cannot be parsed are told, and the last view stays', async () => {
  const { tables, follow } = await start()
  const follower = follow()
  await tables.step('demo', { block: 1, events: [bind(1, 1, 0)] })
  await expect.poll(() => blockOf(follower)).toBe(1)
  await tables.step('demo', { block: 2, events: [bind(2, 2, 0), { ...bind(2, 3, 0, 1), member: '0x0ff1' }] })
  await expect.poll(() => [blockOf(follower), follower.fault()]).toEqual([1, 'damaged'])
  await tables.step('demo', { fork: 2, block: 2, events: [bind(2, 2, 0)], reorgs: 1 })
  await expect.poll(() => [blockOf(follower), membersOf(follower), follower.fault()]).toEqual([2, 2, undefined])
})

test('error: without tables, nothing is served until a reader has made them', async () => {
  const url = await postgres.createDatabase()
  const communities = createCommunities('demo')
  const follower = createFollower({ communities, databaseUrl: url, log: () => {}, onChange: () => {} })
  ends.push(follower.close)
  await follower.pollNow()
  expect([follower.view('demo'), follower.fault(), follower.reports()]).toEqual([undefined, undefined, []])
  const tables = await createTestTables(url, communities)
  ends.push(tables.close)
  await tables.step('demo', { block: 1 })
  await expect.poll(() => blockOf(follower)).toBe(1)
})
