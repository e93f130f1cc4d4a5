import { expect, test } from 'vitest'
import { afterOutage, identify, isOutdated, unchecked } from './chainIdentity.ts'

const right = identify(56, 56, 100)
const other = identify(97, 56, 100)

test('behavior: right or other, by chain id', () => {
  expect(right).toEqual({ status: 'right', checkedAt: 100 })
  expect(other).toEqual({ status: 'other', chainId: 97, checkedAt: 100 })
})

test('behavior: outdated until checked, and after a while', () => {
  expect(isOutdated(unchecked, Number.NEGATIVE_INFINITY)).toBe(true)
  expect([right, other].map((identity) => isOutdated(identity, 100))).toEqual([false, false])
  expect([right, other].map((identity) => isOutdated(identity, 101))).toEqual([true, true])
})

test('behavior: an outage makes the right chain uncertain, not another one', () => {
  expect(afterOutage(right)).toBe(unchecked)
  expect(afterOutage(other)).toBe(other)
})
