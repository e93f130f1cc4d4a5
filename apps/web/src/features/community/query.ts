import type { Address, ReferralsParameters } from '@lineage/referral-api'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../lib/api.ts'

/** The first direct referrals in an order. */
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
