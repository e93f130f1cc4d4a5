import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Capacity, createCapacity, onRefused, onServed } from './capacity.ts'

const max = 50_000

/** Sends requests to a node that serves up to `limit`, and returns their sizes. */
function ask(limit: number, requests: number, suggested?: number): number[] {
  let capacity: Capacity = createCapacity(5_000)
  return Array.from({ length: requests }, () => {
    const { size } = capacity
    capacity = size > limit ? onRefused(capacity, size, suggested) : onServed(capacity, size, max)
    return size
  })
}

test('property: the size of requests approaches the limit of the node, with few refusals', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60_000 }), (limit) => {
      const asked = ask(limit, 400)
      const last = asked.slice(-50).filter((size) => size <= limit)
      expect(Math.max(...last)).toBeGreaterThanOrEqual(Math.min(limit, max) * 0.75)
      expect(asked.filter((size) => size > limit).length).toBeLessThan(40)
    }),
  )
})

test('behavior: a range suggested by an error is tried at once, and dropped if it was wrong', () => {
  expect(ask(10, 2, 10)).toEqual([5_000, 10])
  // The error said "10 results".
  expect(Math.max(...ask(4_000, 40, 10).slice(-10))).toBeGreaterThan(3_000)
})

test('behavior: a request below the current size does not change the size', () => {
  const capacity = createCapacity(100)
  expect(onServed(capacity, 99, max)).toBe(capacity)
})

test('behavior: a late refusal of a wide request does not widen', () => {
  expect(onRefused({ size: 10, refused: 20, served: 3 }, 1_000)).toMatchObject({ size: 10, refused: 20 })
})
