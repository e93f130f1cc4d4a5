import type { Address, Amounts, GrowthInterval } from '@lineage/referral-api'
import { useSearchParams } from 'react-router-dom'
import { keepOf, refreshEvery, useAnswer } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { type Days, readPeriod } from '../../paths.ts'

/** What made a team grow. */
export type RisersBy = 'members' | 'volume' | 'rewards'
/** The community, or the team of `top` in it. */
export type Part = { community: string; top?: Address | undefined }

/** Returns the amount of a member and its team together. */
export const withOwn = ({ own, team }: Pick<Amounts, 'own' | 'team'>, name: 'volume' | 'rewards'): string =>
  String(BigInt(own[name]) + BigInt(team[name]))

/** Milliseconds between requests for answers that cost more than others. */
const every = 60_000
const seldom = { refetchInterval: refreshEvery(every), staleTime: every }

/** Loads the members whose teams grew most in a period. */
export function useRisers({ community, top }: Part, by: RisersBy, { from, to }: Days) {
  const tz = useFormat().timeZone
  return useAnswer(
    [community, 'risers', top ?? null, by, from, to, tz],
    (api, signal) => {
      const options = { by, from, to, tz, signal }
      return top ? api.teamRisers(community, top, options) : api.risers(community, options)
    },
    { ...seldom, placeholderData: keepOf(community, 'risers', top ?? null) },
  )
}

/** Loads the number of active members by day, week or month, up to a second or now. */
export function useActivity({ community, top }: Part, interval: GrowthInterval, until?: number) {
  const tz = useFormat().timeZone
  return useAnswer(
    [community, 'activity', top ?? null, interval, tz, until],
    (api, signal) => {
      const options = { interval, tz, to: until, signal }
      return top ? api.teamActivity(community, top, options) : api.activity(community, options)
    },
    { ...seldom, placeholderData: keepOf(community, 'activity', top ?? null) },
  )
}

/** Loads the growth of a team. The data of the previous interval stays until the next one has loaded. */
export function useGrowth(
  community: string,
  address: Address,
  interval: GrowthInterval,
  refresh: 'live' | 'never' = 'live',
) {
  const tz = useFormat().timeZone
  return useAnswer(
    [community, 'growth', address, interval, tz],
    (api, signal) => api.growth(community, address, { interval, tz, signal }),
    { placeholderData: keepOf(community, 'growth', address), ...(refresh === 'never' && { refetchInterval: false }) },
  )
}

/** Loads the amounts of a member and its team by day, week or month. */
export function useAmounts(community: string, address: Address, interval: GrowthInterval) {
  const tz = useFormat().timeZone
  return useAnswer(
    [community, 'amounts', address, interval, tz],
    (api, signal) => api.amounts(community, address, { interval, tz, signal }),
    { ...seldom, placeholderData: keepOf(community, 'amounts', address) },
  )
}

/** Returns the period in the URL; `undefined` if it names none. */
export const usePeriod = (): Days | undefined => readPeriod(useSearchParams()[0])

/**
 * Returns the last `count` days up to one, which is included.
 *
 * @example lastDays('2026-06-07', 7) // { from: '2026-06-01', to: '2026-06-07' }
 */
export function lastDays(to: string, count: number): Days {
  const first = new Date(to)
  first.setUTCDate(first.getUTCDate() - count + 1)
  return { from: first.toISOString().slice(0, 10), to }
}
