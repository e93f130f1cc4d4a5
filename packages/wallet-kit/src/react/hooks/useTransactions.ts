import type { Transaction } from '../../core/state/state.ts'
import type { WalletKit } from '../../core/WalletKit.ts'
import { useWalletKitContext } from '../WalletKitContext.ts'
import { throwNotConnected, useWalletKitState } from './useWalletKit.ts'

export type UseRecentTransactionsReturnType = readonly Transaction[]

/**
 * Returns the transactions that were added for the connected account on its chain, the latest first.
 *
 * @example
 * ```tsx
 * const pending = useRecentTransactions().filter(({ status }) => status === 'pending')
 * ```
 */
export function useRecentTransactions(): UseRecentTransactionsReturnType {
  return useWalletKitState((state) => state.transactions)
}

export type UseAddTransactionReturnType = WalletKit['addTransaction']

/**
 * Returns the action that adds a transaction of the connected account and follows it until it is settled. Like
 * `kit.addTransaction` it throws for an answer that is not a hash: pass it to `kit.addCalls`.
 *
 * @example
 * ```tsx
 * const addTransaction = useAddTransaction()
 * addTransaction({ hash, description: 'Joined under 0x12…cdef' })
 * ```
 */
export function useAddTransaction(): UseAddTransactionReturnType {
  return useWalletKitContext().kit?.addTransaction ?? throwNotConnected
}
