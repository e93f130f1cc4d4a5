import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Address, createAddressWords, readAddress } from '../addresses/address.ts'
import { createForest, type Forest } from '../forest.ts'
import { HoldEndedError, QueryTooCostlyError, RollbackError } from '../index.ts'
import { runSnapshotJob, type SnapshotTask } from '../snapshots/snapshotJob.ts'
import type {
  Count,
  EventPosition,
  FilteredPage,
  FilteredReferralsParameters,
  ForestEvent,
  HeldMember,
  HeldParameters,
  Hold,
  MapBand,
  MapParameters,
  Moment,
  MomentRange,
  Page,
  Referral,
  ReferralsFilter,
  ReferralsSort,
} from '../types.ts'
import { finish } from './finish.ts'
import { Oracle, type OracleEvent } from './oracle.ts'

const ownSentinel = `0x${'5e'.repeat(20)}`
const pool = [
  ...Array.from({ length: 12 }, (_, index) => `0xAbC${index % 3}${(index + 10).toString(16).padStart(36, '0')}`),
  `0x${'0'.repeat(40)}`,
  `0x${'dead'.padStart(40, '0')}`,
  ownSentinel,
]

const address = fc.tuple(fc.nat(99), fc.boolean()).map(([pick, upper]) => {
  // Few sentinels, so that trees grow.
  const text = pool[pick < 94 ? pick % 12 : 12 + (pick % 3)] as string
  return upper ? `0x${text.slice(2).toUpperCase()}` : text.toLowerCase()
})
const amount = fc.oneof(
  fc.bigInt({ min: 0n, max: 9n }),
  // These amounts differ by less than the precision of a double.
  fc.bigInt({ min: 2n ** 100n, max: 2n ** 100n + 3n }),
  fc.constantFrom(2n ** 32n - 1n, 2n ** 64n - 1n, 2n ** 128n - 1n, 2n ** 128n, 2n ** 256n - 1n),
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
)
const advance = fc.record({
  blocks: fc.nat(2),
  seconds: fc.oneof(fc.nat(5), fc.nat(90_000), fc.nat(40 * 86_400)),
})
const command = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      type: fc.constant('bind' as const),
      advance,
      member: address,
      referrer: fc.oneof({ weight: 9, arbitrary: address }, fc.constant(null)),
      grade: fc.constantFrom('exact' as const, 'exact' as const, 'between' as const, 'observed' as const),
      earlier: fc.nat(8),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constantFrom('volume' as const, 'reward' as const),
      advance,
      member: address,
      amount,
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('rollback' as const), blocks: fc.nat(12) }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('commit' as const), blocks: fc.integer({ min: -2, max: 6 }) }),
  },
  {
    weight: 3,
    // Steps of a worker's snapshot, between which any events may come.
    arbitrary: fc.record({
      type: fc.constant('snapshot' as const),
      step: fc.constantFrom('at once', 'begin', 'work', 'finish'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('check' as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('hold' as const), step: fc.constantFrom('begin', 'end') }) },
)
const streams = fc.record({
  rebind: fc.boolean(),
  commands: fc.array(command, { maxLength: 60, size: 'max' }),
  // Small thresholds, so that small forests use every way to compute an answer.
  tuning: fc.record({
    smallTeam: fc.constantFrom(0, 0, 2, 2048),
    ahead: fc.constantFrom(0, 4),
    tries: fc.constantFrom(0, 8, 16_384),
    filterSteps: fc.constantFrom(0, 64, 12_000_000),
    sliceSteps: fc.constantFrom(1, 20, 16_384),
    mostLegs: fc.constant(20_000),
    mostLevels: fc.constantFrom(1, 256),
    periodRows: fc.constant(500_000),
    pastRows: fc.constantFrom(0, 20, 2_000_000),
    keptTeam: fc.constantFrom(1, 500_000),
    freeSteps: fc.constantFrom(0, 50_000),
    mostCuts: fc.constantFrom(1, 3, 10_000),
    heldRows: fc.constantFrom(4, 100_000),
    blockSlots: fc.constantFrom(2, 3, 4096),
    looseEvents: fc.constantFrom(0, 2, 1024),
    groupJoins: fc.constantFrom(1, 3),
  }),
  load: fc.boolean(),
  moments: fc.tuple(fc.nat(100), fc.nat(100), fc.boolean()),
  filters: fc.array(
    fc.record(
      {
        joinedFrom: fc.integer({ min: 1_699_999_000, max: 1_705_000_000 }),
        joinedTo: fc.integer({ min: 1_699_999_000, max: 1_705_000_000 }),
        levelFrom: fc.integer({ min: 1, max: 3 }),
        levelTo: fc.integer({ min: 1, max: 4 }),
        grades: fc.subarray(['exact', 'between', 'observed'] as const),
        minTeam: fc.nat(3),
        minVolume: amount,
        activeSince: fc.integer({ min: 1_699_999_000, max: 1_705_000_000 }),
        prefix: fc.constantFrom('0xab', '0xABC1', '0xabc2000000000', '0x00', pool[0] as string),
        bound: fc.boolean(),
      },
      { requiredKeys: [], noNullPrototype: true },
    ),
    { minLength: 2, maxLength: 2 },
  ),
  pageLimit: fc.integer({ min: 1, max: 5 }),
  afterNewest: fc.nat(3 * 86_400),
})

function addressWords(text: string): Uint32Array {
  const words = createAddressWords()
  readAddress(text, words)
  return words
}

function amountWords(amount: bigint): Uint32Array {
  return Uint32Array.from({ length: 8 }, (_, word) => Number((amount >> BigInt(word * 32)) & 0xffff_ffffn))
}

function walk<item>(read: (cursor: string | null) => Page<item>): item[] {
  const items: item[] = []
  for (let cursor: string | null = null; ; ) {
    const page: Page<item> = read(cursor)
    items.push(...page.items)
    if (page.nextCursor === null) return items
    cursor = page.nextCursor
  }
}

/** Compares every page. If an order is refused as too costly, join order must still answer. */
function expectSameFiltered(
  forest: Forest,
  id: number,
  { expected, without }: { expected: Referral[]; without: number },
  parameters: FilteredReferralsParameters,
) {
  const counts: FilteredPage['count'][] = []
  const undated: FilteredPage['undated'][] = []
  const read = () =>
    walk((cursor) => {
      const page = forest.filteredReferrals(id, { ...parameters, cursor })
      counts.push(page.count)
      undated.push(page.undated)
      return page
    })
  let items: Referral[]
  try {
    items = read()
  } catch (error) {
    if (!(error instanceof QueryTooCostlyError) || parameters.sort === 'joined') throw error
    return
  }
  if (!isDeepStrictEqual(items, expected)) expect(items).toEqual(expected)
  const expectCount = ({ value, relation }: Count, whole: number) =>
    relation === 'exact' ? expect(value).toBe(whole) : expect(value).toBeLessThanOrEqual(whole)
  for (const count of counts) expectCount(count, expected.length)
  for (const count of undated) expectCount(count, parameters.total === 'skip' ? 0 : without)
}

/** Checks every figure of a map, that its bands are the rest, and that no leg left out is larger than a drawn one. */
function expectMap(forest: Forest, oracle: Oracle, top: string | null, parameters: MapParameters): void {
  const id = top === null ? null : (forest.find(top) ?? null)
  const { since, items, rest } = forest.map(id, parameters)
  const from = since
  expect(items.length).toBeLessThanOrEqual(parameters.most)
  const drawn = new Set(items.map(({ address }) => address))
  expect(drawn.size).toBe(items.length)
  const bandOf = (legs: readonly Address[]): MapBand | null =>
    legs.length === 0 ? null : { legs: legs.length, ...oracle.sumLegs(legs, from) }
  const sizeOf = (of: Address) => {
    const { members, volume } = oracle.sumLegs([of], from)
    return parameters.by === 'volume' ? volume : BigInt(members)
  }
  const sizes = items.map(({ address }) => sizeOf(address))
  for (const { address, parent, depth, directs, rest: beside, ...leg } of items) {
    const summary = oracle.summary(address)
    expect({ depth, directs, ...leg }).toEqual({
      depth: summary.depth,
      directs: summary.directs,
      ...oracle.sumLegs([address], from),
    })
    if (parent !== null) expect(items[parent]?.address).toBe(summary.referrer)
    else if (top === null) expect(summary.referrer).toBeNull()
    else expect(address).toBe(top)
    const others = oracle.children(address).filter((child) => !drawn.has(child))
    expect(beside).toEqual(bandOf(others))
    if (items.length < parameters.most) expect(others).toEqual([])
    // A leg is never larger than the leg that contains it.
    for (const other of others) expect(sizes.every((size) => sizeOf(other) <= size)).toBe(true)
  }
  const roots = oracle.addresses().filter((address) => oracle.summary(address).referrer === null && !drawn.has(address))
  expect(rest).toEqual(top === null ? bandOf(roots) : null)
}

/** Days of zones whose clocks are ahead of UTC or behind it. */
const zones = [0, 8 * 3_600, 20_700, -12_600].map((ahead) => (from: number, to: number) => {
  const day = (seconds: number) => Math.floor((seconds + ahead) / 86_400)
  return Array.from({ length: day(to) - day(from) + 1 }, (_, index) => (day(from) + index) * 86_400 - ahead)
})

/** Periods of three days. */
const threeDays = (from: number, to: number) => {
  const first = Math.floor(from / 259_200)
  return Array.from({ length: Math.floor(to / 259_200) - first + 1 }, (_, index) => (first + index) * 259_200)
}

/** Fails unless both are equal. `toEqual` is slow: it only reports a difference that was found. */
function expectSame(found: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(found, expected)) expect(found).toEqual(expected)
}

