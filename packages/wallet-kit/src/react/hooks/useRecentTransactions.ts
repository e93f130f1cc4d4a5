import type { Transaction } from '../../core/state/state.ts'
import { useWalletKitState } from './useWalletKitState.ts'

/**
 * Returns the transactions that were added for the connected account on its chain, the latest first.
 *
 * @example
 * ```tsx
 * const pending = useRecentTransactions().filter(({ status }) => status === 'pending')
 * ```
 */
export function useRecentTransactions(): readonly Transaction[] {
  return useWalletKitState((state) => state.transactions)
}
