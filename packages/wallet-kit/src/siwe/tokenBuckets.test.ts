import * as fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { createTokenBuckets } from './tokenBuckets.ts'

test('behavior: each key has a burst and then a steady rate', () => {
  let time = 0
  const { take } = createTokenBuckets({ burst: 3, perSecond: 1, now: () => time })
  expect([take('a', 2), take('a', 1), take('a', 1), take('b', 3)]).toEqual([0, 0, 1, 0])
  time = 999
  expect(take('a', 1)).toBe(1)
  time = 1000
  expect(take('a', 1)).toBe(0)
  expect(take('a', 3)).toBe(3)
})

test('behavior: a charge beyond the tokens delays the next take', () => {
  let time = 0
  const { take, charge, left } = createTokenBuckets({ burst: 3, perSecond: 1, now: () => time })
  charge('a', 5)
  expect([left('a'), left('b')]).toEqual([-2, 3])
  expect([take('a', 1), take('b', 1)]).toEqual([3, 0])
  time = 60_000
  expect([take('a', 3), take('a', 1)]).toEqual([0, 1])
})

test('attack: a clock that is set back locks no one out', () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { take } = createTokenBuckets({ burst: 2, perSecond: 1 })
  take('a', 2)
  vi.setSystemTime(Date.now() - 3_600_000)
  expect(take('a', 2)).toBeLessThanOrEqual(2)
  vi.useRealTimers()
})

test('property: never more than burst and rate allow, and the returned wait is enough', () => {
  const steps = fc.array(fc.record({ pause: fc.nat(5_000), cost: fc.integer({ min: 1, max: 5 }) }), { maxLength: 100 })
  fc.assert(
    fc.property(steps, (list) => {
      let time = 0
      let taken = 0
      const { take } = createTokenBuckets({ burst: 5, perSecond: 2, now: () => time })
      for (const { pause, cost } of list) {
        time += pause
        const wait = take('a', cost)
        if (wait > 0) {
          time += wait * 1000
          expect(take('a', cost)).toBe(0)
        }
        taken += cost
        expect(taken).toBeLessThanOrEqual(5 + (time / 1000) * 2 + 1e-9)
      }
    }),
  )
})
