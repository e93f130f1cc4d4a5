import { injected } from '../../core/wallets/injected.ts'
import type { WalletDefinition } from '../../core/wallets/wallet.ts'
import { walletConnect } from '../walletConnect.ts'

// Store ids: https://github.com/rainbow-me/rainbowkit, read 2026-11-20. Download page: https://rainbow.me/download.
// Extension: https://github.com/rainbow-me/browser-extension, Edge: https://github.com/walletbeat/walletbeat. No openInWallet is documented.
/**
 * Lists Rainbow, which is reached on the page and over the relay.
 *
 * @see https://rainbow.me
 */
export const rainbow = {
  id: 'rainbow',
  name: 'Rainbow',
  iconUrl: async () => (await import('../icons/popular.ts')).rainbow,
  iconBackground: '#0c2f78',
  iconAccent: '#0c2f78',
  rdns: ['me.rainbow'],
  flags: ['isRainbow'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id1457119021',
    android: 'https://play.google.com/store/apps/details?id=me.rainbow',
    mobile: 'https://rainbow.me/download',
    qrCode: 'https://rainbow.me/download',
    chrome: 'https://chromewebstore.google.com/detail/opfgelmcmbiajamepnmloijbpoleiama',
    edge: 'https://microsoftedge.microsoft.com/addons/detail/cpojfbodiccabbabgimdeohkkpjfpbnf',
    firefox: 'https://addons.mozilla.org/firefox/addon/rainbow-extension',
    browserExtension: 'https://rainbow.me/extension',
  },
  relayLinks: {
    ios: 'rainbow://wc?uri={uri}',
    universal: 'https://rnbwapp.com/wc?uri={uri}',
    qrCode: 'https://rnbwapp.com/wc?uri={uri}',
  },
  connectors: [injected(), walletConnect()],
} satisfies WalletDefinition
