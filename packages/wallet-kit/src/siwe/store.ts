import type { Session } from '../core/state/authentication.ts'

/** A session as stored. */
export type StoredSession = Session & { id: string }

/** Stores used nonces and sessions. All processes of one host share one store. */
export type SiweStore = {
  /**
   * Records that a nonce was used, until `expiresAt` (Unix milliseconds) and some days longer, because a clock may be set back;
   * one that jumps ahead and back must not delete it either. Returns `false` if it was already recorded. Of simultaneous calls, also in several processes, exactly one returns `true`.
   *
   * @param nonce - The nonce of a message that is being verified.
   * @param expiresAt - Unix milliseconds from which the nonce is invalid anyway.
   */
  useNonce: (nonce: string, expiresAt: number) => Promise<boolean>
  /**
   * Stores a new session.
   *
   * @param session - The session, with its id.
   */
  saveSession: (session: StoredSession) => Promise<void>
  /**
   * Returns the session with this id; `undefined` if there is none.
   *
   * @param id - The id of a session.
   */
  findSession: (id: string) => Promise<StoredSession | undefined>
  /**
   * Removes a session. Does nothing if there is none with this id.
   *
   * @param id - The id of a session.
   */
  deleteSession: (id: string) => Promise<void>
}

const day = 86_400_000

/**
 * Creates a store in the memory of this process, for tests and trials.
 *
 * @example
 * const store = memorySiweStore()
 * const auth = createSiweServer({ ...options, store })
 */
export function memorySiweStore(): SiweStore {
  // Times of `performance.now`, so that no clock that jumps ahead deletes anything.
  const nonces = new Map<string, number>()
  const sessions = new Map<string, { session: StoredSession; endsAt: number }>()
  return {
    useNonce: async (nonce) => {
      for (const [used, at] of nonces) if (at <= performance.now() - day) nonces.delete(used)
      if (nonces.has(nonce)) return false
      nonces.set(nonce, performance.now())
      return true
    },
    saveSession: async (session) => {
      for (const [id, { endsAt }] of sessions) if (endsAt <= performance.now()) sessions.delete(id)
      sessions.set(session.id, { session, endsAt: performance.now() + session.expiresAt - Date.now() })
    },
    findSession: async (id) => sessions.get(id)?.session,
    deleteSession: async (id) => void sessions.delete(id),
  }
}
