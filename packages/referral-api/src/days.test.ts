import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCalendar, isDay, isTimeZone, readTime } from './days.ts'

/** With summer time; where clocks skip midnight or show it twice; with odd offsets; and those who have none. */
const zones = [
  'UTC',
  'Asia/Shanghai',
  'Europe/London',
  'America/New_York',
  'America/Santiago',
  'America/Havana',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Asia/Beirut',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
  'Pacific/Niue',
] as const

const zone = fc.constantFrom(...zones)
const seconds = fc.integer({ min: Date.UTC(2020, 7, 1) / 1_000, max: Date.UTC(2036, 0, 1) / 1_000 })

test('property: each second is in the day that the clocks of its zone show, from its first to its last second', () => {
  fc.assert(
    fc.property(zone, seconds, (timeZone, second) => {
      const { dayOf, firstSecond, lastSecond } = createCalendar(timeZone)
      const shown = new Intl.DateTimeFormat('sv-SE', { timeZone }).format(second * 1_000)
      expect(dayOf(second)).toBe(shown)
      expect(firstSecond(shown)).toBeLessThanOrEqual(second)
      expect(lastSecond(shown)).toBeGreaterThanOrEqual(second)
      expect(dayOf(firstSecond(shown))).toBe(shown)
      expect(dayOf(lastSecond(shown))).toBe(shown)
      expect(dayOf(firstSecond(shown) - 1) < shown).toBe(true)
      expect(dayOf(lastSecond(shown) + 1) > shown).toBe(true)
    }),
    { numRuns: 1_000 },
  )
})

test('property: periods follow each other without a gap, and begin where their first day does', () => {
  const interval = fc.constantFrom('day', 'week', 'month')
  fc.assert(
    fc.property(zone, interval, seconds, fc.integer({ min: 0, max: 500 * 86_400 }), (timeZone, by, from, length) => {
      const { periods, dayOf, firstSecond } = createCalendar(timeZone)
      const starts = periods(by, from, from + length)
      const days = starts.map(dayOf)
      expect(starts).toEqual(days.map(firstSecond))
      expect(starts[0]).toBeLessThanOrEqual(from)
      expect(starts.at(-1)).toBeLessThanOrEqual(from + length)
      const next = { day: 1, week: 7, month: 31 }[by] * 86_400 + 7_200
      expect((starts.at(-1) ?? 0) + next).toBeGreaterThan(from + length)
      for (const day of days) {
        if (by === 'week') expect(new Date(day).getUTCDay()).toBe(1)
        if (by === 'month') expect(day).toMatch(/-01$/)
      }
      const [first = 0, last = 0] = [days[0], days.at(-1)].map((day) => Date.parse(day ?? '') / 86_400_000)
      if (by === 'day') expect(days).toHaveLength(last - first + 1)
      if (by === 'week') expect(days).toHaveLength((last - first) / 7 + 1)
    }),
    { numRuns: 60 },
  )
})

test.each([
  ['2026-06-01', '2026-06-30', 'UTC', '2026-06-01T00:00:00Z', '2026-06-30T23:59:59Z'],
  ['2026-06-01', '2026-06-30', 'Asia/Shanghai', '2026-05-31T16:00:00Z', '2026-06-30T15:59:59Z'],
  ['2026-03-29', '2026-03-29', 'Europe/London', '2026-03-29T00:00:00Z', '2026-03-29T22:59:59Z'],
  ['2026-04-24', '2026-04-24', 'Africa/Cairo', '2026-04-23T22:00:00Z', '2026-04-24T20:59:59Z'],
  ['2026-11-01', '2026-11-01', 'America/Havana', '2026-11-01T04:00:00Z', '2026-11-02T04:59:59Z'],
  ['2026-09-06', '2026-09-06', 'America/Santiago', '2026-09-06T04:00:00Z', '2026-09-07T02:59:59Z'],
])('behavior: %s to %s in %s', (from, to, timeZone, first, last) => {
  expect(new Date(readTime(from, 'first', timeZone) * 1_000).toISOString()).toBe(first.replace('Z', '.000Z'))
  expect(new Date(readTime(to, 'last', timeZone) * 1_000).toISOString()).toBe(last.replace('Z', '.000Z'))
})

test('behavior: seconds stay as they are', () => {
  expect(readTime(1_780_000_000, 'last', 'Asia/Shanghai')).toBe(1_780_000_000)
})

test('error: no day and no time zone', () => {
  const days = ['2026-02-30', '2026-6-1', 'today', '20260601', '2026-13-01', '0004-04-37', '']
  for (const text of days) expect(isDay(text)).toBe(false)
  for (const name of ['', 'x', 'Mars/Base', '+08:00', '../etc', 'UTC\n', 'Asia/Shanghai; drop'])
    expect(isTimeZone(name)).toBe(false)
  for (const name of zones) expect(isTimeZone(name)).toBe(true)
})