type Oracles = { before: Oracle; after: Oracle; today: Oracle }

/** Compares lists of members by what came in a period. */
function expectPeriod(
  forest: Forest,
  { before, after, today }: Oracles,
  { period, limit }: { period: MomentRange; limit: number },
) {
  const amounts = finish(forest.periodAmounts(pool, period))
  const measures = ['members', 'volume', 'rewards'] as const
  for (const by of measures)
    expectSame(finish(forest.risers(null, { period, by, limit })), today.risers(null, before, after, by, limit))
  for (const each of pool) {
    const id = forest.find(each)
    const text = each.toLowerCase() as Address
    if (id === undefined) continue
    expectSame(amounts[pool.indexOf(each)], after.amountsAfter(before, text))
    for (const by of measures)
      expectSame(finish(forest.risers(id, { period, by, limit })), today.risers(text, before, after, by, limit))
    for (const sort of ['periodVolume', 'periodRewards'] as const)
      for (const [order, filter] of [['asc', {}] as const, ['desc', { levelTo: 1, minTeam: 1 }] as const]) {
        const expected = today.periodReferrals(text, { ...filter, sort, order }, before, after)
        const read = (cursor: string | null) => {
          const page = finish(forest.periodReferrals(id, { ...filter, period, sort, order, limit, cursor }))
          expect(page.count.value).toBe(expected.length)
          return page
        }
        expectSame(walk(read), expected)
      }
  }
}

