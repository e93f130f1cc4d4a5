import type { Address, Community, PastMember, ReferralApiError, ReferralsFilter } from '@lineage/referral-api'
import { keepPreviousData } from '@tanstack/react-query'
import { refreshEvery, useAnswer } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { usePages } from '../../lib/pages.ts'

export type PastDownlineParameters = {
  level: number | 'all'
  filter: ReferralsFilter | undefined
  sort: 'joined' | 'team'
}

type Asked = { state: { data?: unknown; error: ReferralApiError | null } }

/**
 * Returns the moment that all parts of a page ask for: the block of the answer while the day has not ended, so that the parts
 * agree. The page shows it until it is opened again.
 */
export const toFixedMoment = (asOf: string, answer: OfMoment): string =>
  isOpenDay(answer) ? String(answer.asOf.block) : asOf

type OfMoment = Pick<PastMember, 'at' | 'asOf'>
const isOpenDay = ({ at, asOf }: OfMoment) => at.timestamp !== null && at.timestamp >= asOf.timestamp

/**
 * Returns the refresh interval: soon for a block that is not indexed yet, never for a day that has not ended, else seldom, since
 * the past changes only when a block is replaced.
 */
export const refreshPast = (query: Asked) => {
  if (query.state.error?.code === 'block_not_indexed') return 5_000
  const { data } = query.state
  return data && isOpenDay(data as OfMoment) ? (false as const) : refreshEvery(30_000)(query)
}

/** Loads a member at a past moment. The amounts take longer than the counts, so a page asks for them separately. */
export function usePastMember(
  community: string,
  address: Address,
  asOf: string,
  part: 'counts' | 'amounts' = 'counts',
) {
  const tz = useFormat().timeZone
  const amounts = part === 'amounts' ? 'true' : undefined
  return useAnswer(
    [community, 'past', 'member', address, asOf, tz, part],
    (api, signal) => api.member(community, address, { asOf, tz, amounts, signal }),
    { refetchInterval: refreshPast, refetchOnWindowFocus: false },
  )
}

/** Pages after the first, which is short to be there soon, are as long as can be asked for. */
const moreRows = ({ cursor }: { cursor: string | undefined }) => cursor !== undefined && { limit: 200 }

/** Loads a level, the whole downline or those who pass a filter at a past moment, page by page. */
export function usePastDownline(
  community: string,
  address: Address,
  asOf: string,
  { level, filter, sort }: PastDownlineParameters,
) {
  const tz = useFormat().timeZone
  return usePages(
    [community, 'past', 'downline', address, asOf, tz, level, filter, sort],
    (api, page) =>
      api.referrals(community, address, {
        ...filter,
        // A filter covers the whole downline anyway, and its levels exclude this parameter.
        ...(!(filter && level === 'all') && { level }),
        ...{ asOf, sort, tz, ...page, ...moreRows(page) },
      }),
    { placeholderData: keepPreviousData },
  )
}

/** Loads the referrers of a member at a past moment, page by page. */
export function usePastUpline(community: string, address: Address, asOf: string) {
  const tz = useFormat().timeZone
  return usePages([community, 'past', 'upline', address, asOf, tz], (api, page) =>
    api.referrers(community, address, { asOf, tz, ...page, ...moreRows(page) }),
  )
}

/** An address in a community, and the day or block to show. */
export type PastProps = { address: Address; community: Community; asOf: string }

/** A part of a page at a past moment, below the address and the moment. */
export type PastPartProps = PastProps & { member: PastMember }
