import { createHmac } from 'node:crypto'
import { isIPv4, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

export type IdentifyVisitorParameters = {
  /** Address of the peer of the connection. */
  peer: string | undefined
  /** The `X-Forwarded-For` header. */
  forwardedFor: string | undefined
  trustedProxies: number
}

/**
 * Returns the address that rate limits count: the peer's, or the one that trusted proxies forwarded. An IPv6 network
 * of /64 counts as one visitor.
 *
 * Each proxy appends the address it saw, so with `trustedProxies` of them the visitor is that many entries from the
 * right. Entries further left may be made up. An entry that is empty or no address counts as the peer.
 *
 * @example identifyVisitor({ peer: '10.0.0.2', forwardedFor: '1.2.3.4, 203.0.113.7', trustedProxies: 1 }) // '203.0.113.7'
 */
export function identifyVisitor({ peer, forwardedFor, trustedProxies }: IdentifyVisitorParameters): string {
  const forwarded = trustedProxies > 0 ? forwardedFor?.split(',').at(-trustedProxies) : undefined
  return parseAddress(forwarded ?? '') ?? parseAddress(peer ?? '') ?? 'unknown'
}

/**
 * Returns the networks of a visitor, the widest first: for IPv4 its /16, its /24 and the address, for IPv6 its /32, its
 * /48 and its /64. A customer of a provider often gets a /24 or a /48, a provider itself a /16 or a /32.
 *
 * @example networksOf('2001:db8:1:2') // ['2001:db8', '2001:db8:1', '2001:db8:1:2']
 */
export function networksOf(visitor: string): string[] {
  const separator = visitor.includes(':') ? ':' : '.'
  const parts = visitor.split(separator)
  return [2, 3, 4].map((length) => parts.slice(0, length).join(separator))
}

/** Returns names of the networks of a visitor that only the server can compute, to be stored. */
export const hashNetworks = (visitor: string, secret: string): string[] =>
  networksOf(visitor).map((network) =>
    createHmac('sha256', secret).update(`network ${network}`).digest('base64url').slice(0, 16),
  )

/**
 * Returns the canonical form of an IP address (of an IPv6 address its /64 network, or the IPv4 address it stands for),
 * or `undefined` for any other text. Ignores a port, brackets, a zone and leading zeros.
 *
 * @example parseAddress('[2001:db8::1]:443') // '2001:db8:0:0'
 */
export function parseAddress(text: string): string | undefined {
  const [, bracketed, plain = ''] = /^(?:\[([^\]]*)\](?::\d{1,5})?|(.*))$/.exec(text.trim()) ?? []
  const address = (bracketed ?? plain.replace(/^([\d.]+):\d{1,5}$/, '$1')).replace(/%[\w.-]+$/, '')
  const version4 = toIPv4(address.replace(/^::ffff:(?=[\d.]+$)/i, ''))
  if (version4 !== undefined) return version4
  return isIPv6(address) ? nameIPv6(ipaddr.IPv6.parse(address)) : undefined
}

/** Returns an IPv4 address without leading zeros: proxies that write them mean decimal numbers. */
function toIPv4(text: string): string | undefined {
  if (!/^\d{1,3}(\.\d{1,3}){3}$/.test(text)) return undefined
  const address = text.split('.').map(Number).join('.')
  return isIPv4(address) ? address : undefined
}

/**
 * Ranges of IPv6 whose addresses stand for an IPv4 address: answers reach the visitor through it, so it cannot be made
 * up. `from` is the first of its two groups of 16 bits.
 */
const carriers = [
  { range: '::ffff:0:0/96', from: 6 },
  // Stateless translation (RFC 7915).
  { range: '::ffff:0:0:0/96', from: 6 },
  // NAT64: the prefix of all networks (RFC 6052), and those of a network of its own (RFC 8215), which are of /96.
  { range: '64:ff9b::/96', from: 6 },
  { range: '64:ff9b:1::/48', from: 6 },
  // 6to4 (RFC 3056): each IPv4 address has 65,536 networks of /64.
  { range: '2002::/16', from: 1 },
  // Teredo (RFC 4380), with the bits of the visitor's address inverted. The /64 is that of the Teredo server.
  { range: '2001::/32', from: 6, mask: 0xffff },
].map(({ range, mask = 0, ...one }) => ({ ...one, mask, range: ipaddr.IPv6.parseCIDR(range) }))

/** Returns the IPv4 address that an IPv6 address stands for, or its first 64 bits without leading zeros. */
function nameIPv6(address: ipaddr.IPv6): string {
  const carrier = carriers.find(({ range }) => address.match(range))
  if (carrier) {
    const [high = 0, low = 0] = address.parts.slice(carrier.from).map((part) => part ^ carrier.mask)
    // Networks begin with 1 to 255: anything else is another layout.
    if (high > 0xff) return [high >> 8, high & 255, low >> 8, low & 255].join('.')
  }
  return address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')
}
