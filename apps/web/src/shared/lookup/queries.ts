import type { Address } from '@lineage/referral-api'
import { keepOf, refreshEvery, useAnswer } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'

export const useMember = (community: string, address: Address) =>
  useAnswer([community, 'member', address], (api, signal) => api.member(community, address, { signal }))

/** Number of levels that load at a time: anybody can make a line of a hundred thousand members, each below the last. */
export const levelsAtOnce = 500

/**
 * Loads the metrics of a community, with the members of each day.
 *
 * @param every Milliseconds between requests while the page is visible; an unchanged answer is a 304.
 */
export function useMetrics(community: string, every = 3_000) {
  const tz = useFormat().timeZone
  return useAnswer(
    [community, 'metrics', tz],
    (api, signal) => api.metrics(community, { tz, series: 'members', depthTo: levelsAtOnce - 1, signal }),
    { placeholderData: keepOf(community, 'metrics'), refetchInterval: refreshEvery(every) },
  )
}
