import type { WalletDefinition } from '../../core/wallet.ts'
import { walletConnect as createConnector } from '../walletConnect.ts'

export const walletConnect = {
  id: 'walletConnect',
  name: 'WalletConnect',
  iconUrl: async () => (await import('../icons/walletConnect.ts')).icon,
  iconBackground: '#3b99fc',
  iconAccent: '#3b99fc',
  connectors: [createConnector()],
} satisfies WalletDefinition
