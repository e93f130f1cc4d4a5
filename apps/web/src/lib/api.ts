import type { Config, ReferralApiError, ReferralClient } from '@lineage/referral-api'
import { QueryCache, QueryClient, type UseQueryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { createContext, use } from 'react'

export const ApiContext = createContext<ReferralClient | undefined>(undefined)

export function useApi(): ReferralClient {
  const api = use(ApiContext)
  if (!api) throw new Error('useApi is used outside of Providers.')
  return api
}

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: ReferralApiError
    queryMeta: { live?: LiveCommunities } & Record<string, unknown>
  }
}

/** Returns the milliseconds until an automatic retry; `false` when a retry is pointless. */
export function retryDelay(error: ReferralApiError | null): number | false {
  switch (error?.code) {
    case 'indexing':
      return 1_500
    case 'unreachable':
    case 'unavailable':
      return 10_000
    case 'rate_limited':
      return (error.retryAfter ?? 5) * 1_000
    default:
      return false
  }
}

/** Ids of the communities with an open stream of changes, whose queries refresh rarely. */
export type LiveCommunities = Set<unknown>

const refreshWhileLive = 60_000

export type Asked = {
  state: { error: ReferralApiError | null }
  queryKey?: readonly unknown[]
  meta?: { live?: LiveCommunities } | undefined
}

/**
 * Returns a `refetchInterval`: `refresh` milliseconds, or the retry delay after an error. If the query's community
 * has an open stream, a minute. A lookup of a community that is withheld is not repeated: the list of communities, which
 * is asked for at once, tells when it is served.
 */
export const refreshEvery =
  (refresh: number) =>
  ({ state, queryKey, meta }: Asked) =>
    state.error?.code === 'withheld'
      ? false
      : retryDelay(state.error) || (meta?.live?.has(queryKey?.[0]) ? Math.max(refresh, refreshWhileLive) : refresh)

/** Keeps the data of a query until that of the next has loaded, if both keys begin alike. */
export const keepOf =
  (...start: readonly unknown[]) =>
  <data>(previous: data | undefined, query: { queryKey: readonly unknown[] } | undefined): data | undefined =>
    start.every((part, index) => part === query?.queryKey[index]) ? previous : undefined

export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError(error) {
        if (error.code === 'withheld') void client.invalidateQueries({ queryKey: ['communities'] })
      },
    }),
    defaultOptions: {
      queries: {
        meta: { live: new Set() },
        retry: (count, error) => error.code === 'unreachable' && navigator.onLine && count < 1,
        retryDelay: 400,
        // The browser's offline state says nothing about a server on this machine or network.
        networkMode: 'always',
        refetchOnReconnect: true,
        staleTime: 3_000,
        gcTime: 600_000,
        // Cheap: an unchanged answer is a 304.
        refetchInterval: refreshEvery(5_000),
      },
    },
  })
  return client
}

/**
 * Loads an answer of the API. `ask` requests it; its signal aborts when nothing on the page needs the answer any more.
 *
 * @example useAnswer([community, 'member', address], (api, signal) => api.member(community, address, { signal }))
 */
export function useAnswer<data>(
  queryKey: readonly unknown[],
  ask: (api: ReferralClient, signal: AbortSignal) => Promise<data>,
  options?: Omit<UseQueryOptions<data>, 'queryKey' | 'queryFn'>,
): UseQueryResult<data> {
  const api = useApi()
  return useQuery({ ...options, queryKey, queryFn: ({ signal }) => ask(api, signal) })
}

/** Loads the server's configuration once; it is retried until it arrives. */
export const useConfig = (): UseQueryResult<Config> =>
  useAnswer(['config'], (api, signal) => api.config({ signal }), {
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: (query) => (query.state.data ? false : retryDelay(query.state.error) || 10_000),
  })
