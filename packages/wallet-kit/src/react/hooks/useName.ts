import { useEffect, useMemo } from 'react'
import type { Address } from 'viem'
import { assertParameters, type WalletKitErrorType } from '../../core/lib/errors.ts'
import { useWalletKitContext } from '../WalletKitContext.ts'
import { useWalletKitState } from './useWalletKit.ts'

export type UseNameParameters = {
  /** Default: the connected account. */
  address?: Address | undefined
}

export type UseNameReturnType = {
  /**
   * `idle`: the configuration has no `names`, or nothing is connected, no earlier answer is stored, and `names` has no
   * `resolve`.
   */
  status: 'idle' | 'loading' | 'ready' | 'failed'
  /** The full name; `formatName` shortens it. It stays while it is looked up again. */
  name: string | undefined
  /** Picture of the name. Use it only in an `<img>`. */
  avatar: string | undefined
  /** The reason why the last lookup failed. */
  error: WalletKitErrorType | undefined
}

/**
 * Returns the name of an account, by default the connected one, from the sources of `names` in the configuration. Looked
 * up once for all components, and only while a wallet is connected; a `resolve` of your own is asked at any time. A name
 * proves nothing: where money could move, show the address with it.
 *
 * @param parameters - `address`: the account. Default: the connected one.
 * @example
 * ```tsx
 * function Referrer({ referrer }: { referrer: Address }) {
 *   const { name } = useName({ address: referrer })
 *   return <span title={referrer}>{name ? formatName(name) : formatAddress(referrer)}</span>
 * }
 * ```
 */
export function useName(parameters: UseNameParameters = {}): UseNameReturnType {
  assertParameters(parameters, 'address')
  const { address } = parameters
  const { kit } = useWalletKitContext()
  const isConnected = useWalletKitState(({ status }) => status === 'connected' || status === 'unauthenticated')
  const account = useWalletKitState((state) => address ?? state.address)
  const lookup = useWalletKitState(({ names }) => account && names[account.toLowerCase()])
  useEffect(() => {
    const isAllowed = isConnected || (address && kit?.config.names?.resolve)
    // The state has the outcome.
    if (kit?.config.names && isAllowed && account) kit.lookUpName({ address: account }).catch(() => {})
  }, [kit, isConnected, address, account])
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
