import { describe, expect, test } from 'vitest'
import {
  createForest,
  type Forest,
  InvalidAddressError,
  InvalidCursorError,
  InvalidEventError,
  InvalidPrefixError,
  RollbackError,
  UnknownMemberError,
} from './index.ts'
import { finish } from './test/finish.ts'
import { defaultTuning } from './tuning.ts'

const zero = `0x${'0'.repeat(40)}`
const dead = '0x000000000000000000000000000000000000dEaD'
const [a, b, c, d, e] = ['a1', 'b2', 'c3', 'd4', 'e5'].map((byte) => `0x${byte.repeat(20)}`) as [
  string,
  string,
  string,
  string,
  string,
]

/** Binds each pair in its own block, ten seconds apart. */
function bindAll(forest: Forest, pairs: [member: string, referrer: string | null][], firstBlock = 1) {
  return pairs.map(([member, referrer], index) => forest.bind({ ...at(firstBlock + index), member, referrer }))
}

function at(block: number, logIndex = 0) {
  return { block, logIndex, timestamp: 1_700_000_000 + block * 10 }
}

function memberOf(forest: Forest, address: string) {
  const id = forest.find(address)
  return id === undefined ? undefined : forest.member(id)
}

describe('binds', () => {
  test('rule: a bind under a member makes an edge', () => {
    const forest = createForest()
    expect(
      bindAll(forest, [
        [a, zero],
        [b, a],
        [c, b],
      ]),
    ).toEqual(['bound', 'bound', 'bound'])
    expect(memberOf(forest, c)).toEqual({
      address: c,
      status: 'member',
      referrer: b,
      root: a,
      depth: 2,
      ...{ joinedAt: 1_700_000_030, grade: 'exact', between: null },
      block: 3,
      logIndex: 0,
      directs: 0,
      team: 0,
      maxLevel: 0,
      ownVolume: 0n,
      teamVolume: 0n,
      largestLeg: 0n,
      otherLegs: 0n,
      rewards: 0n,
    })
    expect(memberOf(forest, a)).toMatchObject({ depth: 0, referrer: null, root: a, directs: 1, team: 2, maxLevel: 2 })
  })

  test('rule: addresses are accepted in any case and returned in lower case', () => {
    const forest = createForest()
    forest.bind({ ...at(1), member: `0x${b.slice(2).toUpperCase()}`, referrer: `0x${a.slice(2).toUpperCase()}` })
    expect(memberOf(forest, b)).toMatchObject({ address: b, referrer: a })
    expect(forest.find(`0x${b.slice(2).toUpperCase()}`)).toBe(forest.find(b))
  })

  test('rule: a bind under itself adds no member, and a later bind counts', () => {
    const forest = createForest()
    expect(bindAll(forest, [[a, a]])).toEqual(['self'])
    expect(forest.find(a)).toBeUndefined()
    expect(bindAll(forest, [[a, b]], 2)).toEqual(['bound'])
    expect(memberOf(forest, a)).toMatchObject({ status: 'member', referrer: b, block: 2 })
    expect(forest.counts).toMatchObject({ members: 1, self: 1 })
  })

  test('rule: only the first bind of a member counts; later ones are duplicates, under the same or another referrer', () => {
    const forest = createForest()
    expect(
      bindAll(forest, [
        [a, b],
        [a, c],
        [a, b],
        [a, zero],
      ]),
    ).toEqual(['bound', 'duplicate', 'duplicate', 'duplicate'])
    expect(memberOf(forest, a)).toMatchObject({ referrer: b, block: 1 })
    expect(forest.find(c)).toBeUndefined()
    expect(forest.counts.duplicate).toBe(3)
  })

  test('rule: a second bind under itself is self, not duplicate', () => {
    const forest = createForest()
    expect(
      bindAll(forest, [
        [a, b],
        [a, a],
      ]),
    ).toEqual(['bound', 'self'])
  })

  test('rule: a new referrer becomes a placeholder: found, a root, not a member', () => {
    const forest = createForest()
    bindAll(forest, [[b, a]])
    expect(memberOf(forest, a)).toMatchObject({
      status: 'placeholder',
      referrer: null,
      root: a,
      depth: 0,
      joinedAt: null,
      block: null,
      logIndex: null,
      directs: 1,
    })
    expect(forest.counts).toMatchObject({ members: 1, placeholders: 1, roots: 1 })
    expect(forest.size).toBe(2)
  })

  test('rule: the bind of a placeholder moves its whole downline', () => {
    const forest = createForest()
    bindAll(forest, [
      [c, b],
      [d, c],
      [e, zero],
    ])
    const before = forest.find(d)
    expect(memberOf(forest, d)).toMatchObject({ root: b, depth: 2 })
    expect(bindAll(forest, [[b, e]], 4)).toEqual(['bound'])
    expect(forest.find(d)).toBe(before)
    expect(memberOf(forest, d)).toMatchObject({ root: e, depth: 3 })
    expect(memberOf(forest, b)).toMatchObject({ status: 'member', referrer: e, block: 4, team: 2 })
    expect(memberOf(forest, e)).toMatchObject({ team: 3, maxLevel: 3 })
    expect(forest.levels(forest.find(e) as number).map(({ count }) => count)).toEqual([1, 1, 1])
    expect(forest.counts).toMatchObject({ members: 4, placeholders: 0, roots: 1 })
  })

  test('rule: a bind under its own downline is a cycle, and a later valid bind counts', () => {
    const forest = createForest()
    expect(
      bindAll(forest, [
        [b, a],
        [c, b],
        [a, c],
      ]),
    ).toEqual(['bound', 'bound', 'cycle'])
    expect(memberOf(forest, a)).toMatchObject({ status: 'placeholder', referrer: null })
    expect(bindAll(forest, [[a, d]], 4)).toEqual(['bound'])
    expect(memberOf(forest, c)).toMatchObject({ root: d, depth: 3 })
    expect(forest.counts.cycle).toBe(1)
  })

  test.each([zero, dead, e])('rule: a member bound under the sentinel %s is a root', (sentinel) => {
    const forest = createForest({ sentinels: [`0x${e.slice(2).toUpperCase()}`] })
    expect(bindAll(forest, [[a, sentinel]])).toEqual(['bound'])
    expect(memberOf(forest, a)).toMatchObject({ status: 'member', referrer: null, root: a, depth: 0 })
    expect(forest.find(sentinel)).toBeUndefined()
    expect(forest.counts).toMatchObject({ members: 1, placeholders: 0, roots: 1 })
  })

  test('rule: a bind of a sentinel is a cycle, or self under another sentinel', () => {
    const forest = createForest()
    expect(
      bindAll(forest, [
        [zero, a],
        [zero, dead],
        [zero, zero],
      ]),
    ).toEqual(['cycle', 'self', 'self'])
    expect(forest.size).toBe(0)
  })
})

