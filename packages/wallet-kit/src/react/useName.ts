import { useEffect, useMemo } from 'react'
import type { Address } from 'viem'
import type { WalletKitError } from '../core/errors.ts'
import { useKitState } from './useKitState.ts'
import { useWalletKit } from './useWalletKit.ts'

export type UseNameReturnType = {
  /** `idle`: no source of names is configured, or nothing is connected and nothing is kept. */
  status: 'idle' | 'loading' | 'ready' | 'failed'
  /** Whole; `formatName` shortens it. `undefined` for an account without a name. Also while it is looked up anew. */
  name: string | undefined
  /** For an `<img>` alone. */
  avatar: string | undefined
  /** Why the last lookup failed. */
  error: WalletKitError | undefined
}

/**
 * What an account is called, by the sources of `names` in the configuration; of the connected account by default. Asked
 * only while a wallet is connected, once for all who show it. A name proves nothing: where money could move, show the
 * address with it.
 *
 * @example
 * ```tsx
 * const { name } = useName(referrer)
 * return <span title={referrer}>{name ? formatName(name) : formatAddress(referrer)}</span>
 * ```
 */
export function useName(address?: Address): UseNameReturnType {
  const kit = useWalletKit()
  const isConnected = useKitState(({ status }) => status === 'connected' || status === 'unauthenticated')
  const account = useKitState((state) => address ?? state.address)
  const lookup = useKitState(({ names }) => account && names[account.toLowerCase()])
  useEffect(() => {
    // What comes of it is in the state.
    if (kit.config.names && isConnected && account) kit.lookUpName({ address: account }).catch(() => undefined)
  }, [kit, isConnected, account])
  return useMemo(
    () => ({
      status: lookup?.status ?? 'idle',
      name: lookup?.name,
      avatar: lookup?.avatar,
      error: lookup?.status === 'failed' ? lookup.error : undefined,
    }),
    [lookup],
  )
}
