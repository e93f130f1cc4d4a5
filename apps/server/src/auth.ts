import { createSiweServer, type SiweHandler, type SiweStore } from '@lineage/wallet-kit/siwe-server'
import { fallback, http } from 'viem'
import { problem } from './problem.ts'
import type { Settings } from './settings.ts'

export type AuthParameters = {
  chainId: number
  settings: Pick<Settings, 'origins' | 'sessionSecrets' | 'rpcUrls'>
  store: SiweStore
  /** Milliseconds the nodes have for a contract wallet's check. */
  patience: number
}

/** Signing in with a wallet, under `/v1/auth`. */
export function createAuth({ chainId, settings, store, patience }: AuthParameters) {
  const nodes = settings.rpcUrls.map((url) => http(url, { timeout: patience, retryCount: 0 }))
  const server = createSiweServer({
    origins: settings.origins,
    secrets: settings.sessionSecrets,
    transports: { [chainId]: fallback(nodes) },
    store,
    patience,
  })
  const handlers: Record<string, SiweHandler> = {
    nonce: server.nonce,
    verify: server.verify,
    session: server.session,
    signout: server.signOut,
  }
  return {
    getSession: server.getSession,
    refuseOtherSites: server.refuseOtherSites,
    answer: async (name: string, request: Request, visitor: string): Promise<Response> => {
      const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined
      if (!handler) return problem('not_found', { detail: 'There is no such path.' })
      try {
        return await handler(request, { visitor })
      } catch (error) {
        if (request.signal.aborted) throw error
        console.error(error)
        return problem('unavailable', { detail: 'Accounts cannot be reached at the moment. Try again.', retryAfter: 5 })
      }
    },
  }
}
