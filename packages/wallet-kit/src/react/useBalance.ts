import { useMemo, useSyncExternalStore } from 'react'
import { formatBalance } from '../core/format.ts'
import { useKitContext } from './context.ts'
import { useConnection } from './useConnection.ts'

export type UseBalanceReturnType = {
  status: 'idle' | 'loading' | 'failed' | 'ready'
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
  const { balance } = useKitContext()
  const { chain } = useConnection()
  const state = useSyncExternalStore(balance.subscribe, balance.getState, () => noServerState)
  return useMemo(() => {
    const value = state.status === 'ready' ? state.value : undefined
    const { decimals, symbol } = chain?.nativeCurrency ?? {}
    const isKnown = value !== undefined && decimals !== undefined
    return {
      status: state.status,
      value,
      decimals,
      symbol,
      formatted: isKnown ? `${formatBalance({ value, decimals })} ${symbol}` : undefined,
      refresh: balance.refresh,
    }
  }, [state, chain, balance])
}
