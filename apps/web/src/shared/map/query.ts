import type { Address, Community } from '@lineage/referral-api'
import { useQuery } from '@tanstack/react-query'
import { refreshEvery, useApi } from '../../lib/api.ts'
import { cutMap, type MapData } from './layoutMap.ts'

const every = 30_000

/**
 * Loads the map of a team, or of the community without `top`. Until then, returns the matching part of the previous
 * map.
 */
export function useTeamMap({ id }: Community, top: Address | undefined, by: MapData['by']) {
  const api = useApi()
  return useQuery({
    queryKey: [id, 'map', top ?? null, by],
    queryFn: ({ signal }) => (top ? api.teamMap(id, top, { by, signal }) : api.map(id, { by, signal })),
    placeholderData: (previous, query) =>
      previous && query?.queryKey[0] === id ? (top ? cutMap(previous, top) : previous) : undefined,
    refetchInterval: refreshEvery(every),
    staleTime: every,
  })
}

/** Largest number of requested referrers above a leg. */
const most = 200

/**
 * Loads the members from the top of the map down to a leg's referrer.
 *
 * `outside`: the leg is not below the top. `cut`: the upper ones are missing.
 */
export function useTrail({ id }: Community, top: Address | undefined, leg: Address | undefined) {
  const api = useApi()
  return useQuery({
    queryKey: [id, 'map trail', top ?? null, leg ?? null],
    queryFn: async ({ signal }) => {
      const { items, nextCursor } = await api.referrers(id, leg as Address, { limit: most, signal })
      const above = items.map(({ address }) => address)
      if (top === undefined)
        return { extent: nextCursor === null ? ('whole' as const) : ('cut' as const), above: above.reverse() }
      const at = above.indexOf(top)
      if (at >= 0) return { extent: 'whole' as const, above: above.slice(0, at).reverse() }
      return { extent: nextCursor === null ? ('outside' as const) : ('cut' as const), above: above.reverse() }
    },
    enabled: leg !== undefined,
    refetchInterval: refreshEvery(every),
    staleTime: every,
  })
}

export type Trail = NonNullable<ReturnType<typeof useTrail>['data']>
