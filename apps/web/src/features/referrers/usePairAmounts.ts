import type { Address, Amounts } from '@lineage/referral-api'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { withOwn } from '../../shared/period/queries.ts'
import { type PairPeriod, untilLoaded } from './query.ts'

/** Adds up the amounts of two members in a period, each with its team, as of a block or day. */
export function usePairAmounts(community: string, { a, b, asOf, days: { from, to } }: PairPeriod) {
  const api = useApi()
  const tz = useFormat().timeZone
  return useQuery({
    queryKey: [community, 'past', 'pairAmounts', a, b, asOf, from, to, tz],
    queryFn: async ({ signal }) => {
      // Up to that moment, so that the teams are those of the binds.
      const read = async (address: Address) =>
        sumUntil(to, (await api.amounts(community, address, { from, to: asOf, tz, signal })).items)
      const [left, right] = await Promise.all([read(a), read(b)])
      return { a: left, b: right }
    },
    refetchInterval: untilLoaded,
  })
}

/** Adds up amounts by day up to a day, which is included, of members together with their teams. */
function sumUntil(last: string, items: Amounts['items']): Record<'volume' | 'rewards', string> {
  const days = items.filter(({ from }) => from <= last)
  const sumOf = (name: 'volume' | 'rewards') =>
    String(days.reduce((sum, amounts) => sum + BigInt(withOwn(amounts, name)), 0n))
  return { volume: sumOf('volume'), rewards: sumOf('rewards') }
}
