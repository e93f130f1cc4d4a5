import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { keepOf, pageOptions, refreshEvery, useApi } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { refreshPast } from '../../shared/past/queries.ts'

export function useStatus() {
  const api = useApi()
  return useQuery({
    queryKey: ['status'],
    queryFn: ({ signal }) => api.status({ signal }),
    refetchInterval: refreshEvery(3_000),
  })
}

/** Loads the figures of a community at a past moment. */
export function usePastMetrics(community: string, asOf: string) {
  const api = useApi()
  const tz = useFormat().timeZone
  return useQuery({
    queryKey: [community, 'past', 'metrics', asOf, tz],
    queryFn: ({ signal }) => api.metrics(community, { asOf, tz, signal }),
    refetchInterval: refreshPast,
  })
}

/** Loads the metrics with the amounts of each day. */
export function useDailyAmounts(community: string) {
  const api = useApi()
  const tz = useFormat().timeZone
  return useQuery({
    queryKey: [community, 'dailyAmounts', tz],
    queryFn: ({ signal }) => api.metrics(community, { tz, signal }),
    placeholderData: keepOf(community, 'dailyAmounts'),
    refetchInterval: refreshEvery(30_000),
  })
}

export const latestBindsShown = 6

/** Loads the latest binds. */
export function useLatestBinds(community: string) {
  const api = useApi()
  return useQuery({
    queryKey: [community, 'newest'],
    queryFn: ({ signal }) => api.events(community, { limit: latestBindsShown, signal }),
    refetchInterval: refreshEvery(3_000),
  })
}

/** A past moment of the whole community: its block or time, and the second of its newest event. */
export type PastMoment = { at: { block: number | null }; until: number }

/** Loads the latest binds at a past moment. */
export function usePastBinds(community: string, { at: { block }, until }: PastMoment) {
  const api = useApi()
  return useQuery({
    queryKey: [community, 'past', 'newest', block, until],
    queryFn: async ({ signal }) => {
      // Later blocks may have the same second.
      const { items, ...events } = await api.events(community, { to: until, limit: 5 * latestBindsShown, signal })
      return {
        ...events,
        items: items.filter((bind) => bind.block <= (block ?? bind.block)).slice(0, latestBindsShown),
      }
    },
    refetchInterval: refreshEvery(30_000),
  })
}

/** Loads the binds that do not count, page by page. */
export function useIrregularBinds(community: string) {
  const api = useApi()
  return useInfiniteQuery({
    ...pageOptions,
    queryKey: [community, 'irregular'],
    queryFn: ({ signal, pageParam }) =>
      api.events(community, { status: 'self,duplicate,cycle', limit: 20, cursor: pageParam, signal }),
  })
}

/** Loads the roots with the largest teams first, page by page. */
export function useRoots(community: string) {
  const api = useApi()
  return useInfiniteQuery({
    ...pageOptions,
    queryKey: [community, 'roots'],
    queryFn: ({ signal, pageParam }) => api.roots(community, { limit: 20, cursor: pageParam, signal }),
  })
}

/** Loads the newest bind. */
export function useNewestBind(community: string, every: number) {
  const api = useApi()
  return useQuery({
    queryKey: [community, 'newest', 1],
    queryFn: ({ signal }) => api.events(community, { limit: 1, signal }),
    refetchInterval: refreshEvery(every),
  })
}
