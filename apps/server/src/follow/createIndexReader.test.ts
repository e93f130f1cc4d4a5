import { createForest } from '@lineage/forest'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { addressOf, bind, communities, createDatabase, type Database, type Event } from '../../../test/chainTables.ts'
import type { EventRow } from '../tables/eventRow.ts'
import { createIndexReader } from './createIndexReader.ts'

function createReader(database: Database, limit?: number) {
  return createIndexReader({
    communities,
    tables: database.tables,
    headBlock: async () => database.head(),
    ...(limit && { limit }),
  })
}

async function settle(reader: ReturnType<typeof createReader>) {
  // The reader itself polls as often between its reads.
  await reader.pollHead()
  while ((await reader.poll()) === 'behind');
}

const event: fc.Arbitrary<Event> = fc.record({
  kind: fc.constantFrom('bind', 'bind', 'volume', 'reward'),
  community: fc.constantFrom('one', 'two'),
  member: fc.nat(12),
  referrer: fc.nat(12),
  amount: fc.bigInt(0n, 2n ** 256n - 1n),
})
/**
 * Change of the tables between two reads, or `during` one. `restart`: the indexer restarts and reverts the rows that
 * are not final.
 */
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constant('mine' as const), events: fc.array(event, { maxLength: 6 }) }),
  },
  fc.record({ type: fc.constant('reorg' as const), depth: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ type: fc.constant('finalize' as const), distance: fc.nat(3) }),
  fc.record({ type: fc.constantFrom('restart' as const, 'resume' as const, 'fail' as const) }),
  { weight: 3, arbitrary: fc.record({ type: fc.constant('poll' as const), during: fc.array(fc.nat(2)) }) },
)
type Step = typeof step extends fc.Arbitrary<infer value> ? value : never

function change(database: Database, action: Exclude<Step, { type: 'poll' }>): void {
  if (action.type === 'mine') database.mine(action.events)
  else if (action.type === 'reorg') database.reorg(action.depth)
  else if (action.type === 'finalize') database.finalize(action.distance)
  else if (action.type === 'fail') database.failure = new Error('connection lost')
  else database.backfill = action.type === 'restart' ? 'running' : 'complete'
  if (action.type === 'restart') database.reorg(Number.POSITIVE_INFINITY)
}

function replay(rows: readonly EventRow[]) {
  return communities.map(({ id }) => {
    const forest = createForest()
    for (const row of rows.filter(({ community }) => community === id)) {
      if (row.kind === 'bind') forest.bind(row)
      else if (row.kind === 'volume') forest.addVolume(row)
      else forest.addReward(row)
    }
    return forest.metrics({ now: 1_800_000_000 })
  })
}

function metricsOf(reader: ReturnType<typeof createReader>) {
  const forests = reader.view()?.forests
  return communities.map(({ id }) => forests?.get(id)?.metrics({ now: 1_800_000_000 }))
}

test('behavior: a row beyond the checkpoint is not shown before the checkpoint reaches it', async () => {
  const database = createDatabase()
  for (const member of [1, 2, 3]) database.mine([bind(member, 0)])
  const { readChanges } = database.tables
  let block = 2
  database.tables.readMark = async () => String(block)
  database.tables.readChanges = async (...parameters) => {
    const all = await readChanges(...parameters)
    return { ...all, checkpoint: all.checkpoint && { ...all.checkpoint, block } }
  }
  const reader = createIndexReader({ communities, tables: database.tables, headBlock: async () => 2 })
  const viewed = () => [reader.view()?.asOf.block, reader.view()?.forests.get('one')?.counts.members]
  await settle(reader)
  expect(viewed()).toEqual([2, 2])
  block = 3
  await settle(reader)
  expect(viewed()).toEqual([3, 3])
})

