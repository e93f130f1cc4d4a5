import { checksumAddress } from '@lineage/communities'
import type { Activity, MemberId, MomentRange } from '@lineage/forest'
import { createCalendar, readTime } from '@lineage/referral-api/days'
import { ProblemError } from '../lib/problem.ts'
import type { LookupOf, Result } from './lookup.ts'
import { isFinal, readAt, readMoment, readStart, requireKnown, requireOrder, toMoment } from './pastLookups.ts'
import { serialize } from './serialize.ts'

type RangeQuery = { from?: string | undefined; to?: string | undefined; tz: string }
type RangeLookup = Pick<LookupOf<'risers'>, 'community' | 'view'> & { query: RangeQuery }

/** Largest number of periods in an answer. */
const mostPeriods = 1_000
const defaultDays = { day: 30, week: 26 * 7, month: 730 } as const
const secondsADay = 86_400

/** Reads a range of days or blocks, both included. It ends with the newest block if the query does not say. */
export function readRange({ query, ...lookup }: RangeLookup): MomentRange {
  const request = { ...lookup, query }
  const to = query.to === undefined ? { block: lookup.view.asOf.block } : readMoment('to', query.to, request)
  const from = query.from === undefined ? undefined : readStart(query.from, request)
  if (from) requireOrder({ from, to }, lookup)
  return { from, to }
}

/** Returns whether the answer for a range can no longer change. */
const stateOf = (range: MomentRange, lookup: RangeLookup) => (isFinal(range.to, lookup) ? 'final' : 'whole')

export async function amounts(lookup: LookupOf<'amounts'>): Promise<Result<'amounts'>> {
  const { forest, id, query, sources } = lookup
  const { interval, tz } = query
  const range = readRange(lookup)
  requireKnown(forest.wasKnown(id, range.to))
  const { periods, dayOf } = createCalendar(tz)
  const slices = forest.amounts(id, { ...range, periods: (from, to) => periods(interval, from, to) })
  const answer = await sources.inSlices(slices)
  const at = await readAt(lookup, range.to)
  return {
    body: {
      interval,
      tz,
      after: range.from ? toMoment(range.from) : null,
      to: at,
      ...serialize({ ...answer, items: answer.items.map(({ from, ...sums }) => ({ from: dayOf(from), ...sums })) }),
    },
    state: stateOf(range, lookup),
  }
}

/** Finds the members whose teams grew most, below a member or in the whole community for `null`. */
export async function risers(lookup: Omit<LookupOf<'risers'>, 'id'>, top: MemberId | null): Promise<Result<'risers'>> {
  const { forest, query, sources } = lookup
  const { by, limit } = query
  const range = readRange(lookup)
  const answer = await sources.inSlices(forest.risers(top, { period: range, by, limit }))
  return {
    body: {
      by,
      after: range.from ? toMoment(range.from) : null,
      to: toMoment(range.to),
      undated: answer.undated,
      items: answer.items.map(({ address, rank, value }) => ({
        address: checksumAddress(address),
        rank,
        [by]: by === 'members' ? Number(value) : value.toString(),
      })),
    },
    state: stateOf(range, lookup),
  }
}

/** Counts active members by period, below a member or in the whole community for `null`. */
export async function activity(
  lookup: Omit<LookupOf<'activity'>, 'id'>,
  top: MemberId | null,
): Promise<Result<'activity'>> {
  const { forest, query, sources, view } = lookup
  const { interval, tz } = query
  const calendar = createCalendar(tz)
  const now = view.asOf.timestamp
  const to = Math.min(query.to === undefined ? now : readTime(query.to, 'last', tz), now)
  // A day of 1970 begins before 0 in some zones.
  const from = Math.max(query.from === undefined ? defaultStart(lookup, to) : readTime(query.from, 'first', tz), 0)
  requirePeriods(from, to, interval)
  const periods = (first: number, last: number) => calendar.periods(interval, first, last)
  const { items, undated } = await sources.inSlices(forest.activity(top, { from, until: to, periods }))
  const toItem = (item: Activity) => ({ ...item, from: calendar.dayOf(item.from) })
  return { body: { interval, tz, from, to, undated, items: items.map(toItem) } }
}

/** Returns the beginning of whole periods up to a time. */
function defaultStart({ query: { interval, tz } }: Pick<LookupOf<'activity'>, 'query'>, to: number): number {
  const { firstSecond, dayOf, periods } = createCalendar(tz)
  const first = Math.max(to - (defaultDays[interval] - 1) * secondsADay, 0)
  return periods(interval, first, first)[0] ?? firstSecond(dayOf(first))
}

function requirePeriods(from: number, to: number, interval: keyof typeof defaultDays): void {
  const length = { day: 1, week: 7, month: 28 }[interval]
  const detail =
    from > to
      ? 'Invalid parameter "to": it must not be before "from", and "from" not be in the future.'
      : (to - from) / secondsADay / length > mostPeriods
        ? `Invalid parameter "from": there may be ${mostPeriods} periods. Choose a later day, or longer periods.`
        : undefined
  if (detail) throw new ProblemError('invalid_parameter', detail, { parameter: from > to ? 'to' : 'from' })
}
