import { injected } from '../../core/wallets/injected.ts'
import { asWallet } from '../asWallet.ts'
import { type CoinbaseOptions, coinbase as createConnector } from '../coinbase.ts'

// Store ids: https://github.com/rainbow-me/rainbowkit, read 2026-11-20. Download page: https://www.coinbase.com/wallet/downloads.
/**
 * Defines Coinbase Wallet. Called, it returns a connector that uses its SDK instead of its extension.
 *
 * @see https://github.com/coinbase/coinbase-wallet-sdk
 * @example
 * const ours = { ...coinbase, connectors: [injected(), coinbase({ load: () => import('@coinbase/wallet-sdk') })] }
 */
export const coinbase = /* @__PURE__ */ asWallet<CoinbaseOptions>(createConnector, {
  id: 'coinbase',
  name: 'Coinbase Wallet',
  shortName: 'Coinbase',
  iconUrl: async () => (await import('../icons/popular.ts')).coinbase,
  iconBackground: '#0052ff',
  iconAccent: '#0052ff',
  rdns: ['com.coinbase.wallet'],
  flags: ['isCoinbaseWallet'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id1278383455',
    android: 'https://play.google.com/store/apps/details?id=org.toshi',
    mobile: 'https://www.coinbase.com/wallet/downloads',
    qrCode: 'https://www.coinbase.com/wallet/downloads',
    chrome: 'https://chromewebstore.google.com/detail/hnfanknocfeofbddgcijnmhnfnkdnaad',
    browserExtension: 'https://www.coinbase.com/wallet/downloads',
  },
  // https://docs.cdp.coinbase.com/coinbase-wallet/developer-guidance/mobile-dapp-integration, read 2026-11-20.
  openInWallet: 'https://go.cb-w.com/dapp?cb_url={url}',
  connectors: [injected(), createConnector()],
})