test('property: whatever happens to the tables between two reads, each view holds the chain up to its block', async () => {
  const histories = fc.array(step, { maxLength: 60 })
  await fc.assert(
    fc.asyncProperty(histories, fc.constantFrom(1, 3, 7, 1000), async (history, limit) => {
      const database = createDatabase()
      const { readChanges, readFinal } = database.tables
      let pending: Step[] = [...history]
      let during: number[] = []
      let rows: EventRow[] = []
      const goOn = () => {
        for (let count = during.shift() ?? 0; count > 0 && pending[0] && pending[0].type !== 'poll'; count--)
          change(database, pending.shift() as Exclude<Step, { type: 'poll' }>)
      }
      Object.assign(database.tables, {
        async readChanges(...parameters: Parameters<typeof readChanges>) {
          const answer = await readChanges(...parameters)
          rows = database.rows()
          goOn()
          return answer
        },
        async readFinal(...parameters: Parameters<typeof readFinal>) {
          const answer = await readFinal(...parameters)
          goOn()
          return answer
        },
      })
      const reader = createReader(database, limit)
      let seen = { version: 0, metrics: metricsOf(reader) }
      const poll = async () => {
        const standing = await reader.poll().catch((error: Error) => expect(error.message).toBe('connection lost'))
        database.failure = undefined
        const { asOf, version = 0 } = reader.view() ?? {}
        if (version !== seen.version)
          seen = { version, metrics: replay(rows.filter(({ block }) => block <= (asOf?.block ?? 0))) }
        expect(metricsOf(reader)).toEqual(seen.metrics)
        return standing
      }
      for (let action = pending.shift(); action; action = pending.shift()) {
        if (action.type === 'poll') {
          during = action.during
          await poll()
        } else change(database, action)
      }
      pending = []
      database.backfill = 'complete'
      while (database.head() <= history.length) database.mine([])
      while ((await poll()) !== 'level');
      expect(reader.view()?.asOf.block).toBe(database.head())
      expect(metricsOf(reader)).toEqual(replay(database.rows()))
    }),
    { numRuns: 500 },
  )
})

test('behavior: no view before the newest block at the start is read', async () => {
  const database = createDatabase()
  database.backfill = 'running'
  database.mine([bind(1, 0)])
  database.mine([bind(2, 0)])
  const reader = createReader(database)
  await reader.poll()
  expect(reader.view()).toBeUndefined()
  expect(reader.status()).toMatchObject({ state: 'indexing', progress: { phase: 'indexing', done: 1 } })
  database.backfill = 'complete'
  await reader.poll()
  expect(reader.status()).toMatchObject({ state: 'ready', progress: null, asOf: { block: 2 } })
  expect(reader.view()?.forests.get('one')?.counts.members).toBe(2)
})

test('behavior: a partial read is progress, and not shown', async () => {
  const database = createDatabase()
  for (let index = 1; index <= 9; index++) database.mine([bind(index, 0)])
  const reader = createReader(database, 4)
  expect(await reader.poll()).toBe('behind')
  expect(reader.view()).toBeUndefined()
  expect(reader.status().progress).toEqual({ phase: 'loading', done: 2, total: 8 })
  await settle(reader)
  expect(reader.view()?.forests.get('one')?.counts.members).toBe(9)
})

test('behavior: final events are loaded in pieces, and not shown before the last one', async () => {
  const database = createDatabase()
  for (let index = 1; index <= 2_500; index++) database.mine(index % 5 === 0 ? [bind(index, 0), bind(index, 0)] : [])
  database.finalize(0)
  const reader = createReader(database, 100)
  const { readFinal } = database.tables
  const pieces: number[] = []
  database.tables.readFinal = (range) => {
    pieces.push(range.upTo)
    expect(reader.view()).toBeUndefined()
    return readFinal(range)
  }
  await settle(reader)
  expect(pieces.slice(0, 2)).toEqual([1_000, 2_000])
  expect(pieces.at(-1)).toBe(2_500)
  expect(reader.view()?.forests.get('one')?.counts).toMatchObject({ members: 500, duplicate: 500 })
})

