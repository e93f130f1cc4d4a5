import { injected } from '../../core/wallets/injected.ts'
import type { WalletDefinition } from '../../core/wallets/wallet.ts'
import { walletConnect } from '../walletConnect.ts'

// Store id of the extension: https://github.com/rainbow-me/rainbowkit, read 2026-11-20. Apps and download page:
// https://rabby.io. No openInWallet is documented.
/**
 * Lists Rabby, which is reached on the page and over the relay.
 *
 * @see https://rabby.io
 */
export const rabby = {
  id: 'rabby',
  name: 'Rabby',
  iconUrl: async () => (await import('../icons/more.ts')).rabby,
  iconBackground: '#8697ff',
  iconAccent: '#8697ff',
  rdns: ['io.rabby'],
  flags: ['isRabby'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id6474381673',
    android: 'https://play.google.com/store/apps/details?id=com.debank.rabbymobile',
    mobile: 'https://rabby.io',
    qrCode: 'https://rabby.io',
    chrome: 'https://chromewebstore.google.com/detail/acmacodkjbdgmoleebolmdjonilkdbch',
    browserExtension: 'https://rabby.io',
  },
  // Its apps register this scheme only, not wc:. https://github.com/RabbyHub/rabby-mobile, read 2026-11-22.
  relayLinks: { ios: 'rabby://wc?uri={uri}', android: 'rabby://wc?uri={uri}' },
  connectors: [injected(), walletConnect()],
} satisfies WalletDefinition
