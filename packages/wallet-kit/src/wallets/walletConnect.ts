import { removeDeepLink } from '../core/deepLink.ts'
import { ConfigurationError, RelayUnreachableError } from '../core/errors.ts'
import type { ConnectorFactory } from '../core/wallet.ts'
import { type LoadRelayClient, loadRelayClient } from './relay/loadRelayClient.ts'

export type WalletConnectOptions = {
  /**
   * Another version of the client, for an app that has a licence for it: `() => import('@walletconnect/ethereum-provider')`.
   * Default: 2.21.8, which comes with this package. Of all that a page gives, the first that is used counts.
   */
  load?: LoadRelayClient
  /** How long the relay may take to give a URI, in milliseconds. Default: 15,000. */
  uriTimeout?: number
  /** How long a person may take to answer a request, in milliseconds. Default: 300,000. */
  requestTimeout?: number
}

/**
 * Reaches a wallet on another device, or another app of this one, through the WalletConnect relay. Needs a `projectId`.
 * The client is loaded, and the relay contacted, when such a wallet is picked or its session is restored.
 *
 * @see https://specs.walletconnect.com/2.0
 * @example
 * const acme = { id: 'acme', name: 'Acme Wallet', …, connectors: [injected(), walletConnect()] }
 */
export function walletConnect({
  load = loadRelayClient,
  uriTimeout = 15_000,
  requestTimeout = 300_000,
}: WalletConnectOptions = {}): ConnectorFactory {
  return ({ projectId, share, ...context }) => {
    const getRelay = async () => {
      if (!projectId) throw new ConfigurationError('No projectId was provided.')
      const { createRelay } = await import('./relay/createRelay.ts').catch((thrown) => {
        throw new RelayUnreachableError('The relay client could not be loaded.', { cause: thrown })
      })
      return share(walletConnect, () => createRelay({ ...context, load, projectId, requestTimeout }))
    }
    return {
      kind: 'walletConnect',
      isReady: () => Boolean(projectId),
      connect: async (parameters) => {
        removeDeepLink()
        return (await getRelay()).connect({ ...parameters, uriTimeout })
      },
      reconnect: async ({ signal }) => (await getRelay()).restore({ signal, uriTimeout }),
      disconnect: async (provider) => {
        removeDeepLink()
        await (await getRelay()).end(provider)
      },
    }
  }
}
