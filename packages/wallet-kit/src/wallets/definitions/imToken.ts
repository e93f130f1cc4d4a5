import { injected } from '../../core/wallets/injected.ts'
import type { WalletDefinition } from '../../core/wallets/wallet.ts'
import { walletConnect } from '../walletConnect.ts'

// Store ids: https://github.com/rainbow-me/rainbowkit, read 2026-11-20. Download page: https://token.im/download.
/**
 * Lists imToken, which is reached on the page and over the relay.
 *
 * @see https://token.im
 */
export const imToken = {
  id: 'imToken',
  name: 'imToken',
  iconUrl: async () => (await import('../icons/more.ts')).imToken,
  iconBackground: '#098de6',
  iconAccent: '#098de6',
  rdns: ['im.token', 'im.token.app'],
  flags: ['isImToken'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id1384798940',
    android: 'https://play.google.com/store/apps/details?id=im.token.app',
    mobile: 'https://token.im/download',
    qrCode: 'https://token.im/download',
  },
  // https://imtoken.gitbook.io/developers/products/deep-linking, read 2026-11-20.
  openInWallet: 'imtokenv2://navigate/DappView?url={url}',
  relayLinks: { ios: 'imtokenv2://wc?uri={uri}', android: 'imtokenv2://wc?uri={uri}' },
  connectors: [injected(), walletConnect()],
} satisfies WalletDefinition
