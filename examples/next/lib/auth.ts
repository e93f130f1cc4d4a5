import { createSiweServer, memorySiweStore, type SiweServer } from '@lineage/wallet-kit/siwe-server'
import { http } from 'viem'
import { bsc } from 'viem/chains'

/** Next.js loads this file more than once in a process; all copies share one server. */
const shared = globalThis as { siweServer?: SiweServer }

/** Returns the server of sign-in. It is created by the first request, because a build has no secrets. */
export function auth(): SiweServer {
  shared.siweServer ??= createSiweServer({
    origins: [process.env.ORIGIN ?? ''],
    secrets: [process.env.SESSION_SECRET ?? ''],
    transports: { [bsc.id]: http(process.env.NEXT_PUBLIC_RPC_URL) },
    // For trials: a real app keeps used nonces and sessions in its database.
    store: memorySiweStore(),
  })
  return shared.siweServer
}
