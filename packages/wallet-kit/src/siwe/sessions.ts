import type { Session } from '../core/state/authentication.ts'
import type { Cookies } from './cookies.ts'
import { createId, type Signer } from './signer.ts'
import type { SiweStore, StoredSession } from './store.ts'

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
export function createSessions({ cookies, signer, store, lifetime, now }: SessionsParameters) {
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
export const toSession = ({ address, chainId, expiresAt }: StoredSession): Session => ({ address, chainId, expiresAt })
