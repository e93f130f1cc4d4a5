import { injected } from '../../core/wallets/injected.ts'
import type { WalletDefinition } from '../../core/wallets/wallet.ts'
import { walletConnect } from '../walletConnect.ts'

// Store ids: https://github.com/rainbow-me/rainbowkit, read 2026-11-20. Download page, which leads to both app
// stores: https://web3.bitget.com/en/wallet-download.
/**
 * Lists Bitget Wallet, which is reached on the page and over the relay.
 *
 * @see https://web3.bitget.com
 */
export const bitget = {
  id: 'bitget',
  name: 'Bitget Wallet',
  shortName: 'Bitget',
  iconUrl: async () => (await import('../icons/more.ts')).bitget,
  iconBackground: '#fff',
  iconAccent: '#00f0ff',
  rdns: ['com.bitget.web3', 'com.bitget.web3wallet'],
  flags: ['isBitKeep'],
  namespaces: ['bitkeep.ethereum'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id1395301115',
    android: 'https://play.google.com/store/apps/details?id=com.bitkeep.wallet',
    mobile: 'https://web3.bitget.com/en/wallet-download',
    qrCode: 'https://web3.bitget.com/en/wallet-download',
    chrome: 'https://chromewebstore.google.com/detail/jiidiaalihmmhddjgbnbgdfflelocpak',
    browserExtension: 'https://web3.bitget.com/en/wallet-download',
  },
  // https://docs.bitkeep.com/en/docs/guide/mobile/Deeplink.html, read 2026-11-20.
  openInWallet: 'https://bkcode.vip?action=dapp&url={url}',
  relayLinks: { ios: 'bitkeep://wc?uri={uri}', universal: 'https://bkapp.vip/wc?uri={uri}' },
  connectors: [injected(), walletConnect()],
} satisfies WalletDefinition
