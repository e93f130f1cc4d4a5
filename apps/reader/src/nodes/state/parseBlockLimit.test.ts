import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseBlockLimit } from './parseBlockLimit.ts'

test.each([
  ['requested too many blocks from 100 to 599, maximum is set to 100', 500, 100],
  [
    'You can make eth_getLogs requests with up to a 10 block range. this block range should work: [0x64, 0x6d]',
    500,
    10,
  ],
  ['eth_getLogs is limited to a 10,000 range', 20_000, 10_000],
  ['eth_getLogs range is too large, max is 1k blocks', 5_000, 1_000],
  ['exceed maximum block range: 5000', 50_000, 5_000],
  ['exceeds the range allowed for your plan (5000 > 1000)', 5_000, 1_000],
  ['query exceeds max block range 2000', 2_001, 2_000],
  ['maximum [from, to] blocks distance: 200', 500, 200],
  ['ranges over 10000 blocks are not supported on freetier', 20_000, 10_000],
  ['Maximum allowed number of requested blocks is 3500', 5_000, 3_500],
])('behavior: %s', (message, span, range) => {
  expect(parseBlockLimit(message, span)).toBe(range)
})

test.each([
  ['query returned more than 10000 results', 20_000],
  ['logs matched by query exceeds limit of 10000', 20_000],
  ['response size should not greater than 10000000 bytes', 20_000_000],
  ['limit exceeded', 500],
  ['max is 100 blocks', 50],
  ['', 500],
])('behavior: no number of blocks in "%s" of %i', (message, span) => {
  expect(parseBlockLimit(message, span)).toBeUndefined()
})

test('property: any message gives at least two blocks, and fewer than requested', () => {
  const word = fc.constantFrom('max', 'limit', '> ', '10', ',000', '5k', '[0x1,0xff]', ' ', 'range', 'blocks', '.')
  const words = fc.array(fc.oneof(word, fc.string()), { maxLength: 12 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(words, fc.integer({ min: 1, max: 100_000 }), (message, span) => {
      const range = parseBlockLimit(message, span) ?? 2
      expect(Number.isInteger(range) && range >= 2 && (range < span || range === 2)).toBe(true)
    }),
    { numRuns: 1_000 },
  )
})
