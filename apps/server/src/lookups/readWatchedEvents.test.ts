import type { Slices } from '@lineage/forest'
import { afterAll, expect, test } from 'vitest'
import { createDatabase } from '../../test/serve.ts'
import { addressOf, bind } from '../follow/test/tables.ts'
import { createEventTables } from './eventTables.ts'
import { readWatchedEvents } from './readWatchedEvents.ts'
import { startLookups } from './test/startLookups.ts'

const ends: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const end of ends) await end()
})

async function finish<answer>(slices: Slices<answer>): Promise<answer> {
  for (;;) {
    const slice = slices.next()
    if (slice.done) return slice.value
  }
}

/** Follows a chain in which members 1 to `count` bind to member 0, one in each block. */
async function start({ count, finalized, limit }: { count: number; finalized: number; limit?: number }) {
  const served = await startLookups(await createDatabase(), 'one')
  ends.push(served.close)
  const events = Array.from({ length: count }, (_, index) => bind(index + 1, index + 1, 0))
  await served.tables.step('one', { block: count, finalized, events })
  await served.reach(count)
  const requireView = () => {
    const view = served.follower.view('one')
    if (!view) throw new Error('There is no view.')
    return view
  }
  const communities = served.follower.followed.map(({ community }) => community)
  const sources = { communities, requireView, tables: createEventTables(served.pool), inSlices: finish }
  const ask = async (after: number | null) => {
    const request = { addresses: [addressOf(0)], after }
    const { upTo, items, asOf } = await readWatchedEvents(sources, 'one', request, limit)
    return { upTo, asOf, blocks: items.map(({ block }) => block) }
  }
  return { served, ask }
}

test('behavior: final blocks come first, then the others, which a reorganisation replaces', async () => {
  const { served, ask } = await start({ count: 8, finalized: 5 })
  expect(await ask(0)).toMatchObject({ upTo: 5, blocks: [1, 2, 3, 4, 5] })
  expect(await ask(5)).toMatchObject({ upTo: 8, blocks: [6, 7, 8] })
  expect(await ask(null)).toMatchObject({ upTo: 8, blocks: [], asOf: { block: 8 } })
  await served.tables.step('one', { fork: 7, block: 9, finalized: 5, reorgs: 1 })
  await served.reach(9)
  expect((await ask(5)).blocks).toEqual([6])
})

test('behavior: the state is not older than the tables', async () => {
  const { served } = await start({ count: 1, finalized: 0 })
  await served.tables.pool.query(`update lineage_1.source set block = 7`)
  expect(await served.lookups.findWatchedEvents('one', { addresses: [], after: 0 })).toMatchObject({ upTo: 7 })
})

test('behavior: many events come in portions of whole blocks without a gap', async () => {
  const { ask } = await start({ count: 8, finalized: 7, limit: 3 })
  const portions: number[][] = []
  for (let after = 0; after < 8; ) {
    const { upTo, blocks } = await ask(after)
    portions.push(blocks)
    after = upTo
  }
  expect(portions).toEqual([[1, 2], [3, 4], [5, 6], [7], [8]])
})

test('behavior: a block with more events than a portion comes whole', async () => {
  const { served, ask } = await start({ count: 1, finalized: 1, limit: 3 })
  const many = Array.from({ length: 7 }, (_, index) => bind(2, 10 + index, 0, index))
  await served.tables.step('one', { block: 3, finalized: 3, events: [...many, bind(3, 20, 0)] })
  await served.reach(3)
  expect(await ask(1)).toMatchObject({ upTo: 2, blocks: [2, 2, 2, 2, 2, 2, 2] })
  expect(await ask(2)).toMatchObject({ blocks: [3] })
})

test('error: an unknown community, and one that is not served', async () => {
  const served = await startLookups(await createDatabase(), 'one')
  ends.push(served.close)
  const ask = (id: string) => served.lookups.findWatchedEvents(id, { addresses: [], after: 0 })
  await expect(ask('one')).rejects.toMatchObject({ code: 'indexing' })
  await expect(ask('two')).rejects.toMatchObject({ code: 'community_not_found' })
})