test.each([
  { first: 0, blocks: [[bind(1, 0)], [bind(2, 0), bind(3, 0)]] },
  // Ponder writes one table after the other, and other readers of PGlite see uncommitted rows.
  { first: 1, blocks: [[bind(1, 0)], [bind(2, 0), bind(3, 0)]] },
  { first: 1, blocks: [[bind(2, 0), bind(3, 0)]] },
])('behavior: all logs of a block count, though log $first is written before the others', async ({ first, blocks }) => {
  const database = createDatabase()
  for (const events of blocks) database.mine(events)
  database.finalize(0)
  database.backfill = 'running'
  const { readChanges, readFinal } = database.tables
  const isWritten = (row: { block: number; logIndex: number }) => row.block < blocks.length || row.logIndex === first
  database.tables.readChanges = async (...parameters) => {
    const answer = await readChanges(...parameters)
    return { ...answer, rows: answer.rows.filter(isWritten) }
  }
  database.tables.readFinal = async (range) => {
    const { events, texts } = await readFinal(range)
    return { texts, events: new Map([...events].map(([id, some]) => [id, [...some].filter(isWritten)])) }
  }
  const reader = createReader(database, 100)
  await reader.poll()
  Object.assign(database.tables, { readChanges, readFinal })
  database.backfill = 'complete'
  await settle(reader)
  expect(reader.view()?.forests.get('one')?.counts.members).toBe(blocks.flat().length)
})

test('behavior: a reorg removes a member and adds another', async () => {
  const database = createDatabase()
  database.mine([bind(1, 0)])
  database.finalize(0)
  database.mine([bind(2, 1)])
  const reader = createReader(database)
  await reader.poll()
  const before = reader.view()?.version
  database.reorg(1)
  database.mine([bind(3, 1)])
  await reader.poll()
  const view = reader.view()
  expect(view?.version).not.toBe(before)
  expect(view?.forests.get('one')?.find(addressOf(2))).toBeUndefined()
  expect(view?.forests.get('one')?.find(addressOf(3))).toBeDefined()
})

test('behavior: the first snapshot is taken before the first view, later ones in the worker', async () => {
  const database = createDatabase()
  database.mine(Array.from({ length: 1500 }, (_, index) => bind(index + 1, index >>> 1)))
  const asked: unknown[] = []
  const snapshots = {
    async refresh(forest: unknown) {
      asked.push(forest)
      throw new Error('no worker')
    },
  }
  const logged: string[] = []
  const reader = createIndexReader({
    communities,
    tables: database.tables,
    headBlock: async () => database.head(),
    snapshots,
    log: (message) => logged.push(message),
  })
  await settle(reader)
  const forest = reader.view()?.forests.get('one')
  expect([forest?.counts.members, forest?.isSnapshotDue]).toEqual([1500, false])
  expect(asked).toEqual([])
  database.mine([bind(2000, 0)])
  await settle(reader)
  expect(asked).toContain(forest)
  expect(reader.view()?.asOf.block).toBe(2)
  expect(logged.join()).toContain('no worker')
})

test('error: the last view stays while the database fails', async () => {
  const database = createDatabase()
  database.mine([bind(1, 0)])
  const reader = createReader(database)
  await reader.poll()
  const view = reader.view()
  database.failure = new Error('connection lost')
  await expect(reader.poll()).rejects.toThrow('connection lost')
  expect(reader.view()).toBe(view)
  expect(reader.status().state).toBe('ready')
  database.failure = undefined
  database.mine([bind(2, 1)])
  await reader.poll()
  expect(reader.view()?.forests.get('one')?.counts.members).toBe(2)
})