describe('rebind', () => {
  test('rule: a later bind moves the member with its downline and keeps its join', () => {
    const forest = createForest({ rebind: true })
    bindAll(forest, [
      [b, a],
      [c, b],
      [d, a],
    ])
    expect(bindAll(forest, [[b, d]], 4)).toEqual(['bound'])
    expect(memberOf(forest, b)).toMatchObject({ referrer: d, depth: 2, block: 1, joinedAt: 1_700_000_010 })
    expect(memberOf(forest, a)).toMatchObject({ directs: 1, team: 3, maxLevel: 3 })
    expect(memberOf(forest, c)).toMatchObject({ depth: 3 })
    forest.rollback(3)
    expect(memberOf(forest, b)).toMatchObject({ referrer: a, depth: 1, team: 1 })
    expect(memberOf(forest, d)).toMatchObject({ directs: 0, team: 0 })
  })

  test('rule: a later bind under its downline is a cycle, under the same referrer a duplicate, under a sentinel a root', () => {
    const forest = createForest({ rebind: true })
    expect(
      bindAll(forest, [
        [b, a],
        [c, b],
        [b, c],
        [b, a],
        [b, zero],
        [b, dead],
      ]),
    ).toEqual(['bound', 'bound', 'cycle', 'duplicate', 'bound', 'duplicate'])
    expect(memberOf(forest, c)).toMatchObject({ root: b, depth: 1 })
    expect(memberOf(forest, a)).toMatchObject({ status: 'placeholder', directs: 0 })
  })

  test('behavior: a cursor of an upline is refused after a re-bind below its end, and kept after one above it', () => {
    const forest = createForest({ rebind: true })
    bindAll(forest, [
      [b, a],
      [d, a],
      [c, b],
      [e, c],
    ])
    const read = (cursor?: string | null) =>
      forest.referrers(forest.find(e) as number, { limit: 2, cursor: cursor ?? null })
    const { items, nextCursor } = read()
    expect(items.map(({ address }) => address)).toEqual([c, b])
    bindAll(forest, [[b, d]], 5)
    expect(read(nextCursor).items.map(({ address }) => address)).toEqual([d, a])
    bindAll(forest, [[c, d]], 6)
    expect(() => read(nextCursor)).toThrow(InvalidCursorError)
  })
})

