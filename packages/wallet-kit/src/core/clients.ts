import { type Client, createClient, type PublicClient } from 'viem'
import type { WalletKitConfig } from './config.ts'
import { ConfigurationError } from './errors.ts'

/** Readers of the chains, made once each. */
export type Clients = {
  getClient: (chainId: number) => Client
  getPublicClient: (chainId: number) => Promise<PublicClient>
}

export function createClients({ chains, transports }: Pick<WalletKitConfig, 'chains' | 'transports'>): Clients {
  const clients = new Map<number, Client>()
  const publicClients = new Map<number, PublicClient>()

  const describe = (chainId: number) => {
    const chain = chains.find(({ id }) => id === chainId)
    const transport = transports[chainId]
    if (!chain || !transport) throw new ConfigurationError(`The chain ${chainId} is not among the chains of this app.`)
    return { chain, transport, batch: { multicall: true } }
  }
  const makeOnce = <T>(made: Map<number, T>, chainId: number, make: () => T): T => {
    const value = made.get(chainId) ?? make()
    made.set(chainId, value)
    return value
  }

  return {
    getClient: (chainId) => makeOnce(clients, chainId, () => createClient(describe(chainId))),
    getPublicClient: async (chainId) => {
      const parameters = describe(chainId)
      const { createPublicClient } = await import('./publicClient.ts')
      return makeOnce(publicClients, chainId, () => createPublicClient(parameters))
    },
  }
}
