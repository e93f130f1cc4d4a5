import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createForest, RollbackError } from '../index.ts'
import type { EventPosition, Forest, Page } from '../types.ts'
import { Oracle, type OracleEvent } from './oracle.ts'

const ownSentinel = `0x${'5e'.repeat(20)}`
const pool = [
  ...Array.from({ length: 12 }, (_, index) => `0xAbC${index % 3}${(index + 10).toString(16).padStart(36, '0')}`),
  `0x${'0'.repeat(40)}`,
  `0x${'dead'.padStart(40, '0')}`,
  ownSentinel,
]

const address = fc.tuple(fc.nat(99), fc.boolean()).map(([pick, upper]) => {
  // Sentinels are rarer than the others, or no tree would grow.
  const text = pool[pick < 94 ? pick % 12 : 12 + (pick % 3)] as string
  return upper ? `0x${text.slice(2).toUpperCase()}` : text.toLowerCase()
})
const amount = fc.oneof(
  fc.bigInt({ min: 0n, max: 9n }),
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
    arbitrary: fc.record({ type: fc.constant('bind' as const), advance, member: address, referrer: address }),
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
  { weight: 1, arbitrary: fc.record({ type: fc.constant('check' as const) }) },
)
const streams = fc.record({
  rebind: fc.boolean(),
  commands: fc.array(command, { maxLength: 120, size: 'max' }),
  pageLimit: fc.integer({ min: 1, max: 5 }),
  afterNewest: fc.nat(3 * 86_400),
})

function walk<item>(read: (cursor: string | null) => Page<item>): item[] {
  const items: item[] = []
  for (let cursor: string | null = null; ; ) {
    const page: Page<item> = read(cursor)
    items.push(...page.items)
    if (page.nextCursor === null) return items
    cursor = page.nextCursor
  }
}

function expectEqual(forest: Forest, oracle: Oracle, limit: number, now: number): void {
  const known = oracle.addresses()
  expect(forest.size).toBe(known.length)
  for (const each of pool) {
    const text = each.toLowerCase() as (typeof known)[number]
    const id = forest.find(each)
    expect(id !== undefined, `found ${each}`).toBe(known.includes(text))
    if (id === undefined) continue
    expect(forest.member(id)).toEqual(oracle.member(text))
    expect(forest.summary(id)).toEqual(oracle.summary(text))
    expect(forest.levels(id)).toEqual(oracle.levels(text))
    expect(walk((cursor) => forest.referrers(id, { limit, cursor }))).toEqual(oracle.referrers(text))
    for (const level of ['all', 1, 2, 3] as const)
      for (const sort of ['joined', 'team', 'volume'] as const)
        for (const order of ['asc', 'desc'] as const)
          expect(walk((cursor) => forest.referrals(id, { level, sort, order, limit, cursor }))).toEqual(
            oracle.referrals(text, { level, sort, order }),
          )
  }
  for (const prefix of ['0xab', '0xABC1', '0xabc2000000000', '0x00', pool[0] as string])
    expect(forest.searchPrefix(prefix, limit)).toEqual(oracle.searchPrefix(prefix, limit))
  const { members, roots, dirty, ...metrics } = oracle.metrics(now)
  expect(forest.metrics({ now })).toEqual({ members, roots, dirty, ...metrics })
  const { placeholder: placeholders, ...refused } = dirty
  expect(forest.counts).toEqual({ members, placeholders, roots, ...refused })
}

test('property: dirty streams with rollbacks answer as a naive replay of the surviving events', () => {
  fc.assert(
    fc.property(streams, ({ rebind, commands, pageLimit, afterNewest }) => {
      const forest = createForest({ sentinels: [ownSentinel.toUpperCase().replace('X', 'x')], rebind })
      let events: OracleEvent[] = []
      let statuses: string[] = []
      let at: EventPosition = { block: 10, logIndex: 0, timestamp: 1_699_999_000 }
      const check = () => {
        const oracle = new Oracle(events, [ownSentinel], rebind)
        expect(statuses).toEqual(oracle.statuses)
        expectEqual(forest, oracle, pageLimit, at.timestamp + afterNewest)
      }
      for (const each of commands) {
        if (each.type === 'check') check()
        else if (each.type === 'commit') forest.commit(Math.max(0, at.block - each.blocks))
        else if (each.type === 'rollback') {
          const toBlock = at.block - each.blocks
          if (toBlock < forest.finalBlock) expect(() => forest.rollback(toBlock)).toThrow(RollbackError)
          else {
            forest.rollback(toBlock)
            events = events.filter(({ block }) => block <= toBlock)
            statuses = statuses.slice(0, events.filter(({ type }) => type === 'bind').length)
            // The chain goes on with other blocks of the same numbers, and may go on at an earlier time.
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
            statuses.push(forest.bind({ ...at, member: each.member, referrer: each.referrer }))
            events.push({ ...at, type: 'bind', member: each.member, referrer: each.referrer })
          } else {
            const event = { ...at, member: each.member, amount: each.amount }
            if (each.type === 'volume') forest.addVolume(event)
            else forest.addReward(event)
            events.push({ ...event, type: each.type })
          }
        }
      }
      check()
    }),
    { numRuns: 200 },
  )
})
