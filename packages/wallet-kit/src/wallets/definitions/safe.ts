import { asWallet } from '../asWallet.ts'
import { safe as createConnector, type SafeOptions } from '../safe.ts'

/**
 * The Safe that frames this page. Called, it returns a connector for pages of other origins.
 *
 * @see https://github.com/safe-global/safe-apps-sdk
 * @example
 * const ours = { ...safe, connectors: [safe({ origins: ['https://safe.example'] })] }
 */
export const safe = /* @__PURE__ */ asWallet<SafeOptions>(createConnector, {
  id: 'safe',
  name: 'Safe',
  iconUrl: async () => (await import('../icons/safe.ts')).icon,
  iconBackground: '#12ff80',
  iconAccent: '#12ff80',
  connectors: [createConnector()],
})
