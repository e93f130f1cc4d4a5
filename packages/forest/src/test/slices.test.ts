import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createForest } from '../forest.ts'
import { type Forest, QueryTooCostlyError, type Slices } from '../index.ts'
import { defaultTuning } from '../tuning.ts'
import { finish } from './finish.ts'

const addressOf = (index: number) => `0x${(index + 0x1000).toString(16).padStart(40, 'a')}`
const tuning = { ...defaultTuning, sliceSteps: 1, smallTeam: 0 }

/** Binds members below address 0, one per block. */
function createTeam(size: number, rebind = false): Forest {
  const forest = createForest({ rebind }, tuning)
  for (let index = 1; index <= size; index++) bind(forest, index, index, (index - 1) >> 1)
  return forest
}

const timeOf = (block: number) => 1_700_000_000 + block
const positionIn = (block: number) => ({ block, logIndex: 0, timestamp: timeOf(block) })

function bind(forest: Forest, block: number, member: number, referrer: number) {
  forest.bind({ ...positionIn(block), member: addressOf(member), referrer: addressOf(referrer) })
}

const compareIn = (forest: Forest, from: number, to: number) =>
  forest.compare(forest.find(addressOf(0)) as number, { block: from }, { block: to })

test('behavior: a large team is read in many slices', () => {
  const slices = compareIn(createTeam(500), 100, 400)
  let pauses = 0
  for (;;) {
    const { done, value } = slices.next()
    if (done) {
      expect([pauses > 100, value.to?.team, value.came.count]).toEqual([true, 400, 300])
      return
    }
    pauses++
  }
})

test('error: a query is refused after three changes of the community', () => {
  const forest = createTeam(50, true)
  const slices = compareIn(forest, 10, 40)
  const ask = () => {
    for (let block = 51; ; block++) {
      if (slices.next().done) return
      bind(forest, block, 50, block % 7)
    }
  }
  expect(ask).toThrow(QueryTooCostlyError)
})

test('error: the legs of more than 20,000 directs are refused, but not the member itself', () => {
  const forest = createForest({}, defaultTuning)
  for (let index = 1; index <= 20_001; index++) bind(forest, index, index, 0)
  const id = topOf(forest)
  expect(finish(forest.pastMember(id, { block: 20_001 }))?.team).toBe(20_001)
  expect(finish(compareIn(forest, 1, 20_000)).came.count).toBe(19_999)
  expect(() => finish(compareIn(forest, 1, 20_001))).toThrow(QueryTooCostlyError)
  const directsBy = (sort: 'joined' | 'team') =>
    finish(forest.pastDirects(id, { moment: { block: 20_001 }, sort, order: 'desc', limit: 2 })).items
  expect(directsBy('joined').map(({ address, team }) => [address, team])).toEqual([
    [addressOf(20_001), 0],
    [addressOf(20_000), 0],
  ])
  expect(() => directsBy('team')).toThrow(QueryTooCostlyError)
})

const change = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('volume' as const), member: fc.nat(30), amount: fc.nat(9) }) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('bind' as const), member: fc.nat(30), referrer: fc.nat(30) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('rollback' as const), blocks: fc.integer({ min: 1, max: 9 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('snapshot' as const, 'load' as const) }) },
)

const topOf = (forest: Forest) => forest.find(addressOf(0)) as number
const questions: Record<string, (forest: Forest, to: number) => Slices<unknown>> = {
  compare: (forest, to) => compareIn(forest, 15, to),
  pastLevels: (forest, to) => forest.pastLevels(topOf(forest), { block: to }, { amounts: true }),
  pastDirects: (forest, to) =>
    forest.pastDirects(topOf(forest), { moment: { block: to }, sort: 'team', order: 'desc', limit: 50 }),
  pastMetrics: (forest, to) => forest.pastMetrics({ moment: { block: to } }),
  pastMember: (forest, to) => forest.pastMember(topOf(forest), { block: to }),
  pastReferrals: (forest, to) =>
    forest.pastReferrals(topOf(forest), { moment: { block: to }, sort: 'team', order: 'desc', limit: 50 }),
  undated: (forest, to) => forest.undated(topOf(forest), { block: to }),
  amounts: (forest, to) => forest.amounts(topOf(forest), { from: { block: 15 }, to: { block: to } }),
  periodAmounts: (forest, to) =>
    forest.periodAmounts([addressOf(0), addressOf(1), addressOf(25)], { from: { block: 15 }, to: { block: to } }),
  periodReferrals: (forest, to) =>
    forest.periodReferrals(topOf(forest), {
      ...{ period: { from: { block: 15 }, to: { block: to } }, sort: 'periodVolume', order: 'desc', limit: 50 },
    }),
  risers: (forest, to) => forest.risers(topOf(forest), risersUntil(to, 'volume')),
  'risers of all': (forest, to) => forest.risers(null, risersUntil(to, 'members')),
  activity: (forest, to) => forest.activity(topOf(forest), activityUntil(to)),
  'activity of all': (forest, to) => forest.activity(null, activityUntil(to)),
}

const risersUntil = (to: number, by: 'members' | 'volume') => ({
  ...{ period: { from: { block: 15 }, to: { block: to } }, by, limit: 50 },
})
const activityUntil = (to: number) => ({
  ...{ from: timeOf(15), until: timeOf(to), periods: (from: number) => [from, from + 5] },
})

test.each(Object.entries(questions))(
  'property: events, rollbacks and snapshots between slices leave %s an answer of one moment',
  (_, ask) => {
    fc.assert(
      fc.property(fc.boolean(), fc.array(change, { maxLength: 60 }), fc.nat(3), (rebind, changes, pace) => {
        const forest = createTeam(20, rebind)
        let block = 20
        let asked: { slices: Slices<unknown>; to: number; possible: unknown[] } | undefined
        for (const [index, each] of changes.entries()) {
          if (each.kind === 'bind') bind(forest, ++block, each.member, each.referrer)
          if (each.kind === 'volume')
            forest.addVolume({ ...positionIn(++block), member: addressOf(each.member), amount: BigInt(each.amount) })
          if (each.kind === 'snapshot') forest.takeSnapshot()
          if (each.kind === 'load') forest.load([])
          if (each.kind === 'rollback') {
            block = Math.max(20, block - each.blocks)
            forest.rollback(block)
          }
          asked ??= { slices: ask(forest, block), to: block, possible: [] }
          asked.possible.push(finish(ask(forest, asked.to)))
          if (index % 4 > pace) continue
          const answer = take(asked.slices)
          if (answer === undefined) continue
          if (answer !== 'refused') expect(asked.possible).toContainEqual(answer)
          asked = undefined
        }
      }),
      { numRuns: 200 },
    )
  },
)

/** Runs a slice. Returns the answer if it was the last one. */
function take(slices: Slices<unknown>): unknown {
  try {
    for (let count = 0; count < 9; count++) {
      const { done, value } = slices.next()
      if (done) return value
    }
    return undefined
  } catch (error) {
    expect(error).toBeInstanceOf(QueryTooCostlyError)
    return 'refused'
  }
}
