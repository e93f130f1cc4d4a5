import type { Address, GrowthInterval, ReferralsParameters } from '@lineage/referral-api'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { refreshEvery, useApi } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'

/** Loads the first direct referrals in an order. */
export function useDirects(
  community: string,
  address: Address,
  order: Pick<ReferralsParameters, 'sort' | 'order' | 'limit'>,
) {
  const api = useApi()
  return useQuery({
    queryKey: [community, 'referrals', address, 1, order],
    queryFn: ({ signal }) => api.referrals(community, address, { ...order, level: 1, signal }),
  })
}

/** Loads the growth of a team. The data of the previous interval stays until the next one has loaded. */
export function useGrowth(community: string, address: Address, interval: GrowthInterval) {
  const api = useApi()
  const tz = useFormat().calendar.timeZone
  return useQuery({
    queryKey: [community, 'growth', address, interval, tz],
    queryFn: ({ signal }) => api.growth(community, address, { interval, tz, signal }),
    placeholderData: keepPreviousData,
  })
}

/** Compares a team before and after a range of days. */
export function useCompare(community: string, address: Address, from: string, to: string) {
  const api = useApi()
  const tz = useFormat().calendar.timeZone
  return useQuery({
    queryKey: [community, 'compare', address, from, to, tz],
    queryFn: ({ signal }) => api.compare(community, address, from, to, { tz, signal }),
    // The past changes only when a block is replaced, but the last day may be today.
    refetchInterval: refreshEvery(30_000),
  })
}
