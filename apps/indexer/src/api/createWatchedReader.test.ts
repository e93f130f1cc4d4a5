import { expect, test } from 'vitest'
import { addressOf, bind, communities, createDatabase } from '../../test/chainTables.ts'
import { createIndexReader } from './createIndexReader.ts'
import { createWatchedReader } from './createWatchedReader.ts'
import type { Sources } from './lookup.ts'

/** Indexes a chain in which members 1 to `count` bind to member 0, one in each block. */
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
  const sources = { communities, index, withheld: () => undefined } as unknown as Sources
  const { readEvents } = database.tables
  const read = createWatchedReader({ sources, tail: index.tail, readEvents, ...(limit && { limit }) })
  const ask = async (after: number | null) => {
    const { from, items, asOf } = await read('one', { addresses: [addressOf(0)], after })
    return { from, asOf, blocks: items.map(({ block }) => block) }
  }
  return { database, settle, ask }
}

test('behavior: final blocks and those that are not follow on each other, and a reorganisation replaces the latter', async () => {
  const { database, settle, ask } = await start({ count: 8, distance: 3 })
  const first = database.head() - 7
  const blocks = Array.from({ length: 8 }, (_, index) => first + index)
  expect(await ask(first - 1)).toMatchObject({ from: first, blocks })
  expect(await ask(first + 5)).toMatchObject({ from: first + 6, blocks: blocks.slice(6) })
  expect(await ask(null)).toMatchObject({ blocks: [], asOf: { block: database.head() } })
  database.reorg(2)
  database.mine([])
  await settle()
  expect((await ask(first - 1)).blocks).toEqual(blocks.slice(0, 6))
})

test('behavior: of too many events the newest are looked at, and the first block that is complete is named', async () => {
  const { ask, database } = await start({ count: 8, distance: 1, limit: 3 })
  const head = database.head()
  // The final blocks end before the head; of the oldest that was read, events may be missing.
  expect(await ask(0)).toMatchObject({ from: head - 2, blocks: [head - 2, head - 1, head] })
})

test('error: a community that there is not, and an index that is being read', async () => {
  const { database } = await start({ count: 1, distance: 0 })
  const index = createIndexReader({ communities, tables: database.tables, headBlock: async () => 0 })
  const sources = { communities, index, withheld: () => undefined } as unknown as Sources
  const read = createWatchedReader({ sources, tail: index.tail, readEvents: database.tables.readEvents })
  await expect(read('one', { addresses: [], after: 0 })).rejects.toMatchObject({ code: 'indexing' })
})
