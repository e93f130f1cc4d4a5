import type { WalletKit } from '../../core/WalletKit.ts'
import { useWalletKit } from './useWalletKit.ts'
import { throwNotConnected } from './withoutKit.ts'

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
export function useAddTransaction(): WalletKit['addTransaction'] {
  return useWalletKit({ shouldThrow: false })?.addTransaction ?? throwNotConnected
}