describe('unbind', () => {
  test('rule: an unbind makes a member a root, and makes no member of any other address', () => {
    const forest = createForest({ rebind: true })
    expect(
      bindAll(forest, [
        [b, a],
        [b, null],
        [b, null],
        [a, null],
        [c, null],
      ]),
    ).toEqual(['bound', 'bound', 'duplicate', 'duplicate', 'duplicate'])
    expect(memberOf(forest, b)).toMatchObject({ status: 'member', referrer: null, depth: 0 })
    expect(memberOf(forest, a)).toMatchObject({ status: 'placeholder' })
    expect(forest.find(c)).toBeUndefined()
    expect(forest.counts).toMatchObject({ members: 1, placeholders: 1, roots: 2, duplicate: 3 })
    forest.rollback(1)
    expect(memberOf(forest, b)).toMatchObject({ referrer: a })
  })
})

describe('volume and rewards', () => {
  test('rule: volume counts exactly for the member and the teams of its upline', () => {
    const forest = createForest()
    bindAll(forest, [
      [b, a],
      [c, b],
      [d, a],
    ])
    const huge = 2n ** 256n - 1n
    forest.addVolume({ ...at(5), member: c, amount: huge })
    forest.addVolume({ ...at(5, 1), member: c, amount: huge })
    forest.addVolume({ ...at(5, 2), member: d, amount: 5n })
    forest.addVolume({ ...at(5, 3), member: b, amount: 3n })
    expect(memberOf(forest, a)).toMatchObject({
      ownVolume: 0n,
      teamVolume: huge * 2n + 8n,
      largestLeg: huge * 2n + 3n,
      otherLegs: 5n,
    })
    expect(forest.levels(forest.find(a) as number)).toEqual([
      { level: 1, count: 2, volume: 8n },
      { level: 2, count: 1, volume: huge * 2n },
    ])
  })

  test('rule: volume of a new address counts in the totals; the address is found once it is bound or named', () => {
    const forest = createForest()
    forest.addVolume({ ...at(1), member: a, amount: 7n })
    forest.addReward({ ...at(1), member: a, amount: 2n })
    expect(forest.find(a)).toBeUndefined()
    expect(forest.searchPrefix('0xa1', 10)).toEqual([])
    expect(forest.metrics({ now: 0 })).toMatchObject({ volume: 7n, rewards: 2n, members: 0, depths: [] })
    bindAll(forest, [[b, a]], 2)
    expect(memberOf(forest, a)).toMatchObject({ status: 'placeholder', ownVolume: 7n, rewards: 2n })
    forest.rollback(1)
    expect(forest.find(a)).toBeUndefined()
    expect(forest.metrics({ now: 0 })).toMatchObject({ volume: 7n, rewards: 2n })
  })

  test('rule: volume of a sentinel counts in the totals only', () => {
    const forest = createForest()
    forest.addVolume({ ...at(1), member: zero, amount: 7n })
    expect(forest.find(zero)).toBeUndefined()
    expect(forest.metrics({ now: 0 }).volume).toBe(7n)
    forest.rollback(0)
    expect(forest.metrics({ now: 0 }).volume).toBe(0n)
  })
})

