import { injected } from '../../core/wallets/injected.ts'
import type { WalletDefinition } from '../../core/wallets/wallet.ts'
import { walletConnect } from '../walletConnect.ts'

// Store ids: https://github.com/rainbow-me/rainbowkit, read 2026-11-20. Download page: https://metamask.io/download. No flag: nearly every wallet sets isMetaMask.
/**
 * Lists MetaMask, which is reached on the page and over the relay.
 *
 * @see https://metamask.io
 */
export const metaMask = {
  id: 'metaMask',
  name: 'MetaMask',
  iconUrl: async () => (await import('../icons/popular.ts')).metaMask,
  iconBackground: '#fff',
  iconAccent: '#f6851b',
  rdns: ['io.metamask', 'io.metamask.mobile', 'io.metamask.mmc'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id1438144202',
    android: 'https://play.google.com/store/apps/details?id=io.metamask',
    mobile: 'https://metamask.io/download',
    qrCode: 'https://metamask.io/download',
    chrome: 'https://chromewebstore.google.com/detail/nkbihfbeogaeaoehlefnkodbefgpgknn',
    edge: 'https://microsoftedge.microsoft.com/addons/detail/ejbalbakoplchlghecdalmeeeajnimhm',
    firefox: 'https://addons.mozilla.org/firefox/addon/ether-metamask',
    opera: 'https://addons.opera.com/extensions/details/metamask-10',
    browserExtension: 'https://metamask.io/download',
  },
  // https://docs.metamask.io/metamask-connect/evm/guides/metamask-exclusive/use-deeplinks/, read 2026-11-20.
  openInWallet: 'https://link.metamask.io/dapp/{hostAndPath}',
  // Its app lets this link through without a warning. https://github.com/MetaMask/metamask-mobile, read 2026-11-26.
  relayLinks: {
    ios: 'https://link.metamask.io/wc?uri={uri}',
    android: 'https://link.metamask.io/wc?uri={uri}',
    universal: 'https://link.metamask.io/wc?uri={uri}',
    qrCode: 'https://link.metamask.io/wc?uri={uri}',
  },
  connectors: [injected(), walletConnect()],
} satisfies WalletDefinition
