import type { AuthenticationAdapter, Session } from '../core/authentication.ts'
import { WalletKitError } from '../core/errors.ts'

export type SiweAuthenticationOptions = {
  /** Where the handlers of `./siwe-server` are, on this origin: `/v1/auth`. */
  baseUrl: string
  /** A sentence of the message, in printable ASCII as the standard asks. Default: none. */
  statement?: string
}

/** Every request ends after this long. */
const requestTimeout = 10_000

/**
 * Signs people in at the handlers of `./siwe-server`, over `fetch`. The message names this page's host and origin.
 *
 * Its calls reject with a `WalletKitError` ("There was an error with the request.") for any answer that is not a 2xx with
 * JSON; `details` is the stable code of the server's problem, such as `nonce_used`.
 *
 * @see https://eips.ethereum.org/EIPS/eip-4361
 * @example
 * createWalletKit({ …, authentication: { adapter: siweAuthentication({ baseUrl: '/v1/auth' }), required: true } })
 */
export function siweAuthentication({ baseUrl, statement }: SiweAuthenticationOptions): AuthenticationAdapter {
  const base = baseUrl.replace(/\/+$/, '')

  const ask = async (path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`${base}/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      cache: 'no-store',
      credentials: 'same-origin',
      redirect: 'error',
      signal: AbortSignal.timeout(requestTimeout),
      headers: {
        accept: 'application/json',
        // In a frame of another site, as of Safe, browsers keep only cookies that are made for it.
        ...(window.parent !== window && { 'siwe-frame': 'embedded' }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const answer: unknown = response.status === 204 ? undefined : await response.json()
    if (!response.ok) throw new WalletKitError(failure, { details: String(Object(answer).code ?? response.status) })
    return answer
  }
  const request = (path: string, body?: unknown): Promise<unknown> =>
    ask(path, body).catch((thrown: unknown) => {
      throw thrown instanceof WalletKitError ? thrown : new WalletKitError(failure, { cause: thrown })
    })

  return {
    getNonce: async () => Object(await request('nonce')).nonce,
    createMessage: async ({ nonce, address, chainId }) => {
      const { createSiweMessage } = await import('viem/siwe')
      const { host: domain, origin: uri } = window.location
      return createSiweMessage({ version: '1', domain, uri, nonce, address, chainId, ...(statement && { statement }) })
    },
    // The kit checks whether it is a session.
    verify: async (signed) => (await request('verify', signed)) as Session,
    signOut: async () => void (await request('signout', {})),
    getSession: async () => ((await request('session')) ?? undefined) as Session | undefined,
  }
}

const failure = 'There was an error with the request.'
