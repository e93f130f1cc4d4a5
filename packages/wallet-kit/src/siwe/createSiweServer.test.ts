// @vitest-environment node
import fc from 'fast-check'
import { SiweMessage } from 'siwe'
import { type Hex, http, parseSignature, serializeSignature } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage, type SiweMessage as SiweFields } from 'viem/siwe'
import { afterEach, expect, test, vi } from 'vitest'
import { createSiweServer, type SiweServerOptions } from './createSiweServer.ts'
import type { SiweHandler } from './guardHandler.ts'
import { memorySiweStore } from './store.ts'
import { createTokenBuckets } from './tokenBuckets.ts'

const signer = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
const stranger = privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d')
const origin = 'https://app.example'
const secret = 'a secret of thirty-two bytes, and more'
const minute = 60_000
let now = Date.now()
afterEach(() => {
  now = Date.now()
})

type Given = { method?: string; headers?: Record<string, string>; body?: string }
type Browser = ReturnType<typeof createBrowser>

function setup(options: Partial<SiweServerOptions> = {}) {
  const store = memorySiweStore()
  const server = createSiweServer({
    origins: [origin],
    secrets: [secret],
    // No node: these signatures are verified without one.
    transports: { 56: http('http://127.0.0.1:1', { retryCount: 0 }) },
    store,
    now: () => now,
    ...options,
  })
  return { server, store, browser: createBrowser(server) }
}

