import type { Address } from '@lineage/referral-api'
import { useInfiniteQuery } from '@tanstack/react-query'
import { retryDelay, useApi } from '../../lib/api.ts'

/** From a member's referrer up to the root, page after page. */
export function useReferrers(community: string, address: Address) {
  const api = useApi()
  return useInfiniteQuery({
    queryKey: [community, 'referrers', address],
    queryFn: ({ signal, pageParam }) =>
      api.referrers(community, address, { limit: pageParam ? 200 : 50, cursor: pageParam, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
    // Hundreds of pages may be open, and all of them would be asked for again.
    refetchInterval: ({ state }) => (state.data ? false : retryDelay(state.error)),
    refetchOnWindowFocus: false,
    refetchOnReconnect: ({ state }) => state.data === undefined,
    staleTime: 30_000,
  })
}