describe('rollback', () => {
  test('rule: a rollback undoes everything above the block, and other events may follow', () => {
    const forest = createForest()
    bindAll(forest, [
      [b, a],
      [c, b],
      [a, d],
      [c, e],
    ])
    forest.addVolume({ ...at(4, 1), member: c, amount: 9n })
    forest.rollback(2)
    expect(memberOf(forest, a)).toMatchObject({ status: 'placeholder', team: 2, teamVolume: 0n })
    expect(forest.find(d)).toBeUndefined()
    expect(forest.counts).toEqual({ members: 2, placeholders: 1, roots: 1, self: 0, duplicate: 0, cycle: 0 })
    expect(bindAll(forest, [[a, e]], 3)).toEqual(['bound'])
    expect(memberOf(forest, c)).toMatchObject({ root: e, depth: 3 })
  })

  test('rule: a rollback below the committed block is refused', () => {
    const forest = createForest()
    bindAll(forest, [
      [b, a],
      [c, b],
      [d, c],
    ])
    forest.commit(2)
    expect(() => forest.rollback(1)).toThrow(RollbackError)
    expect(forest.size).toBe(4)
    forest.rollback(2)
    expect(forest.size).toBe(3)
    forest.commit(1)
    expect(forest.finalBlock).toBe(2)
  })

  test('rule: events in final blocks are accepted and cannot be undone', () => {
    const forest = createForest()
    forest.commit(100)
    expect(bindAll(forest, [[b, a]])).toEqual(['bound'])
    forest.bind({ ...at(101), member: c, referrer: b })
    forest.rollback(100)
    expect(forest.size).toBe(2)
  })

  test('rule: an id is refused after the rollback of its member', () => {
    const forest = createForest()
    bindAll(forest, [[b, a]])
    const id = forest.find(b) as number
    forest.rollback(0)
    expect(() => forest.member(id)).toThrow(UnknownMemberError)
    for (const wrong of [-1, 0.5, Number.NaN, 2 ** 32]) expect(() => forest.levels(wrong)).toThrow(UnknownMemberError)
  })

  test.each([Number.NaN, 0.5, Number.POSITIVE_INFINITY])('behavior: %d is refused as a block', (block) => {
    const forest = createForest()
    expect(() => forest.rollback(block)).toThrow(RangeError)
    expect(() => forest.commit(block)).toThrow(RangeError)
  })
})

describe('invalid events', () => {
  test.each([
    ['a block lower than before', { ...at(4), member: b, referrer: a }],
    ['a log index lower than before', { ...at(5), member: b, referrer: a }],
    ['a time earlier than before', { ...at(6), timestamp: 1, member: b, referrer: a }],
    ['a fractional block', { ...at(6), block: 6.5, member: b, referrer: a }],
    ['a block beyond 32 bits', { ...at(6), block: 2 ** 33, member: b, referrer: a }],
    ['no timestamp', { ...at(6), timestamp: Number.NaN, member: b, referrer: a }],
  ])('behavior: an event with %s is refused and changes nothing', (_, event) => {
    const forest = createForest()
    forest.bind({ ...at(5, 3), member: e, referrer: d })
    const { version } = forest
    expect(() => forest.bind(event)).toThrow(InvalidEventError)
    expect(forest.version).toBe(version)
    expect(forest.size).toBe(2)
    expect(bindAll(forest, [[b, a]], 6)).toEqual(['bound'])
  })

  test.each([-1n, 2n ** 256n, 5 as unknown as bigint])('behavior: an amount of %s is refused', (amount) => {
    const forest = createForest()
    expect(() => forest.addVolume({ ...at(1), member: a, amount })).toThrow(InvalidEventError)
    expect(forest.metrics({ now: 0 }).volume).toBe(0n)
  })

  test('behavior: an invalid address is refused in events, sentinels and find', () => {
    const forest = createForest()
    expect(() => forest.bind({ ...at(1), member: a, referrer: 'b' })).toThrow(InvalidAddressError)
    expect(() => forest.find('0x12')).toThrow(InvalidAddressError)
    expect(() => createForest({ sentinels: ['invalid'] })).toThrow(InvalidAddressError)
    expect(forest.version).toBe(0)
  })
})