/** Leaves out what is only answered on request. */
const withoutAmounts = <figures extends object>(figures: figures) =>
  Object.fromEntries(Object.entries(figures).filter(([name]) => !/volume|rewards/i.test(name)))

/** Compares the forest at two past moments with forests of the events until then. */
function expectPast(
  forest: Forest,
  events: OracleEvent[],
  rebind: boolean,
  moments: readonly [Moment, Moment],
  { limit, filters }: { limit: number; filters: readonly ReferralsFilter[] },
) {
  const isUntil = (moment: Moment) => (event: OracleEvent) =>
    'block' in moment ? event.block <= moment.block : event.timestamp <= moment.timestamp
  const [before, after] = moments.map(
    (moment) => new Oracle(events.filter(isUntil(moment)), [ownSentinel], rebind),
  ) as [Oracle, Oracle]
  const today = new Oracle(events, [ownSentinel], rebind)
  const [moment, later] = moments
  const none = new Oracle([], [ownSentinel], rebind)
  expectPeriod(forest, { before, after, today }, { period: { from: moment, to: later }, limit })
  expectPeriod(forest, { before: none, after, today }, { period: { to: later }, limit })
  const until = 'block' in moment ? before.newestTime() : moment.timestamp
  const days = zones[forest.size % zones.length]
  expectSame(finish(forest.pastMetrics({ moment, days })), { ...before.metricsAt(until, days), until })
  expect(finish(forest.undated(null, moment))).toBe(today.allUndated(moment, before))
  for (const each of pool) {
    const id = forest.find(each)
    const text = each.toLowerCase() as Address
    if (id === undefined) {
      expect(before.addresses()).not.toContain(text)
      continue
    }
    const member = before.pastMember(text)
    expectSame(finish(forest.pastMember(id, moment, { amounts: true })), member)
    expectSame(finish(forest.pastMember(id, moment)), member && withoutAmounts(member))
    expect(forest.wasKnown(id, moment)).toBe(today.knownAt(text, moment, before))
    expect(finish(forest.undated(id, moment))).toBe(today.undatedAt(text, moment, before))
    const levels = before.levels(text)
    expectSame(finish(forest.pastLevels(id, moment, { amounts: true })), levels)
    expectSame(finish(forest.pastLevels(id, moment)), levels.map(withoutAmounts))
    expect(walk((cursor) => forest.pastReferrers(id, { moment, limit, cursor }))).toEqual(before.pastReferrers(text))
    for (const other of pool) {
      const otherId = forest.find(other)
      const otherText = other.toLowerCase() as Address
      if (otherId === undefined) continue
      expectSame(forest.pastRelation(id, otherId, moment), before.relation(text, otherText))
      expectSame(
        walk((cursor) => forest.pastLine(id, otherId, { moment, limit, cursor })),
        before.line(text, otherText).map(({ team, ownVolume, teamVolume, ...step }) => step),
      )
      expect(forest.undatedOnLines(id, otherId, moment)).toBe(today.undatedOnLines(text, otherText, moment, before))
    }
    if ('block' in moment)
      for (const other of pool) {
        const otherId = forest.find(other)
        if (otherId === undefined) continue
        const line = [id, ...forest.pastUpline(id, moment.block)]
        for (const [a, b] of [
          [otherId, id],
          [otherId, line.at(-1) ?? id],
        ] as const)
          expect(forest.nearest(a, b, moment.block)(id)).toBe(line.find((above) => above === a || above === b))
      }
    if ('block' in moment)
      expect(forest.pastUpline(id, moment.block).map((above) => forest.summary(above).address)).toEqual(
        before.pastReferrers(text).map(({ address }) => address),
      )
    for (const sort of ['joined', 'team', 'volume'] as const)
      for (const order of ['asc', 'desc'] as const) {
        const directs = before.pastDirects(text, sort, order)
        for (const amounts of [true, undefined])
          expectSame(
            walk((cursor) => finish(forest.pastDirects(id, { moment, sort, order, limit, cursor, amounts }))),
            amounts || sort === 'volume' ? directs : directs.map(withoutAmounts),
          )
      }
    // Several at once mostly leave nobody.
    const alone = filters.flatMap((filter) => Object.entries(filter).map(([name, value]) => ({ [name]: value })))
    for (const filter of [{}, ...filters, ...alone] as ReferralsFilter[]) {
      const read = (sort: ReferralsSort, order: 'asc' | 'desc', amounts?: boolean) =>
        walk((cursor) => {
          const page = finish(forest.pastReferrals(id, { ...filter, moment, sort, order, limit, cursor, amounts }))
          expect(page.undated.value).toBe(before.countUndated(text, filter))
          return page
        })
      const all = before.filteredReferrals(text, { ...filter, sort: 'joined', order: 'asc' })
      const downline = finish(forest.pastDownline(id, { ...filter, moment, amounts: true }))
      expectSame([...downline.rows(0, 2), ...downline.rows(2, 1_000)], all)
      expect(downline.length).toBe(all.length)
      for (const sort of ['joined', 'team', 'volume'] as const)
        for (const order of ['asc', 'desc'] as const) {
          const expected = before.filteredReferrals(text, { ...filter, sort, order })
          expectSame(read(sort, order, true), expected)
          const hasAmounts = sort === 'volume' || (filter.minVolume ?? 0n) > 0n
          expectSame(read(sort, order), hasAmounts ? expected : expected.map(withoutAmounts))
        }
    }
    if ('timestamp' in moment) {
      const [from, until] = [Math.max(0, moment.timestamp - 10 * 86_400), moment.timestamp]
      for (const of of [text, null])
        expectSame(
          finish(forest.activity(of && id, { from, until, periods: threeDays })),
          before.activity(of, from, until, threeDays),
        )
    }
    for (const from of [moment, undefined])
      expectSame(
        finish(forest.amounts(id, { from, to: later, periods: threeDays })),
        after.amountsByPeriod(from ? before : none, text, threeDays),
      )
    const { came, ...compared } = before.compare(text, after)
    const undated = today.undatedBetween(text, moment, before, after)
    expect(finish(forest.compare(id, moment, later))).toEqual({ ...compared, came: { ...came, undated } })
  }
}

