import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  hasLostTurn,
  initialPace,
  isFailing,
  isLimiting,
  onAnswered,
  onFailed,
  onRateLimited,
  type Pace,
  startRest,
  takeTurn,
} from './pace.ts'

/** Plays answers (`true`) and rate limits (`false`) of requests sent one after the other, each at its turn. */
function play(outcomes: readonly boolean[], pace: Pace = initialPace): { pace: Pace; now: number } {
  let now = 1_000
  for (const isAnswered of outcomes) {
    const turn = takeTurn(pace, now)
    now = Math.max(turn.sendAt, turn.pace.restsUntil) + 1
    pace = isAnswered ? onAnswered(turn.pace, now) : onRateLimited(turn.pace, { sentAt: now }, now)
  }
  return { pace, now }
}
const times = (count: number, outcome: (index: number) => boolean) =>
  Array.from({ length: count }, (_, i) => outcome(i))

describe('interval', () => {
  test('behavior: 0 while every request is answered', () => {
    expect(play(times(100, () => true)).pace).toMatchObject({ interval: 0, limitedShare: 0 })
  })

  test('behavior: starts at the first rate limit, and ends after answers alone', () => {
    const slowed = play([true, false]).pace
    expect(slowed.interval).toBe(10)
    expect(
      play(
        times(64, () => true),
        slowed,
      ).pace.interval,
    ).toBe(0)
  })

  test('behavior: grows while slower requests bring no fewer answers', () => {
    const { pace } = play(times(80, (index) => index % 5 > 0))
    expect(pace.interval).toBeGreaterThan(10)
    expect(pace.best?.rate).toBeGreaterThan(0)
  })

  test('behavior: returns to the best one when a slower one costs answers', () => {
    const tally = { answered: 8, limited: 7, failed: 0, rested: 10_000 }
    const slowed: Pace = { ...initialPace, interval: 100, best: { interval: 20, rate: 0.05 }, tally }
    expect(onAnswered(slowed, 0)).toMatchObject({ interval: 20, best: undefined })
  })

  test('property: stays from 0 to 300 ms, and rests stay below 5 s', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 300 }), (outcomes) => {
        const { pace } = play(outcomes)
        expect(pace.interval).toBeGreaterThanOrEqual(0)
        expect(pace.interval).toBeLessThanOrEqual(300)
        expect(pace.rest).toBeLessThanOrEqual(5_000)
        expect(pace.limitedShare).toBeLessThanOrEqual(1)
        expect(pace.tally.answered + pace.tally.limited).toBeLessThan(16)
      }),
    )
  })
})

test('property: turns are an interval apart, and never in the past', () => {
  const gaps = fc.array(fc.nat(50), { minLength: 1 })
  fc.assert(
    fc.property(fc.nat(300), gaps, (interval, elapsed) => {
      let pace: Pace = { ...initialPace, interval }
      let now = 0
      let last = Number.NEGATIVE_INFINITY
      for (const gap of elapsed) {
        now += gap
        const turn = takeTurn(pace, now)
        expect(turn.sendAt).toBeGreaterThanOrEqual(Math.max(now, last + interval))
        pace = turn.pace
        last = turn.sendAt
      }
    }),
  )
})

describe('rate limit', () => {
  test('behavior: ignores rate limits of requests sent before the last slowdown', () => {
    const slowed = onRateLimited(initialPace, { sentAt: 10 }, 20)
    expect(onRateLimited(slowed, { sentAt: 19 }, 30)).toBe(slowed)
    expect(onRateLimited(slowed, { sentAt: 20 }, 30)).not.toBe(slowed)
  })

  test('behavior: rests 25 ms, then twice as long; Retry-After counts from the second in a row', () => {
    const first = onRateLimited(initialPace, { sentAt: 0, retryAfter: 2_000 }, 0)
    expect(first).toMatchObject({ rest: 25, restsUntil: 25, nextAt: 25 })
    expect(onRateLimited(first, { sentAt: 25 }, 30)).toMatchObject({ rest: 50, restsUntil: 80 })
    expect(onRateLimited(first, { sentAt: 25, retryAfter: 2_000 }, 30)).toMatchObject({
      rest: 2_000,
      restsUntil: 2_030,
    })
    expect(onAnswered(first, 30).rest).toBe(0)
  })

  test('behavior: takes the turns of waiting requests', () => {
    const waiting = takeTurn({ ...initialPace, interval: 10, nextAt: 100 }, 90).pace
    expect(hasLostTurn(waiting, 90, 100)).toBe(false)
    expect(hasLostTurn(onRateLimited(waiting, { sentAt: 95 }, 95), 90, 100)).toBe(true)
  })

  test('behavior: limiting means a fifth of the requests or more, until a minute after the last rate limit', () => {
    const { pace, now } = play(times(32, (index) => index % 3 > 0))
    expect(isLimiting(pace, now)).toBe(true)
    expect(isLimiting(pace, pace.slowedAt + 60_000)).toBe(false)
    const rarely = play(times(64, (index) => index % 10 > 0))
    expect(isLimiting(rarely.pace, rarely.now)).toBe(false)
  })
})

test('behavior: rests grow from the shortest to five seconds', () => {
  const rests: number[] = []
  for (let pace = startRest(initialPace, 100, 0); rests.length < 8; pace = startRest(pace, 100, 0))
    rests.push(pace.rest)
  expect(rests).toEqual([100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000])
})

describe('failures', () => {
  const fail = (pace: Pace, now: number, isOutage = false) =>
    onFailed(pace, { sentAt: now, shortest: 25, reason: 'HTTP 503', isOutage }, now)

  test('behavior: a node that fails every third request is reported for a minute, with the share', () => {
    const paces = Array.from({ length: 16 }, (_, index) => index % 3 === 0)
    const pace = paces.reduce((pace, fails) => (fails ? fail(pace, 0) : onAnswered(pace, 0)), initialPace)
    expect(pace.failing).toEqual({ share: 6 / 16, at: 0, reason: 'HTTP 503' })
    expect([59_999, 60_000].map((now) => isFailing(pace, now))).toEqual([true, false])
  })

  test('behavior: an outage is not reported as a share of the requests', () => {
    let pace = initialPace
    for (let count = 0; count < 10; count++) pace = fail(pace, count * 1_000, count > 2)
    for (let count = 0; count < 16; count++) pace = onAnswered(pace, 10_000)
    expect(isFailing(pace, 10_000)).toBe(false)
  })

  test('behavior: requests that fail at once start one rest', () => {
    const first = fail(initialPace, 0)
    expect(onFailed(first, { sentAt: -1, shortest: 25, reason: 'HTTP 503', isOutage: false }, 0).rest).toBe(first.rest)
  })
})