/** Creates a browser on a page of the app, with its cookies. */
function createBrowser(server: Pick<ReturnType<typeof createSiweServer>, 'nonce' | 'verify' | 'session' | 'signOut'>) {
  const jar = new Map<string, string>()
  const ask = async (handler: SiweHandler, { method = 'GET', headers = {}, body }: Given = {}) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const request = new Request(`${origin}/v1/auth`, {
      method,
      headers: {
        'sec-fetch-site': 'same-origin',
        ...(cookie && { cookie }),
        ...(method === 'POST' && { origin, 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    })
    const response = await handler(request, { visitor: 'one' })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (line.includes('Max-Age=0')) jar.delete(name)
      else jar.set(name, value)
    }
    return response
  }
  return {
    jar,
    ask,
    nonce: async () => ((await (await ask(server.nonce)).json()) as { nonce: string }).nonce,
    verify: (message: string, signature: string, given: Given = {}) =>
      ask(server.verify, { method: 'POST', body: JSON.stringify({ message, signature }), ...given }),
    session: (given?: Given) => ask(server.session, given),
    signOut: (given: Given = {}) => ask(server.signOut, { method: 'POST', body: '{}', ...given }),
  }
}

const write = (fields: Partial<SiweFields> & { nonce: string }) =>
  createSiweMessage({
    version: '1',
    domain: 'app.example',
    uri: origin,
    chainId: 56,
    address: signer.address,
    issuedAt: new Date(now),
    ...fields,
  })

async function signIn(browser: Browser, account = signer) {
  const message = write({ nonce: await browser.nonce(), address: account.address })
  return browser.verify(message, await account.signMessage({ message }))
}

const refused = async (response: Response) => {
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  expect(response.headers.get('cache-control')).toBe('no-store')
  return ((await response.json()) as { code: string }).code
}

test('signs in, finds the session, signs out', async () => {
  const { server, browser } = setup()
  expect(await (await browser.session()).json()).toBeNull()
  const response = await signIn(browser)
  const session = { address: signer.address, chainId: 56, expiresAt: now + 7 * 24 * 60 * minute }
  expect([response.status, await response.json()]).toEqual([200, session])
  expect(response.headers.getSetCookie()[0]).toMatch(
    /^__Host-siwe-session=[0-9a-f]{32}\.[0-9a-f]{64}; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=604800$/,
  )
  expect(await (await browser.session()).json()).toEqual(session)
  const cookie = [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; ')
  expect(await server.getSession(new Request(origin, { headers: { cookie } }))).toEqual(session)
  expect((await browser.signOut()).status).toBe(204)
  expect(await (await browser.session()).json()).toBeNull()
  // The cookie is still signed, but the session is revoked.
  expect(await server.getSession(new Request(origin, { headers: { cookie } }))).toBeUndefined()
})

test('behavior: signing in again replaces the session', async () => {
  const { server, browser } = setup()
  await signIn(browser)
  const earlier = browser.jar.get('__Host-siwe-session')
  await signIn(browser)
  expect(browser.jar.get('__Host-siwe-session')).not.toBe(earlier)
  const headers = { cookie: `__Host-siwe-session=${earlier}` }
  expect(await server.getSession(new Request(origin, { headers }))).toBeUndefined()
})

test('behavior: a session expires', async () => {
  const { browser } = setup()
  await signIn(browser)
  now += 7 * 24 * 60 * minute
  expect(await (await browser.session()).json()).toBeNull()
})

test('behavior: cookies signed with an older secret are accepted until it is removed', async () => {
  const { browser, store } = setup()
  await signIn(browser)
  const later = 'another secret of thirty-two bytes, or more'
  const cookie = `__Host-siwe-session=${browser.jar.get('__Host-siwe-session')}`
  const request = () => new Request(origin, { headers: { cookie } })
  const known = { store, now: () => now }
  expect(await setup({ ...known, secrets: [later, secret] }).server.getSession(request())).toBeDefined()
  expect(await setup({ ...known, secrets: [later] }).server.getSession(request())).toBeUndefined()
})

test('behavior: in a frame of another site cookies are partitioned', async () => {
  const { server, browser } = setup()
  const response = await browser.ask(server.nonce, { headers: { 'siwe-frame': 'embedded' } })
  expect(response.headers.getSetCookie()[0]).toContain('SameSite=None; Secure; Partitioned')
})

test('behavior: on http://localhost cookies are not Secure', async () => {
  const { server, browser } = setup({ origins: ['http://localhost:5173'] })
  const response = await browser.ask(server.nonce)
  expect(response.headers.getSetCookie()[0]).toMatch(
    /^siwe-browser=[0-9a-f]{32}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/,
  )
})

/** Messages with a valid signature and one wrong field. */
const messages: [string, (nonce: string) => Partial<SiweFields>, string][] = [
  ['other domain', () => ({ domain: 'evil.example' }), 'wrong_domain'],
  ['other scheme', () => ({ scheme: 'http' }), 'wrong_domain'],
  ['a domain with another port', () => ({ domain: 'app.example:8443' }), 'wrong_domain'],
  ['other URI', () => ({ uri: 'https://evil.example' }), 'wrong_uri'],
  ['a URI that begins like ours', () => ({ uri: 'https://app.example.evil.example' }), 'wrong_uri'],
  ['other chain', () => ({ chainId: 1 }), 'wrong_chain'],
  ['expired', () => ({ expirationTime: new Date(now - 1) }), 'message_expired'],
  ['not yet valid', () => ({ notBefore: new Date(now + minute) }), 'message_not_yet_valid'],
  ['issued in the future', () => ({ issuedAt: new Date(now + 48 * 60 * minute) }), 'message_not_yet_valid'],
  ['made-up nonce', () => ({ nonce: 'abcdefgh12345678' }), 'invalid_nonce'],
  ['altered nonce', (nonce) => ({ nonce: `${nonce.slice(0, -1)}${nonce.endsWith('0') ? '1' : '0'}` }), 'invalid_nonce'],
  ['a nonce with a later time', (nonce) => ({ nonce: `f${nonce.slice(1)}` }), 'invalid_nonce'],
]

test.each(messages)('attack: %s', async (_, change, code) => {
  const { browser } = setup()
  const nonce = await browser.nonce()
  const message = write({ nonce, ...change(nonce) })
  expect(await refused(await browser.verify(message, await signer.signMessage({ message })))).toBe(code)
  expect(browser.jar.has('__Host-siwe-session')).toBe(false)
})

test('attack: replayed nonce', async () => {
  const { browser } = setup()
  const message = write({ nonce: await browser.nonce() })
  const signature = await signer.signMessage({ message })
  expect((await browser.verify(message, signature)).status).toBe(200)
  expect(await refused(await browser.verify(message, signature))).toBe('nonce_used')
})

test('attack: a used nonce after the clock is set back', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { browser } = setup({ now: Date.now })
  const message = write({ nonce: await browser.nonce() })
  const signature = await signer.signMessage({ message })
  const cookies = new Map(browser.jar)
  expect((await browser.verify(message, signature)).status).toBe(200)
  // The next sign-in, an hour later, deletes the nonce.
  vi.setSystemTime(Date.now() + 60 * minute)
  now = Date.now()
  expect((await signIn(browser)).status).toBe(200)
  vi.setSystemTime(Date.now() - 60 * minute)
  for (const [name, value] of cookies) browser.jar.set(name, value)
  expect(await refused(await browser.verify(message, signature))).toBe('nonce_used')
  vi.useRealTimers()
})

test.each([
  ['an hour back', -60 * minute, 0],
  ['ten years ahead and back', 0, 10 * 365 * 24 * 60 * minute],
])('behavior: people sign in while the clock jumps %s, and afterwards', async (_, behind, ahead) => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { server, browser } = setup({ now: Date.now })
  const moveClock = (by: number) => {
    vi.setSystemTime(Date.now() + by)
    now = Date.now()
  }
  const message = write({ nonce: await browser.nonce() })
  const signature = await signer.signMessage({ message })
  expect((await browser.verify(message, signature)).status).toBe(200)
  moveClock(ahead)
  const [meanwhile, early] = [createBrowser(server), createBrowser(server)]
  expect((await signIn(meanwhile)).status).toBe(200)
  const earlyNonce = await early.nonce()
  moveClock(behind - ahead)
  expect((await signIn(createBrowser(server))).status).toBe(200)
  expect(await (await browser.session()).json()).not.toBeNull()
  expect(await (await meanwhile.session()).json()).toEqual(ahead > 0 ? null : expect.anything())
  expect(await refused(await browser.verify(message, signature))).toMatch(/^nonce_(used|expired)$/)
  const late = write({ nonce: earlyNonce })
  expect(await refused(await early.verify(late, await signer.signMessage({ message: late })))).toBe('nonce_expired')
  vi.useRealTimers()
})

