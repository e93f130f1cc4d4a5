import { type Hex, isHex, type Transport } from 'viem'
import type { Session } from '../core/authentication.ts'
import { createCookies } from './cookies.ts'
import { createNonces, nonceLifetime } from './nonces.ts'
import { type ParsedMessage, parseMessage } from './parseMessage.ts'
import { Refusal } from './problem.ts'
import { createRateLimit } from './rateLimit.ts'
import { readJson } from './readJson.ts'
import { createId, createSigner } from './signer.ts'
import type { SiweStore, StoredSession } from './store.ts'
import { verifySignature } from './verifySignature.ts'

export type SiweServerOptions = {
  /**
   * Where people sign in, as their browsers name it: `https://app.example`. Said here, and never taken from a header. `http:`
   * only for this machine.
   */
  origins: readonly [string, ...string[]]
  /** Of at least 32 bytes each. The first signs; older ones behind it are still believed. */
  secrets: readonly [string, ...string[]]
  /** By chain id: the chains people sign in on, and how their contract wallets are asked. */
  transports: Readonly<Record<number, Transport>>
  store: SiweStore
  /** Milliseconds. Default: 7 days. */
  sessionLifetime?: number
  /** Milliseconds that a contract wallet's check may take. Default: 10,000. */
  patience?: number
  /** What a visitor may do in a minute: `verify` counts 6, all else 1. Default: 120. */
  perMinute?: number
  /** Unix milliseconds. Default: `Date.now`. */
  now?: () => number
}

/** Answers one request. `visitor` is whom the rate limit counts: an address the host believes. */
export type SiweHandler = (request: Request, context: { visitor: string }) => Promise<Response>

export type SiweServer = {
  /** `GET` → `{ nonce }`, for this browser and ten minutes. */
  nonce: SiweHandler
  /** `POST { message, signature }` → the session, with its cookie. */
  verify: SiweHandler
  /** `GET` → the session, or `null` for a guest. */
  session: SiweHandler
  /** `POST {}` → 204. */
  signOut: SiweHandler
  /** Whose request this is, for handlers of your own. */
  getSession: (request: Request) => Promise<Session | undefined>
  /** For handlers of your own that change something: the answer to a request that a page of another site has sent. */
  refuseOtherSites: (request: Request) => Response | undefined
}

const day = 86_400_000

/**
 * Handlers that sign people in with Ethereum, on plain `Request` and `Response`. Errors are `application/problem+json` with
 * a stable `code`; what fails in the store is thrown.
 *
 * @see https://eips.ethereum.org/EIPS/eip-4361
 * @throws {TypeError} for an origin that is none or is not https, and for a secret that is too short
 * @example
 * const auth = createSiweServer({
 *   origins: ['https://app.example'],
 *   secrets: [process.env.SESSION_SECRET],
 *   transports: { [bsc.id]: http('https://…') },
 *   store,
 * })
 * app.get('/v1/auth/nonce', (c) => auth.nonce(c.req.raw, { visitor }))
 */
