import type { Transaction } from '../core/state.ts'
import { useKitState } from './useKitState.ts'

/**
 * The transactions that this account made here on this chain, the latest first.
 *
 * @example
 * ```tsx
 * const pending = useRecentTransactions().filter(({ status }) => status === 'pending')
 * ```
 */
export function useRecentTransactions(): readonly Transaction[] {
  return useKitState((state) => state.transactions)
}
