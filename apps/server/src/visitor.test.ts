import { expect, test } from 'vitest'
import { visitorOf } from './visitor.ts'

test.each([
  ['no proxy trusted: a made-up header changes nothing', '10.0.0.9', '1.2.3.4', 0, '10.0.0.9'],
  ['one proxy: the entry it appended', '10.0.0.9', '6.6.6.6, 203.0.113.7', 1, '203.0.113.7'],
  ['two proxies', '10.0.0.9', '6.6.6.6, 203.0.113.7, 10.0.0.1', 2, '203.0.113.7'],
  ['a trusted proxy that wrote nothing', '10.0.0.9', undefined, 1, '10.0.0.9'],
  ['fewer entries than proxies', '10.0.0.9', '203.0.113.7', 2, '10.0.0.9'],
  ['IPv4 written as IPv6', '::ffff:127.0.0.1', undefined, 0, '127.0.0.1'],
  ['IPv6: its network', '2001:db8:1:2:3:4:5:6', undefined, 0, '2001:db8:1:2'],
  ['IPv6 shortened: its network', '2001:db8::6', undefined, 0, '2001:db8:0:0'],
  ['IPv6 of this machine', '::1', undefined, 0, '0:0:0:0'],
  ['no address', undefined, undefined, 0, 'unknown'],
] as const)('behavior: %s', (_, peer, forwardedFor, trustedProxies, visitor) => {
  expect(visitorOf({ peer, forwardedFor, trustedProxies })).toBe(visitor)
})
