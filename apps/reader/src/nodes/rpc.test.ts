import * as fc from 'fast-check'
import { numberToHex } from 'viem'
import { expect, test } from 'vitest'
import { hasLogs, parseBlock, parseQuantity } from './rpc.ts'

test('property: a quantity is the number that viem wrote', () => {
  fc.assert(fc.property(fc.nat({ max: 2 ** 52 - 1 }), (number) => parseQuantity(numberToHex(number)) === number))
})

test('property: anything else is no quantity and no block', () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      fc.pre(!(typeof value === 'string' && value.startsWith('0x')))
      expect(parseQuantity(value)).toBeUndefined()
      expect(parseBlock({ number: value, hash: '0x' })).toBeUndefined()
    }),
  )
})

test.each(['0x', '0xg', '0x1 ', '0x1\n', `0x${'1'.repeat(14)}`, '-0x1'])('behavior: %j is no quantity', (text) => {
  expect(parseQuantity(text)).toBeUndefined()
})

test('behavior: a block has a number and a hash, and maybe a parent', () => {
  expect(parseBlock({ number: '0x4', hash: 'a', parentHash: 'b' })).toEqual({ number: 4, hash: 'a', parentHash: 'b' })
  expect(parseBlock({ number: '0x4', hash: 'a' })).toEqual({ number: 4, hash: 'a', parentHash: undefined })
  expect([parseBlock({ number: '0x4' }), parseBlock({ hash: 'a' }), parseBlock(null)]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

test.each([
  ['0x0000', false],
  ['0x0010', true],
  ['0x', false],
  [undefined, false],
])('behavior: bloom filter %j', (logsBloom, expected) => {
  expect(hasLogs({ logsBloom })).toBe(expected)
})
