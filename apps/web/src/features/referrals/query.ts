import type { Address, ReferralsFilter } from '@lineage/referral-api'
import { keepPreviousData } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useFormat } from '../../lib/format.ts'
import { usePages } from '../../lib/pages.ts'
import type { AmountDays } from './downlineFilter.ts'

export type Level = number | 'all'
export type Sort = 'joined' | 'team' | 'volume' | 'periodVolume' | 'periodRewards'
export type Order = 'asc' | 'desc'

/**
 * Loads one level, the whole downline or the members that match a filter, page by page. Loads a single page again when
 * `figures`, the counts of the whole downline on the page, change.
 */
export function useReferrals(
  community: string,
  address: Address,
  {
    level,
    sort,
    order,
    limit,
    filter,
    days,
    figures,
  }: {
    level: Level
    sort: Sort
    order: Order
    limit: number
    filter?: ReferralsFilter
    days?: AmountDays
    figures: string | number
  },
) {
  const zone = useFormat().timeZone
  const tz = (filter ?? days) && zone
  const query = usePages(
    [community, 'referrals', address, level, sort, order, limit, filter, days, tz, 'pages'],
    (api, page) =>
      api.referrals(community, address, {
        ...{ ...filter, ...days, tz, sort, order, limit, ...page },
        // A filter covers the whole downline anyway, and its levels exclude this parameter.
        ...(!(filter && level === 'all') && { level }),
      }),
    // Keep the previous order or level until the next one has loaded.
    { placeholderData: keepPreviousData },
  )
  const before = useRef(figures)
  useEffect(() => {
    if (before.current !== figures && query.data?.pages.length === 1 && !query.isFetching) void query.refetch()
    before.current = figures
  })
  return query
}
