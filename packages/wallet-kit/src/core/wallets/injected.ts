import { WalletNotAvailableError } from '../lib/errors.ts'
import { readAccounts, requestAccounts } from '../provider/eip1193.ts'
import type { ConnectorFactory } from './wallet.ts'

/**
 * Connects a wallet through its provider on the page: a browser extension, or the in-app browser of the wallet.
 *
 * @see https://eips.ethereum.org/EIPS/eip-1193
 * @example
 * const wallet: WalletDefinition = { ...acme, rdns: ['example.acme'], connectors: [injected()] }
 */
export function injected(): ConnectorFactory {
  return ({ findProvider }, { name }) => ({
    kind: 'injected',
    isReady: () => findProvider() !== undefined,
    getProvider: findProvider,
    connect: async ({ signIn }) => {
      const provider = findProvider()
      if (!provider) throw new WalletNotAvailableError(`${name} is not on this page. Install or enable it.`)
      return requestAccounts(provider, signIn)
    },
    reconnect: async ({ signal }) => {
      const provider = findProvider()
      return provider && readAccounts(provider, signal)
    },
  })
}
