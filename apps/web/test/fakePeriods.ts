import type { Activity, Amounts, AsOf, GrowthInterval, Ranks, Risers } from '@lineage/referral-api'
import { createCalendar, isDay, readTime } from '@lineage/referral-api/days'
import { addressOf, type createForest } from './forest.ts'

type Request = { forest: ReturnType<typeof createForest>; asOf: AsOf; query: URLSearchParams }

/** Creates the answers about periods and ranks. Each member has its amounts, and is active, when it joins. */
export function createPeriods({ forest, asOf, query }: Request) {
  const { rows } = forest
  const tz = query.get('tz') ?? 'UTC'
  const calendar = createCalendar(tz)
  const interval = (query.get('interval') ?? 'day') as GrowthInterval
  const after = query.has('from') ? readTime(query.get('from') ?? '', 'first', tz) - 1 : 0
  const to = query.get('to') ?? ''
  // The only block that is asked for is the newest.
  const until = isDay(to) ? readTime(to, 'last', tz) : asOf.timestamp
  const joined = (index: number) => rows[index]?.joinedAt ?? 0
  const isWithin = (index: number) => joined(index) > after && joined(index) <= until
  const teamOf = (index: number) => forest.levels(index).flat()
  const moment = (timestamp: number) => ({ block: null, timestamp })
  const sumOf = (of: readonly number[], from = after, to = until) => {
    const within = of.filter((index) => joined(index) > from && joined(index) <= to)
    return {
      volume: String(within.reduce((sum, index) => sum + (rows[index]?.ownVolume ?? 0n), 0n)),
      rewards: String(within.reduce((sum, index) => sum + (rows[index]?.rewards ?? 0n), 0n)),
    }
  }
  const periodsOf = (indexes: readonly number[]) =>
    calendar.periods(interval, Math.min(asOf.timestamp, ...indexes.map(joined)), Math.min(until, asOf.timestamp))

  return {
    /** Amounts of a member and its team in the range. */
    sums: (index: number) => ({ own: sumOf([index]), team: sumOf(teamOf(index)) }),

    /** Adds the amounts of the range to members, and returns by what an order of the range sorts them. */
    referrals<item extends { address: string }>(items: readonly item[], sort: string) {
      const name = sort === 'periodVolume' ? 'volume' : sort === 'periodRewards' ? 'rewards' : undefined
      const found = items.map((item) => ({ ...item, amounts: this.sums(forest.find(item.address) ?? 0) }))
      const key = ({ amounts }: (typeof found)[number]) =>
        name ? BigInt(amounts.own[name]) + BigInt(amounts.team[name]) : 0n
      return { items: found, key: name && key }
    },

    amounts(index: number): Amounts {
      const team = teamOf(index)
      return {
        asOf,
        interval,
        tz,
        after: query.has('from') ? moment(after) : null,
        to: { ...moment(until), undated: 0 },
        ...this.sums(index),
        items: periodsOf([index, ...team].filter(isWithin)).map((from, at, starts) => {
          const end = (starts[at + 1] ?? Number.POSITIVE_INFINITY) - 1
          return { from: calendar.dayOf(from), own: sumOf([index], from - 1, end), team: sumOf(team, from - 1, end) }
        }),
      }
    },

    ranks(index: number): Ranks {
      const rank = (among: readonly number[], by: 'team' | 'directs') => {
        const sizeOf = (of: number) => (by === 'team' ? rows[of]?.team : rows[of]?.children.length) ?? 0
        const own = sizeOf(index)
        return {
          rank: 1 + among.filter((of) => sizeOf(of) > own).length,
          equal: among.filter((of) => sizeOf(of) === own).length,
          of: among.length,
        }
      }
      const places = (among: readonly number[]) => ({ team: rank(among, 'team'), directs: rank(among, 'directs') })
      const { referrer } = rows[index] ?? {}
      return {
        asOf,
        address: addressOf(index),
        siblings: referrer === undefined ? null : places(rows[referrer]?.children ?? []),
        community: places(rows.map((_, of) => of)),
      }
    },

    risers(top: number | undefined): Risers {
      const by = (query.get('by') ?? 'members') as Risers['by']
      const within = top === undefined ? rows.map((_, index) => index) : teamOf(top)
      const sizeOf = (index: number) =>
        by === 'members' ? BigInt(teamOf(index).filter(isWithin).length) : BigInt(sumOf(teamOf(index))[by])
      const values = within.map((index) => ({ index, value: sizeOf(index) })).filter(({ value }) => value > 0n)
      const sorted = values.sort((a, b) => (a.value < b.value ? 1 : a.value > b.value ? -1 : a.index - b.index))
      return {
        asOf,
        by,
        after: moment(after),
        to: moment(until),
        undated: 0,
        items: sorted.slice(0, Number(query.get('limit') ?? 10)).map(({ index, value }) => ({
          address: addressOf(index),
          rank: 1 + sorted.filter((other) => other.value > value).length,
          [by]: by === 'members' ? Number(value) : String(value),
        })),
      }
    },

    activity(top: number | undefined): Activity {
      const days = { day: 30, week: 26 * 7, month: 730 }[interval]
      const within = top === undefined ? rows.map((_, index) => index) : teamOf(top)
      const to = Number(query.get('to') ?? asOf.timestamp)
      const first = Math.max(to - days * 86_400, Math.min(...within.map(joined)))
      const starts = calendar.periods(interval, first, to)
      return {
        asOf,
        interval,
        tz,
        from: starts[0] ?? first,
        to,
        undated: 0,
        items: starts.map((from, at) => {
          const end = starts[at + 1] ?? Number.POSITIVE_INFINITY
          const came = within.filter((index) => joined(index) >= from && joined(index) < end)
          const brought = new Set(came.map((index) => rows[index]?.referrer)).size
          return {
            from: calendar.dayOf(from),
            active: came.length + brought,
            bound: came.length,
            bought: came.length,
            brought,
          }
        }),
      }
    },
  }
}
