import { type QueryClient, type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { WalletKitError, type WalletKitErrorType } from '../core/lib/errors.ts'
import type { WalletKit } from '../core/WalletKit.ts'
import { useWalletKit, useWalletKitState } from '../react/hooks/useWalletKit.ts'

/** The options of TanStack Query that the hooks pass on. */
export type KitQueryOptions = {
  /** `false`: reads nothing. Default: reads as soon as all parameters are known. */
  enabled?: boolean | undefined
  /** Milliseconds for which a value is not read again. */
  staleTime?: number | undefined
  /** Milliseconds after which an unused value is forgotten. */
  gcTime?: number | undefined
  /** Milliseconds between readings, or `false`. */
  refetchInterval?: number | false | undefined
  /** Number of retries of a failed reading. */
  retry?: boolean | number | undefined
}

type KitQuery<data> = {
  name: string
  /** The parameters; `undefined` while one is unknown. */
  key: readonly unknown[] | undefined
  /** Default: the chain of the wallet, otherwise the initial one. */
  chainId: number | undefined
  read: (kit: WalletKit, chainId: number) => Promise<data>
  query: KitQueryOptions | undefined
  /** When the value can change: with settled transactions, or never. */
  changes: 'withTransactions' | 'never'
}

/** Creates a query of TanStack Query with the kit's errors, which reads again when a transaction settles. */
export function useKitQuery<data>({
  name,
  key,
  chainId,
  read,
  query = {},
  changes,
}: KitQuery<data>): UseQueryResult<data, WalletKitErrorType> {
  const kit = useWalletKit({ shouldThrow: false })
  const current = useWalletKitState((state) => (state.isSupportedChain ? state.chainId : undefined))
  const readChainId = chainId ?? current ?? kit?.getClient().chain.id
  const client = useQueryClient()
  useEffect(() => {
    if (kit) readAgainWhenSettled(kit, client)
  }, [kit, client])
  return useQuery<data, WalletKitErrorType>({
    ...withoutUndefined(query),
    queryKey: ['walletKit', kit?.config.id ?? '', readChainId ?? 0, name, ...(key ?? [])],
    queryKeyHashFn: hashKey,
    meta: { changes },
    enabled: query.enabled !== false && kit !== undefined && key !== undefined && readChainId !== undefined,
    queryFn: async () => {
      if (!kit || !key || readChainId === undefined)
        throw new WalletKitError('Nothing can be read yet: a parameter is missing, or no wallet is connected.')
      try {
        return await read(kit, readChainId)
      } catch (thrown) {
        throw toReadError(thrown)
      }
    },
  })
}

/** Omits options that are `undefined`, which would replace the defaults of the app's `QueryClient`. */
function withoutUndefined<options extends object>(options: options) {
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given) as { [name in keyof options]: Exclude<options[name], undefined> }
}

const subscribed = new WeakMap<WalletKit, WeakSet<QueryClient>>()

/** Reads all queries of a kit again when a transaction settles, also those of components that return later. */
function readAgainWhenSettled(kit: WalletKit, client: QueryClient): void {
  const clients = subscribed.get(kit) ?? new WeakSet()
  if (clients.has(client)) return
  subscribed.set(kit, clients.add(client))
  const id = kit.config.id ?? ''
  kit.onTransactionSettled(
    () =>
      void client.invalidateQueries({
        queryKey: ['walletKit', id],
        predicate: ({ meta }) => meta?.changes === 'withTransactions',
      }),
  )
}

/** Converts an error of a node, whose codes mean something else than those of wallets. */
function toReadError(thrown: unknown): WalletKitErrorType {
  if (thrown instanceof WalletKitError) return thrown as WalletKitErrorType
  const { shortMessage, details, message } = Object(thrown) as Partial<Record<string, string>>
  return new WalletKitError(shortMessage ?? message ?? 'The node returned an unknown error.', {
    details,
    cause: thrown,
  }) as WalletKitErrorType
}

/** Hashes a key with bigints, which are common in contract arguments and which JSON does not support. */
const hashKey = (key: readonly unknown[]): string =>
  JSON.stringify(key, (_, value) => (typeof value === 'bigint' ? `${value}n` : value))
