import { http, type Transport } from 'viem'
import { isRecord, readProperty } from '../core/lib/untrusted.ts'
import type { Session } from '../core/state/authentication.ts'
import { type Cookies, createCookies } from './cookies.ts'
import { findSiteProblem, guardHandler, parseOrigin, type SiweHandler } from './guardHandler.ts'
import { createNonces } from './nonces.ts'
import { readRequest } from './readBody.ts'
import { createId, createSigner, type Signer } from './signer.ts'
import { SiweProblem } from './siweProblem.ts'
import type { SiweStore, StoredSession } from './store.ts'
import { createTokenBuckets } from './tokenBuckets.ts'
import { verifyRequest } from './verifyRequest.ts'

export type SiweServerOptions = {
  /** The origins where people sign in, as browsers name them: `https://app.example`. `http:` only for localhost. */
  origins: readonly [string, ...string[]]
  /** Secrets of at least 32 bytes each. The first one signs; cookies signed with the others are still accepted. */
  secrets: readonly [string, ...string[]]
  /**
   * Transports by chain id. They define the chains on which people sign in, and how contract wallets are asked there:
   * the URL of a node, a transport, or a list of them. Of a list two nodes have to confirm a signature and none may deny
   * it, because one node that lies could sign in anybody.
   */
  transports: Readonly<Record<number, Transport | string | readonly (Transport | string)[]>>
  store: SiweStore
  /**
   * Lifetime of a session in milliseconds, at most until the message expires. Visitors whose clock differs by more than that
   * cannot sign in, so use at least an hour. Default: 7 days.
   */
  sessionLifetime?: number | undefined
  /** Time limit for a contract wallet to check a signature, in milliseconds. Default: 10,000. */
  timeout?: number | undefined
  /**
   * Takes `cost` from a visitor's limit (`verify` costs 6, all others 1) and returns the seconds to wait, 0 for none.
   * Default: 120 at once and 2 per second, counted in this process.
   *
   * @param visitor - The `visitor` that the handler was called with.
   * @param cost - What the request costs.
   */
  limit?: ((visitor: string, cost: number) => number) | undefined
  /** Returns Unix milliseconds. Default: the system's clock, which may jump ahead and be set back. */
  now?: (() => number) | undefined
}

/** The handlers of the sign-in server. */
export type SiweServer = {
  /** `GET` → `{ nonce }`, for this browser, valid for ten minutes. */
  nonce: SiweHandler
  /** `POST { message, signature }` → the session, with its cookie. */
  verify: SiweHandler
  /** `GET` → the session, or `null` for a guest. */
  session: SiweHandler
  /** `POST {}` → 204. */
  signOut: SiweHandler
  /**
   * Returns the session of a request, for your own handlers.
   *
   * @param request - A request of a browser, with its cookies.
   * @returns The session; `undefined` for a guest, and for a session that ended or was revoked.
   */
  getSession: (request: Request) => Promise<Session | undefined>
  /**
   * Returns the error response for a request sent by another site, for your own handlers that change something.
   *
   * @param request - The request to check.
   * @returns The response to send; `undefined` if the request may go on.
   */
  refuseOtherSites: (request: Request) => Response | undefined
}

/**
 * Creates handlers that sign people in with Ethereum, on plain `Request` and `Response`. Errors are
 * `application/problem+json` with a stable `code`; errors of the store are thrown.
 *
 * @param options - The allowed origins, the secrets that sign sessions, and the store that keeps them.
 * @see https://eips.ethereum.org/EIPS/eip-4361
 * @throws {TypeError} for a missing or invalid option, and a secret that is too short
 * @example
 * const auth = createSiweServer({
 *   origins: ['https://app.example'],
 *   secrets: [process.env.SESSION_SECRET ?? ''],
 *   transports: { [bsc.id]: 'https://…' },
 *   store: memorySiweStore(),
 * })
 * const answer = await auth.nonce(request, { visitor: '203.0.113.7' })
 */
export function createSiweServer(options: SiweServerOptions): SiweServer {
  checkOptions(options)
  const { store, timeout = 10_000, sessionLifetime: lifetime = 7 * 86_400_000 } = options
  const { now = () => Date.now() } = options
  const { limit = createTokenBuckets({ burst: 120, perSecond: 2 }).take } = options
  const origins = options.origins.map(parseOrigin)
  const transports = Object.fromEntries(
    Object.entries(options.transports).map(([chainId, given]) => [chainId, [given].flat().map(parseTransport)]),
  )
  const signer = createSigner(options.secrets)
  const cookies = createCookies({ isSecure: origins.some(({ protocol }) => protocol === 'https:') })
  const nonces = createNonces({ signer, cookies, now })
  const sessions = createSessions({ cookies, signer, store, lifetime, now })
  const get = { method: 'GET', cost: 1, origins, limit } as const
  const post = { ...get, method: 'POST' } as const

  return {
    nonce: guardHandler(async (request) => {
      const { nonce, headers } = await nonces.create(request)
      return Response.json({ nonce }, { headers })
    }, get),

    verify: guardHandler(
      async (request) => {
        const parameters = { origins, transports, store, nonces, timeout, lifetime, now }
        const { session, headers } = await sessions.start(request, await verifyRequest(request, parameters))
        return Response.json(session, { headers })
      },
      { ...post, cost: 6 },
    ),

    session: guardHandler(async (request) => {
      const found = await sessions.find(request)
      if (found.status === 'active') return Response.json(toSession(found.session))
      if (found.status === 'none') return Response.json(null)
      const headers = sessions.removeCookie(request)
      if (found.status === 'ended') return Response.json(null, { headers })
      throw new SiweProblem('invalid_session', 'The session cookie was not set by this server.', headers)
    }, get),

    signOut: guardHandler(async (request) => {
      await readRequest(request)
      await sessions.end(request)
      return new Response(null, { status: 204, headers: sessions.removeCookie(request) })
    }, post),

    getSession: async (request) => {
      const found = await sessions.find(request)
      return found.status === 'active' ? toSession(found.session) : undefined
    },

    refuseOtherSites: (request) => findSiteProblem(request, origins)?.toResponse(),
  }
}

