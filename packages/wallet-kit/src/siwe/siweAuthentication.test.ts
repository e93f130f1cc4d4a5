import { http } from 'viem'
import { parseSiweMessage } from 'viem/siwe'
import { afterEach, expect, test, vi } from 'vitest'
import { setupKit } from '../testing/setupKit.ts'
import { createSiweServer } from './createSiweServer.ts'
import { siweAuthentication } from './siweAuthentication.ts'
import { memorySiweStore } from './store.ts'

const privateKey = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'

afterEach(() => void vi.unstubAllGlobals())

/** Replaces `fetch` with the server's handlers, and keeps their cookies. */
function serve() {
  const server = createSiweServer({
    origins: [window.location.origin as 'http://localhost'],
    secrets: ['a secret of thirty-two bytes, and more'],
    transports: { 56: http('http://127.0.0.1:1') },
    store: memorySiweStore(),
  })
  const handlers = { nonce: server.nonce, verify: server.verify, session: server.session, signout: server.signOut }
  const jar = new Map<string, string>()
  const asked: string[] = []
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const path = url.replace('/v1/auth/', '') as keyof typeof handlers
    asked.push(path)
    const headers = new Headers(init.headers)
    headers.set('cookie', [...jar].map((pair) => pair.join('=')).join('; '))
    if (init.method === 'POST') headers.set('origin', window.location.origin)
    const request = new Request(new URL(url, window.location.origin), { method: init.method, headers, body: init.body })
    const response = await handlers[path](request, { visitor: 'one' })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value) jar.set(name, value)
      else jar.delete(name)
    }
    return response
  })
  return { asked, jar }
}

test('the kit signs in, restores the session and signs out', async () => {
  const { asked } = serve()
  const adapter = siweAuthentication({ baseUrl: '/v1/auth/', statement: 'Sign in.' })
  const { kit, createKit, a } = setupKit({ a: { privateKey }, authentication: { adapter, required: true } })
  await kit.connect({ walletId: 'a' })
  const session = await kit.signIn()
  const [message = ''] = (a.requests.findLast(({ method }) => method === 'personal_sign')?.params ?? []) as string[]
  const text = new TextDecoder().decode(
    Uint8Array.from((message.slice(2).match(/../g) ?? []).map((it) => Number(`0x${it}`))),
  )
  expect(parseSiweMessage(text)).toMatchObject({
    domain: window.location.host,
    uri: window.location.origin,
    chainId: 56,
  })

  const reloaded = createKit()
  await reloaded.reconnect()
  expect(reloaded.getState()).toMatchObject({ status: 'connected', session })
  await reloaded.signOut()
  expect(await adapter.getSession?.()).toBeUndefined()
  expect(asked.filter((path) => path === 'verify')).toHaveLength(1)
})

test.each<[string, () => Promise<Response>, string | undefined]>([
  ['a problem', async () => Response.json({ code: 'nonce_used' }, { status: 401 }), 'nonce_used'],
  ['an error page', async () => new Response('<html>', { status: 502 }), undefined],
  ['an error without a code', async () => Response.json(null, { status: 500 }), '500'],
  ['malformed JSON', async () => new Response('ok'), undefined],
  ['no network', async () => Promise.reject(new TypeError('Failed to fetch')), undefined],
])('error: %s', async (_, answer, details) => {
  vi.stubGlobal('fetch', answer)
  await expect(siweAuthentication({ baseUrl: '/auth' }).verify({ message: '', signature: '0x' })).rejects.toMatchObject(
    {
      name: 'WalletKitError',
      shortMessage: 'There was an error with the request.',
      details,
    },
  )
})

test('behavior: requests time out after 10 s, send same-origin cookies and follow no redirect', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout')
  const fetched = vi.fn(async (_url: string, _init: RequestInit) => Response.json({ nonce: 'abcdefgh' }))
  vi.stubGlobal('fetch', fetched)
  expect(await siweAuthentication({ baseUrl: '/auth' }).getNonce()).toBe('abcdefgh')
  expect(timeout).toHaveBeenCalledWith(10_000)
  expect(fetched.mock.calls[0]?.[1]).toMatchObject({ credentials: 'same-origin', redirect: 'error', cache: 'no-store' })
})

test.each(['Sign in to 青禾', 'one\ntwo', '\t'])('error: a statement that no server accepts: %j', (statement) => {
  expect(() => siweAuthentication({ baseUrl: '/v1/auth', statement })).toThrow(TypeError)
})
