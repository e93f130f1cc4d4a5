import type { Address } from '@lineage/referral-api'
import { useQuery } from '@tanstack/react-query'
import { retryDelay, useApi } from '../../lib/api.ts'
import { pause } from '../../lib/pause.ts'

/** So many referrers come at once. */
export const pageSize = 50

export const pageKey = (community: string, address: Address, page: number) =>
  [community, 'referrers', address, page] as const

/**
 * A page of the line from a member up to its root, the first being 0: each is asked for on its own, wherever in the line it
 * is. One that nobody waits for any more is given up.
 */
export function useReferrers(community: string, address: Address, page: number) {
  const api = useApi()
  return useQuery({
    queryKey: pageKey(community, address, page),
    queryFn: async ({ signal }) => {
      // Who drags along the line passes by hundreds.
      if (page > 0) await pause(80, signal)
      return api.referrers(community, address, { ...(page > 0 && { skip: page * pageSize }), limit: pageSize, signal })
    },
    refetchInterval: ({ state }) => (state.data ? false : retryDelay(state.error)),
    refetchOnWindowFocus: false,
    staleTime: 30_000,
    gcTime: 60_000,
  })
}
