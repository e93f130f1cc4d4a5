import { createCalendar } from '@lineage/referral-api/days'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { groupByDay, joinEvents, keyOf, type MemberEvent } from './useMemberEvents.ts'

const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const kinds = ['bind', 'reward', 'volume'] as const
/** Returns event number `index` of a member, in chain order; each log has three events. */
const eventOf = (index: number): MemberEvent => ({
  kind: kinds[index % 3] as MemberEvent['kind'],
  address,
  referrer: null,
  status: null,
  amount: '1',
  from: null,
  block: Math.floor(index / 6),
  logIndex: Math.floor(index / 3) % 2,
  timestamp: index * 20_000,
  tx: `0x${'ab'.repeat(32)}`,
  grade: 'exact',
  between: null,
})
/** Returns a page of `size` events below number `below`, newest first. */
const pageOf = (below: number, size: number) => {
  const from = Math.max(0, below - size)
  const items = Array.from({ length: below - from }, (_, at) => eventOf(below - 1 - at))
  return { items, nextCursor: from > 0 ? 'more' : null }
}
const keysOf = (events: readonly MemberEvent[]) => events.map(keyOf)

test('property: newest events and pages loaded before are one list without gap or repeat', () => {
  const sizes = fc.integer({ min: 1, max: 7 })
  fc.assert(
    fc.property(fc.nat(40), fc.nat(12), sizes, fc.array(sizes, { maxLength: 4 }), (before, arrived, size, pages) => {
      let below = before
      const loaded = pages.map((length) => {
        const page = pageOf(below, length)
        below = Math.max(0, below - length)
        return page
      })
      const newest = pageOf(before + arrived, size)
      const { items, state } = joinEvents(newest, loaded)
      const oldest = Math.min(Math.max(0, before + arrived - size), pages.length > 0 ? below : before + arrived)
      const isGap = pages.length > 0 && before + arrived - size > Math.max(before - 1, 0)
      expect(state).toBe(isGap ? 'gap' : 'whole')
      expect(keysOf(items)).toEqual(
        keysOf(isGap ? newest.items : pageOf(before + arrived, before + arrived - oldest).items),
      )
    }),
    { numRuns: 2_000 },
  )
})

test('behavior: an event that a reorganisation retracted is removed', () => {
  const newest = { items: [eventOf(9), eventOf(7), eventOf(6)], nextCursor: 'more' }
  expect(joinEvents(newest, [pageOf(9, 9)])).toEqual({
    items: [eventOf(9), eventOf(7), eventOf(6), ...pageOf(6, 6).items],
    state: 'whole',
  })
})

test.each([
  [
    'UTC',
    [
      ['1970-01-02', 4],
      ['1970-01-01', 5],
    ],
  ],
  [
    'Asia/Shanghai',
    [
      ['1970-01-03', 1],
      ['1970-01-02', 5],
      ['1970-01-01', 3],
    ],
  ],
])('groupByDay: days of %s in their order', (timeZone, days) => {
  const groups = groupByDay(pageOf(9, 9).items, createCalendar(timeZone))
  expect(groups.map(({ day, events }) => [day, events.length])).toEqual(days)
})
