import type { Chain, Client, EIP1193RequestFn, HttpTransport, PublicClient, Transport } from 'viem'
import { ConfigurationError } from '../lib/errors.ts'
import { createLazy } from '../lib/promises.ts'
import type { ResolvedConfig, WalletKitConfig } from '../state/config.ts'
import { createClient } from './createClient.ts'

/** The viem clients that read the chains. Each is created on first use. */
export type Clients = {
  getClient: (chainId: number) => Client<Transport, Chain>
  getPublicClient: (chainId: number) => Promise<PublicClient<Transport, Chain>>
}

export type GetClientParameters<chainId extends number = number> = {
  /** A chain of the configuration. Default: the wallet's chain if the app supports it, else the initial one. */
  chainId?: chainId | undefined
}

type CreateClientsParameters = { chains: readonly Chain[]; transports: Readonly<Record<number, Transport>> }

/** Creates the clients of a configuration. They throw a `ConfigurationError` for other chains. */
export function createClients({ chains, transports }: CreateClientsParameters): Clients {
  const clients = new Map<number, Client<Transport, Chain>>()
  const publicClients = new Map<number, PublicClient<Transport, Chain>>()

  const toParameters = (chainId: number) => {
    const chain = chains.find(({ id }) => id === chainId)
    if (!chain) throw new ConfigurationError(`The chain ${chainId} is not among the chains of this app.`)
    return { chain, transport: transports[chainId] as Transport, batch: { multicall: true } }
  }
  const getOrCreate = <T>(clients: Map<number, T>, chainId: number, create: () => T): T => {
    const value = clients.get(chainId) ?? create()
    clients.set(chainId, value)
    return value
  }

  return {
    getClient: (chainId) => getOrCreate(clients, chainId, () => createClient(toParameters(chainId))),
    getPublicClient: async (chainId) => {
      const parameters = toParameters(chainId)
      const viem = await import('./publicClient.ts')
      return getOrCreate(publicClients, chainId, () => viem.createPublicClient(parameters))
    },
  }
}

/** Returns viem's `http(url)`, whose code loads with the first request. */
function httpTransport(url: string): HttpTransport {
  return (parameters) => {
    const { retryCount = 3, timeout = 10_000 } = parameters
    // One transport for all requests, because viem deduplicates concurrent requests per transport.
    const { load } = createLazy(() => import('./http.ts').then((viem) => viem.http(url)(parameters)))
    const request = (async (...args: Parameters<EIP1193RequestFn>) =>
      (await load()).request(...args)) as EIP1193RequestFn
    const config = {
      key: 'http',
      name: 'HTTP JSON-RPC',
      type: 'http',
      request,
      retryCount,
      retryDelay: 150,
      timeout,
    } as const
    return { config, request, value: { url } }
  }
}

/** Returns the configuration with a transport for each URL. */
export function resolveTransports(config: WalletKitConfig): ResolvedConfig {
  const transports = Object.entries<Transport | string>(config.transports).map(([chainId, transport]) => [
    chainId,
    typeof transport === 'string' ? httpTransport(transport) : transport,
  ])
  return { ...config, transports: Object.fromEntries(transports) }
}
