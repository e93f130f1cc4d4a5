import { injected } from '../../core/wallets/injected.ts'
import type { WalletDefinition } from '../../core/wallets/wallet.ts'
import { walletConnect } from '../walletConnect.ts'

// Store ids: https://github.com/rainbow-me/rainbowkit, read 2026-11-20. Download page, with the extension for Edge and
// Firefox: https://www.safepal.com/download. No openInWallet is documented.
/**
 * Lists SafePal, which is reached on the page and over the relay.
 *
 * @see https://www.safepal.com
 */
export const safePal = {
  id: 'safePal',
  name: 'SafePal',
  iconUrl: async () => (await import('../icons/more.ts')).safePal,
  iconBackground: '#4a21ef',
  iconAccent: '#4a21ef',
  rdns: ['com.safepal'],
  flags: ['isSafePal'],
  namespaces: ['safepalProvider'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id1548297139',
    android: 'https://play.google.com/store/apps/details?id=io.safepal.wallet',
    mobile: 'https://www.safepal.com/download',
    qrCode: 'https://www.safepal.com/download',
    chrome: 'https://chromewebstore.google.com/detail/lgmpcpglpngdoalbgeoldeajfclnhafa',
    edge: 'https://microsoftedge.microsoft.com/addons/detail/apenkfbbpmhihehmihndmmcdanacolnh',
    firefox: 'https://addons.mozilla.org/firefox/addon/safepal-extension-wallet',
    browserExtension: 'https://www.safepal.com/download',
  },
  relayLinks: {
    ios: 'safepalwallet://wc?uri={uri}',
    android: 'safepalwallet://wc?uri={uri}',
    universal: 'https://link.safepal.io/wc?uri={uri}',
  },
  connectors: [injected(), walletConnect()],
} satisfies WalletDefinition
