import type { MemberId, Moment } from '@lineage/forest'
import { checksumAddress } from '../../../config/checksumAddress.ts'
import { ProblemError } from '../http/problems.ts'
import { toPastMember, toPastSummary } from '../http/serialize.ts'
import type { LookupOf, Result } from './lookup.ts'
import { invalid, readReferrals, readReferrers } from './parameters.ts'
import { readFilter } from './readFilter.ts'
import { readMoment, toAt } from './readMoment.ts'

type PastId = 'member' | 'levels' | 'referrals' | 'referrers'
type PastLookup<id extends PastId> = LookupOf<id>

type PastBody<id extends PastId> = Omit<Extract<Result<id>['body'], { at: unknown }>, 'at'>
/** An answer, and the milliseconds of work for its slices. */
type Worked<body> = { body: body; work: number }

/** Answers a lookup for a past moment. Returns `undefined` if the request names no moment. */
export function answerPast<id extends PastId>(
  lookup: PastLookup<id>,
  answer: (lookup: PastLookup<id>, moment: Moment) => Promise<Worked<PastBody<id>>>,
): Promise<Result<id>> | undefined {
  const { query, forest, id } = lookup as LookupOf<'member'>
  const text = query('asOf')
  if (text === undefined) return undefined
  const moment = readMoment('asOf', text, lookup as LookupOf<'member'>)
  requireKnown(forest.wasKnown(id, moment))
  return answer(lookup, moment).then(({ body, work }) => ({
    body: { ...body, at: toAt(moment) } as unknown as Result<id>['body'],
    work,
  }))
}

export async function pastMember({ forest, id, sources }: LookupOf<'member'>, moment: Moment) {
  const { answer, work } = await sources.inSlices(forest.pastMember(id, moment))
  requireKnown(answer !== undefined)
  return { body: toPastMember(answer as NonNullable<typeof answer>), work }
}

export async function pastLevels({ forest, id, sources }: LookupOf<'levels'>, moment: Moment) {
  const { answer, work } = await sources.inSlices(forest.pastLevels(id, moment))
  return { body: { items: answer }, work }
}

export async function pastReferrers({ forest, id, query }: LookupOf<'referrers'>, moment: Moment) {
  const { items, nextCursor } = forest.pastReferrers(id, { ...readReferrers(query), moment })
  return { body: { items: items.map(toPastSummary), nextCursor }, work: 0 }
}

export async function pastReferrals(lookup: LookupOf<'referrals'>, moment: Moment) {
  const { forest, id, query, names, sources } = lookup
  const { level, sort, ...page } = readReferrals(query)
  if (level !== 1) throw invalid('level', '1 together with "asOf"')
  if (sort === 'volume') throw invalid('sort', 'joined or team together with "asOf"')
  if (readFilter(query, names))
    throw new ProblemError('contradictory_filter', 'Filters cannot be used together with "asOf": remove one of them.', {
      parameter: 'asOf',
    })
  const { answer, work } = await sources.inSlices(forest.pastDirects(id, { ...page, sort, moment }))
  const { items, nextCursor } = answer
  return {
    body: { items: items.map((item) => ({ ...toPastSummary(item), team: item.team, level: 1 })), nextCursor },
    work,
  }
}

/** Compares a team at two moments. */
export async function compare(lookup: LookupOf<'compare'>): Promise<Result<'compare'>> {
  const { forest, id, query, sources } = lookup
  const read = (name: 'from' | 'to') => readMoment(name, query(name) ?? '', lookup)
  const [from, to] = [read('from'), read('to')]
  if (isAfter(from, to)) throw invalid('to', 'a moment that is not before "from"')
  const { answer: result, work } = await sources.inSlices(forest.compare(id as MemberId, from, to))
  return {
    work,
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

/** Returns whether a moment is after another; `false` for a block and a day, which cannot be compared. */
function isAfter(from: Moment, to: Moment): boolean {
  if ('block' in from) return 'block' in to && from.block > to.block
  return 'timestamp' in to && from.timestamp > to.timestamp
}

function requireKnown(isKnown: boolean): void {
  if (!isKnown)
    throw new ProblemError('member_not_found', 'No valid bind of this community named this address up to this moment.')
}
