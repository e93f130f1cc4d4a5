import type { Metrics } from '@lineage/referral-api'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { keepOf, refreshEvery, useAnswer, useApi } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { toMore, usePages } from '../../lib/pages.ts'
import { levelsAtOnce } from '../../shared/lookup/queries.ts'
import { refreshPast } from '../../shared/past/queries.ts'

export const useStatus = () =>
  useAnswer(['status'], (api, signal) => api.status({ signal }), { refetchInterval: refreshEvery(3_000) })

/** Loads the figures of a community at a past moment. */
export function usePastMetrics(community: string, asOf: string) {
  const tz = useFormat().timeZone
  return useAnswer(
    [community, 'past', 'metrics', asOf, tz],
    (api, signal) => api.metrics(community, { asOf, tz, depthTo: levelsAtOnce - 1, signal }),
    { refetchInterval: refreshPast },
  )
}

/** Loads more depths of a community than its metrics have, on request. Those that are loaded stay if more cannot be. */
export function useDepths(community: string, asOf: string | undefined) {
  const api = useApi()
  const tz = useFormat().timeZone
  const queryKey = [community, 'depths', asOf, tz]
  const query = useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam, signal }): Promise<Pick<Metrics, 'asOf' | 'depths'>> => {
      const options = { tz, depthFrom: pageParam, depthTo: pageParam + levelsAtOnce - 1, signal }
      return asOf === undefined
        ? api.metrics(community, { ...options, series: 'members' })
        : api.metrics(community, { ...options, asOf })
    },
    initialPageParam: levelsAtOnce,
    getNextPageParam: (_, __, from: number) => from + levelsAtOnce,
    enabled: useQueryClient().getQueryData(queryKey) !== undefined,
  })
  return { depths: query.data?.pages.flatMap((page) => page.depths) ?? [], more: toMore(query) }
}

/** Loads the metrics with the amounts of each day. */
export function useDailyAmounts(community: string) {
  const tz = useFormat().timeZone
  return useAnswer(
    [community, 'dailyAmounts', tz],
    (api, signal) => api.metrics(community, { tz, depthTo: 0, signal }),
    {
      placeholderData: keepOf(community, 'dailyAmounts'),
      refetchInterval: refreshEvery(30_000),
    },
  )
}

export const latestBindsShown = 6

/** Loads the latest binds. */
export const useLatestBinds = (community: string) =>
  useAnswer([community, 'newest'], (api, signal) => api.events(community, { limit: latestBindsShown, signal }), {
    refetchInterval: refreshEvery(3_000),
  })

/** A past moment of the whole community: its block or time, and the second of its newest event. */
export type PastMoment = { at: { block: number | null }; until: number }

/** Loads the latest binds at a past moment. */
export const usePastBinds = (community: string, { at: { block }, until }: PastMoment) =>
  useAnswer(
    [community, 'past', 'newest', block, until],
    async (api, signal) => {
      // Later blocks may have the same second.
      const { items, ...events } = await api.events(community, { to: until, limit: 5 * latestBindsShown, signal })
      return {
        ...events,
        items: items.filter((bind) => bind.block <= (block ?? bind.block)).slice(0, latestBindsShown),
      }
    },
    { refetchInterval: refreshEvery(30_000) },
  )

/** Loads the binds that do not count, page by page. */
export const useIrregularBinds = (community: string) =>
  usePages([community, 'irregular'], (api, page) =>
    api.events(community, { status: 'self,duplicate,cycle', limit: 20, ...page }),
  )

/** Loads the roots with the largest teams first, page by page. */
export const useRoots = (community: string) =>
  usePages([community, 'roots'], (api, page) => api.roots(community, { limit: 20, ...page }))

/** Loads the newest bind. */
export const useNewestBind = (community: string, every: number) =>
  useAnswer([community, 'newest', 1], (api, signal) => api.events(community, { limit: 1, signal }), {
    refetchInterval: refreshEvery(every),
  })
