import { http } from 'viem'
import { createSiweServer, memorySiweStore, type SiweServer } from '../src/exports/siwe-server.ts'
import type { AppServer } from './servePage.ts'

const handlers: Record<string, 'nonce' | 'verify' | 'session' | 'signOut'> = {
  nonce: 'nonce',
  verify: 'verify',
  session: 'session',
  signout: 'signOut',
}

/** Creates the sign-in handlers under `/auth`, for any origin on this machine. */
export function createAuthServer(rpcUrl: string): AppServer {
  const servers = new Map<string, SiweServer>()
  const create = (origin: string) => {
    const server = createSiweServer({
      origins: [origin],
      secrets: ['a secret of a test that has 32 bytes'],
      transports: { 56: http(rpcUrl) },
      store: memorySiweStore(),
    })
    servers.set(origin, server)
    return server
  }
  return (request) => {
    const { origin, pathname } = new URL(request.url)
    const handler = handlers[/^\/auth\/(\w+)$/.exec(pathname)?.[1] ?? '']
    return handler && (servers.get(origin) ?? create(origin))[handler](request, { visitor: 'test' })
  }
}
