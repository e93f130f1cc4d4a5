import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseAddress } from './parseAddress.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:4711', '203.0.113.7'],
  [' 203.000.113.007 ', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:cb00:7107', '203.0.113.7'],
  ['[::ffff:203.0.113.7]:80', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2'],
  ['[2001:db8:1:2::9]:4711', '2001:db8:1:2'],
  ['[2001:db8:1:2::9]', '2001:db8:1:2'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['::1', '0:0:0:0'],
])('behavior: %s is %s', (text, address) => expect(parseAddress(text)).toBe(address))

test.each([
  '',
  'unknown',
  '_hidden',
  '203.0.113',
  '203.0.113.256',
  '203.0.113.7:',
  '1.2.3.4:5:6',
  '0x7f.0.0.1',
  '[::1',
  '::1]:80',
  'a'.repeat(100_000),
])('error: %s is no address', (text) => expect(parseAddress(text)).toBeUndefined())

test('property: all ways to write an address are one visitor', () => {
  const ways: ((address: string, port: number) => string)[] = [
    (address) => address,
    (address, port) => `${address}:${port}`,
    (address) =>
      address
        .split('.')
        .map((part) => part.padStart(3, '0'))
        .join('.'),
    (address) => `::ffff:${address}`,
    (address, port) => `[::ffff:${address}]:${port}`,
  ]
  fc.assert(
    fc.property(fc.ipV4(), fc.nat(65_535), fc.constantFrom(...ways), (address, port, write) => {
      expect(parseAddress(write(address, port))).toBe(address)
    }),
  )
  fc.assert(
    fc.property(fc.ipV6(), fc.nat(65_535), (address, port) => {
      const parsed = parseAddress(address)
      expect(parsed).toBeDefined()
      expect(parseAddress(`[${address.toUpperCase()}]:${port}`)).toBe(parsed)
    }),
  )
})
