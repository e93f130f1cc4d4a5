import { expect, test } from 'vitest'
import { addressOf } from '../../../test/forest.ts'
import { addRecentAddress, readRecentAddresses } from './RecentAddresses.tsx'

test('behavior: newest first, without duplicates, at most six', () => {
  for (const index of [1, 2, 3, 4, 5, 6, 7, 3]) addRecentAddress(addressOf(index))
  expect(readRecentAddresses()).toEqual([3, 7, 6, 5, 4, 2].map(addressOf))
})

test.each(['', '{', '"0x"', '[1,null,"0x12"]', '{"length":3}'])('behavior: garbage in storage, %s', (stored) => {
  localStorage.setItem('lineage-recent-addresses', stored)
  expect(readRecentAddresses()).toEqual([])
})
