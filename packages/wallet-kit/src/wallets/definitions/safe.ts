import { asWallet } from '../asWallet.ts'
import { safe as createConnector, type SafeOptions } from '../safe.ts'
import { walletConnect } from '../walletConnect.ts'

/**
 * Defines the Safe that frames this page, or else a Safe over the relay: its app, or its website with the copied
 * link. Called, it returns a connector for pages of other origins.
 *
 * @see https://github.com/safe-global/safe-apps-sdk
 * @example
 * const ours = { ...safe, connectors: [safe({ origins: ['https://safe.example'] })] }
 */
export const safe = /* @__PURE__ */ asWallet<SafeOptions>(createConnector, {
  id: 'safe',
  name: 'Safe',
  iconUrl: async () => (await import('../icons/popular.ts')).safe,
  iconBackground: '#12ff80',
  iconAccent: '#12ff80',
  // Links of Safe{Mobile}: https://github.com/safe-global/safe-wallet-monorepo, read 2026-11-22.
  relayLinks: {
    ios: 'safe://wc?uri={uri}',
    android: 'safe://wc?uri={uri}',
    universal: 'https://app.safe.global/wc?uri={uri}',
  },
  connectors: [createConnector(), walletConnect()],
})
