import type { Address, TeamMap } from '@lineage/referral-api'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { addressOf } from '../../../test/forest.ts'
import { cutMap, layoutMap, type MapData } from './layoutMap.ts'

const asOf = { block: 1, timestamp: 1, finalizedBlock: 1 }
type Figures = { members: number; volume: bigint; recent: number }
const figures = fc.record({
  members: fc.nat(5_000_000),
  volume: fc.bigInt(0n, 10n ** 40n),
  recent: fc.nat(1_000),
})

/** Generates maps whose figures add up: each item is the sum of its own share, its rest and its referrals. */
const maps: fc.Arbitrary<TeamMap> = fc
  .record({
    by: fc.constantFrom('members' as const, 'volume' as const),
    tops: fc.constantFrom('one' as const, 'several' as const),
    rest: fc.option(figures),
    items: fc.array(fc.record({ parent: fc.nat(), own: figures, rest: fc.option(figures) }), {
      minLength: 1,
      maxLength: 120,
    }),
  })
  .map(({ by, tops, rest, items }) => {
    const parents = items.map(({ parent }, index) => {
      if (index === 0) return null
      return tops === 'several' && parent % 3 === 0 ? null : parent % index
    })
    const totals = items.map(({ own, rest: band }): Figures => add({ ...own, members: own.members + 1 }, band))
    for (let index = items.length - 1; index > 0; index--) {
      const parent = parents[index] ?? null
      if (parent !== null) totals[parent] = add(totals[parent] as Figures, totals[index] as Figures)
    }
    return {
      asOf,
      by,
      tz: 'UTC',
      since: '2026-01-01',
      items: totals.map(({ volume, ...total }, index) => ({
        ...total,
        volume: String(volume),
        address: addressOf(index),
        parent: parents[index] ?? null,
        depth: 0,
        directs: 1,
        rest: toBand(items[index]?.rest),
      })),
      rest: tops === 'several' ? toBand(rest) : null,
    }
  })

const add = (one: Figures, other: Figures | null): Figures => ({
  members: one.members + (other?.members ?? 0),
  volume: one.volume + (other?.volume ?? 0n),
  recent: one.recent + (other?.recent ?? 0),
})
const toBand = (band: Figures | null | undefined) => (band ? { ...band, legs: 3, volume: String(band.volume) } : null)
const sizeOf = ({ members, volume }: { members: number; volume: string }, { by }: MapData) =>
  by === 'members' ? members : Number(volume)

test('property: no cell is outside of its parent, or lies on its neighbour', () => {
  fc.assert(
    fc.property(maps, (map) => {
      const cells = layoutMap(map)
      for (const { x, width, level, children } of cells) {
        let left = x
        for (const child of children.map((index) => cells[index] as (typeof cells)[number])) {
          expect(child.level).toBe(level + 1)
          expect(child.x).toBeGreaterThanOrEqual(left - 1e-9)
          left = child.x + child.width
        }
        expect(left).toBeLessThanOrEqual(x + width + 1e-9)
      }
    }),
  )
})

test('property: the width of each cell is its share of the whole', () => {
  fc.assert(
    fc.property(maps, (map) => {
      const cells = layoutMap(map)
      const whole = sizeOf((cells[0] as (typeof cells)[number]).part, map)
      for (const { part, width } of cells)
        expect(Math.abs(width * whole - sizeOf(part, map))).toBeLessThanOrEqual(whole * 1e-9)
      expect(cells).toHaveLength(
        map.items.length +
          map.items.filter(({ rest }) => rest).length +
          (map.rest ? 1 : 0) +
          (map.items.filter(({ parent }) => parent === null).length > 1 || map.rest ? 1 : 0),
      )
    }),
  )
})

test('property: the part below a leg is laid out like the leg in the whole map', () => {
  fc.assert(
    fc.property(maps, fc.nat(), (map, seed) => {
      const leg = map.items[seed % map.items.length]?.address as Address
      const cells = layoutMap(map)
      const from = cells.findIndex(({ part }) => part.id === leg)
      const inside = new Set([from])
      for (const [index, { parent }] of cells.entries()) if (inside.has(parent)) inside.add(index)
      const cut = layoutMap(cutMap(map, leg))
      expect(cut.map(({ part }) => part)).toEqual([...inside].map((index) => cells[index]?.part))
    }),
  )
})

test('behavior: cut at an address outside of it, a map stays whole', () => {
  const map: TeamMap = { asOf, by: 'members', tz: 'UTC', since: '2026-01-01', items: [], rest: null }
  expect(cutMap(map, addressOf(1))).toBe(map)
})

test('behavior: without any volume no cell has a width', () => {
  const item = { parent: null, depth: 0, directs: 1, members: 2, volume: '0', recent: 0 }
  const cells = layoutMap({
    by: 'volume',
    items: [{ ...item, address: addressOf(0), rest: { legs: 1, members: 1, volume: '0', recent: 0 } }],
    rest: null,
  })
  // The top is as wide as the picture.
  expect(cells.map(({ width }) => width)).toEqual([1, 0])
})