export function createSiweServer({
  origins,
  secrets,
  transports,
  store,
  sessionLifetime = 7 * day,
  patience = 10_000,
  perMinute = 120,
  now = Date.now,
}: SiweServerOptions): SiweServer {
  const places = origins.map(parseOrigin)
  for (const secret of secrets)
    if (new TextEncoder().encode(secret).length < 32) throw new TypeError('A session secret needs at least 32 bytes.')
  const signer = createSigner(secrets)
  const nonces = createNonces(signer, now)
  const cookies = createCookies({ isSecure: places.some(({ protocol }) => protocol === 'https:') })
  const limit = createRateLimit(perMinute, now)

  const handle =
    (method: 'GET' | 'POST', cost: number, answer: (request: Request) => Promise<Response>): SiweHandler =>
    async (request, { visitor }) => {
      try {
        const methods = method === 'GET' ? ['GET', 'HEAD'] : [method]
        if (!methods.includes(request.method))
          throw new Refusal('method_not_allowed', `Only ${methods.join(', ')} here.`, { allow: methods.join(', ') })
        checkSite(request, method)
        const wait = limit(visitor, cost)
        if (wait > 0) throw new Refusal('rate_limited', `Wait ${wait} s.`, { 'retry-after': String(wait) })
        const response = await answer(request)
        response.headers.set('cache-control', 'no-store')
        return response
      } catch (thrown) {
        if (thrown instanceof Refusal) return thrown.toResponse()
        throw thrown
      }
    }

  /** Other sites can send people's cookies along; browsers say so. */
  const checkSite = ({ headers }: Request, method: 'GET' | 'POST') => {
    const [origin, site] = [headers.get('origin'), headers.get('sec-fetch-site')]
    const isOwnOrigin = origin === null || places.some((place) => place.origin === origin)
    const isOwnSite = site === null || site === 'same-origin' || (site === 'none' && method === 'GET')
    const isSaid = method === 'GET' || origin !== null || site !== null
    if (!isOwnOrigin || !isOwnSite || !isSaid)
      throw new Refusal('cross_site', `Requests come from ${places.map((place) => place.origin).join(' or ')} alone.`)
  }

  const checkMessage = ({ scheme, domain, uri, chainId, issuedAt, expirationTime, notBefore }: ParsedMessage) => {
    const place = places.find(({ host, protocol }) => host === domain && (!scheme || protocol === `${scheme}:`))
    if (!place) throw new Refusal('wrong_domain', `People sign in on ${places.map(({ host }) => host).join(' or ')}.`)
    if (!URL.canParse(uri) || new URL(uri).origin !== place.origin)
      throw new Refusal('wrong_uri', `The message is to be for ${place.origin}.`)
    if (!Object.hasOwn(transports, chainId))
      throw new Refusal('wrong_chain', `People sign in on chain ${Object.keys(transports).join(' or ')}.`)
    const time = now()
    if (expirationTime !== undefined && expirationTime <= time)
      throw new Refusal('message_expired', 'The message has expired.')
    // Clocks of phones may be wrong by hours; how old a message is, its nonce says.
    if ((notBefore !== undefined && notBefore > time) || issuedAt > time + day)
      throw new Refusal('message_not_yet_valid', 'The message is not valid yet.')
  }

  const findSession = async (request: Request): Promise<StoredSession | 'none' | 'invalid' | 'ended'> => {
    const cookie = cookies.read(request, 'session')
    if (cookie === undefined) return 'none'
    const [id = '', signature = ''] = cookie.split('.')
    if (!(await signer.isSigned(`session ${id}`, signature))) return 'invalid'
    const session = await store.findSession(id)
    return session && session.expiresAt > now() ? session : 'ended'
  }

  const endSession = async (request: Request) => {
    const session = await findSession(request)
    if (typeof session === 'object') await store.deleteSession(session.id)
  }

  const removeCookie = (request: Request) => ({ 'set-cookie': cookies.write(request, 'session', '', 0) })

  return {
    nonce: handle('GET', 1, async (request) => {
      const known = cookies.read(request, 'browser')
      const browser = known && /^[0-9a-f]{32}$/.test(known) ? known : createId()
      const headers = { 'set-cookie': cookies.write(request, 'browser', browser, nonceLifetime) }
      return Response.json({ nonce: await nonces.create(browser) }, { headers })
    }),

    verify: handle('POST', 6, async (request) => {
      const { message, signature } = readSigned(await readJson(request))
      const parsed = parseMessage(message)
      const { address, chainId, nonce } = parsed
      checkMessage(parsed)
      const expiry = await nonces.check(nonce, cookies.read(request, 'browser'))
      // Before the signature is looked at: whatever comes of that, a nonce is good for one try.
      if (!(await store.useNonce(nonce, expiry)))
        throw new Refusal('nonce_used', 'The nonce was used. Ask for another.')
      const transport = transports[chainId] as Transport
      const outcome = await verifySignature({ message, signature, address, transport, patience })
      if (outcome === 'unknown')
        throw new Refusal('unavailable', 'The wallet’s contract could not be asked. Try again in a moment.')
      if (outcome === 'invalid') throw new Refusal('invalid_signature', 'The signature is not of this account.')

      await endSession(request)
      const id = createId()
      const session: Session = { address, chainId, expiresAt: now() + sessionLifetime }
      await store.saveSession({ ...session, id })
      const value = `${id}.${await signer.sign(`session ${id}`)}`
      return Response.json(session, {
        headers: { 'set-cookie': cookies.write(request, 'session', value, sessionLifetime) },
      })
    }),

    session: handle('GET', 1, async (request) => {
      const session = await findSession(request)
      if (session === 'invalid')
        throw new Refusal('invalid_session', 'The session cookie is not one of this server.', removeCookie(request))
      if (session === 'none') return Response.json(null)
      if (session === 'ended') return Response.json(null, { headers: removeCookie(request) })
      return Response.json(withoutId(session))
    }),

    signOut: handle('POST', 1, async (request) => {
      await readJson(request)
      await endSession(request)
      return new Response(null, { status: 204, headers: removeCookie(request) })
    }),

    getSession: async (request) => {
      const session = await findSession(request)
      return typeof session === 'object' ? withoutId(session) : undefined
    },

    refuseOtherSites: (request) => {
      try {
        checkSite(request, ['GET', 'HEAD'].includes(request.method) ? 'GET' : 'POST')
        return undefined
      } catch (thrown) {
        if (thrown instanceof Refusal) return thrown.toResponse()
        throw thrown
      }
    },
  }
}

const withoutId = ({ address, chainId, expiresAt }: StoredSession): Session => ({ address, chainId, expiresAt })

function parseOrigin(origin: string): URL {
  const url = URL.canParse(origin) ? new URL(origin) : undefined
  const isLocal = url && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url?.origin !== origin || !(url.protocol === 'https:' || (url.protocol === 'http:' && isLocal)))
    throw new TypeError(`An origin is like https://app.example, or http: on this machine, without a path: ${origin}`)
  return url
}

function readSigned(body: unknown): { message: string; signature: Hex } {
  const { message, signature } = Object(body) as Record<string, unknown>
  if (typeof message !== 'string') throw new Refusal('invalid_message', 'Give { message, signature }.')
  if (!isHex(signature) || signature.length % 2 === 1 || signature.length < 4)
    throw new Refusal('invalid_signature', 'The signature is not hex.')
  return { message, signature }
}