/** Checks the options of callers without types, and of an environment without a variable. @throws {TypeError} */
function checkOptions({ origins, secrets, transports, store, sessionLifetime, timeout }: SiweServerOptions): void {
  const isTime = (value: unknown) => value === undefined || (Number.isFinite(value) && Number(value) > 0)
  const isValid = {
    origins: Array.isArray(origins) && origins.length > 0,
    secrets: Array.isArray(secrets) && secrets.length > 0,
    transports:
      isRecord(transports) &&
      Object.values(transports).every((nodes) => [nodes].flat().length > 0) &&
      Object.keys(transports).length > 0,
    store: ['useNonce', 'saveSession', 'findSession', 'deleteSession'].every(
      (name) => typeof readProperty(store, name) === 'function',
    ),
    sessionLifetime: isTime(sessionLifetime),
    timeout: isTime(timeout),
  }
  for (const [name, isGiven] of Object.entries(isValid))
    if (!isGiven) throw new TypeError(`Property ${name} of createSiweServer is missing or invalid.`)
}

/** Converts a URL to a transport, and returns other transports unchanged. @throws {TypeError} */
function parseTransport(transport: Transport | string): Transport {
  if (typeof transport === 'function') return transport
  if (typeof transport === 'string' && URL.canParse(transport) && /^https?:$/.test(new URL(transport).protocol))
    return http(transport)
  // Without the URL itself, which may contain a key.
  throw new TypeError('Invalid transport: the URL of a node starts with https:// or http://.')
}

type FoundSession =
  | { status: 'active'; session: StoredSession }
  /**
   * `none`: no cookie. `invalid`: this server did not sign the cookie. `ended`: the session has expired or was signed
   * out.
   */
  | { status: 'none' | 'invalid' | 'ended' }

/** Difference of the clocks of two servers, in milliseconds, by which no session ends. */
const clockDifference = 86_400_000

type SessionsParameters = {
  cookies: Cookies
  signer: Signer
  store: SiweStore
  /** Longest lifetime of a session, in milliseconds. */
  lifetime: number
  now: () => number
}

/** Creates the sessions of browsers. A cookie has the signed id; the store has the session itself. */
function createSessions({ cookies, signer, store, lifetime, now }: SessionsParameters) {
  async function findByCookie(cookie: string): Promise<FoundSession> {
    const [id = '', signature = ''] = cookie.split('.')
    if (!(await signer.isSigned(`session ${id}`, signature))) return { status: 'invalid' }
    const session = await store.findSession(id)
    const left = session ? session.expiresAt - now() : 0
    // One that lasts longer than any was begun while the clock was ahead.
    return session && left > 0 && left <= lifetime + clockDifference
      ? { status: 'active', session }
      : { status: 'ended' }
  }

  const findAll = (request: Request) => Promise.all(cookies.read(request, 'session').map(findByCookie))

  async function find(request: Request): Promise<FoundSession> {
    const all = await findAll(request)
    return all.find(({ status }) => status === 'active') ?? all[0] ?? { status: 'none' }
  }

  async function end(request: Request): Promise<void> {
    for (const found of await findAll(request))
      if (found.status === 'active') await store.deleteSession(found.session.id)
  }

  return {
    find,
    end,
    /** Replaces the browser's session with a new one, and returns it with the header that sets its cookie. */
    start: async (request: Request, session: Session) => {
      await end(request)
      const id = createId()
      await store.saveSession({ ...session, id })
      const value = `${id}.${await signer.sign(`session ${id}`)}`
      return { session, headers: { 'set-cookie': cookies.write(request, 'session', value, session.expiresAt - now()) } }
    },
    /** Returns the header that removes the cookie. */
    removeCookie: (request: Request) => ({ 'set-cookie': cookies.write(request, 'session', '', 0) }),
  }
}

/** Returns the data that a browser may know of its session: everything except the id. */
const toSession = ({ address, chainId, expiresAt }: StoredSession): Session => ({ address, chainId, expiresAt })
