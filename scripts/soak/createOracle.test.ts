import { type Address, getAddress, numberToHex } from 'viem'
import { expect, test } from 'vitest'
import { createOracle } from './createOracle.ts'

const address = (index: number): Address => getAddress(numberToHex(index, { size: 20 }))
const bind = (block: number, member: number, referrer: number) => ({
  block,
  time: 1_000 + block,
  member: address(member),
  referrer: address(referrer),
})

test('behavior: the first valid bind counts, and each block has its own forest', () => {
  const oracle = createOracle()
  oracle.add(bind(1, 2, 1), bind(2, 3, 2), bind(2, 2, 3), bind(3, 1, 3), bind(3, 4, 4), bind(4, 3, 1), bind(5, 1, 9))
  expect(oracle.find(address(1), 0)).toBeUndefined()
  expect(oracle.find(address(1), 1)).toEqual({ referrer: null, joinedAt: null, depth: 0, directs: 1, team: 1 })
  expect(oracle.find(address(3), 4)).toEqual({ referrer: address(2), joinedAt: 1_002, depth: 2, directs: 0, team: 0 })
  expect(oracle.find(address(4), 4)).toBeUndefined()
  expect(oracle.find(address(1), 5)).toEqual({ referrer: address(9), joinedAt: 1_005, depth: 1, directs: 1, team: 2 })
  expect([oracle.countMembers(2), oracle.countMembers(5)]).toEqual([2, 3])
  expect(oracle.listDirects(address(1), 0, 5)).toEqual([address(2)])
  expect(oracle.listDirects(address(1), 1, 5)).toEqual([])
})
