import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Amounts } from './amounts.ts'

const uint256 = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  fc.constantFrom(0n, 1n, 2n ** 32n - 1n, 2n ** 64n - 1n, 2n ** 96n, 2n ** 128n - 1n, 2n ** 128n, 2n ** 256n - 1n),
)

test('property: adding, subtracting, copying and comparing agree with bigint and leave neighbours unchanged', () => {
  fc.assert(
    fc.property(uint256, uint256, uint256, (left, right, other) => {
      const amounts = new Amounts(4)
      amounts.set(0, left)
      amounts.set(1, right)
      amounts.set(2, other)
      expect(Math.sign(amounts.compare(0, amounts, 1))).toBe(left < right ? -1 : left > right ? 1 : 0)
      amounts.add(0, amounts, 1)
      expect(amounts.get(0)).toBe(left + right)
      amounts.subtract(0, amounts, 1)
      expect(amounts.get(0)).toBe(left)
      amounts.copy(0, amounts, 1)
      expect([0, 1, 2, 3].map((index) => amounts.get(index))).toEqual([right, right, other, 0n])
    }),
    { numRuns: 1000 },
  )
})

test('behavior: growing keeps every amount', () => {
  const amounts = new Amounts(2)
  amounts.set(0, 2n ** 200n + 7n)
  amounts.set(1, 2n ** 100n)
  amounts.grow(5)
  expect([0, 1, 2, 4].map((index) => amounts.get(index))).toEqual([2n ** 200n + 7n, 2n ** 100n, 0n, 0n])
})
