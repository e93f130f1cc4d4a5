import { describe, expect, test } from 'vitest'
import { createForest, type Forest, type Page, type Referral } from '../index.ts'

const addressOf = (value: number) => `0x${(value + 0x1000_0000).toString(16).padStart(40, 'f')}`
const bind = (forest: Forest, block: number, member: number, referrer: number) =>
  forest.bind({
    block,
    logIndex: 0,
    timestamp: 1_700_000_000 + block,
    member: addressOf(member),
    referrer: addressOf(referrer),
  })
const idOf = (forest: Forest, value: number) => forest.find(addressOf(value)) as number

const length = 100_000

describe.each(['from the root down', 'from the leaf up'] as const)('a chain of 100,000 bound %s', (direction) => {
  const forest = createForest()
  for (let block = 1; block <= length; block++) {
    const member = direction === 'from the root down' ? block : length + 1 - block
    bind(forest, block, member, member - 1)
  }

  test('behavior: root, leaf and levels are right', () => {
    expect(forest.member(idOf(forest, 0))).toMatchObject({ status: 'placeholder', team: length, maxLevel: length })
    expect(forest.member(idOf(forest, length))).toMatchObject({ depth: length, team: 0, root: addressOf(0) })
    const levels = forest.levels(idOf(forest, 0))
    expect(levels).toHaveLength(length)
    expect(levels.every(({ count }) => count === 1)).toBe(true)
    expect(forest.metrics({ now: 0 })).toMatchObject({ maxDepth: length, averageDirects: 1, roots: 1 })
  })

  test('behavior: the whole upline and downline in pages', () => {
    let up = 0
    for (let cursor: string | null = null; ; ) {
      const page = forest.referrers(idOf(forest, length), { limit: 1000, cursor })
      for (const { address } of page.items) expect(address).toBe(addressOf(length - ++up))
      cursor = page.nextCursor
      if (cursor === null) break
    }
    expect(up).toBe(length)
    const down = walk(forest, 0, { level: 'all', sort: 'team', order: 'desc', limit: 5000 })
    expect(down.map(({ level }) => level)).toEqual(Array.from({ length }, (_, index) => index + 1))
  })

  test('behavior: a bind of the root under the leaf is a cycle', () => {
    expect(bind(forest, length + 1, 0, length)).toBe('cycle')
  })

  test('behavior: volume at the leaf reaches the root, and rolls back', () => {
    const event = { block: length + 2, logIndex: 0, timestamp: 1_800_000_000 }
    forest.addVolume({ ...event, member: addressOf(length), amount: 10n ** 30n })
    expect(forest.member(idOf(forest, 0))).toMatchObject({ teamVolume: 10n ** 30n, largestLeg: 10n ** 30n })
    forest.rollback(length / 2)
    const top = direction === 'from the root down' ? 0 : length / 2
    expect(forest.member(idOf(forest, top))).toMatchObject({ team: length / 2, teamVolume: 0n })
  })
})

test('behavior: a star of 50,000 in pages, by every sort', () => {
  const forest = createForest()
  const size = 50_000
  for (let member = 1; member <= size; member++) bind(forest, member, member, 0)
  expect(forest.member(idOf(forest, 0))).toMatchObject({ directs: size, team: size, maxLevel: 1 })
  for (const sort of ['joined', 'team', 'volume'] as const)
    for (const order of ['asc', 'desc'] as const) {
      const found = walk(forest, 0, { level: 1, sort, order, limit: 2000 }).map(({ address }) => address)
      const expected = Array.from({ length: size }, (_, index) => addressOf(index + 1))
      expect(found).toEqual(order === 'asc' ? expected : expected.reverse())
    }
  forest.rollback(10)
  expect(forest.member(idOf(forest, 0))).toMatchObject({ directs: 10, team: 10, maxLevel: 1 })
})

