import type { WalletKitState } from './state.ts'

/** The state of a new kit. */
export const initialState: WalletKitState = {
  status: 'disconnected',
  isSupportedChain: true,
  wallets: [],
  recentWalletIds: [],
  dialog: { name: 'none' },
  transactions: [],
  hasPendingTransactions: false,
  names: {},
}
