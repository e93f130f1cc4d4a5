import type { Address } from '@lineage/referral-api'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { retryDelay, useApi } from '../../lib/api.ts'

export type Level = number | 'all'
export type Sort = 'joined' | 'team' | 'volume'
export type Order = 'asc' | 'desc'

/** One level of a downline, page after page. */
export function useReferrals(
  community: string,
  address: Address,
  { level, sort, order, limit }: { level: Level; sort: Sort; order: Order; limit: number },
) {
  const api = useApi()
  return useInfiniteQuery({
    queryKey: [community, 'referrals', address, level, sort, order, limit, 'pages'],
    queryFn: ({ signal, pageParam }) =>
      api.referrals(community, address, { level, sort, order, limit, cursor: pageParam, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
    // Another order, or level, replaces the last one when it is there.
    placeholderData: keepPreviousData,
    // Hundreds of pages may be open, and all of them would be asked for again.
    refetchInterval: ({ state }) => (state.data ? false : retryDelay(state.error)),
    refetchOnWindowFocus: false,
    refetchOnReconnect: ({ state }) => state.data === undefined,
    staleTime: 30_000,
  })
}
