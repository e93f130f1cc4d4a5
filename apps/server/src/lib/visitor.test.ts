import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { identifyVisitor, networksOf, parseAddress } from './visitor.ts'

test.each([
  ['no trusted proxy: the header is ignored', '10.0.0.9', '1.2.3.4', 0, '10.0.0.9'],
  ['one trusted proxy: the last entry', '10.0.0.9', '6.6.6.6, 203.0.113.7', 1, '203.0.113.7'],
  [
    'two trusted proxies: the second entry from the right',
    '10.0.0.9',
    '6.6.6.6, 203.0.113.7, 10.0.0.1',
    2,
    '203.0.113.7',
  ],
  ['a trusted proxy that sent no header: the peer', '10.0.0.9', undefined, 1, '10.0.0.9'],
  ['fewer entries than proxies: the peer', '10.0.0.9', '203.0.113.7', 2, '10.0.0.9'],
  ['IPv4 mapped to IPv6: the IPv4 address', '::ffff:127.0.0.1', undefined, 0, '127.0.0.1'],
  ['IPv6: its /64 network', '2001:db8:1:2:3:4:5:6', undefined, 0, '2001:db8:1:2'],
  ['abbreviated IPv6: its /64 network', '2001:db8::6', undefined, 0, '2001:db8:0:0'],
  ['IPv6 of this machine', '::1', undefined, 0, '0:0:0:0'],
  ['an entry with a port', '10.0.0.9', '203.0.113.7:4711', 1, '203.0.113.7'],
  ['an entry that is no address: the peer', '10.0.0.9', 'made-up', 1, '10.0.0.9'],
  ['no address', undefined, undefined, 0, 'unknown'],
  ['an empty header: the peer', '10.0.0.9', '', 1, '10.0.0.9'],
  ['an empty last entry: the peer, not the entry before it', '10.0.0.9', '203.0.113.7,', 1, '10.0.0.9'],
  ['a last entry of spaces: the peer', '10.0.0.9', '203.0.113.7, \t ', 1, '10.0.0.9'],
  ['an empty entry of the first of two proxies: the peer', '10.0.0.9', '6.6.6.6, , 10.0.0.1', 2, '10.0.0.9'],
  ['an entry that says unknown: the peer', '10.0.0.9', 'unknown', 1, '10.0.0.9'],
  ['an obfuscated name: the peer', '10.0.0.9', '_gazonk', 1, '10.0.0.9'],
  ['the peer of a Unix socket', undefined, 'unix:', 1, 'unknown'],
  ['an entry in quotes: the peer', '10.0.0.9', '"[2001:db8::1]"', 1, '10.0.0.9'],
  ['an entry with brackets and a port', '10.0.0.9', '6.6.6.6,[2001:db8:1:2::9]:4711', 1, '2001:db8:1:2'],
  ['an entry with a zone', '10.0.0.9', 'fe80::1%eth0', 1, 'fe80:0:0:0'],
  ['an entry with a space inside: the peer', '10.0.0.9', '203.0.113.7 203.0.113.8', 1, '10.0.0.9'],
] as const)('behavior: %s', (_, peer, forwardedFor, trustedProxies, visitor) => {
  expect(identifyVisitor({ peer, forwardedFor, trustedProxies })).toBe(visitor)
})

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
  ['64:ff9b::203.0.113.7', '203.0.113.7'],
  ['64:ff9b::cb00:7107', '203.0.113.7'],
  ['64:ff9b:1::cb00:7107', '203.0.113.7'],
  ['64:ff9b:1:abcd::cb00:7107', '203.0.113.7'],
  // Layouts of RFC 6052 for wider prefixes.
  ['64:ff9b:1:cb00:71:700::', '64:ff9b:1:cb00'],
  ['64:ff9b:2::cb00:7107', '64:ff9b:2:0'],
  ['::ffff:0:cb00:7107', '203.0.113.7'],
  ['2002:cb00:7107::1', '203.0.113.7'],
  ['2002:cb00:7107:ffff:1:2:3:4', '203.0.113.7'],
  ['2001:0:4136:e378:8000:63bf:34ff:8ef8', '203.0.113.7'],
  ['2001:1::1', '2001:1:0:0'],
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

test.each([
  ['203.0.113.7', ['203.0', '203.0.113', '203.0.113.7']],
  ['2001:db8:1:2', ['2001:db8', '2001:db8:1', '2001:db8:1:2']],
  ['unknown', ['unknown', 'unknown', 'unknown']],
])('behavior: the networks of %s', (visitor, networks) => expect(networksOf(visitor)).toEqual(networks))

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
