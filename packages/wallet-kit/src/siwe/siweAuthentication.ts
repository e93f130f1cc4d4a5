import { WalletKitError } from '../core/lib/errors.ts'
import type { AuthenticationAdapter, Session } from '../core/state/authentication.ts'

export type SiweAuthenticationOptions = {
  /** The path of the `./siwe-server` handlers on this origin, such as `/v1/auth`. */
  baseUrl: string
  /** A sentence shown in the message, in printable ASCII. Default: none. */
  statement?: string | undefined
}

/** Time limit of a request, in milliseconds. */
const requestTimeout = 10_000

/**
 * Creates an adapter that signs people in through the `./siwe-server` handlers, over `fetch`. The message names this
 * page's host and origin.
 *
 * Its calls reject with a `WalletKitError` ("There was an error with the request.") for any response that is not a
 * 2xx with JSON; `details` is the stable code of the server's problem, such as `nonce_used`.
 *
 * @param options - The path of the handlers, and the statement in the message.
 * @throws {TypeError} for a statement that is not in printable ASCII
 * @see https://eips.ethereum.org/EIPS/eip-4361
 * @example
 * const kit = createWalletKit({
 *   ...config,
 *   authentication: { adapter: siweAuthentication({ baseUrl: '/v1/auth' }), required: true },
 * })
 */
export function siweAuthentication({ baseUrl, statement }: SiweAuthenticationOptions): AuthenticationAdapter {
  if (statement && !/^[\x20-\x7e]+$/.test(statement))
    throw new TypeError('Invalid statement: EIP-4361 allows only one line of printable ASCII.')
  const base = baseUrl.replace(/\/+$/, '')

  const send = async (path: string, content?: unknown): Promise<unknown> => {
    const response = await fetch(`${base}/${path}`, {
      method: content === undefined ? 'GET' : 'POST',
      cache: 'no-store',
      credentials: 'same-origin',
      redirect: 'error',
      signal: AbortSignal.timeout(requestTimeout),
      headers: {
        accept: 'application/json',
        // In a frame of another site, such as Safe, browsers keep only partitioned cookies.
        ...(window.parent !== window && { 'siwe-frame': 'embedded' }),
        ...(content !== undefined && { 'content-type': 'application/json' }),
      },
      ...(content !== undefined && { body: JSON.stringify(content) }),
    })
    const body: unknown = response.status === 204 ? undefined : await response.json()
    if (!response.ok) throw new WalletKitError(failure, { details: String(Object(body).code ?? response.status) })
    return body
  }
  const request = (path: string, content?: unknown): Promise<unknown> =>
    send(path, content).catch((thrown: unknown) => {
      throw thrown instanceof WalletKitError ? thrown : new WalletKitError(failure, { cause: thrown })
    })

  return {
    getNonce: async () => Object(await request('nonce')).nonce,
    createMessage: async ({ nonce, address, chainId }) => {
      const { createSiweMessage } = await import('viem/siwe')
      const { host: domain, origin: uri } = window.location
      return createSiweMessage({ version: '1', domain, uri, nonce, address, chainId, ...(statement && { statement }) })
    },
    // The kit validates the session.
    verify: async (signed) => (await request('verify', signed)) as Session,
    signOut: async () => void (await request('signout', {})),
    getSession: async () => ((await request('session')) ?? undefined) as Session | undefined,
  }
}

const failure = 'There was an error with the request.'
