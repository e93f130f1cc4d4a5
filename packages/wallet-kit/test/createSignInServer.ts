import { http } from 'viem'
import { createSiweMessage } from 'viem/siwe'
import type { AuthenticationAdapter, Session } from '../src/core/state/authentication.ts'
import { createSiweServer } from '../src/siwe/createSiweServer.ts'
import { memorySiweStore } from '../src/siwe/store.ts'

export const origin = 'https://app.example'

/** Creates an adapter over the handlers of `./siwe-server` for one browser, and records its calls. */
export function createSignInServer(change: Partial<AuthenticationAdapter> = {}) {
  const server = createSiweServer({
    origins: [origin],
    secrets: ['a secret of a test that has 32 bytes'],
    transports: { 56: http('http://127.0.0.1:9', { retryCount: 0 }) },
    store: memorySiweStore(),
  })
  const calls: string[] = []
  const codes: string[] = []
  const cookies = new Map<string, string>()
  const ask = async (path: string, handler: 'nonce' | 'verify' | 'session' | 'signOut', content?: unknown) => {
    calls.push(path)
    const request = new Request(`${origin}/auth/${path}`, {
      method: content === undefined ? 'GET' : 'POST',
      headers: {
        origin,
        cookie: [...cookies.values()].join('; '),
        'content-type': 'application/json',
        'sec-fetch-site': 'same-origin',
      },
      ...(content !== undefined && { body: JSON.stringify(content) }),
    })
    const response = await server[handler](request, { visitor: 'test' })
    for (const set of response.headers.getSetCookie()) {
      const [pair = ''] = set.split(';')
      cookies.set(pair.split('=')[0] ?? '', pair)
    }
    const body = response.status === 204 ? undefined : await response.json()
    if (response.ok) return body
    codes.push(body.code)
    throw new Error(body.code)
  }
  const adapter: AuthenticationAdapter = {
    getNonce: async () => (await ask('nonce', 'nonce')).nonce,
    createMessage: ({ nonce, address, chainId }) =>
      createSiweMessage({
        version: '1',
        domain: 'app.example',
        uri: origin,
        statement: 'Welcome.',
        nonce,
        address,
        chainId,
      }),
    verify: async (signed) => (await ask('verify', 'verify', signed)) as Session,
    signOut: async () => void (await ask('signout', 'signOut', {})),
    ...change,
  }
  return { adapter, calls, codes }
}
