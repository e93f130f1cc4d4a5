import type { Address, PastLevels, ReferralApiError } from '@lineage/referral-api'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useAnswer, useApi } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { toMore } from '../../lib/pages.ts'
import { refreshPast } from '../past/queries.ts'
import { levelsAtOnce } from './queries.ts'

type LevelsOptions = {
  /** Block or day of the levels; now by default. */
  asOf?: string
  /** A level that loads even if it is far below the others. */
  chosen?: number | undefined
}

type Pages = { state: { data?: { pages: SomeLevels[] } | undefined; error: ReferralApiError | null } }
type SomeLevels = Pick<PastLevels, 'asOf' | 'items'> & Partial<Pick<PastLevels, 'at'>>

/** Loads the first levels below a member, and more on request. Those that are loaded stay if more cannot be. */
export function useLevels(community: string, address: Address, { asOf, chosen = 0 }: LevelsOptions = {}) {
  const api = useApi()
  const tz = useFormat().timeZone
  const key = asOf === undefined ? [community, 'levels', address] : [community, 'past', 'levels', address, asOf, tz]
  const ask = (levelFrom: number, levelTo: number, signal: AbortSignal): Promise<SomeLevels> => {
    const range = { levelFrom, levelTo, signal }
    return asOf === undefined
      ? api.levels(community, address, range)
      : api.levels(community, address, { ...range, asOf, tz })
  }
  const query = useInfiniteQuery({
    ...(asOf !== undefined && {
      refetchInterval: ({ state: { data, error } }: Pages) => refreshPast({ state: { data: data?.pages[0], error } }),
    }),
    queryKey: key,
    queryFn: ({ pageParam, signal }) => ask(pageParam, pageParam + levelsAtOnce - 1, signal),
    initialPageParam: 1,
    getNextPageParam: (_, __, from: number) => from + levelsAtOnce,
    select: ({ pages }) => pages.reduce((all, page) => ({ ...page, items: [...all.items, ...page.items] })),
  })
  const loaded = query.data?.items ?? []
  const isFar = chosen > levelsAtOnce && !loaded.some(({ level }) => level === chosen)
  const far = useAnswer([...key, chosen], (_, signal) => ask(chosen, chosen, signal), {
    enabled: isFar,
    ...(asOf !== undefined && { refetchInterval: refreshPast }),
  })
  return {
    query,
    items: [...loaded, ...((isFar && far.data?.items) || [])],
    more: toMore(query),
  }
}
