import type { Address } from '@lineage/referral-api'
import type { SiweServer } from '@lineage/wallet-kit/siwe-server'
import { summarizeError } from '../lib/log.ts'
import { problem } from '../lib/problem.ts'

/** A request of a signed-in account. */
export type AccountRequest = {
  account: Address
  request: Request
  /** Checks the session again, which may have ended while a body was read. */
  isSignedIn: () => Promise<boolean>
}
type AccountHandler = (accountRequest: AccountRequest) => Promise<Response>
export type ForAccount = (request: Request, handler: AccountHandler) => Promise<Response>

/**
 * Creates a function that runs a handler for the signed-in account of a request. The account comes only from the
 * session, so a request cannot reach the data of another account. Requests of other sites and of guests are refused.
 */
export function createForAccount(signIn: Pick<SiweServer, 'getSession' | 'refuseOtherSites'>): ForAccount {
  const handle: ForAccount = async (request, handler) => {
    const refusal = signIn.refuseOtherSites(request)
    if (refusal) return refusal
    const findAccount = async () => (await signIn.getSession(request))?.address
    const account = await findAccount()
    if (!account) return unauthenticated()
    return handler({ account, request, isSignedIn: async () => (await findAccount()) === account })
  }
  return async (request, handler) => {
    const response = await handle(request, handler).catch((error: unknown) => answerError(request, error))
    response.headers.set('cache-control', 'no-store, private')
    response.headers.append('vary', 'cookie')
    return response
  }
}

export const unauthenticated = () =>
  problem('unauthenticated', { detail: 'You are not signed in. Sign in with a wallet to keep labels and alerts.' })

function answerError(request: Request, error: unknown): Response {
  if (request.signal.aborted) throw error
  console.error(`The account cannot be reached: ${summarizeError(error)}.`)
  return problem('unavailable', { detail: 'Accounts are not available. Try again later.', retryAfter: 5 })
}