test.each([
  ['when the message expires', () => ({ expirationTime: new Date(now + 5 * minute) }), () => now + 5 * minute],
  [
    'seven days after an old message',
    () => ({ issuedAt: new Date(now - 60 * minute) }),
    () => now + (7 * 24 - 1) * 60 * minute,
  ],
  [
    'seven days from now for a message of the future',
    () => ({ issuedAt: new Date(now + 60 * minute) }),
    () => now + 7 * 24 * 60 * minute,
  ],
])('behavior: a session ends %s', async (_, fields, end) => {
  const { browser } = setup()
  const message = write({ nonce: await browser.nonce(), ...fields() })
  const response = await browser.verify(message, await signer.signMessage({ message }))
  expect(((await response.json()) as { expiresAt: number }).expiresAt).toBe(end())
  const age = /Max-Age=(\d+)/.exec(response.headers.getSetCookie()[0] ?? '')?.[1]
  expect(Number(age)).toBe((end() - now) / 1000)
})

test('attack: a message that is older than a session lasts', async () => {
  const { browser } = setup()
  const message = write({ nonce: await browser.nonce(), issuedAt: new Date(now - 7 * 24 * 60 * minute) })
  expect(await refused(await browser.verify(message, await signer.signMessage({ message })))).toBe('message_expired')
})

test('attack: two verifies race with one nonce', async () => {
  const { browser } = setup()
  const message = write({ nonce: await browser.nonce() })
  const signature = await signer.signMessage({ message })
  const answers = await Promise.all(Array.from({ length: 8 }, () => browser.verify(message, signature)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(401)])
})

test('attack: a nonce of another browser', async () => {
  const { server, browser } = setup()
  const message = write({ nonce: await createBrowser(server).nonce() })
  await browser.nonce()
  expect(await refused(await browser.verify(message, await signer.signMessage({ message })))).toBe('invalid_nonce')
})

test('the URL of a node is a transport; without an answer a contract wallet cannot sign in', async () => {
  const { browser } = setup({ transports: { 56: 'http://127.0.0.1:1' } })
  expect((await signIn(browser)).status).toBe(200)
  const message = write({ nonce: await browser.nonce() })
  const response = await browser.verify(message, `0x${'11'.repeat(66)}`)
  expect(await refused(response)).toBe('unavailable')
})

test.each<[string, unknown]>([
  ['origins', undefined],
  ['origins', []],
  ['origins', 'https://app.example'],
  ['secrets', undefined],
  ['secrets', 'x'.repeat(40)],
  ['transports', undefined],
  ['transports', {}],
  ['transports', { 56: [] }],
  ['transports', { 1: ['http://127.0.0.1:1'], 56: [] }],
  ['store', undefined],
  ['store', {}],
  ['sessionLifetime', '7d'],
  ['sessionLifetime', 0],
  ['timeout', Number.NaN],
])('error: %s is %j, as in an environment without a variable', (name, value) => {
  expect(() => setup({ [name]: value })).toThrow(
    new TypeError(`Property ${name} of createSiweServer is missing or invalid.`),
  )
})

