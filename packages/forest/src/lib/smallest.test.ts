import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Smallest } from './smallest.ts'

test('property: the rows kept are the first of a full sort', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.nat(100_000), { maxLength: 3000, size: 'max' }),
      fc.integer({ min: 1, max: 900 }),
      fc.constantFrom<'random' | 'rising' | 'falling'>('random', 'rising', 'falling'),
      (values, limit, run) => {
        const sorted = [...values].sort((left, right) => left - right)
        const offered = run === 'random' ? values : run === 'rising' ? sorted : [...sorted].reverse()
        const smallest = new Smallest(limit, (left, right) => left - right)
        for (const value of offered) smallest.offer(value)
        expect(smallest.sorted()).toEqual(sorted.slice(0, limit))
      },
    ),
  )
})
