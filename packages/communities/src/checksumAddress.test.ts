import * as fc from 'fast-check'
import { checksumAddress as checksumOfViem, numberToHex } from 'viem'
import { expect, test } from 'vitest'
import { checksumAddress } from './checksumAddress.ts'

test('property: same checksum as viem', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 160n - 1n }), (number) => {
      const address = numberToHex(number, { size: 20 })
      const expected = checksumOfViem(address)
      // The second one comes from the cache.
      expect([checksumAddress(address), checksumAddress(address)]).toEqual([expected, expected])
    }),
    { numRuns: 2_000 },
  )
})