test('error: an origin that the environment lacks', () => {
  expect(() => setup({ origins: [undefined as unknown as string] })).toThrow(/^Invalid origin: undefined\. /)
})

test.each(['wss://node.example', '/rpc', 'node.example?key=secret', '', undefined as unknown as string])(
  'error: %j as a transport',
  (transport) => {
    expect(() => setup({ transports: { 56: transport } })).toThrow(
      new TypeError('Invalid transport: the URL of a node starts with https:// or http://.'),
    )
  },
)

test('behavior: two tabs of a browser: the nonce of one stays valid after the other fetched one', async () => {
  const { browser } = setup()
  const messages = [write({ nonce: await browser.nonce() }), write({ nonce: await browser.nonce() })]
  for (const message of messages)
    expect((await browser.verify(message, await signer.signMessage({ message }))).status).toBe(200)
})

test('attack: an expired nonce', async () => {
  const { browser } = setup()
  const message = write({ nonce: await browser.nonce() })
  now += 10 * minute
  expect(await refused(await browser.verify(message, await signer.signMessage({ message })))).toBe('nonce_expired')
})

test.each<[string, (message: string) => Promise<Hex> | Hex, string]>([
  ['of another address', (message) => stranger.signMessage({ message }), 'unavailable'],
  ['of another message', () => signer.signMessage({ message: 'another' }), 'unavailable'],
  [
    'in its malleable form',
    async (message) => {
      const { r, s, yParity } = parseSignature(await signer.signMessage({ message }))
      const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
      const high = `0x${(order - BigInt(s)).toString(16).padStart(64, '0')}` as Hex
      return serializeSignature({ r, s: high, yParity: yParity === 0 ? 1 : 0 })
    },
    'invalid_signature',
  ],
  ['that is not hex', () => '0xzz' as Hex, 'invalid_signature'],
  ['that is empty', () => '0x', 'invalid_signature'],
])('attack: a signature %s', async (_, sign, code) => {
  const { browser } = setup()
  const message = write({ nonce: await browser.nonce() })
  // Without a node it is unknown whether a contract would accept the signature; see verifySignature.chain.test.ts.
  expect(await refused(await browser.verify(message, await sign(message)))).toBe(code)
  expect(browser.jar.has('__Host-siwe-session')).toBe(false)
})

test.each<[string, (message: string) => string]>([
  ['empty', () => ''],
  ['another text', () => 'hello'],
  ['an additional last line', (message) => `${message}\nevil`],
  ['an additional first line', (message) => `evil\n${message}`],
  ['a second URI', (message) => message.replace('\nVersion', '\nURI: https://evil.example\nVersion')],
  ['CRLF line ends', (message) => message.replaceAll('\n', '\r\n')],
  ['a header in the statement', (message) => message.replace('\n\n\n', '\n\nSet-Cookie: a=b\r\nX: y\n\n')],
  ['non-ASCII letters', (message) => message.replace('\n\n\n', '\n\n你好\n\n')],
  ['an address in lower case', (message) => message.replace(signer.address, signer.address.toLowerCase())],
  ['another version', (message) => message.replace('Version: 1', 'Version: 2')],
  ['a chain id that is not decimal', (message) => message.replace('Chain ID: 56', 'Chain ID: 0x38')],
  ['an invalid time', (message) => message.replace(/Issued At: .*/, 'Issued At: 2026-13-45T99:00:00Z')],
  ['a statement that takes long to parse', (message) => message.replace('\n\n\n', `\n\n${'URI: '.repeat(1_400)}\n\n`)],
  ['a user before the domain', (message) => `app.example@${message}`],
])('attack: malformed: %s', async (_, change) => {
  const { browser } = setup()
  const message = change(write({ nonce: await browser.nonce() }))
  expect(await refused(await browser.verify(message, await signer.signMessage({ message })))).toBe('invalid_message')
})

