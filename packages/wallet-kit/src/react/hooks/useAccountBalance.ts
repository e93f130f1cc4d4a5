import { useMemo, useSyncExternalStore } from 'react'
import { formatBalance } from '../../core/lib/format.ts'
import { useWalletKitContext } from '../WalletKitContext.ts'
import { useWalletConnection } from './useWalletConnection.ts'
import { doNothing, subscribeToNothing } from './useWalletKit.ts'

export type UseAccountBalanceReturnType = {
  /**
   * `stale`: the last reading failed, and `value` comes from the reading before. `idle`: not connected, or on an
   * unsupported chain.
   */
  status: 'idle' | 'loading' | 'failed' | 'ready' | 'stale'
  /** Balance in the chain's smallest unit. */
  value: bigint | undefined
  decimals: number | undefined
  symbol: string | undefined
  /** Shortened for display, with the symbol: `1.2 BNB`. */
  formatted: string | undefined
  /** Reads the balance again. */
  refresh: () => void
}

const idle = { status: 'idle' } as const

/**
 * Returns the connected account's balance in the chain's own currency, read from the app's nodes: once for all components,
 * and again when a transaction settles.
 *
 * @example
 * ```tsx
 * const { formatted } = useAccountBalance() // '1.2 BNB'
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
    const value = 'value' in state ? state.value : undefined
    const { decimals, symbol } = chain?.nativeCurrency ?? {}
    const isKnown = value !== undefined && decimals !== undefined
    return {
      status: state.status,
      value,
      decimals,
      symbol,
      formatted: isKnown ? `${formatBalance({ value, decimals, locale })} ${symbol}` : undefined,
      refresh: balance?.refresh ?? doNothing,
    }
  }, [state, chain, balance, locale])
}
