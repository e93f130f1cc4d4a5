import type { Address } from '@lineage/referral-api'
import { useQuery } from '@tanstack/react-query'
import { keepOf, refreshEvery, useApi } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'

export function useMember(community: string, address: Address) {
  const api = useApi()
  return useQuery({
    queryKey: [community, 'member', address],
    queryFn: ({ signal }) => api.member(community, address, { signal }),
  })
}

export function useLevels(community: string, address: Address) {
  const api = useApi()
  return useQuery({
    queryKey: [community, 'levels', address],
    queryFn: ({ signal }) => api.levels(community, address, { signal }),
  })
}

/**
 * Loads the metrics of a community, with the members of each day.
 *
 * @param every Milliseconds between requests while the page is visible; an unchanged answer is a 304.
 */
export function useMetrics(community: string, every = 3_000) {
  const api = useApi()
  const tz = useFormat().timeZone
  return useQuery({
    queryKey: [community, 'metrics', tz],
    queryFn: ({ signal }) => api.metrics(community, { tz, series: 'members', signal }),
    placeholderData: keepOf(community, 'metrics'),
    refetchInterval: refreshEvery(every),
  })
}
