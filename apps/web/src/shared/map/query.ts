import type { Address, Community } from '@lineage/referral-api'
import { useSearchParams } from 'react-router-dom'
import { refreshEvery, useAnswer } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { withChanges } from '../../paths.ts'
import { parseAddress } from '../address/parseAddress.ts'
import { cutMap, type MapData } from './layoutMap.ts'

const every = 30_000
const seldom = { refetchInterval: refreshEvery(every), staleTime: every }

/** Loads the map of a team, or of the community without `top`; until then, that part of the previous map. */
export function useTeamMap({ id }: Community, top: Address | undefined, by: MapData['by']) {
  const tz = useFormat().timeZone
  return useAnswer(
    [id, 'map', top ?? null, by, tz],
    (api, signal) => (top ? api.teamMap(id, top, { by, tz, signal }) : api.map(id, { by, tz, signal })),
    {
      placeholderData: (previous, query) =>
        previous && query?.queryKey[0] === id ? (top ? cutMap(previous, top) : previous) : undefined,
      ...seldom,
    },
  )
}

/** Largest number of requested referrers above a leg. */
const most = 200

/**
 * Loads the members from the top of the map down to a leg's referrer.
 *
 * `outside`: the leg is not below the top. `cut`: the upper ones are missing.
 */
export const useTrail = ({ id }: Community, top: Address | undefined, leg: Address | undefined) =>
  useAnswer(
    [id, 'map trail', top ?? null, leg ?? null],
    async (api, signal) => {
      const { items, nextCursor } = await api.referrers(id, leg as Address, { limit: most, signal })
      const above = items.map(({ address }) => address)
      if (top === undefined)
        return { extent: nextCursor === null ? ('whole' as const) : ('cut' as const), above: above.reverse() }
      const at = above.indexOf(top)
      if (at >= 0) return { extent: 'whole' as const, above: above.slice(0, at).reverse() }
      return { extent: nextCursor === null ? ('outside' as const) : ('cut' as const), above: above.reverse() }
    },
    { ...seldom, enabled: leg !== undefined },
  )

export type Trail = NonNullable<ReturnType<typeof useTrail>['data']>

type By = MapData['by']
export type MapPlace = {
  /** The zoomed leg; `undefined` for the whole map. */
  leg: Address | undefined
  by: By
  /** Returns the query of the link to a leg, or to the whole map. */
  linkTo: (leg: Address | undefined) => string
  zoom: (leg: Address | undefined) => void
  measure: (by: By) => void
}

/** Returns the position in the map from the URL, and a function that changes it. Back leaves a leg again. */
export function useMapPlace(top: Address | undefined, measures: 'members' | 'both'): MapPlace {
  const [parameters, setParameters] = useSearchParams()
  const parsed = parseAddress(parameters.get('leg') ?? '')
  const leg = parsed.kind === 'valid' && parsed.address !== top ? parsed.address : undefined
  const toLeg = (to: Address | undefined) =>
    withChanges(parameters, { leg: to === undefined || to === top ? null : to })
  return {
    leg,
    by: measures === 'both' && parameters.get('by') === 'volume' ? 'volume' : 'members',
    linkTo: (to) => `?${toLeg(to)}`,
    zoom: (to) => setParameters(toLeg(to)),
    measure: (by) => setParameters(withChanges(parameters, { by: by === 'volume' ? by : null }), { replace: true }),
  }
}
