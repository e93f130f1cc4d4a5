import { createSiweServer, memorySiweStore, type SiweServer } from '@lineage/wallet-kit/siwe-server'
import { http } from 'viem'
import { bsc } from 'viem/chains'

/** State shared by all copies of this file: Next.js may load it several times in one process. */
const shared = globalThis as { siweServer?: SiweServer }

/** Returns the sign-in server. The first request creates it, because a build has no secrets. */
export function auth(): SiweServer {
  shared.siweServer ??= createSiweServer({
    origins: [process.env.ORIGIN ?? ''],
    secrets: [process.env.SESSION_SECRET ?? ''],
    transports: { [bsc.id]: http(process.env.NEXT_PUBLIC_RPC_URL) },
    // For trials only: a real app keeps used nonces and sessions in its database.
    store: memorySiweStore(),
  })
  return shared.siweServer
}
