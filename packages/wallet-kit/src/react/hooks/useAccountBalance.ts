import { useMemo, useSyncExternalStore } from 'react'
import { type Balance, toBalance } from '../../core/lib/format.ts'
import { useWalletKitContext } from '../WalletKitContext.ts'
import { useWalletConnection } from './useWalletConnection.ts'
import { doNothing, subscribeToNothing } from './useWalletKit.ts'

export type UseAccountBalanceReturnType = {
  /**
   * `stale`: the last reading failed, and `value` comes from the reading before. `idle`: not connected, or on an
   * unsupported chain.
   */
  status: 'idle' | 'loading' | 'failed' | 'ready' | 'stale'
  /** Reads the balance again. */
  refresh: () => void
} & Partial<Balance>

const idle = { status: 'idle' } as const

/**
 * Returns the connected account's balance in the chain's own currency, read from the app's nodes: once for all components,
 * and again when a transaction settles.
 *
 * @example
 * ```tsx
 * const { displayBalance } = useAccountBalance() // '1.2 BNB'
 * ```
 */
export function useAccountBalance(): UseAccountBalanceReturnType {
  const { balance, locale } = useWalletKitContext()
  const { chain } = useWalletConnection()
  const state = useSyncExternalStore(
    balance?.subscribe ?? subscribeToNothing,
    () => balance?.getState() ?? idle,
    () => idle,
  )
  return useMemo(() => {
    const { decimals, symbol } = chain?.nativeCurrency ?? {}
    const isKnown = 'value' in state && decimals !== undefined && symbol !== undefined
    return {
      ...(isKnown && toBalance({ value: state.value, decimals, symbol }, locale)),
      status: state.status,
      refresh: balance?.refresh ?? doNothing,
    }
  }, [state, chain, balance, locale])
}
