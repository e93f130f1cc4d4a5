import fc from 'fast-check'
import { expect, test } from 'vitest'
import { niceTicks } from './niceTicks.ts'

test('property: starts at 0, few even steps, reaches the greatest value', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-6, max: 1e21, noNaN: true }), (greatest) => {
      const ticks = niceTicks(greatest)
      expect(ticks[0]).toBe(0)
      expect(ticks.length).toBeLessThanOrEqual(6)
      expect(ticks.at(-1) ?? 0).toBeGreaterThanOrEqual(greatest * (1 - 1e-9))
    }),
  )
})

test.each([0, Number.NaN, Number.POSITIVE_INFINITY, -3])('behavior: %s has no scale', (greatest) => {
  expect(niceTicks(greatest)).toEqual([0, 1])
})
