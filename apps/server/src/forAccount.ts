import type { Address } from '@lineage/referral-api'
import type { SiweServer } from '@lineage/wallet-kit/siwe-server'
import { describeError } from './log.ts'
import { problem } from './problem.ts'

export type ForAccount = (request: Request, handler: (account: Address) => Promise<Response>) => Promise<Response>

/**
 * Creates a function that runs a handler for the signed-in account of a request. The account comes from the session only, so
 * that no request can reach what another account stored. Other sites and guests are refused.
 */
export function createForAccount(signIn: Pick<SiweServer, 'getSession' | 'refuseOtherSites'>): ForAccount {
  const handle: ForAccount = async (request, handler) => {
    const refusal = signIn.refuseOtherSites(request)
    if (refusal) return refusal
    const account = (await signIn.getSession(request))?.address
    if (account) return handler(account)
    return problem('unauthenticated', { detail: 'You are not signed in. Sign in with a wallet to keep labels.' })
  }
  return async (request, handler) => {
    const response = await handle(request, handler).catch((error: unknown) => answerError(request, error))
    response.headers.set('cache-control', 'no-store, private')
    response.headers.append('vary', 'cookie')
    return response
  }
}

function answerError(request: Request, error: unknown): Response {
  if (request.signal.aborted) throw error
  console.error(`Labels cannot be reached: ${describeError(error)}.`)
  return problem('unavailable', { detail: 'Labels are not available. Try again later.', retryAfter: 5 })
}