test.each<[string, Given, string]>([
  ['1 MB', { body: 'x'.repeat(1_000_000) }, 'payload_too_large'],
  [
    'a body longer than its content-length',
    { body: 'x'.repeat(9_000), headers: { 'content-length': '5' } },
    'payload_too_large',
  ],
  ['malformed JSON', { body: '{' }, 'invalid_message'],
  ['null', { body: 'null' }, 'invalid_message'],
  ['a list', { body: '[1]' }, 'invalid_message'],
  ['a form', { headers: { 'content-type': 'application/x-www-form-urlencoded' } }, 'unsupported_media_type'],
  ['a text', { headers: { 'content-type': 'text/plain; application/json' } }, 'unsupported_media_type'],
  ['another origin', { headers: { origin: 'https://evil.example' } }, 'cross_site'],
  ['the origin null', { headers: { origin: 'null' } }, 'cross_site'],
  ['another site', { headers: { 'sec-fetch-site': 'cross-site' } }, 'cross_site'],
  ['another host of the same site', { headers: { 'sec-fetch-site': 'same-site' } }, 'cross_site'],
  ['GET', { method: 'GET', body: undefined as never }, 'method_not_allowed'],
])('attack: verify with %s', async (_, given, code) => {
  const { browser } = setup()
  expect(await refused(await browser.verify('', '0x', given))).toBe(code)
})

test('attack: signing out from another site', async () => {
  const { browser } = setup()
  await signIn(browser)
  expect(await refused(await browser.signOut({ headers: { origin: 'https://evil.example' } }))).toBe('cross_site')
  expect(await (await browser.session()).json()).not.toBeNull()
})

test('attack: cookies altered, swapped, planted', async () => {
  const { server, browser } = setup()
  const other = createBrowser(server)
  await signIn(browser)
  await signIn(other, stranger)
  const name = '__Host-siwe-session'
  const [mine = '', theirs = ''] = [browser.jar.get(name), other.jar.get(name)]
  const flip = (text: string) => `${text.slice(0, -1)}${text.endsWith('0') ? '1' : '0'}`
  // The id of one session with the signature of another.
  const swapped = `${theirs.split('.')[0]}.${mine.split('.')[1]}`
  for (const value of [
    flip(mine),
    `${flip(mine.split('.')[0] ?? '')}.${mine.split('.')[1]}`,
    swapped,
    '.',
    'x.y',
    '',
  ]) {
    browser.jar.set(name, value)
    const response = await browser.session()
    expect(await refused(response)).toBe('invalid_session')
    expect(response.headers.getSetCookie()[0]).toContain('Max-Age=0')
  }
  const headers = { cookie: `${name}=${theirs}; ${name}=${mine}; ${name}=${mine}` }
  expect(await server.getSession(new Request(origin, { headers }))).toBeUndefined()
})

test('behavior: a frame of the same site, whose browser sends a partitioned cookie beside the other one', async () => {
  const { server, browser } = setup()
  const [browserName, name] = ['__Host-siwe-browser', '__Host-siwe-session']
  const nonceOf = async (headers: Record<string, string>) => {
    const response = await browser.ask(server.nonce, { headers })
    return { cookie: `${browser.jar.get(browserName)}`, nonce: ((await response.json()) as { nonce: string }).nonce }
  }
  await signIn(browser)
  const top = `${browser.jar.get(name)}`
  browser.jar.delete(browserName)
  const outside = await nonceOf({})
  browser.jar.delete(browserName)
  const inside = await nonceOf({ 'siwe-frame': 'embedded' })

  // Signing in with the nonce of either cookie ends the earlier session.
  const message = write({ nonce: inside.nonce, address: stranger.address })
  const cookie = `${browserName}=${outside.cookie}; ${browserName}=${inside.cookie}; ${name}=${top}`
  const signature = await stranger.signMessage({ message })
  expect((await browser.verify(message, signature, { headers: { cookie } })).status).toBe(200)
  const both = { headers: { cookie: `${name}=${top}; ${name}=${browser.jar.get(name)}` } }
  expect(await (await browser.session(both)).json()).toMatchObject({ address: stranger.address })
  await browser.signOut(both)
  expect(await (await browser.session(both)).json()).toBeNull()
})

test('attack: over http, where another host of the domain can plant a cookie, two of them count as none', async () => {
  const origin = 'http://localhost:5173'
  const { server } = setup({ origins: [origin] })
  const ask = (cookie: string) =>
    server.session(new Request(origin, { headers: { cookie, 'sec-fetch-site': 'same-origin' } }), { visitor: 'one' })
  expect(await refused(await ask('siwe-session=planted'))).toBe('invalid_session')
  expect(await (await ask('siwe-session=planted; siwe-session=mine')).json()).toBeNull()
})

