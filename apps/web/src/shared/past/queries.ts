import type { Address, ReferralApiError } from '@lineage/referral-api'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { refreshEvery, retryDelay, useApi } from '../../lib/api.ts'

export type PastSort = 'joined' | 'team'

type Asked = { state: { data?: unknown; error: ReferralApiError | null } }

/**
 * Returns the refresh interval: soon for a block that is not indexed yet, else seldom. The past changes only when a
 * block is replaced, but the day may be today.
 */
const refresh = (query: Asked) =>
  query.state.error?.code === 'block_not_indexed' ? 5_000 : refreshEvery(30_000)(query)

/** Loads a member at a past moment. */
export function usePastMember(community: string, address: Address, asOf: string) {
  const api = useApi()
  return useQuery({
    queryKey: [community, 'past', 'member', address, asOf],
    queryFn: ({ signal }) => api.pastMember(community, address, asOf, { signal }),
    refetchInterval: refresh,
  })
}

/** Loads the levels below a member at a past moment. */
export function usePastLevels(community: string, address: Address, asOf: string) {
  const api = useApi()
  return useQuery({
    queryKey: [community, 'past', 'levels', address, asOf],
    queryFn: ({ signal }) => api.pastLevels(community, address, asOf, { signal }),
    refetchInterval: refresh,
  })
}

/** Options of lists, which do not refresh because all their pages would reload. */
const ofPages = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (last: { nextCursor: string | null }) => last.nextCursor ?? undefined,
  refetchInterval: ({ state }: Asked) => (state.data ? (false as const) : retryDelay(state.error)),
  refetchOnWindowFocus: false,
  staleTime: 30_000,
}

/** Loads the directs of a member at a past moment, page by page. */
export function usePastDirects(community: string, address: Address, asOf: string, sort: PastSort) {
  const api = useApi()
  return useInfiniteQuery({
    ...ofPages,
    queryKey: [community, 'past', 'directs', address, asOf, sort],
    queryFn: ({ signal, pageParam }) =>
      api.pastReferrals(community, address, asOf, { level: 1, sort, cursor: pageParam, signal }),
    placeholderData: keepPreviousData,
  })
}

/** Loads the referrers of a member at a past moment, page by page. */
export function usePastUpline(community: string, address: Address, asOf: string) {
  const api = useApi()
  return useInfiniteQuery({
    ...ofPages,
    queryKey: [community, 'past', 'upline', address, asOf],
    queryFn: ({ signal, pageParam }) => api.pastReferrers(community, address, asOf, { cursor: pageParam, signal }),
  })
}
