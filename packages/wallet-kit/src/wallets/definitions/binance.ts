import { injected } from '../../core/wallets/injected.ts'
import type { WalletDefinition } from '../../core/wallets/wallet.ts'
import { walletConnect } from '../walletConnect.ts'

// Store ids: https://github.com/rainbow-me/rainbowkit, read 2026-11-20. Download page: https://www.binance.com/en/web3wallet.
// No openInWallet: since 2026-10-30 links from outside no longer open its browser.
/**
 * Lists Binance Wallet, which is reached on the page and over the relay.
 *
 * @see https://www.binance.com/en/web3wallet
 */
export const binance = {
  id: 'binance',
  name: 'Binance Wallet',
  shortName: 'Binance',
  iconUrl: async () => (await import('../icons/more.ts')).binance,
  iconBackground: '#000',
  iconAccent: '#f0b90b',
  rdns: ['com.binance.wallet'],
  namespaces: ['binancew3w.ethereum'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id1436799971',
    android: 'https://play.google.com/store/apps/details?id=com.binance.dev',
    mobile: 'https://www.binance.com/en/download',
    qrCode: 'https://www.binance.com/en/download',
    chrome: 'https://chromewebstore.google.com/detail/cadiboklkpojfamcoggejbbdjcoiljjk',
    browserExtension: 'https://www.binance.com/en/web3wallet',
  },
  relayLinks: {
    ios: 'bnc://app.binance.com/cedefi/wc?uri={uri}',
    universal: 'https://app.binance.com/cedefi/wc?uri={uri}',
  },
  connectors: [injected(), walletConnect()],
} satisfies WalletDefinition
