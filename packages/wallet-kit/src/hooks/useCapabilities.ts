import type { UseQueryResult } from '@tanstack/react-query'
import { assertParameters, type WalletKitErrorType } from '../core/lib/errors.ts'
import type { WalletCapabilities } from '../core/transactions/parseCalls.ts'
import type { KitChainId } from '../core/WalletKit.ts'
import { useWalletKitState } from '../react/hooks/useWalletKit.ts'
import { type KitQueryOptions, useKitQuery } from './useKitQuery.ts'

export type UseCapabilitiesParameters = {
  /** Default: the chain of the wallet. */
  chainId?: KitChainId | undefined
  query?: KitQueryOptions | undefined
}

export type UseCapabilitiesReturnType = UseQueryResult<WalletCapabilities, WalletKitErrorType>

/**
 * Asks the connected wallet for its capabilities on a chain.
 *
 * @param parameters - `chainId`; options of the `query`.
 * @returns A query of TanStack Query: the capabilities by name, `{}` when there are none. Idle while nothing is
 * connected.
 * @see https://eips.ethereum.org/EIPS/eip-5792#wallet_getcapabilities
 * @example
 * ```tsx
 * const { data } = useCapabilities()
 * const isOneTransaction = data?.atomic?.status === 'supported'
 * ```
 */
export function useCapabilities(parameters: UseCapabilitiesParameters = {}): UseCapabilitiesReturnType {
  assertParameters(parameters, 'chainId', 'query')
  const { chainId, query } = parameters
  // Another wallet may have the same account.
  const connection = useWalletKitState((state) => state.connectionId)
  const current = useWalletKitState((state) => state.chainId)
  const address = useWalletKitState((state) => (state.connectionId === undefined ? undefined : state.address))
  return useKitQuery({
    name: 'capabilities',
    key: address && [address.toLowerCase(), connection],
    // Also a chain that the app does not support.
    chainId: chainId ?? current,
    read: (kit, chainId) => kit.getCapabilities({ chainId }),
    query: { ...query, staleTime: query?.staleTime ?? Number.POSITIVE_INFINITY },
    // An account can be upgraded to a smart account.
    changes: 'withTransactions',
  })
}
