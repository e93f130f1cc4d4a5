// @vitest-environment node
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createClock } from './createClock.ts'

test('behavior: follows the wall clock forward, and goes on when it is set back', () => {
  const hour = 3_600_000
  let [wall, elapsed] = [10 * hour, 5]
  const now = createClock(
    () => wall,
    () => elapsed,
  )
  expect(now()).toBe(10 * hour)
  wall += 1_000
  elapsed += 1_000
  expect(now()).toBe(10 * hour + 1_000)
  wall -= hour
  elapsed += 500
  expect(now()).toBe(10 * hour + 1_500)
  // The machine was suspended for two hours.
  wall += 3 * hour
  expect(now()).toBe(12 * hour + 1_000)
  elapsed += 10
  expect(now()).toBe(12 * hour + 1_010)
})

test('property: never goes back, and is never behind the wall clock', () => {
  const step = fc.record({ jump: fc.integer({ min: -10_000, max: 10_000 }), passed: fc.nat(1_000) })
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      let [wall, elapsed] = [1_000_000, 0]
      const now = createClock(
        () => wall,
        () => elapsed,
      )
      let last = now()
      for (const { jump, passed } of steps) {
        wall += jump
        elapsed += passed
        const time = now()
        expect(time).toBeGreaterThanOrEqual(Math.max(last, wall))
        last = time
      }
    }),
  )
})