test('behavior: skipped chunks hold no row of the page, before and after live changes and a rollback', () => {
  const tuning = {
    smallTeam: 0,
    tries: 0,
    filterSteps: 12_000_000,
    sliceSteps: 16_384,
    mostLegs: 20_000,
    mostLevels: 256,
    periodRows: 500_000,
    pastRows: 2_000_000,
    ahead: 0,
    keptTeam: 1,
    freeSteps: 1_000_000,
    mostCuts: 10_000,
    heldRows: 100_000,
    blockSlots: 128,
    looseEvents: 64,
    groupJoins: 1,
  }
  const forest = createForest({ rebind: true }, tuning)
  let state = 7
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 1
    return (state >>> 8) % below
  }
  let block = 0
  const grow = (from: number, to: number) => {
    for (let member = from; member < to; member++) {
      bind(forest, ++block, member, random(Math.min(member, 3 + (member >>> 1))))
      const place = { block, logIndex: 1, timestamp: 1_700_000_000 + block }
      if (random(5) < 2)
        forest.addVolume({ ...place, member: addressOf(random(member)), amount: BigInt(random(4)) * 10n ** 20n })
    }
  }
  const byJoin = { level: 1, sort: 'joined', order: 'asc' } as const
  const expectPages = () => {
    for (const top of [0, 1])
      for (const level of ['all', 5] as const) {
        const all = walk(forest, top, { level, sort: 'joined', order: 'asc', limit: 5_000 })
        for (const sort of ['team', 'volume'] as const)
          for (const order of ['asc', 'desc'] as const) {
            const value = (row: Referral) => (sort === 'team' ? BigInt(row.team) : row.ownVolume + row.teamVolume)
            const rising = all.toSorted((left, right) => Number(value(left) - value(right)))
            const expected = (order === 'asc' ? rising : rising.toReversed()).map(({ address }) => address)
            const first = { level, sort, order, limit: 30 }
            const page = forest.referrals(idOf(forest, top), first)
            const next = page.nextCursor && forest.referrals(idOf(forest, top), { ...first, cursor: page.nextCursor })
            const found = [...page.items, ...(next ? next.items : [])].map(({ address }) => address)
            expect(found, `${top} ${level} ${sort} ${order}`).toEqual(expected.slice(0, 60))
          }
      }
  }
  grow(1, 10_000)
  forest.takeSnapshot()
  forest.commit(block)
  expectPages()
  const before = block
  grow(10_000, 11_000)
  for (let count = 0; count < 200; count++) bind(forest, ++block, 100 + random(10_000), random(10_000))
  // These members lose their team and become the first without one.
  const rows = walk(forest, 0, { level: 'all', sort: 'joined', order: 'asc', limit: 5_000 })
  for (const { address } of rows.filter(({ team }) => team === 1).slice(0, 5)) {
    const [direct] = forest.referrals(forest.find(address) as number, { ...byJoin, limit: 1 }).items
    bind(forest, ++block, Number(`0x${direct?.address.slice(-8)}`) - 0x1000_0000, 0)
  }
  expectPages()
  forest.rollback(before + 500)
  expectPages()
})

describe('members who join between two pages', () => {
  function pagesWithJoins(order: 'asc' | 'desc', sort: 'joined' | 'team' | 'volume') {
    const forest = createForest()
    let block = 0
    for (let member = 1; member <= 50; member++) bind(forest, ++block, member, 0)
    const before = walk(forest, 0, { level: 'all', sort, order, limit: 1000 }).map(({ address }) => address)
    const seen: string[] = []
    for (let cursor: string | null = null; ; ) {
      const page: Page<Referral> = forest.referrals(idOf(forest, 0), { level: 'all', sort, order, limit: 7, cursor })
      seen.push(...page.items.map(({ address }) => address))
      cursor = page.nextCursor
      if (cursor === null) break
      if (block < 60) bind(forest, ++block, block, 0)
    }
    const after = walk(forest, 0, { level: 'all', sort, order, limit: 1000 }).map(({ address }) => address)
    return { before, seen, after }
  }

  test('behavior: in join order they are at the end, and no row is repeated', () => {
    const { before, seen, after } = pagesWithJoins('asc', 'joined')
    expect(seen.slice(0, 50)).toEqual(before)
    expect(seen).toEqual(after)
    expect(seen.length).toBeGreaterThan(50)
  })

  test.each(['joined', 'team', 'volume'] as const)('behavior: by %s descending, the pages are unchanged', (sort) => {
    const { before, seen } = pagesWithJoins('desc', sort)
    expect(seen).toEqual(before)
  })
})

function walk(forest: Forest, of: number, parameters: Omit<Parameters<Forest['referrals']>[1], 'cursor'>): Referral[] {
  const items: Referral[] = []
  for (let cursor: string | null = null; ; ) {
    const page: Page<Referral> = forest.referrals(idOf(forest, of), { ...parameters, cursor })
    items.push(...page.items)
    if (page.nextCursor === null) return items
    cursor = page.nextCursor
  }
}
