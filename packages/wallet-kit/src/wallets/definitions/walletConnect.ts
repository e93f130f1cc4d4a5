import { asWallet } from '../asWallet.ts'
import { walletConnect as createConnector, type WalletConnectOptions } from '../walletConnect.ts'

/**
 * Defines any wallet that can scan a WalletConnect code. Called, it returns a relay connector for another wallet's
 * definition.
 *
 * @see https://specs.walletconnect.com/2.0
 * @example
 * const wallets = [{ groupName: 'Popular', wallets: [metaMask, walletConnect] }]
 * const acme = { ...definition, connectors: [injected(), walletConnect()] }
 */
export const walletConnect = /* @__PURE__ */ asWallet<WalletConnectOptions>(createConnector, {
  id: 'walletConnect',
  name: 'WalletConnect',
  iconUrl: async () => (await import('../icons/popular.ts')).walletConnect,
  iconBackground: '#3b99fc',
  iconAccent: '#3b99fc',
  connectors: [createConnector()],
})
