import { expect, test } from 'vitest'
import { addressOf, bind, communities, createDatabase } from '../../../test/chainTables.ts'
import { createSlicer } from '../lookups/createSlicer.ts'
import { createIndexReader } from '../reader/createIndexReader.ts'
import { createWatchedReader } from './createWatchedReader.ts'

/** Indexes a chain in which members 1 to `count` bind to member 0, one per block. */
async function start({ count, distance, limit }: { count: number; distance: number; limit?: number }) {
  const database = createDatabase()
  for (let member = 1; member <= count; member++) database.mine([bind(member, 0)])
  database.finalize(distance)
  const index = createIndexReader({ communities, tables: database.tables, headBlock: async () => database.head() })
  const settle = async () => {
    await index.pollHead()
    while ((await index.poll()) === 'behind');
  }
  await settle()
  const sources = { communities, index, inSlices: createSlicer(), withheld: () => undefined }
  const { readEvents } = database.tables
  const read = createWatchedReader({ sources, tail: index.tail, readEvents, ...(limit && { limit }) })
  const ask = async (after: number | null) => {
    const { upTo, items, asOf } = await read('one', { addresses: [addressOf(0)], after })
    return { upTo, asOf, blocks: items.map(({ block }) => block) }
  }
  return { database, settle, ask }
}

test('behavior: final blocks come first, then the others, which a reorganisation replaces', async () => {
  const { database, settle, ask } = await start({ count: 8, distance: 3 })
  const head = database.head()
  const blocks = Array.from({ length: 8 }, (_, index) => head - 7 + index)
  expect(await ask(head - 8)).toMatchObject({ upTo: head - 3, blocks: blocks.slice(0, 5) })
  expect(await ask(head - 3)).toMatchObject({ upTo: head, blocks: blocks.slice(5) })
  expect(await ask(null)).toMatchObject({ upTo: head, blocks: [], asOf: { block: head } })
  database.reorg(2)
  database.mine([])
  await settle()
  expect((await ask(head - 3)).blocks).toEqual(blocks.slice(5, 6))
})

test('behavior: many events come in portions of whole blocks without a gap', async () => {
  const { ask, database } = await start({ count: 8, distance: 1, limit: 3 })
  const head = database.head()
  const portions: number[][] = []
  for (let after = 0; after < head; ) {
    const { upTo, blocks } = await ask(after)
    portions.push(blocks)
    after = upTo
  }
  const first = head - 7
  expect(portions).toEqual([[first, first + 1], [first + 2, first + 3], [first + 4, first + 5], [first + 6], [head]])
})

test('behavior: a block with more events than a portion comes whole', async () => {
  const { ask, database, settle } = await start({ count: 1, distance: 0, limit: 3 })
  database.mine(Array.from({ length: 7 }, (_, member) => bind(10 + member, 0)))
  const large = database.head()
  database.mine([bind(20, 0)])
  database.finalize(0)
  await settle()
  expect(await ask(large - 1)).toMatchObject({ upTo: large, blocks: Array.from({ length: 7 }, () => large) })
  expect(await ask(large)).toMatchObject({ blocks: [large + 1] })
})

test('error: an unknown community, and an index that is not ready', async () => {
  const { database } = await start({ count: 1, distance: 0 })
  const index = createIndexReader({ communities, tables: database.tables, headBlock: async () => 0 })
  const sources = { communities, index, inSlices: createSlicer(), withheld: () => undefined }
  const read = createWatchedReader({ sources, tail: index.tail, readEvents: database.tables.readEvents })
  await expect(read('one', { addresses: [], after: 0 })).rejects.toMatchObject({ code: 'indexing' })
})