describe('queries', () => {
  test('behavior: the downline of a newer member is in the cached growth of the team it joins', () => {
    const forest = createForest({}, { ...defaultTuning, smallTeam: 0, keptTeam: 1 })
    const growthOfA = () =>
      forest.growth(forest.find(a) ?? -1, { periods: (from) => [from], now: at(9).timestamp }).at(-1)?.total
    bindAll(forest, [[b, a]])
    forest.addVolume({ ...at(2), member: c, amount: 1n })
    forest.takeSnapshot()
    bindAll(forest, [[c, d]], 3)
    expect(growthOfA()).toBe(1)
    bindAll(forest, [[d, b]], 4)
    expect(growthOfA()).toBe(3)
  })

  test('behavior: a comparison counts who came with a placeholder of the snapshot that was bound since', () => {
    const forest = createForest({}, { ...defaultTuning, smallTeam: 0 })
    bindAll(forest, [
      [b, a],
      [d, c],
    ])
    forest.takeSnapshot()
    const cameTo = (member: string, block: number) =>
      finish(forest.compare(forest.find(member) ?? -1, { block: block - 1 }, { block })).came.count
    expect(cameTo(a, 2)).toBe(0)
    bindAll(forest, [[c, b]], 3)
    expect([cameTo(a, 3), cameTo(b, 3), cameTo(c, 3)]).toEqual([2, 2, 0])
  })

  test('behavior: kept amounts of a large team take part in what came later, and not in what was undone', () => {
    const forest = createForest({}, { ...defaultTuning, smallTeam: 0, keptTeam: 1, looseEvents: 1, blockSlots: 2 })
    const volumesOf = (member: string) => {
      const id = forest.find(member) ?? -1
      const { own, team, items } = finish(forest.amounts(id, { to: { block: 99 }, periods: (from) => [from] }))
      const [alone] = finish(forest.periodAmounts([member], { to: { block: 99 } }))
      expect([alone, items.at(0)?.team]).toEqual([{ own, team }, team])
      return [own.volume, team.volume]
    }
    bindAll(forest, [
      [b, a],
      [c, b],
    ])
    for (const [index, member] of [a, b, c, d].entries())
      forest.addVolume({ ...at(3, index), member, amount: 10n ** BigInt(index) })
    forest.takeSnapshot()
    expect([volumesOf(a), volumesOf(b)]).toEqual([
      [1n, 110n],
      [10n, 100n],
    ])
    bindAll(forest, [[d, e]], 4)
    bindAll(forest, [[e, c]], 5)
    forest.addVolume({ ...at(6), member: e, amount: 4_000n })
    forest.addVolume({ ...at(6, 1), member: e, amount: 6_000n })
    expect([volumesOf(a), volumesOf(e)]).toEqual([
      [1n, 11_110n],
      [10_000n, 1_000n],
    ])
    forest.rollback(5)
    forest.addVolume({ ...at(6), member: b, amount: 20_000n })
    forest.addVolume({ ...at(6, 1), member: b, amount: 30_000n })
    expect([volumesOf(a), volumesOf(b)]).toEqual([
      [1n, 51_110n],
      [50_010n, 1_100n],
    ])
  })

  test('behavior: kept amounts are not those of a moment before a placeholder of the snapshot was bound', () => {
    const forest = createForest({}, { ...defaultTuning, smallTeam: 0, keptTeam: 1, looseEvents: 0, blockSlots: 2 })
    bindAll(forest, [
      [b, a],
      [d, c],
    ])
    for (const [index, member] of [b, d].entries())
      forest.addVolume({ ...at(2, index + 1), member, amount: 10n ** BigInt(index) })
    forest.takeSnapshot()
    const volumeAt = (block: number) =>
      finish(forest.amounts(forest.find(a) ?? -1, { to: { block }, periods: (from) => [from] })).team.volume
    expect(volumeAt(2)).toBe(1n)
    bindAll(forest, [[c, b]], 3)
    expect([volumeAt(2), volumeAt(3), volumeAt(2)]).toEqual([1n, 11n, 1n])
  })

  test('behavior: rare activity is counted exactly in a team that is too large to be scanned', () => {
    const forest = createForest({}, { ...defaultTuning, smallTeam: 0, filterSteps: 64 })
    const members = Array.from({ length: 100 }, (_, index) => `0x${String(index + 1).padStart(40, '0')}`)
    bindAll(
      forest,
      members.map((member) => [member, a]),
    )
    const active = members[40] as string
    forest.addVolume({ ...at(101), member: active, amount: 1n })
    forest.takeSnapshot()
    const filter = { sort: 'team', order: 'desc', limit: 10 } as const
    const page = forest.filteredReferrals(forest.find(a) ?? -1, { ...filter, activeSince: 1 })
    expect(page.items.map(({ address }) => address)).toEqual([active])
    expect(page.count).toEqual({ value: 1, relation: 'exact' })
  })

  const forest = createForest()
  bindAll(forest, [
    [b, a],
    [c, a],
    [d, b],
    [e, d],
  ])
  forest.addVolume({ ...at(9), member: c, amount: 50n })
  const id = forest.find(a) as number
  const addresses = (items: { address: string }[]) => items.map(({ address }) => address)

  test('behavior: referrals by level, sort and order', () => {
    const read = (level: number | 'all', sort: 'joined' | 'team' | 'volume', order: 'asc' | 'desc') =>
      addresses(forest.referrals(id, { level, sort, order, limit: 10 }).items)
    expect(read(1, 'joined', 'asc')).toEqual([b, c])
    expect(read(1, 'team', 'asc')).toEqual([c, b])
    expect(read(1, 'volume', 'desc')).toEqual([c, b])
    expect(read(3, 'joined', 'asc')).toEqual([e])
    expect(read(4, 'joined', 'asc')).toEqual([])
    expect(read('all', 'joined', 'desc')).toEqual([e, d, c, b])
    expect(forest.referrals(id, { level: 'all', sort: 'joined', order: 'asc', limit: 10 }).items.at(-1)).toEqual({
      address: e,
      status: 'member',
      referrer: d,
      depth: 3,
      ...{ joinedAt: 1_700_000_040, grade: 'exact', block: 4, logIndex: 0, between: null },
      directs: 0,
      team: 0,
      ownVolume: 0n,
      teamVolume: 0n,
      level: 3,
    })
  })

  test('behavior: referrers from the nearest up to the root, in pages', () => {
    const first = forest.referrers(forest.find(e) as number, { limit: 2 })
    expect(addresses(first.items)).toEqual([d, b])
    const second = forest.referrers(forest.find(e) as number, { limit: 2, cursor: first.nextCursor })
    expect(addresses(second.items)).toEqual([a])
    expect(second.nextCursor).toBeNull()
  })

  test('behavior: referrers with skip', () => {
    const of = (skip: number) => forest.referrers(forest.find(e) as number, { limit: 1, skip })
    expect([0, 1, 2, 3, 2 ** 40].map((skip) => addresses(of(skip).items))).toEqual([[d], [b], [a], [], []])
    expect([1, 2, 3].map((skip) => of(skip).nextCursor)).toEqual([expect.any(String), null, null])
    const { nextCursor: cursor } = of(1)
    expect(addresses(forest.referrers(forest.find(e) as number, { limit: 5, skip: 9, cursor }).items)).toEqual([a])
    for (const skip of [-1, 0.5, Number.NaN]) expect(() => of(skip)).toThrow(RangeError)
  })

  test('behavior: a page that ends with the last row has no next cursor', () => {
    expect(forest.referrals(id, { level: 1, sort: 'joined', order: 'asc', limit: 2 }).nextCursor).toBeNull()
    expect(forest.referrers(forest.find(e) as number, { limit: 3 }).nextCursor).toBeNull()
  })

  test('behavior: a cursor of another query is refused', () => {
    const { nextCursor: cursor } = forest.referrals(id, { level: 1, sort: 'joined', order: 'asc', limit: 1 })
    expect(cursor).toEqual(expect.any(String))
    const ask = { level: 1, sort: 'joined', order: 'asc', limit: 1, cursor } as const
    expect(addresses(forest.referrals(id, ask).items)).toEqual([c])
    expect(() => forest.referrals(id, { ...ask, order: 'desc' })).toThrow(InvalidCursorError)
    expect(() => forest.referrals(id, { ...ask, sort: 'team' })).toThrow(InvalidCursorError)
    expect(() => forest.referrals(id, { ...ask, level: 'all' })).toThrow(InvalidCursorError)
    expect(() => forest.referrers(id, { limit: 1, cursor })).toThrow(InvalidCursorError)
    expect(() => forest.referrals(id, { ...ask, cursor: '' })).toThrow(InvalidCursorError)
    expect(() => forest.referrals(id, { ...ask, cursor: '💥' })).toThrow(InvalidCursorError)
  })

  test.each([0, -1, 1.5, Number.NaN])('behavior: %d is refused as level and as limit', (number) => {
    const ask = { level: 1, sort: 'joined', order: 'asc', limit: 1 } as const
    expect(() => forest.referrals(id, { ...ask, level: number })).toThrow(RangeError)
    expect(() => forest.referrals(id, { ...ask, limit: number })).toThrow(RangeError)
    expect(() => forest.referrers(id, { limit: number })).toThrow(RangeError)
    expect(() => forest.searchPrefix('0xaa', number)).toThrow(RangeError)
  })

  test('behavior: search by prefix in any case, in address order', () => {
    expect(addresses(forest.searchPrefix('0xC3c', 5))).toEqual([c])
    expect(addresses(forest.searchPrefix(e, 5))).toEqual([e])
    expect(forest.searchPrefix('0xff', 5)).toEqual([])
    for (const wrong of ['0x', '0xa', 'a1', '0xzz', `${a}0`, ''])
      expect(() => forest.searchPrefix(wrong, 5)).toThrow(InvalidPrefixError)
  })

  test('behavior: metrics are cached by version and now', () => {
    const first = forest.metrics({ now: 1_800_000_000 })
    expect(forest.metrics({ now: 1_800_000_000 })).toBe(first)
    expect(forest.metrics({ now: 1_800_000_001 })).not.toBe(first)
  })

  test.each([Number.NaN, -1, 2 ** 40, Number.POSITIVE_INFINITY])('behavior: %d is refused as now', (now) => {
    expect(() => forest.metrics({ now })).toThrow(RangeError)
  })
})

