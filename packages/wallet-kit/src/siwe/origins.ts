import { createSiweMessage } from 'viem/siwe'
import { SiweProblem } from './siweProblem.ts'

/**
 * Parses an https origin whose host a message can name; http is accepted only for this machine.
 *
 * @throws {TypeError}
 */
export function parseOrigin(origin: string): URL {
  const url = URL.canParse(origin) ? new URL(origin) : undefined
  const isLocal = url && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url?.origin !== origin || !(url.protocol === 'https:' || (url.protocol === 'http:' && isLocal)))
    throw new TypeError(
      `Invalid origin: ${origin}. Use one such as https://app.example, without a path; http: only for localhost.`,
    )
  if (!canBeNamed(url))
    throw new TypeError(
      `Invalid origin: ${origin}. Messages cannot name this host: use localhost, an IPv4 address, or a domain with a dot, in ASCII.`,
    )
  return url
}

/** Returns whether `createSiweMessage`, which the browser uses too, accepts the host of an origin. */
function canBeNamed({ host, origin }: URL): boolean {
  const address = '0x0000000000000000000000000000000000000000'
  try {
    return createSiweMessage({ address, chainId: 1, domain: host, nonce: '00000000', uri: origin, version: '1' }) !== ''
  } catch {
    return false
  }
}

/** Returns the problem of a request that a page of another site sent, according to the headers that browsers set. */
export function findSiteProblem({ method, headers }: Request, origins: readonly URL[]): SiweProblem | undefined {
  const [origin, site] = [headers.get('origin'), headers.get('sec-fetch-site')]
  const isRead = method === 'GET' || method === 'HEAD'
  const isOwnOrigin = origin === null || origins.some((one) => one.origin === origin)
  const isOwnSite = site === null || site === 'same-origin' || (site === 'none' && isRead)
  const isNamed = isRead || origin !== null || site !== null
  if (isOwnOrigin && isOwnSite && isNamed) return undefined
  return new SiweProblem('cross_site', `Requests must come from ${origins.map((one) => one.origin).join(' or ')}.`)
}
