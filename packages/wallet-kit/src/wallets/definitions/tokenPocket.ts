import { injected } from '../../core/wallets/injected.ts'
import type { WalletDefinition } from '../../core/wallets/wallet.ts'
import { walletConnect } from '../walletConnect.ts'

// Store ids: https://github.com/rainbow-me/rainbowkit, read 2026-11-20. Download page: https://www.tokenpocket.pro/en/download/app.
/**
 * Lists TokenPocket, which is reached on the page and over the relay.
 *
 * @see https://www.tokenpocket.pro
 */
export const tokenPocket = {
  id: 'tokenPocket',
  name: 'TokenPocket',
  iconUrl: async () => (await import('../icons/more.ts')).tokenPocket,
  iconBackground: '#2980fe',
  iconAccent: '#2980fe',
  rdns: ['pro.tokenpocket'],
  flags: ['isTokenPocket'],
  namespaces: ['tokenpocket.ethereum'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id6444625622',
    android: 'https://play.google.com/store/apps/details?id=vip.mytokenpocket',
    mobile: 'https://www.tokenpocket.pro/en/download/app',
    qrCode: 'https://www.tokenpocket.pro/en/download/app',
    chrome: 'https://chromewebstore.google.com/detail/mfgccjchihfkkindfppnaooecgfneiii',
    browserExtension: 'https://extension.tokenpocket.pro',
  },
  // `{"url":"…"}`, encoded. https://help.tokenpocket.pro/developer-en/wallet/pull-up-wallet-with-deeplink, read 2026-11-20.
  openInWallet: 'tpdapp://open?params=%7B%22url%22%3A%22{url}%22%7D',
  relayLinks: { ios: 'tpoutside://wc?uri={uri}', android: 'tpoutside://wc?uri={uri}' },
  connectors: [injected(), walletConnect()],
} satisfies WalletDefinition
