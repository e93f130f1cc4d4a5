import { ConfigurationError, RelayUnreachableError } from '../core/lib/errors.ts'
import { removeDeepLink } from '../core/wallets/deepLink.ts'
import type { ConnectorFactory } from '../core/wallets/wallet.ts'
import type { Relay } from './relay/createRelay.ts'
import { type LoadRelayClient, loadRelayClient } from './relay/loadRelayClient.ts'

export type WalletConnectOptions = {
  /**
   * Loads another version of the client: `() => import('@walletconnect/ethereum-provider')`. Default: 2.21.8, which
   * is part of this package. A page uses one client: that of the first connector in use.
   */
  load?: LoadRelayClient | undefined
  /** Time limit for the relay to return a URI, in milliseconds. Default: 15,000. */
  uriTimeout?: number | undefined
  /** Time limit for a person to answer a request, in milliseconds. Default: 300,000. */
  requestTimeout?: number | undefined
}

/**
 * Creates a connector for wallets on another device, or apps on the same phone, through the WalletConnect relay.
 * Needs a `projectId`. The client loads, and the relay is contacted, when the wallet is picked or its session is
 * restored.
 *
 * @param options - Another client, and time limits.
 * @see https://specs.walletconnect.com/2.0
 * @example
 * const acme = { ...definition, connectors: [injectedConnector(), walletConnectConnector()] }
 */
export function walletConnectConnector({
  load = loadRelayClient,
  uriTimeout = 15_000,
  requestTimeout = 300_000,
}: WalletConnectOptions = {}): ConnectorFactory {
  return ({ projectId, share, ...context }, { id: walletId }) => {
    let relay: Relay | undefined
    const getRelay = async () => {
      if (!projectId) throw new ConfigurationError('No projectId was provided.')
      const { createRelay } = await import('./relay/createRelay.ts').catch((thrown) => {
        throw new RelayUnreachableError('The relay could not be loaded.', { cause: thrown })
      })
      relay = share(walletConnectConnector, () => createRelay({ ...context, load, projectId, requestTimeout }))
      return relay
    }
    return {
      kind: 'walletConnect',
      isReady: () => Boolean(projectId),
      needs: projectId ? undefined : 'projectId',
      connect: async (parameters) => {
        removeDeepLink()
        return (await getRelay()).connect({ ...parameters, uriTimeout, walletId })
      },
      reconnect: async (parameters) => (await getRelay()).restore({ ...parameters, uriTimeout, walletId }),
      resume: async (parameters) => (await getRelay()).resume({ ...parameters, uriTimeout, walletId }),
      canSwitchTo: (chainId) => relay?.canSwitchTo(chainId) !== false,
      getAccounts: (chainId) => relay?.getAccounts(chainId) ?? [],
      disconnect: async (provider) => {
        removeDeepLink()
        await (await getRelay()).end(provider)
      },
    }
  }
}