test('property: any body or cookie is answered, with a problem at worst', async () => {
  const { server } = setup({ limit: () => 0 })
  const codes = new Set<string>()
  await fc.assert(
    fc.asyncProperty(
      fc.json(),
      fc.string({ unit: fc.constantFrom(...'=;., _-abcHost0189%"') }),
      async (body, cookie) => {
        const headers = { origin, 'content-type': 'application/json', cookie: `__Host-siwe-session=${cookie}` }
        const ask = (handler: SiweHandler, method: string) =>
          handler(new Request(origin, { method, headers, ...(method === 'POST' && { body }) }), { visitor: 'one' })
        codes.add(await refused(await ask(server.verify, 'POST')))
        expect([200, 401]).toContain((await ask(server.session, 'GET')).status)
        expect((await ask(server.signOut, 'POST')).status).toBe(204)
      },
    ),
  )
  expect([...codes]).toContain('invalid_message')
})

test('behavior: the rate limit counts each visitor separately', async () => {
  const { server } = setup({ limit: createTokenBuckets({ burst: 3, perSecond: 3 / 60, now: () => now }).take })
  const ask = (visitor: string) => server.nonce(new Request(origin), { visitor })
  for (let left = 3; left > 0; left--) expect((await ask('one')).status).toBe(200)
  const response = await ask('one')
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await refused(response)).toBe('rate_limited')
  expect((await ask('two')).status).toBe(200)
  now += minute
  expect((await ask('one')).status).toBe(200)
})

test.each([
  ['a short secret', { secrets: ['short'] as [string] }],
  ['an old secret that is short', { secrets: [secret, 'short'] as [string, string] }],
  ['plain http', { origins: ['http://app.example'] as [string] }],
  ['a path', { origins: ['https://app.example/login'] as [string] }],
  ['no origin', { origins: ['app.example'] as [string] }],
])('error: %s', (_, options) => {
  expect(() => setup(options)).toThrow(TypeError)
})

test('behavior: refuseOtherSites refuses requests of other sites', async () => {
  const { server } = setup()
  const ask = (method: string, headers: Record<string, string>) =>
    server.refuseOtherSites(new Request(origin, { method, headers }))
  expect(ask('PUT', { origin })).toBeUndefined()
  expect(ask('GET', { 'sec-fetch-site': 'none' })).toBeUndefined()
  for (const headers of [{}, { origin: 'https://evil.example' }, { 'sec-fetch-site': 'none' }])
    expect(await refused(ask('DELETE', headers as Record<string, string>) as Response)).toBe('cross_site')
})

test('error: an error of the store is thrown', async () => {
  const store = { ...memorySiweStore(), useNonce: async () => Promise.reject(new Error('down')) }
  const { browser } = setup({ store })
  await expect(signIn(browser)).rejects.toThrow('down')
})

test('interop: the siwe package parses our messages, and its messages verify here', async () => {
  const { browser } = setup()
  const nonce = await browser.nonce()
  const ours = new SiweMessage(write({ nonce, statement: 'Sign in to Lineage.' }))
  expect(ours).toMatchObject({ domain: 'app.example', address: signer.address, chainId: 56, nonce })
  for (const extra of [{}, { statement: 'A sentence.', requestId: 'r1', resources: ['https://app.example/terms'] }]) {
    const message = new SiweMessage({
      domain: 'app.example',
      uri: origin,
      version: '1',
      chainId: 56,
      address: signer.address,
      nonce: await browser.nonce(),
      expirationTime: new Date(now + minute).toISOString(),
      ...extra,
    }).prepareMessage()
    expect((await browser.verify(message, await signer.signMessage({ message }))).status).toBe(200)
  }
})

test.each(['http://[::1]:5173', 'https://intranet', 'https://[2001:db8::1]', 'https://xn--fiq228c.xn--55qx5d'])(
  'error: an origin that no message can name: %s',
  (origin) => {
    expect(() => setup({ origins: [origin] })).toThrow(TypeError)
  },
)

test.each(['http://localhost:5173', 'http://127.0.0.1:81', 'https://10.0.0.7', 'https://a-b.app.example:8443'])(
  'behavior: an origin that messages can name: %s',
  (origin) => {
    expect(() => setup({ origins: [origin] })).not.toThrow()
  },
)
