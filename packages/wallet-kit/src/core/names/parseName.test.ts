// @vitest-environment node
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatAddress } from '../lib/format.ts'
import { parseName } from './parseName.ts'

const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'

test.each([
  ['alice.eth', 'alice.eth'],
  [' Alice.ETH\n', 'alice.eth'],
  ['小明.bnb', '小明.bnb'],
  ['👩‍🚀.bnb', '👩‍🚀.bnb'],
  ['0xbabe.bnb', '0xbabe.bnb'],
  ['oxford.eth', 'oxford.eth'],
  ['0xalice.eth', '0xalice.eth'],
  ['alice', 'alice'],
  [`0x${'1-'.repeat(60)}z.eth`, `0x${'1-'.repeat(60)}z.eth`],
])('%s is shown as %s', (name, shown) => expect(parseName(name)).toBe(shown))

test.each([
  undefined,
  null,
  42,
  {},
  ['alice.eth'],
  '',
  '  ',
  '.',
  'a..b',
  'alice bob.eth',
  'alice\u0000.eth',
  'alice\u202e.eth',
  'vital\u0456k.eth',
  '<b>alice</b>.eth',
  '<img src=x onerror=alert(1)>',
  'a'.repeat(10_000),
])('rejected: %j', (name) => expect(parseName(name)).toBeUndefined())

describe('names that look like an address', () => {
  test.each([
    '0xd8…6045',
    '0xd8...6045',
    '0xd8..45',
    '0xd8.6045',
    '0xd8.ab',
    `0x${'1-'.repeat(60)}1`,
    '0xd8-6045',
    '0xd8-6045.bnb',
    '0xd8\u20186045',
    'oxd8-6045.eth',
    '0XD8-6045',
    '\uff10\uff58d8-6045',
    '0\u0445d8-6045',
    '0x12345678',
    '0xdead',
    address,
    `${address}.eth`,
    `${address.slice(0, 12)}.bnb`,
  ])('rejected: %s', (name) => expect(parseName(name)).toBeUndefined())
})

test('property: a shortened address with any separator and ending is rejected', () => {
  const hex = fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF'), minLength: 2, maxLength: 20 })
  const joint = fc.constantFrom('…', '...', '..', '-', '–', '_', '·', ' ', '’', "'")
  const end = fc.constantFrom('', '.eth', '.bnb')
  fc.assert(
    fc.property(hex, joint, hex, end, (a, joint, b, end) => {
      expect(parseName(`0x${a}${joint}${b}${end}`)).toBeUndefined()
    }),
  )
})

test('property: a parsed name is one short normalized line without invisible characters', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 400 }), fc.anything(), fc.webUrl()), (value) => {
      const name = parseName(value)
      if (name === undefined) return
      expect([...name].length).toBeLessThanOrEqual(255)
      expect(name).not.toMatch(/[^\P{C}\u200c\u200d]|[\p{Z}<>"&]/u)
      expect(name).not.toBe(formatAddress(address))
      expect(parseName(name)).toBe(name)
    }),
    { numRuns: 2_000 },
  )
})