test('behavior: activity up to a time tells how many of the members of then have no date', () => {
  const forest = createForest()
  const [top, early, late, other] = ['1', '2', '3', '4'].map((digit) => `0x${digit.repeat(40)}`) as [
    string,
    string,
    string,
    string,
  ]
  const bind = (block: number, member: string, referrer: string) =>
    forest.bind({ block, logIndex: 0, timestamp: block * 100, member, referrer, grade: 'between', firstBlock: block })
  bind(1, early, top)
  bind(2, other, `0x${'9'.repeat(40)}`)
  bind(3, late, top)
  const countUntil = (id: number | null, until: number) => {
    const slices = forest.activity(id, { from: 0, until, periods: () => [0] })
    for (;;) {
      const slice = slices.next()
      if (slice.done) return slice.value.undated
    }
  }
  const id = forest.find(top) ?? null
  expect([150, 250, 350].map((until) => [countUntil(id, until), countUntil(null, until)])).toEqual([
    [1, 1],
    [1, 2],
    [2, 3],
  ])
})

test('behavior: activity up to a time counts those who were members then', () => {
  const forest = createForest()
  const [buyer, referrer] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`]
  forest.addVolume({ block: 1, logIndex: 0, timestamp: 100, member: buyer, amount: 5n })
  forest.bind({ block: 2, logIndex: 0, timestamp: 200, member: buyer, referrer })
  const countUntil = (until: number) => {
    const slices = forest.activity(null, { from: 0, until, periods: () => [0] })
    for (;;) {
      const slice = slices.next()
      if (slice.done) return slice.value.items[0]
    }
  }
  expect([countUntil(150)?.bought, countUntil(250)?.bought]).toEqual([0, 1])
})