test('error: tables that lost pages while Ponder fills them are reported', async () => {
  const database = createDatabase()
  database.mine([bind(1, 0)])
  database.backfill = 'running'
  const reader = createReader(database)
  await reader.poll()
  expect(reader.fault()).toBeUndefined()
  database.tables.probe = async () => {
    throw Object.assign(new Error('could not read block 199 in file "base/1/16400"'), { code: 'XX001' })
  }
  await expect(reader.poll()).rejects.toThrow('could not read block')
  expect(reader.fault()).toBe('damaged')
})

test('error: after rows that a forest refuses, everything is read again', async () => {
  const database = createDatabase()
  database.mine([bind(1, 0)])
  const reader = createReader(database)
  await reader.poll()
  const view = reader.view()
  const { readChanges } = database.tables
  database.tables.readChanges = async (...parameters) => {
    const answer = await readChanges(...parameters)
    return { ...answer, rows: answer.rows.map((row) => ({ ...row, member: '0xoff' })) }
  }
  database.mine([bind(2, 1)])
  await expect(reader.poll()).rejects.toThrow('Not an address')
  expect(reader.view()).toBe(view)
  database.tables.readChanges = readChanges
  await settle(reader)
  expect(reader.view()?.forests.get('one')?.counts.members).toBe(2)
})

test('behavior: the audit saves the data of the first view before it is shown', async () => {
  const database = createDatabase()
  database.backfill = 'running'
  for (const member of [1, 2]) database.mine([bind(member, 0)])
  database.finalize(0)
  let added = 0
  const saved: { upTo: number; view: unknown }[] = []
  const reader = createIndexReader({
    communities,
    tables: database.tables,
    headBlock: async () => database.head(),
    audit: {
      restart: async () => {},
      borderAfter: () => undefined,
      add: (_, upTo) => {
        added = upTo
      },
      addRows: (_, upTo) => {
        added = upTo
      },
      save: async () => {
        saved.push({ upTo: added, view: reader.view() })
      },
    },
  })
  const { readFinal } = database.tables
  // The backfill ends between the two reads of a poll.
  database.tables.readFinal = (range) => {
    database.backfill = 'complete'
    return readFinal(range)
  }
  await reader.poll()
  expect(reader.view()?.asOf.finalizedBlock).toBe(2)
  expect(saved.at(-1)).toEqual({ upTo: 2, view: undefined })
})

test('behavior: the view does not go back while the tables catch up after a restart', async () => {
  const database = createDatabase()
  for (const member of [1, 2, 3, 4]) database.mine([bind(member, 0)])
  let head = 4
  const reader = createIndexReader({ communities, tables: database.tables, headBlock: async () => head })
  const viewed = () => [reader.view()?.asOf.block, reader.view()?.forests.get('one')?.counts.members]
  await settle(reader)
  expect(viewed()).toEqual([4, 4])
  database.backfill = 'running'
  database.reorg(3)
  await settle(reader)
  database.backfill = 'complete'
  for (const member of [2, 3]) {
    await settle(reader)
    expect(viewed()).toEqual([4, 4])
    database.mine([bind(member, 0)])
  }
  await settle(reader)
  expect(viewed()).toEqual([4, 4])
  // The nodes have no blocks above these, because the chain is another one.
  head = 3
  await settle(reader)
  expect(viewed()).toEqual([3, 3])
})

test('behavior: rows are compared only once the tables have changed', async () => {
  const database = createDatabase()
  database.mine([bind(1, 0)])
  const { readChanges } = database.tables
  let reads = 0
  database.tables.readChanges = (...parameters) => {
    reads++
    return readChanges(...parameters)
  }
  const reader = createReader(database)
  await settle(reader)
  const before = reads
  for (let count = 0; count < 10; count++) await reader.poll()
  expect(reads).toBe(before)
  for (const change of [() => database.mine([bind(2, 0)]), () => database.reorg(1), () => database.finalize(0)]) {
    const known = reads
    change()
    await settle(reader)
    expect(reads).toBeGreaterThan(known)
  }
  expect(reader.view()?.asOf).toMatchObject({ block: 1, finalizedBlock: 1 })
})
