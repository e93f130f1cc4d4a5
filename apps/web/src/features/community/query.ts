import type { Address, ReferralsParameters } from '@lineage/referral-api'
import { refreshEvery, useAnswer } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'

/** Loads the first direct referrals in an order. */
export function useDirects(
  community: string,
  address: Address,
  order: Pick<ReferralsParameters, 'sort' | 'order' | 'limit' | 'from' | 'to'>,
) {
  const zone = useFormat().timeZone
  const tz = order.from === undefined ? undefined : zone
  return useAnswer([community, 'referrals', address, 1, order, tz], (api, signal) =>
    api.referrals(community, address, { ...order, tz, level: 1, signal }),
  )
}

/** Compares a team before and after a range of days. */
export function useCompare(community: string, address: Address, from: string, to: string) {
  const tz = useFormat().timeZone
  return useAnswer(
    [community, 'compare', address, from, to, tz],
    (api, signal) => api.compare(community, address, from, to, { tz, signal }),
    // The past changes only when a block is replaced, but the last day may be today.
    { refetchInterval: refreshEvery(30_000) },
  )
}
