import { createLiveLog, type LiveBind, type LiveLine, type LiveStep, liveId } from '@lineage/referral-api/live'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { bind, communities, createDatabase, type Database } from '../../../test/chainTables.ts'
import { createIndexReader } from '../reader/createIndexReader.ts'
import { createLiveFeed } from './createLiveFeed.ts'

/** At this time, the first blocks of `createDatabase` are in the window. */
const startedAt = 1_700_000_000_000

/** Creates a replica: an index of the tables, and its feed. */
function createReplica(database: Database, now = () => startedAt) {
  const live = createLiveFeed({ communities, tables: database.tables, now })
  const reader = createIndexReader({
    communities,
    tables: database.tables,
    headBlock: async () => database.head(),
    live,
  })
  return {
    ...live,
    async settle() {
      // The reader itself polls as often between its reads.
      await reader.pollHead()
      while ((await reader.poll()) === 'behind');
    },
  }
}
type Replica = ReturnType<typeof createReplica>

/** Creates a client of streams, which keeps the binds and the id of the last step, like a page. */
function createClient() {
  let binds: LiveBind[] = []
  let id: string | undefined
  let asked = 0
  let leave = () => {}

  function follow(step: LiveStep): void {
    if (step.event === 'bind') binds = [...binds, ...step.items.map((item) => item.bind)]
    else {
      const taken = new Set(step.items.map((item) => liveId(item.bind)))
      const kept = binds.filter((one) => !taken.has(liveId(one)))
      expect(binds.length - kept.length, 'all that is taken back was known').toBe(taken.size)
      binds = kept
    }
    id = step.id
  }

  function take(line: LiveLine, state: () => LiveBind[]): void {
    if (line.type === 'beat') return
    if (line.type === 'change') for (const step of line.steps) follow(step)
    if (line.type === 'change') return
    const log = createLiveLog(line.floor, line.steps)
    const missed = id === undefined ? undefined : log.after(id)
    if (missed) for (const step of missed) follow(step)
    else {
      // The page loads everything again.
      asked++
      binds = state()
    }
    id = log.head
  }

  return {
    join(replica: Replica, state: () => LiveBind[]): void {
      leave()
      leave = replica.subscribe('one', (line) => take(line, state))
    },
    leave() {
      leave()
      leave = () => {}
    },
    ids: () => binds.map(liveId),
    asked: () => asked,
  }
}

const readBinds = (database: Database) =>
  database
    .rows()
    .filter((row) => row.kind === 'bind' && row.community === 'one')
    .map(({ blockHash, ...row }) => ({ ...row, hash: blockHash }) as never as LiveBind)

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constant('mine' as const), members: fc.array(fc.nat(12), { maxLength: 3 }) }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('reorg' as const), depth: fc.integer({ min: 1, max: 4 }) }) },
  fc.record({ type: fc.constant('finalize' as const), distance: fc.nat(3) }),
  { weight: 4, arbitrary: fc.record({ type: fc.constant('poll' as const), replica: fc.nat(1) }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('join' as const), replica: fc.nat(1) }) },
  fc.record({ type: fc.constant('leave' as const) }),
  fc.record({ type: fc.constant('restart' as const), replica: fc.nat(1) }),
)

