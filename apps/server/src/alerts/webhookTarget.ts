import { lookup } from 'node:dns/promises'
import ipaddr from 'ipaddr.js'

/** `public`: https to public addresses. `any`: http and private addresses too, for tests and closed networks. */
export type WebhookScope = 'public' | 'any'

/** Resolves a host name to all its addresses. */
export type Resolve = (hostname: string) => Promise<string[]>

/** A URL cannot be a webhook. The message says why. */
export class WebhookTargetError extends Error {
  override readonly name = 'WebhookTargetError'
}

export const resolveHost: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true, verbatim: true })).map(({ address }) => address)

/** Global unicast, of which the special ranges are taken out: https://www.iana.org/assignments/ipv6-address-space */
const globalUnicast = ipaddr.parseCIDR('2000::/3')

/**
 * Returns whether an IP address is public. Whatever has a meaning of its own is not: loopback, private, shared, link-local,
 * multicast, documentation, and the forms of IPv6 that carry an IPv4 address (mapped, compatible, 6to4, Teredo, NAT64).
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast') return false
  return address.kind() === 'ipv4' || address.match(globalUnicast)
}

/**
 * Parses the URL of a webhook. The parser of URLs writes every notation of an IPv4 address (`0x7f.1`, `2130706433`, `127.1`) as four
 * numbers.
 *
 * @throws {WebhookTargetError}
 */
export function parseWebhookUrl(text: string, scope: WebhookScope): URL {
  if (!URL.canParse(text)) throw new WebhookTargetError('This is no URL.')
  const url = new URL(text)
  const isEncrypted = url.protocol === 'https:'
  if (!isEncrypted && !(scope === 'any' && url.protocol === 'http:'))
    throw new WebhookTargetError('The URL must begin with https://.')
  if (url.username !== '' || url.password !== '')
    throw new WebhookTargetError('The URL must not have a user or a password.')
  const port = Number(url.port || (isEncrypted ? 443 : 80))
  if (scope === 'public' && port !== 443 && port < 1_024)
    throw new WebhookTargetError('The port must be 443, or 1024 and above.')
  const host = hostOf(url)
  if (scope === 'public' && ipaddr.isValid(host) && !isPublicAddress(host))
    throw new WebhookTargetError('The URL must lead to a public address.')
  return url
}

/** Returns the host without the brackets of IPv6. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1')

/**
 * Resolves the host of a webhook once, and returns the address to connect to. One address that is not public refuses them all.
 *
 * @throws {WebhookTargetError}
 */
export async function resolveTarget(url: URL, scope: WebhookScope, resolve: Resolve): Promise<string> {
  const host = hostOf(url)
  const addresses = ipaddr.isValid(host) ? [host] : await resolve(host).catch(() => [])
  const [first] = addresses
  if (first === undefined) throw new WebhookTargetError('The host is unknown.')
  if (scope === 'public' && !addresses.every(isPublicAddress))
    throw new WebhookTargetError('The host does not lead to public addresses.')
  return first
}
