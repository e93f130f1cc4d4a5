import { isIPv4, isIPv6 } from 'node:net'
import { expandIPv6 } from 'hono/utils/ipaddr'

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
 * right. Entries further left may be made up. An entry that is no address counts as the peer.
 *
 * @example identifyVisitor({ peer: '10.0.0.2', forwardedFor: '1.2.3.4, 203.0.113.7', trustedProxies: 1 }) // '203.0.113.7'
 */
export function identifyVisitor({ peer, forwardedFor, trustedProxies }: IdentifyVisitorParameters): string {
  const entries = forwardedFor?.split(',') ?? []
  const forwarded = trustedProxies > 0 ? entries.at(-trustedProxies) : undefined
  return (forwarded && parseAddress(forwarded)) ?? parseAddress(peer ?? '') ?? 'unknown'
}

/**
 * Returns the canonical form of an IP address (of an IPv6 address its /64 network), or `undefined` for any other
 * text. Ignores a port, brackets, a zone and leading zeros.
 *
 * @example parseAddress('[2001:db8::1]:443') // '2001:db8:0:0'
 */
export function parseAddress(text: string): string | undefined {
  const [, bracketed, plain = ''] = /^(?:\[([^\]]*)\](?::\d{1,5})?|(.*))$/.exec(text.trim()) ?? []
  const address = (bracketed ?? plain.replace(/^([\d.]+):\d{1,5}$/, '$1')).replace(/%[\w.-]+$/, '')
  const version4 = toIPv4(address.replace(/^::ffff:(?=[\d.]+$)/i, ''))
  if (version4 !== undefined) return version4
  return isIPv6(address) ? toNetwork(address) : undefined
}

/** Returns an IPv4 address without leading zeros: proxies that write them mean decimal numbers. */
function toIPv4(text: string): string | undefined {
  if (!/^\d{1,3}(\.\d{1,3}){3}$/.test(text)) return undefined
  const address = text.split('.').map(Number).join('.')
  return isIPv4(address) ? address : undefined
}

/** Returns the first 64 bits of an IPv6 address without leading zeros, or the IPv4 address it stands for. */
function toNetwork(address: string): string {
  const groups = expandIPv6(address)
    .split(':')
    .map((group) => Number.parseInt(group, 16))
  const [high = 0, low = 0] = groups.slice(6)
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff)
    return [high >> 8, high & 255, low >> 8, low & 255].join('.')
  return groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')
}
