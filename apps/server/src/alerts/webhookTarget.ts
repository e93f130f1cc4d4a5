import { lookup, Resolver } from 'node:dns/promises'
import ipaddr from 'ipaddr.js'

/** `public`: https to public addresses. `any`: http and private addresses too, for tests and closed networks. */
export type WebhookScope = 'public' | 'any'

/** Resolves a host name to all its addresses, until the signal aborts. */
export type Resolve = (hostname: string, signal: AbortSignal) => Promise<string[]>

/** Thrown when a URL cannot be used as a webhook. The message says why. */
export class WebhookTargetError extends Error {
  override readonly name = 'WebhookTargetError'
}

/** Resolves names with the system's resolver, which also knows local names such as localhost. */
export const resolveLocal: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true, verbatim: true })).map(({ address }) => address)

/**
 * Creates a resolver that uses DNS only. Unlike `lookup`, it blocks no thread while a name server is silent, and it
 * can be cancelled.
 */
export function createResolve(servers?: readonly string[]): Resolve {
  return async (hostname, signal) => {
    const resolver = new Resolver({ timeout: 2_000, tries: 2 })
    if (servers) resolver.setServers(servers)
    const cancel = () => resolver.cancel()
    signal.addEventListener('abort', cancel, { once: true })
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    signal.removeEventListener('abort', cancel)
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  }
}

/**
 * The range of global unicast, from which the special ranges are excluded:
 * https://www.iana.org/assignments/ipv6-address-space
 */
const globalUnicast = ipaddr.parseCIDR('2000::/3')

/**
 * Returns whether an IP address is public. Special ranges are not: loopback, private, shared, link-local, multicast,
 * documentation, and the forms of IPv6 that carry an IPv4 address (mapped, compatible, 6to4, Teredo, NAT64).
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast') return false
  return address.kind() === 'ipv4' || address.match(globalUnicast)
}

/**
 * Parses the URL of a webhook. The URL parser turns every notation of an IPv4 address (`0x7f.1`, `2130706433`,
 * `127.1`) into four decimal numbers.
 *
 * @throws {WebhookTargetError}
 */
export function parseWebhookUrl(text: string, scope: WebhookScope): URL {
  if (!URL.canParse(text)) throw new WebhookTargetError('This is not a URL.')
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
 * Resolves the host of a webhook once and returns the addresses to connect to. Throws if any of them is not public.
 *
 * @throws {WebhookTargetError}
 */
export async function resolveTarget(
  url: URL,
  { scope, resolve, signal }: { scope: WebhookScope; resolve: Resolve; signal: AbortSignal },
): Promise<string[]> {
  const host = hostOf(url)
  const addresses = ipaddr.isValid(host) ? [host] : await resolve(host, signal).catch(() => [])
  // One message for both cases, so that it does not reveal names of an internal network.
  if (addresses.length === 0 || (scope === 'public' && !addresses.every(isPublicAddress)))
    throw new WebhookTargetError('The host is unknown, or does not lead to public addresses.')
  return addresses
}
