import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { toWalletKitError, type WalletKitErrorType } from '../core/lib/errors.ts'
import type { WalletKit } from '../core/WalletKit.ts'
import { useWalletKit } from '../react/hooks/useWalletKit.ts'
import { useWalletKitState } from '../react/hooks/useWalletKitState.ts'
import type { KitChainId } from './register.ts'

/** The options of TanStack Query that the hooks pass on. */
export type KitQueryOptions = {
  /** `false`: reads nothing. Default: reads as soon as all parameters are known. */
  enabled?: boolean
  /** Milliseconds for which a value is not read again. */
  staleTime?: number
  /** Milliseconds after which an unused value is forgotten. */
  gcTime?: number
  /** Milliseconds between readings, or `false`. */
  refetchInterval?: number | false
  /** Number of retries of a failed reading. */
  retry?: boolean | number
}

type KitQuery<data> = {
  /** Name of the query and its parameters; `undefined` while they are unknown. */
  key: readonly unknown[] | undefined
  /** Default: the chain of the wallet, otherwise the initial one. */
  chainId: KitChainId | undefined
  read: (kit: WalletKit, chainId: number) => Promise<data>
  query: KitQueryOptions | undefined
  /** When the value can change: with settled transactions, or never. */
  changes: 'withTransactions' | 'never'
}

/** Creates a query of TanStack Query with the kit's errors, which reads again when a transaction settles. */
export function useKitQuery<data>({
  key,
  chainId,
  read,
  query = {},
  changes,
}: KitQuery<data>): UseQueryResult<data, WalletKitErrorType> {
  const kit = useWalletKit({ shouldThrow: false })
  const current = useWalletKitState((state) => (state.isSupportedChain ? state.chainId : undefined))
  const readChainId = chainId ?? current ?? kit?.getClient().chain.id
  const queryKey = ['walletKit', kit?.config.id ?? '', readChainId ?? 0, ...(key ?? [])]
  const hash = hashKey(queryKey)
  const client = useQueryClient()
  useEffect(() => {
    if (!kit || changes === 'never') return
    // Compared by hash, because the key is a new list in each render.
    return kit.onTransactionSettled(
      () => void client.invalidateQueries({ predicate: ({ queryHash }) => queryHash === hash }),
    )
  }, [kit, client, hash, changes])
  return useQuery<data, WalletKitErrorType>({
    ...query,
    queryKey,
    queryKeyHashFn: hashKey,
    enabled: query.enabled !== false && kit !== undefined && key !== undefined && readChainId !== undefined,
    queryFn: () => (kit && readChainId !== undefined ? withKitErrors(() => read(kit, readChainId)) : neverRead()),
  })
}

/** Query function of a query that `enabled` keeps from running. */
const neverRead = () => new Promise<never>(() => {})

export async function withKitErrors<data>(task: () => Promise<data>): Promise<data> {
  try {
    return await task()
  } catch (thrown) {
    throw toWalletKitError(thrown)
  }
}

/** Hashes a key with bigints, which are common in contract arguments and which JSON does not support. */
const hashKey = (key: readonly unknown[]): string =>
  JSON.stringify(key, (_, value) => (typeof value === 'bigint' ? `${value}n` : value))
