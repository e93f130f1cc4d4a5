import type { WalletKit } from '../core/createWalletKit.ts'
import { useWalletKit } from './useWalletKit.ts'

/**
 * Remembers a transaction of this account and follows it until it is settled.
 *
 * @example
 * ```tsx
 * const addTransaction = useAddTransaction()
 * addTransaction({ hash, description: 'Joined under 0x12…cdef' })
 * ```
 */
export function useAddTransaction(): WalletKit['addTransaction'] {
  return useWalletKit().addTransaction
}