/** Periods of one length: some begin in one UTC day, others are longer. */
const allPeriods = [
  [50_000, 1],
  [604_800, 345_600],
].map(([length = 1, shift = 0]) => (from: number, to: number) => {
  const first = Math.floor((from - shift) / length)
  const count = Math.floor((to - shift) / length) - first + 1
  return Array.from({ length: count }, (_, index) => (first + index) * length + shift)
})

function expectEqual(
  forest: Forest,
  oracle: Oracle,
  { limit, now, filters }: { limit: number; now: number; filters: readonly ReferralsFilter[] },
): void {
  const known = oracle.addresses()
  expect(forest.size).toBe(known.length)
  for (const each of pool) {
    const text = each.toLowerCase() as (typeof known)[number]
    const id = forest.find(each)
    expect(id !== undefined, `found ${each}`).toBe(known.includes(text))
    if (id === undefined) continue
    expectSame(forest.member(id), oracle.member(text))
    expectSame(forest.summary(id), oracle.summary(text))
    expectSame(forest.levels(id), oracle.levels(text))
    expectSame(forest.ranks(id), oracle.ranks(text))
    for (const of of [text, null])
      expectSame(
        finish(forest.activity(of && id, { from: now - 10 * 86_400, until: now, periods: threeDays })),
        oracle.activity(of, now - 10 * 86_400, now, threeDays),
      )
    for (const periods of allPeriods)
      expectSame(forest.growth(id, { periods, now }), oracle.growth(text, { periods, now }))
    expectSame(
      walk((cursor) => forest.referrers(id, { limit, cursor })),
      oracle.referrers(text),
    )
    for (const by of ['members', 'volume'] as const)
      for (const most of [limit, 120]) expectMap(forest, oracle, text, { by, most, now })
    for (const other of pool) {
      const otherId = forest.find(other)
      if (otherId === undefined) continue
      const otherText = other.toLowerCase() as typeof text
      expectSame(forest.relation(id, otherId), oracle.relation(text, otherText))
      expectSame(
        walk((cursor) => forest.line(id, otherId, { limit, cursor })),
        oracle.line(text, otherText),
      )
    }
    for (const filter of filters)
      for (const sort of ['joined', 'team', 'volume'] as const)
        for (const order of ['asc', 'desc'] as const)
          for (const total of ['count', 'skip'] as const)
            expectSameFiltered(
              forest,
              id,
              {
                expected: oracle.filteredReferrals(text, { ...filter, sort, order }),
                without: oracle.countUndated(text, filter),
              },
              {
                ...filter,
                sort,
                order,
                total,
                limit,
              },
            )
    for (const level of ['all', 1, 2, 3] as const)
      for (const sort of ['joined', 'team', 'volume'] as const)
        for (const order of ['asc', 'desc'] as const)
          expectSame(
            walk((cursor) => forest.referrals(id, { level, sort, order, limit, cursor })),
            oracle.referrals(text, { level, sort, order }),
          )
  }
  const days = zones[forest.size % zones.length]
  for (const by of ['members', 'volume'] as const)
    for (const most of [limit, 120]) expectMap(forest, oracle, null, { by, most, now, days })
  for (const prefix of ['0xab', '0xABC1', '0xabc2000000000', '0x00', pool[0] as string])
    expectSame(forest.searchPrefix(prefix, limit), oracle.searchPrefix(prefix, limit))
  const { members, roots, dirty, ...metrics } = oracle.metrics({ now, days })
  expect(forest.metrics({ now, days })).toEqual({ members, roots, dirty, ...metrics })
  const { placeholder: placeholders, ...refused } = dirty
  expect(forest.counts).toEqual({ members, placeholders, roots, ...refused })
}

