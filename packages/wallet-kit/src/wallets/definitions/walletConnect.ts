import { asWallet } from '../asWallet.ts'
import { walletConnect as createConnector, type WalletConnectOptions } from '../walletConnect.ts'

/**
 * Any wallet that reads a WalletConnect code. Called, it is the way over the relay, for the connectors of another wallet.
 *
 * @see https://specs.walletconnect.com/2.0
 * @example
 * const wallets = [{ groupName: 'Popular', wallets: [metaMask, walletConnect] }]
 * const acme = { id: 'acme', name: 'Acme Wallet', …, connectors: [injected(), walletConnect()] }
 */
export const walletConnect = /* @__PURE__ */ asWallet<WalletConnectOptions>(createConnector, {
  id: 'walletConnect',
  name: 'WalletConnect',
  iconUrl: async () => (await import('../icons/walletConnect.ts')).icon,
  iconBackground: '#3b99fc',
  iconAccent: '#3b99fc',
  connectors: [createConnector()],
})
