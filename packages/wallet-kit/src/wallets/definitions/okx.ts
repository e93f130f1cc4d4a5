import { injected } from '../../core/wallets/injected.ts'
import type { WalletDefinition } from '../../core/wallets/wallet.ts'
import { walletConnect } from '../walletConnect.ts'

// Store ids: https://github.com/rainbow-me/rainbowkit, read 2026-11-20. Download page: https://www.okx.com/download.
/**
 * Lists OKX Wallet, which is reached on the page and over the relay.
 *
 * @see https://web3.okx.com
 */
export const okx = {
  id: 'okx',
  name: 'OKX Wallet',
  shortName: 'OKX',
  iconUrl: async () => (await import('../icons/more.ts')).okx,
  iconBackground: '#000',
  iconAccent: '#000',
  rdns: ['com.okex.wallet'],
  flags: ['isOkxWallet'],
  namespaces: ['okxwallet'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id1327268470',
    android: 'https://play.google.com/store/apps/details?id=com.okinc.okex.gp',
    mobile: 'https://www.okx.com/download',
    qrCode: 'https://www.okx.com/download',
    chrome: 'https://chromewebstore.google.com/detail/mcohilncbfahbmgdjkbpemcciiolgcge',
    edge: 'https://microsoftedge.microsoft.com/addons/detail/pbpjkcldjiffchgbbndmhojiacbgflha',
    firefox: 'https://addons.mozilla.org/firefox/addon/okexwallet',
    browserExtension: 'https://www.okx.com/download',
  },
  // `okx://wallet/dapp/url?dappUrl=…`, encoded. https://web3.okx.com/build/docs/waas/app-universal-link, read 2026-11-20.
  openInWallet: 'https://web3.okx.com/download?deeplink=okx%3A%2F%2Fwallet%2Fdapp%2Furl%3FdappUrl%3D{urlTwice}',
  relayLinks: { ios: 'okex://main/wc?uri={uri}' },
  connectors: [injected(), walletConnect()],
} satisfies WalletDefinition