test('property: a reader agrees with the index after broken streams, reorganisations and changes of replica', async () => {
  let resumed = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (history) => {
      const database = createDatabase()
      database.mine([bind(1, 0)])
      const create = async () => {
        const replica = createReplica(database)
        await replica.settle()
        return { replica, binds: readBinds(database) }
      }
      const places = [await create(), await create()]
      const client = createClient()
      let joined: number | undefined
      const join = (index: number) => {
        const place = places[index]
        if (!place) return
        client.join(place.replica, () => place.binds)
        joined = index
      }
      join(0)
      let joins = 1
      for (const action of history) {
        if (action.type === 'mine') database.mine(action.members.map((member) => bind(member, 0)))
        else if (action.type === 'reorg') database.reorg(action.depth)
        else if (action.type === 'finalize') database.finalize(action.distance)
        else if (action.type === 'leave') {
          client.leave()
          joined = undefined
        } else if (action.type === 'join') {
          join(action.replica)
          joins++
        } else if (action.type === 'restart') {
          places[action.replica] = await create()
          if (joined === action.replica) {
            join(action.replica)
            joins++
          }
        } else {
          const place = places[action.replica]
          await place?.replica.settle()
          if (place) place.binds = readBinds(database)
        }
        if (joined !== undefined) expect(client.ids()).toEqual(places[joined]?.binds.map(liveId))
      }
      resumed += joins - client.asked()
    }),
    { numRuns: Number(process.env.FOREST_RUNS ?? 300) },
  )
  expect(resumed, 'most readers resume without asking anew').toBeGreaterThan(100)
})

/** Returns the first line of a new reader. */
function readLog(replica: Replica) {
  const lines: LiveLine[] = []
  replica.subscribe('one', (line) => lines.push(line))()
  const [line] = lines
  if (line?.type !== 'log') throw new Error('The feed begins with its log.')
  return line
}

test('behavior: a bind changes the teams of its member and of its upline', async () => {
  const database = createDatabase()
  database.mine([bind(1, 0)])
  const replica = createReplica(database)
  await replica.settle()
  const lines: LiveLine[] = []
  replica.subscribe('one', (line) => lines.push(line))
  database.mine([bind(2, 1)])
  await replica.settle()
  expect(lines.at(-1)).toMatchObject({
    type: 'change',
    counts: { members: 2, asOf: { block: 2 } },
    steps: [{ event: 'bind', block: 2, items: [{ bind: { status: 'bound', block: 2, logIndex: 0 } }] }],
  })
  const [, change] = lines as [LiveLine, Extract<LiveLine, { type: 'change' }>]
  expect(change.steps[0]?.items[0]?.teams.map((address) => Number(address))).toEqual([3, 2, 1])
})

test('behavior: a block without events sends nothing, but a new listener gets its counts', async () => {
  const database = createDatabase()
  database.mine([bind(1, 0)])
  const replica = createReplica(database)
  await replica.settle()
  const lines: LiveLine[] = []
  replica.subscribe('one', (line) => lines.push(line))
  database.mine([])
  await replica.settle()
  expect(lines).toHaveLength(1)
  expect(readLog(replica).counts).toMatchObject({ members: 1, asOf: { block: 2 } })
})

test('behavior: after a restart, streams resume from the newest state but not from one before the last ten minutes', async () => {
  const database = createDatabase()
  for (const member of [1, 2, 3]) database.mine([bind(member, 0)])
  const before = createReplica(database)
  await before.settle()
  const [first, , last] = readLog(before).steps
  database.finalize(0)
  const after = createReplica(database, () => startedAt + 3_600_000)
  await after.settle()
  const { floor, steps } = readLog(after)
  const log = createLiveLog(floor, steps)
  expect(log.after(first?.id ?? '')).toBeUndefined()
  expect(log.after(last?.id ?? '')).toEqual([])
})

test('error: without the recent binds nothing can be resumed, and new binds are reported', async () => {
  const database = createDatabase()
  database.mine([bind(1, 0)])
  database.finalize(0)
  const first = createReplica(database)
  await first.settle()
  const { head } = createLiveLog(readLog(first).floor, readLog(first).steps)
  database.tables.readRecentBinds = () => Promise.reject(new Error('connection lost'))
  const replica = createReplica(database)
  await replica.settle()
  const { floor, steps } = readLog(replica)
  expect(createLiveLog(floor, steps).after(head)).toBeUndefined()
  database.mine([bind(2, 0)])
  await replica.settle()
  expect(readLog(replica).steps).toHaveLength(1)
})
