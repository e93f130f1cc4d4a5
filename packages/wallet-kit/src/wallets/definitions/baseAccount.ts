import { asWallet } from '../asWallet.ts'
import { type CoinbaseOptions, coinbase } from '../coinbase.ts'

const createConnector = (options?: CoinbaseOptions) => coinbase(options, '@base-org/account')

/**
 * Defines Base Account, a passkey in Coinbase's window. It needs its SDK: called with `load`, it returns a connector.
 *
 * @see https://github.com/base/account-sdk
 * @example
 * const ours = { ...baseAccount, connectors: [baseAccount({ load: () => import('@base-org/account') })] }
 */
export const baseAccount = /* @__PURE__ */ asWallet<CoinbaseOptions>(createConnector, {
  id: 'baseAccount',
  name: 'Base Account',
  shortName: 'Base',
  iconUrl: async () => (await import('../icons/more.ts')).baseAccount,
  iconBackground: '#fff',
  iconAccent: '#0000ff',
  connectors: [createConnector()],
})
