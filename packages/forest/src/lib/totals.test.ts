import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Amounts } from './amounts.ts'
import { Totals } from './totals.ts'

const uint256 = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  fc.bigInt({ min: 0n, max: 2n ** 90n }),
  fc.constantFrom(0n, 1n, 2n ** 32n - 1n, 2n ** 64n - 1n, 2n ** 128n - 1n, 2n ** 128n, 2n ** 256n - 1n),
)

function columnOf(values: readonly bigint[]): Amounts {
  const amounts = new Amounts(values.length)
  for (const [index, value] of values.entries()) amounts.set(index, value)
  return amounts
}

test('property: sums of amounts and of differences agree with bigint, also when stored or added to others', () => {
  fc.assert(
    fc.property(fc.array(uint256, { minLength: 1, maxLength: 20 }), uint256, (values, other) => {
      const running = columnOf(values.map((_, index) => values.slice(0, index + 1).reduce((sum, value) => sum + value)))
      const totals = new Totals(3)
      const sum = values.reduce((total, value) => total + value)
      for (const index of values.keys()) {
        totals.add(0, columnOf(values), index)
        totals.addDifference(2, running, values.length - 1, index)
      }
      expect(totals.get(0)).toBe(sum)
      expect(totals.get(1)).toBe(0n)
      const differences = values.reduce((total, _, index) => total + sum - running.get(index), 0n)
      expect(totals.get(2)).toBe(differences)
      const others = new Totals(3)
      others.add(0, columnOf([other]), 0)
      others.addAll(totals)
      expect([0, 1, 2].map((row) => others.get(row))).toEqual([sum + other, 0n, differences])
      const stored = new Amounts(1)
      others.store(0, stored, 0)
      expect(stored.get(0)).toBe(sum + other)
    }),
    { numRuns: 1000 },
  )
})

test('behavior: more additions than the words have room for stay exact', () => {
  const totals = new Totals(2)
  const most = columnOf([2n ** 128n - 1n])
  const additions = 2 ** 22 + 5
  for (let index = 0; index < additions; index++) totals.add(1, most, 0)
  expect(totals.get(1)).toBe(BigInt(additions) * (2n ** 128n - 1n))
  expect(totals.get(0)).toBe(0n)
})
