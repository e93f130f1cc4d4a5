import { isIPv6 } from 'node:net'

/**
 * Who is asking, for counting requests: the peer, or what the trusted proxies wrote. An IPv6 network of /64 counts as one.
 *
 * Each proxy appends the address it saw, so with `trustedProxies` of them the visitor is that many entries from the right;
 * what stands further left may be made up.
 *
 * @example visitorOf({ peer: '10.0.0.2', forwardedFor: '1.2.3.4, 203.0.113.7', trustedProxies: 1 }) // '203.0.113.7'
 */
export function visitorOf({ peer, forwardedFor, trustedProxies }: VisitorOfParameters): string {
  const chain = forwardedFor?.split(',').map((part) => part.trim()) ?? []
  const forwarded = trustedProxies > 0 ? chain.at(-trustedProxies) : undefined
  const address = (forwarded || peer || 'unknown').replace(/^::ffff:(?=\d+\.)/i, '')
  return isIPv6(address) ? network(address) : address.slice(0, 64)
}

export type VisitorOfParameters = {
  peer: string | undefined
  forwardedFor: string | undefined
  trustedProxies: number
}

/** The first 64 bits, written out. */
function network(address: string): string {
  const [head = '', tail] = address.replace(/%.*/, '').split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail ? tail.split(':') : []
  const groups =
    tail === undefined ? left : [...left, ...Array(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right]
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