type HeldState = { hold: Hold } & Record<HeldParameters['list'], HeldMember[]>

/** Reads a held state to its end. */
function readHeld(forest: Forest, hold: Hold, list: HeldParameters['list'], limit: number): HeldMember[] {
  const rows: HeldMember[] = []
  for (let from: number | null = 0; from !== null; ) {
    const { items, next } = forest.held(hold, { list, from, limit })
    rows.push(...items)
    from = next
  }
  return rows
}

/** Begins a hold whose rows are those of the present. */
function holdState(forest: Forest, limit: number): HeldState {
  const hold = forest.hold()
  const held = {
    hold,
    members: readHeld(forest, hold, 'members', limit),
    roots: readHeld(forest, hold, 'roots', limit),
  }
  const present = (rows: HeldMember[]) =>
    rows.map(({ address }) => {
      const { maxLevel: _, largestLeg: __, otherLegs: ___, ...member } = forest.member(forest.find(address) as number)
      return member
    })
  expectSame(held.members, present(held.members))
  expectSame(held.roots, present(held.roots))
  const { members, roots } = forest.counts
  expect([held.members.length, held.roots.length]).toEqual([members, roots])
  for (const sort of ['joined', 'team', 'volume'] as const) {
    const page = (order: 'asc' | 'desc') => walk((cursor) => forest.roots({ sort, order, limit, cursor }))
    const listed = page('asc')
    expectSame(listed, page('desc').reverse())
    expect(new Set(listed.map(({ address }) => address)).size).toBe(roots)
    const values = listed.map(({ team, ownVolume, teamVolume }) =>
      sort === 'team' ? BigInt(team) : ownVolume + teamVolume,
    )
    if (sort !== 'joined')
      expect(values.every((value, index) => index === 0 || value >= (values[index - 1] as bigint))).toBe(true)
  }
  return held
}

