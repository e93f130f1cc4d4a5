import { createSiweMessage } from 'viem/siwe'
import { SiweProblem } from './siweProblem.ts'

/**
 * Answers one request. `visitor` is the client address that the rate limit counts.
 *
 * @param request - The request.
 * @param context - `visitor`: the address of the client, as your server knows it.
 */
export type SiweHandler = (request: Request, context: { visitor: string }) => Promise<Response>

type GuardHandlerParameters = {
  method: 'GET' | 'POST'
  cost: number
  origins: readonly URL[]
  /** Takes `cost` from a visitor's limit and returns the seconds to wait, 0 for none. */
  limit: (visitor: string, cost: number) => number
}

/**
 * Creates a handler that checks the method, the site and the rate before it answers. A thrown `SiweProblem` becomes
 * the answer.
 */
export function guardHandler(
  answer: (request: Request) => Promise<Response>,
  { method, cost, origins, limit }: GuardHandlerParameters,
): SiweHandler {
  const allow = method === 'GET' ? 'GET, HEAD' : method
  return async (request, { visitor }) => {
    try {
      if (!allow.split(', ').includes(request.method))
        throw new SiweProblem('method_not_allowed', `Use ${allow}.`, { allow })
      const siteProblem = findSiteProblem(request, origins)
      if (siteProblem) throw siteProblem
      const seconds = limit(visitor, cost)
      if (seconds > 0)
        throw new SiweProblem('rate_limited', `Too many requests. Try again in ${seconds} s.`, {
          'retry-after': String(seconds),
        })
      const response = await answer(request)
      response.headers.set('cache-control', 'no-store')
      return response
    } catch (thrown) {
      if (thrown instanceof SiweProblem) return thrown.toResponse()
      throw thrown
    }
  }
}

/**
 * Parses an https origin whose host a message can name; http is accepted only for this machine.
 *
 * @throws {TypeError}
 */
export function parseOrigin(origin: string): URL {
  const url = URL.canParse(origin) ? new URL(origin) : undefined
  const isLocal = url && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (!url || url.origin !== origin || !(url.protocol === 'https:' || (url.protocol === 'http:' && isLocal)))
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
