import type { MemberId, Moment } from '@lineage/forest'
import { checksumAddress } from '../../config/checksumAddress.ts'
import type { LookupOf, Result } from './lookup.ts'
import { invalid, readReferrals, readReferrers } from './parameters.ts'
import { ProblemError } from './problems.ts'
import { readFilter } from './readFilter.ts'
import { readMoment, toAt } from './readMoment.ts'
import { toPastMember, toPastSummary } from './serialize.ts'

type PastId = 'member' | 'levels' | 'referrals' | 'referrers'
type PastLookup<id extends PastId> = LookupOf<id>

/** Answers a lookup with what was, where the request names a moment; otherwise `undefined`. */
export function answerPast<id extends PastId>(
  lookup: PastLookup<id>,
  answer: (lookup: PastLookup<id>, moment: Moment) => Omit<Extract<Result<id>['body'], { at: unknown }>, 'at'>,
): Result<id> | undefined {
  const { query, forest, id } = lookup as LookupOf<'member'>
  const text = query('asOf')
  if (text === undefined) return undefined
  const moment = readMoment('asOf', text, lookup as LookupOf<'member'>)
  requireKnown(forest.wasKnown(id, moment))
  return { body: { ...answer(lookup, moment), at: toAt(moment) } as unknown as Result<id>['body'] }
}

export function pastMember({ forest, id }: LookupOf<'member'>, moment: Moment) {
  const member = forest.pastMember(id, moment)
  requireKnown(member !== undefined)
  return toPastMember(member as NonNullable<typeof member>)
}

export const pastLevels = ({ forest, id }: LookupOf<'levels'>, moment: Moment) => ({
  items: forest.pastLevels(id, moment),
})

export function pastReferrers({ forest, id, query }: LookupOf<'referrers'>, moment: Moment) {
  const { items, nextCursor } = forest.pastReferrers(id, { ...readReferrers(query), moment })
  return { items: items.map(toPastSummary), nextCursor }
}

export function pastReferrals({ forest, id, query, names }: LookupOf<'referrals'>, moment: Moment) {
  const { level, sort, ...page } = readReferrals(query)
  if (level !== 1) throw invalid('level', '1 together with "asOf"')
  if (sort === 'volume') throw invalid('sort', 'joined or team together with "asOf"')
  if (readFilter(query, names))
    throw new ProblemError('contradictory_filter', 'Filters look at what is now: leave them out, or "asOf".', {
      parameter: 'asOf',
    })
  const { items, nextCursor } = forest.pastDirects(id, { ...page, sort, moment })
  return { items: items.map((item) => ({ ...toPastSummary(item), team: item.team, level: 1 })), nextCursor }
}

/** Compares a team at two moments. */
export function compare(lookup: LookupOf<'compare'>): Result<'compare'> {
  const { forest, id, query } = lookup
  const read = (name: 'from' | 'to') => readMoment(name, query(name) ?? '', lookup)
  const [from, to] = [read('from'), read('to')]
  if (isAfter(from, to)) throw invalid('to', 'a moment that is not before "from"')
  const result = forest.compare(id as MemberId, from, to)
  return {
    body: {
      from: { at: toAt(from), member: result.from && toPastMember(result.from) },
      to: { at: toAt(to), member: result.to && toPastMember(result.to) },
      came: {
        count: result.came.count,
        items: result.came.items.map((item) => ({ ...item, address: checksumAddress(item.address) })),
      },
      left: result.left,
      legs: result.legs.map((leg) => ({ ...leg, address: checksumAddress(leg.address) })),
    },
  }
}

/** A block and a day cannot be compared. */
function isAfter(from: Moment, to: Moment): boolean {
  if ('block' in from) return 'block' in to && from.block > to.block
  return 'timestamp' in to && from.timestamp > to.timestamp
}

function requireKnown(isKnown: boolean): void {
  if (!isKnown) throw new ProblemError('member_not_found', 'No event of this community had named this address by then.')
}
