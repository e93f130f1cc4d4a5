import type { WalletDefinition } from '../../core/wallet.ts'
import { safe as createConnector } from '../safe.ts'

export const safe = {
  id: 'safe',
  name: 'Safe',
  iconUrl: async () => (await import('../icons/safe.ts')).icon,
  iconBackground: '#12ff80',
  iconAccent: '#12ff80',
  connectors: [createConnector()],
} satisfies WalletDefinition
