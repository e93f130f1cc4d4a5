import { askProvider, askProviderQuietly } from './askProvider.ts'
import { WalletNotAvailableError } from './errors.ts'
import type { ConnectorFactory } from './wallet.ts'

/**
 * Reaches a wallet through the provider it puts on the page: a browser extension, or the wallet's own browser.
 *
 * @see https://eips.ethereum.org/EIPS/eip-1193
 * @example
 * const acme = { id: 'acme', name: 'Acme', …, rdns: ['example.acme'], connectors: [injected()] }
 */
export function injected(): ConnectorFactory {
  return ({ findProvider }, { name }) => ({
    kind: 'injected',
    isReady: () => findProvider() !== undefined,
    getProvider: findProvider,
    connect: async () => {
      const provider = findProvider()
      if (!provider) throw new WalletNotAvailableError(`${name} is not on this page. Install or enable it.`)
      return askProvider(provider, name)
    },
    reconnect: async ({ signal }) => {
      const provider = findProvider()
      return provider && askProviderQuietly(provider, signal)
    },
  })
}
