import * as fc from 'fast-check'
import { getAddress, numberToHex, toHex } from 'viem'
import { expect, test } from 'vitest'
import { checksumAddress, parseAddress } from './address.ts'

const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => toHex(bytes))

test('property: lower case, upper case and checksum are the same address', () => {
  fc.assert(
    fc.property(address, (lower) => {
      for (const text of [lower, `0x${lower.slice(2).toUpperCase()}`, getAddress(lower)])
        expect(parseAddress(text)).toEqual({ status: 'valid', address: lower })
    }),
  )
})

test('property: one letter in the wrong case breaks the checksum', () => {
  fc.assert(
    fc.property(address, fc.nat(39), (lower, at) => {
      const letters = [...getAddress(lower).slice(2)]
      const letter = letters[at] as string
      letters[at] = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
      const text = `0x${letters.join('')}`
      const isValid = [lower, `0x${lower.slice(2).toUpperCase()}`, getAddress(lower)].includes(text)
      expect(parseAddress(text).status).toBe(isValid ? 'valid' : 'checksum')
    }),
  )
})

test.each([
  '',
  '0x',
  '0x12',
  `0X${'a'.repeat(40)}`,
  `0x${'g'.repeat(40)}`,
  `0x${'a'.repeat(41)}`,
  ` 0x${'a'.repeat(40)}`,
  `0x${'a'.repeat(40)}\n`,
])('behavior: %j is malformed', (text) => {
  expect(parseAddress(text)).toEqual({ status: 'malformed' })
})

test('property: same checksum as viem', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 160n - 1n }), (number) => {
      const address = numberToHex(number, { size: 20 })
      const expected = getAddress(address)
      // The second one comes from the cache.
      expect([checksumAddress(address), checksumAddress(address)]).toEqual([expected, expected])
    }),
    { numRuns: 2_000 },
  )
})
