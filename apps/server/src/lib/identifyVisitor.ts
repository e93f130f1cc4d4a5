import { parseAddress } from './parseAddress.ts'

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
