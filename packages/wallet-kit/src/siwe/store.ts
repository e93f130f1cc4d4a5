import type { Session } from '../core/authentication.ts'

export type StoredSession = Session & { id: string }

/** What the server keeps. One store for all processes that answer for a host. */
export type SiweStore = {
  /**
   * Notes that a nonce was used, until `expiresAt` (Unix milliseconds). `false` when it was already: of two calls at once,
   * in whichever processes, only one is told `true`.
   */
  useNonce: (nonce: string, expiresAt: number) => Promise<boolean>
  saveSession: (session: StoredSession) => Promise<void>
  findSession: (id: string) => Promise<StoredSession | undefined>
  deleteSession: (id: string) => Promise<void>
}

/**
 * A store of one process that forgets with it: for tests and trials.
 *
 * @example
 * createSiweServer({ …, store: memorySiweStore() })
 */
export function memorySiweStore(): SiweStore {
  const nonces = new Map<string, number>()
  const sessions = new Map<string, StoredSession>()
  return {
    useNonce: async (nonce, expiresAt) => {
      for (const [known, until] of nonces) if (until <= Date.now()) nonces.delete(known)
      if (nonces.has(nonce)) return false
      nonces.set(nonce, expiresAt)
      return true
    },
    saveSession: async (session) => {
      for (const [id, { expiresAt }] of sessions) if (expiresAt <= Date.now()) sessions.delete(id)
      sessions.set(session.id, session)
    },
    findSession: async (id) => sessions.get(id),
    deleteSession: async (id) => void sessions.delete(id),
  }
}
