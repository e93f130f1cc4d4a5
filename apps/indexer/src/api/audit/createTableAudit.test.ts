import * as fc from 'fast-check'
import { numberToHex } from 'viem'
import { expect, test } from 'vitest'
import type { FinalEvents } from '../tables/createTables.ts'
import type { EventRow } from '../tables/eventRow.ts'
import type { Position } from '../tables/position.ts'
import { type RangeDigest, toEventTexts } from '../tables/rangeDigest.ts'
import { createTableAudit } from './createTableAudit.ts'

const row = fc
  .record({
    kind: fc.constantFrom('bind' as const, 'volume' as const),
    community: fc.constantFrom('one', 'two'),
    block: fc.integer({ min: 5, max: 60 }),
  })
  .map(({ kind, ...place }, index = 0) => {
    const base = {
      ...place,
      logIndex: index,
      blockHash: '0x0',
      timestamp: 1,
      member: numberToHex(7, { size: 20 }),
    } as const
    return kind === 'bind' ? { kind, ...base, referrer: base.member } : { kind, ...base, amount: 3n }
  })
const rowsIn = (rows: readonly EventRow[], after: number, upTo: number) =>
  rows.filter(({ block }) => block > after && block <= upTo)

/** Creates a store and tables whose rows can be replaced, and a reader that adds their rows up to a block. */
function createWorld(rows: readonly EventRow[]) {
  let saved: RangeDigest[] = []
  const world = {
    rows,
    logged: [] as string[],
    saved: () => saved,
    create(limit: number) {
      const audit = createTableAudit({
        startBlock: 5,
        limit,
        log: (message) => world.logged.push(message),
        store: {
          load: async () => saved,
          async save(ranges) {
            const [first] = ranges
            saved = [...saved.filter(({ from }) => from < (first?.from ?? 0)), ...ranges]
          },
        },
        tables: {
          async readFinal({ after, upTo }: { after: Position; upTo: number }): Promise<FinalEvents> {
            return { events: new Map(), texts: toEventTexts(rowsIn(world.rows, after.block, upTo)) }
          },
        },
      })
      return {
        audit,
        /** Reads known ranges one by one, and other rows in pieces of the given size. */
        read(end: number, size: number) {
          for (let last = 4; last < end; ) {
            const border = audit.borderAfter(last)
            const upTo = border !== undefined && border <= end ? border : Math.min(last + size, end)
            audit.add(toEventTexts(rowsIn(world.rows, last, upTo)), upTo)
            last = upTo
          }
        },
      }
    },
  }
  return world
}

const inOrder = (rows: readonly EventRow[]) => rows.toSorted((left, right) => left.block - right.block)
const damaged = (audit: ReturnType<typeof createTableAudit>) =>
  new Set(audit.warnings().map(({ community }) => community))

test('property: rows read in any pieces have the same digests, and a lost row names its community', async () => {
  const scenario = fc.record({
    rows: fc.array(row, { minLength: 1, maxLength: 40 }).map(inOrder),
    limit: fc.integer({ min: 1, max: 20 }),
    sizes: fc.tuple(fc.integer({ min: 1, max: 70 }), fc.integer({ min: 1, max: 70 })),
    loaded: fc.integer({ min: 4, max: 60 }),
    lost: fc.nat(),
  })
  await fc.assert(
    fc.asyncProperty(scenario, async ({ rows, limit, sizes, loaded, lost }) => {
      const world = createWorld(rows)
      const first = world.create(limit)
      await first.audit.restart()
      first.read(loaded, sizes[0])
      await first.audit.run()
      for (let block = loaded + 1; block <= 60; block++) first.audit.addRows(rowsIn(rows, block - 1, block), block)
      await first.audit.run()

      const again = world.create(limit)
      await again.audit.restart()
      again.read(60, sizes[1])
      expect(again.audit.warnings()).toEqual([])
      await again.audit.run()
      const before = world.saved()

      world.rows = rows.filter((_, index) => index !== lost % rows.length)
      const after = world.create(limit)
      await after.audit.restart()
      after.read(60, sizes[1])
      expect(damaged(after.audit)).toEqual(new Set([rows[lost % rows.length]?.community]))
      await after.audit.run()
      expect(world.saved()).toEqual(before)
    }),
  )
})

test('behavior: a row that is lost while the index is served is found by the next checks', async () => {
  const rows = inOrder(fc.sample(row, { numRuns: 30, seed: 1 }))
  const world = createWorld(rows)
  const { audit, read } = world.create(5)
  await audit.restart()
  read(60, 10)
  world.rows = rows.slice(1)
  for (let checks = 0; checks < 60; checks++) await audit.check()
  expect(damaged(audit)).toEqual(new Set([rows[0]?.community]))
  expect(world.logged).toEqual([expect.stringContaining('start.ts reread')])
})

test('property: a lost row is found also where the tables are behind the digests, once the rest is read again', async () => {
  const scenario = fc.record({
    rows: fc.array(row, { minLength: 1, maxLength: 40 }).map(inOrder),
    limit: fc.integer({ min: 1, max: 20 }),
    size: fc.integer({ min: 1, max: 70 }),
    loaded: fc.integer({ min: 4, max: 59 }),
    step: fc.integer({ min: 1, max: 70 }),
    lost: fc.nat(),
  })
  await fc.assert(
    fc.asyncProperty(scenario, async ({ rows, limit, size, loaded, step, lost }) => {
      const world = createWorld(rows)
      const first = world.create(limit)
      await first.audit.restart()
      first.read(60, size)
      await first.audit.run()
      const before = world.saved()
      const index = lost % rows.length

      world.rows = rows.filter((_, at) => at !== index)
      const { audit, read } = world.create(limit)
      await audit.restart()
      read(loaded, size)
      await audit.run()
      expect(world.saved()).toEqual(before)
      for (let last = loaded; last < 60; last += step)
        audit.addRows(rowsIn(world.rows, last, Math.min(last + step, 60)), Math.min(last + step, 60))
      expect(damaged(audit)).toEqual(new Set([rows[index]?.community]))
      await audit.run()
      expect(world.saved()).toEqual(before)
    }),
  )
})

test('behavior: events that the database lost after its checkpoint are read again, not reported', async () => {
  const rows = inOrder(fc.sample(row, { numRuns: 30, seed: 1 }))
  const world = createWorld(rows)
  const first = world.create(5)
  await first.audit.restart()
  first.read(60, 10)
  await first.audit.run()
  const again = world.create(5)
  await again.audit.restart()
  again.read(33, 10)
  for (let block = 34; block <= 60; block++) again.audit.addRows(rowsIn(rows, block - 1, block), block)
  await again.audit.run()
  expect(again.audit.warnings()).toEqual([])
  const third = world.create(5)
  await third.audit.restart()
  third.read(60, 10)
  expect(third.audit.warnings()).toEqual([])
})
