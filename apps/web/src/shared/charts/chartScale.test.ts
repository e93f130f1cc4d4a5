import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chartScale, niceTicks } from './TimeChart.tsx'

const points = Array.from({ length: 10 }, (_, value) => ({ value }))

test('behavior: each point is found again at its own pixel, and zero lies on the base', () => {
  const { x, y, base, indexAt } = chartScale(points, 640)
  expect(points.map((_, index) => indexAt(x(index)))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  expect(y(0)).toBe(base)
  expect(y(9)).toBeLessThan(y(1))
})

test('behavior: labels from the first to the last point, fewer on phones', () => {
  expect(chartScale(points, 640).labelled).toEqual([0, 3, 6, 9])
  expect(chartScale(points, 320).labelled).toEqual([0, 4, 9])
  expect(chartScale(points.slice(0, 1), 640).labelled).toEqual([0])
})

test('behavior: the value is written inside the chart', () => {
  const { valueLabel } = chartScale(points, 640)
  expect([0, 5, 9].map((index) => valueLabel(index).textAnchor)).toEqual(['start', 'middle', 'end'])
})

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
