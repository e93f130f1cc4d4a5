import { useMemo, useSyncExternalStore } from 'react'
import { formatBalance } from '../core/format.ts'
import { useKitContext } from './context.ts'
import { useConnection } from './useConnection.ts'

export type UseBalanceReturnType = {
  /** `stale`: the last reading failed, and this is the one before it. `idle` also on a chain that is not the app's. */
  status: 'idle' | 'loading' | 'failed' | 'ready' | 'stale'
  /** In the chain's smallest unit. */
  value: bigint | undefined
  decimals: number | undefined
  symbol: string | undefined
  /** Shortened for display, with the symbol; `undefined` until known. */
  formatted: string | undefined
  /** Asks the node again. */
  refresh: () => void
}

const noServerState = { status: 'idle' } as const

/**
 * The connected account's balance of the chain's own currency, read from the app's nodes. All who use it share one
 * request; it is read again when a transaction settles.
 *
 * @example
 * ```tsx
 * const { formatted } = useBalance() // '1.2 BNB'
 * ```
 */
export function useBalance(): UseBalanceReturnType {
  const { balance, locale } = useKitContext()
  const { chain } = useConnection()
  const state = useSyncExternalStore(balance.subscribe, balance.getState, () => noServerState)
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
      refresh: balance.refresh,
    }
  }, [state, chain, balance, locale])
}
