import { expect, test } from 'vitest'
import { identifyVisitor } from './identifyVisitor.ts'

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
] as const)('behavior: %s', (_, peer, forwardedFor, trustedProxies, visitor) => {
  expect(identifyVisitor({ peer, forwardedFor, trustedProxies })).toBe(visitor)
})
