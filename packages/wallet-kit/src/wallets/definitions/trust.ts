import { injected } from '../../core/wallets/injected.ts'
import type { WalletDefinition } from '../../core/wallets/wallet.ts'
import { walletConnect } from '../walletConnect.ts'

// Store ids: https://github.com/rainbow-me/rainbowkit, read 2026-11-20. Download page: https://trustwallet.com/download.
/**
 * Lists Trust Wallet, which is reached on the page and over the relay.
 *
 * @see https://trustwallet.com
 */
export const trust = {
  id: 'trust',
  name: 'Trust Wallet',
  shortName: 'Trust',
  iconUrl: async () => (await import('../icons/more.ts')).trust,
  iconBackground: '#fff',
  iconAccent: '#0500ff',
  rdns: ['com.trustwallet.app'],
  flags: ['isTrust', 'isTrustWallet'],
  namespaces: ['trustwallet'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id1288339409',
    android: 'https://play.google.com/store/apps/details?id=com.wallet.crypto.trustapp',
    mobile: 'https://trustwallet.com/download',
    qrCode: 'https://trustwallet.com/download',
    chrome: 'https://chromewebstore.google.com/detail/egjidjbpglichdcondbcbdnbeeppgdph',
    browserExtension: 'https://trustwallet.com/browser-extension',
  },
  // https://developer.trustwallet.com/developer/develop-for-trust/deeplinking, read 2026-11-20.
  openInWallet: 'https://link.trustwallet.com/open_url?coin_id=60&url={url}',
  relayLinks: {
    ios: 'trust://wc?uri={uri}',
    android: 'trust://wc?uri={uri}',
    universal: 'https://link.trustwallet.com/wc?uri={uri}',
  },
  connectors: [injected(), walletConnect()],
} satisfies WalletDefinition
