import type { Address } from '@lineage/referral-api'
import { useInfiniteQuery } from '@tanstack/react-query'
import { refreshEvery, useApi } from '../../lib/api.ts'

/** From a member's referrer up to the root, page after page. */
export function useReferrers(community: string, address: Address) {
  const api = useApi()
  return useInfiniteQuery({
    queryKey: [community, 'referrers', address],
    queryFn: ({ signal, pageParam }) => api.referrers(community, address, { limit: 50, cursor: pageParam, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
    refetchInterval: refreshEvery(60_000),
  })
}
