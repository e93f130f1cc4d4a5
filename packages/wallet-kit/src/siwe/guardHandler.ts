import { findSiteProblem } from './origins.ts'
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