/** Expects a held state to be as it was, unless it has ended. */
function expectHeld(forest: Forest, { hold, members, roots }: HeldState, limit: number): void {
  try {
    expectSame(readHeld(forest, hold, 'members', limit), members)
    expectSame(readHeld(forest, hold, 'roots', limit), roots)
  } catch (error) {
    if (!(error instanceof HoldEndedError)) throw error
  }
}

test('property: random streams with rollbacks give the same answers as a naive replay of the remaining events', () => {
  fc.assert(
    fc.property(streams, ({ rebind, commands, tuning, load, filters, moments, pageLimit, afterNewest }) => {
      const forest = createForest({ sentinels: [ownSentinel.toUpperCase().replace('X', 'x')], rebind }, tuning)
      const tasks: { task: SnapshotTask; result?: ReturnType<typeof runSnapshotJob> }[] = []
      const holds: HeldState[] = []
      let events: OracleEvent[] = []
      let statuses: string[] = []
      let at: EventPosition = { block: 10, logIndex: 0, timestamp: 1_699_999_000 }
      const check = () => {
        const oracle = new Oracle(events, [ownSentinel], rebind)
        if (!load) expect(statuses).toEqual(oracle.statuses)
        const binds = events.filter(({ type }) => type === 'bind')
        expect(binds.map(forest.statusAt)).toEqual(oracle.statuses)
        const isAsked = (status?: string) => status === 'self' || status === 'cycle'
        const irregular = binds.filter((_, index) => isAsked(oracle.statuses[index])).reverse()
        const listed = walk((cursor) => {
          const before = irregular[Number(cursor ?? 0) - 1]
          const items = forest.irregularBinds(['self', 'cycle'], before, pageLimit)
          return { items, nextCursor: items.length < pageLimit ? null : `${Number(cursor ?? 0) + items.length}` }
        })
        expectSame(
          listed,
          irregular.map(({ block, logIndex }) => ({ block, logIndex })),
        )
        // Moments between the first event and the newest.
        const [early, late, isBlock] = moments
        const momentAt = (share: number): Moment =>
          isBlock
            ? { block: 9 + Math.floor(((at.block - 9) * share) / 100) }
            : { timestamp: 1_699_998_999 + Math.floor(((at.timestamp - 1_699_998_999) * share) / 100) }
        const moment = momentAt(Math.min(early, late))
        if (tuning.filterSteps > 1_000)
          expectPast(forest, events, rebind, [moment, momentAt(Math.max(early, late))], { limit: pageLimit, filters })
        for (const held of holds) expectHeld(forest, held, pageLimit)
        expectEqual(forest, oracle, { limit: pageLimit, now: at.timestamp + afterNewest, filters })
      }
      for (const each of commands) {
        if (each.type === 'check') check()
        else if (each.type === 'hold') {
          if (each.step === 'begin') holds.push(holdState(forest, pageLimit))
          else for (const { hold } of holds.splice(0, 1)) forest.release(hold)
        } else if (each.type === 'snapshot') {
          if (each.step === 'at once') forest.takeSnapshot()
          if (each.step === 'begin')
            for (const part of ['tree', 'addresses'] as const) tasks.push({ task: forest.beginSnapshot(part) })
          if (each.step === 'work')
            for (const entry of tasks) entry.result ??= structuredClone(runSnapshotJob(structuredClone(entry.task.job)))
          if (each.step === 'finish')
            for (const { task, result } of tasks.splice(0)) task.finish(result ?? runSnapshotJob(task.job))
        } else if (each.type === 'commit') forest.commit(Math.max(0, at.block - each.blocks))
        else if (each.type === 'rollback') {
          const toBlock = at.block - each.blocks
          if (toBlock < forest.finalBlock) expect(() => forest.rollback(toBlock)).toThrow(RollbackError)
          else {
            forest.rollback(toBlock)
            events = events.filter(({ block }) => block <= toBlock)
            statuses = statuses.slice(0, events.filter(({ type }) => type === 'bind').length)
            // The new chain has other blocks with the same numbers, and may continue at an earlier time.
            at = events.at(-1) ?? { block: 10, logIndex: 0, timestamp: 1_699_999_000 }
          }
        } else {
          const { blocks, seconds } = each.advance
          at = {
            block: at.block + blocks,
            logIndex: blocks > 0 ? 0 : at.logIndex + 1,
            timestamp: at.timestamp + (blocks > 0 ? seconds : 0),
          }
          if (each.type === 'bind') {
            const { grade } = each
            const known = { grade, firstBlock: Math.max(0, at.block - each.earlier) }
            const event = { ...at, member: each.member, referrer: each.referrer, ...known }
            if (load) {
              const words = {
                member: addressWords(each.member),
                referrer: each.referrer && addressWords(each.referrer),
              }
              forest.load([{ kind: 'bind', ...at, ...words, ...known } satisfies ForestEvent])
              statuses.push('loaded')
            } else statuses.push(forest.bind(event))
            events.push({ ...event, type: 'bind' })
          } else {
            const event = { ...at, member: each.member, amount: each.amount }
            const words = { member: addressWords(each.member), amount: amountWords(each.amount) }
            if (load) forest.load([{ kind: each.type, ...at, ...words } satisfies ForestEvent])
            else if (each.type === 'volume') forest.addVolume(event)
            else forest.addReward(event)
            events.push({ ...event, type: each.type })
          }
        }
      }
      check()
    }),
    { numRuns: Number(process.env.FOREST_RUNS ?? 150) },
  )
})
