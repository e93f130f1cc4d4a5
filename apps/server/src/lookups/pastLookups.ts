import type { Community } from '@lineage/communities'
import type { Forest, Known, MemberId, Moment, MomentRange, ReferralsFilter } from '@lineage/forest'
import { createCalendar, isDay, readTime } from '@lineage/referral-api/days'
import type { View } from '../follow/createFollower.ts'
import { ProblemError } from '../lib/problem.ts'
import type { Pair } from './findMember.ts'
import type { LookupOf, Result } from './lookup.ts'
import {
  daysOf,
  serialize,
  toLog,
  toMemberMetrics,
  toMetrics,
  toPastMember,
  toPastReferral,
  toPastSummary,
} from './serialize.ts'

type CommunityRequest = Pick<LookupOf<'relation'>, 'community' | 'forest' | 'view'>
type KnownRequest = Pick<LookupOf<'member'>, 'community' | 'forest' | 'id' | 'view'> & {
  query: { asOf?: string | undefined; tz: string }
}
type PastId = 'member' | 'levels' | 'referrals' | 'referrers'
type PastLookup<id extends PastId> = LookupOf<id>

type PastBody<id extends PastId> = Omit<Extract<Result<id>['body'], { at: unknown }>, 'at'>

/** Answers a lookup for a past moment. Returns `undefined` if the request names no moment. */
export function answerPast<id extends PastId>(
  lookup: PastLookup<id>,
  answer: (lookup: PastLookup<id>, moment: Moment) => Promise<PastBody<id>> | PastBody<id>,
): Promise<Result<id>> | undefined {
  const moment = readKnownMoment(lookup as LookupOf<'member'>)
  if (!moment) return undefined
  return answerAt(lookup as LookupOf<'member'>, moment, answer(lookup, moment)) as Promise<Result<id>>
}

/** Reads the past moment of a query, and refuses a member that was not known then. Returns `undefined` if the query names no moment. */
export function readKnownMoment({ forest, id, ...request }: KnownRequest): Moment | undefined {
  const { asOf } = request.query
  if (asOf === undefined) return undefined
  const moment = readMoment('asOf', asOf, request)
  requireKnown(forest.wasKnown(id, moment))
  return moment
}

/** Answers a lookup of two members for a past moment. Returns `undefined` if the request names no moment. */
export function answerPastPair<body>(
  { forest, query, ...lookup }: CommunityRequest & { query: { asOf?: string | undefined; tz: string } },
  { a, b }: Pair,
  answer: (moment: Moment) => body,
): { body: body & { at: At }; state: 'final' | 'whole' } | undefined {
  if (query.asOf === undefined) return undefined
  const request = { ...lookup, query }
  const moment = readMoment('asOf', query.asOf, request)
  const at = readPairAt(forest, { a, b }, moment)
  return { body: { ...answer(moment), at }, state: isFinal(moment, request) ? 'final' : 'whole' }
}

/** Serializes the moment of a pair, both of whom must have been known. @throws {ProblemError} */
export function readPairAt(forest: Forest, { a, b }: Pair, moment: Moment): At {
  requireKnown(forest.wasKnown(a, moment), 'a')
  requireKnown(forest.wasKnown(b, moment), 'b')
  return { ...toMoment(moment), undated: forest.undatedOnLines(a, b, moment) }
}

/** Reads the figures of a whole community at a past moment. */
export async function pastMetrics(lookup: LookupOf<'metrics'>, asOf: string): Promise<Result<'metrics'>> {
  const { forest, query, sources } = lookup
  const moment = readMoment('asOf', asOf, lookup)
  const calendar = createCalendar(query.tz)
  const days = daysOf(calendar)
  const answer = await sources.inSlices(forest.pastMetrics({ moment, days }))
  const metrics = toMetrics({ ...answer, depths: cutDepths(answer.depths, query) }, calendar)
  const at = await readAt({ forest, id: null, sources }, moment)
  return {
    body: { ...(query.series === 'full' ? metrics : toMemberMetrics(metrics)), until: answer.until, at },
    state: isFinal(moment, lookup) ? 'final' : 'whole',
  }
}

async function answerAt(lookup: LookupOf<'member'>, moment: Moment, answering: Promise<object> | object) {
  const body = await answering
  const at = await readAt(lookup, moment)
  return { body: { ...body, at }, state: isFinal(moment, lookup) ? 'final' : 'whole' }
}

/** Returns the options of the forest for a query. */
const toOptions = ({ amounts }: { amounts?: string }) => ({ amounts: amounts === 'true' })

export async function pastMember({ forest, id, query, sources }: LookupOf<'member'>, moment: Moment) {
  const answer = await sources.inSlices(forest.pastMember(id, moment, toOptions(query)))
  requireKnown(answer === undefined ? 'unknown' : 'known')
  return toPastMember(answer as NonNullable<typeof answer>)
}

export async function pastLevels({ forest, id, query, sources }: LookupOf<'levels'>, moment: Moment) {
  const answer = await sources.inSlices(forest.pastLevels(id, moment, toOptions(query)))
  return { items: serialize(cutLevels(answer, query)) }
}

/** Returns the levels that a query asks for. */
export const cutLevels = <level>(levels: level[], { levelFrom = 1, levelTo }: LookupOf<'levels'>['query']): level[] =>
  levels.slice(levelFrom - 1, levelTo)

/** Returns the depths that a query asks for. */
export const cutDepths = <depth>(depths: depth[], { depthFrom = 0, depthTo }: LookupOf<'metrics'>['query']): depth[] =>
  depths.slice(depthFrom, depthTo === undefined ? undefined : depthTo + 1)

export function pastReferrers({ forest, id, query }: LookupOf<'referrers'>, moment: Moment) {
  const { items, nextCursor } = forest.pastReferrers(id, { ...query, moment })
  return { items: items.map(toPastSummary), nextCursor }
}

/** Reads a page of a past downline. `filter`: that of the query. */
export async function pastReferrals(
  { forest, id, query, sources }: LookupOf<'referrals'>,
  moment: Moment,
  filter: ReferralsFilter | undefined,
) {
  const { level = filter ? 'all' : 1, limit, cursor } = query
  // `parseQuery` refuses the orders of a range.
  const sort = query.sort === 'team' || query.sort === 'volume' ? query.sort : 'joined'
  const { order = sort === 'joined' ? 'asc' : 'desc' } = query
  const page = { sort, order, limit, cursor, moment, ...toOptions(query) } as const
  if (level === 1 && !filter) {
    const answer = await sources.inSlices(forest.pastDirects(id, page))
    const items = answer.items.map((direct) => toPastReferral({ ...direct, level }))
    return { items, nextCursor: answer.nextCursor }
  }
  const levels = level === 'all' ? {} : { levelFrom: level, levelTo: level }
  const answer = await sources.inSlices(forest.pastReferrals(id, { ...filter, ...levels, ...page }))
  const { items, nextCursor, count, undated } = answer
  return { items: items.map(toPastReferral), nextCursor, ...(filter && { count, undated }) }
}

/** Compares a team at two moments. */
export async function compare(lookup: LookupOf<'compare'>): Promise<Result<'compare'>> {
  const { forest, id, query, sources } = lookup
  const to = readMoment('to', query.to, lookup)
  const from = readStart(query.from, lookup)
  requireOrder({ from, to }, lookup)
  const result = await sources.inSlices(forest.compare(id, from, to))
  const { amounts, came, left, legs, legsChanged } = result
  const [fromAt, toAt] = [await readAt(lookup, from), await readAt(lookup, to)]
  return {
    state: isFinal(from, lookup) && isFinal(to, lookup) ? 'final' : 'whole',
    body: {
      from: { at: fromAt, member: result.from && toPastMember(result.from) },
      to: { at: toAt, member: result.to && toPastMember(result.to) },
      ...serialize({ amounts, left, legs, legsChanged }),
      came: serialize({
        ...came,
        items: came.items.map(({ between, ...item }) => ({ ...item, ...toLog({ ...item, between }) })),
      }),
    },
  }
}

/** Refuses a range that ends before it begins. @throws {ProblemError} `invalid_parameter` */
export function requireOrder({ from, to }: Required<MomentRange>, { view }: Pick<MomentRequest, 'view'>): void {
  if (!isReversed(from, to, view.forest)) return
  const detail = 'Invalid parameter "to": it must be a day or block that is not before "from".'
  throw new ProblemError('invalid_parameter', detail, { parameter: 'to' })
}

/** Returns whether a range ends before it begins. A block and a day are told apart by what happened between them. */
function isReversed(from: Moment, to: Moment, forest: Pick<Forest, 'hasEvent'>): boolean {
  if ('block' in from && 'block' in to) return from.block > to.block
  // A range of days begins after the last second before its first day.
  if ('timestamp' in from && 'timestamp' in to) return from.timestamp >= to.timestamp
  return forest.hasEvent(to, from)
}

/** Refuses a member that was not known, named by `parameter`. @throws {ProblemError} `member_not_found` or `moment_uncertain` */
export function requireKnown(known: Known, parameter?: string): void {
  if (known === 'known') return
  const [code, detail] = unknownTexts[known]
  throw parameter === undefined
    ? new ProblemError(code, detail)
    : new ProblemError(code, `${parameter}: ${detail}`, { parameter })
}

const unknownTexts = {
  unknown: ['member_not_found', 'No valid bind of this community named this address up to this moment.'],
  perhaps: [
    'moment_uncertain',
    'The block of the bind that names this address is not known: it may be of before this moment or after it.',
  ],
} as const

type MomentRequest = { community: Community; view: View; query: { tz: string } }
/** A past moment, as returned by the API. */
type At = { block: number | null; timestamp: number | null; undated: number }

/**
 * Reads a moment: the end of a day, or a block.
 *
 * @throws {ProblemError} `moment_in_future`, `moment_before_start` or `block_not_indexed`
 */
export function readMoment(name: string, text: string, request: MomentRequest): Moment {
  if (/^\d{1,10}$/.test(text)) return readBlock(name, Number(text), request)
  const { view, query } = request
  const { asOf, forest } = view
  requireBegun(name, text, request)
  const end = readTime(text, 'last', query.tz)
  const { startedAt } = forest
  if (startedAt === undefined || end < startedAt) {
    const detail = `The community had no member by the end of ${text}. Choose a later day.`
    throw new ProblemError('moment_before_start', detail, { parameter: name })
  }
  return { timestamp: Math.min(end, asOf.timestamp) }
}

/** Refuses a day of the future. @throws {ProblemError} `moment_in_future` */
function requireBegun(name: string, day: string, { view, query }: MomentRequest): void {
  if (readTime(day, 'first', query.tz) <= view.asOf.timestamp) return
  throw new ProblemError('moment_in_future', `${day} has not begun: choose an earlier day.`, { parameter: name })
}

/** Serializes a moment. */
export const toMoment = (moment: Moment) => ({ block: null, timestamp: null, ...moment })

/**
 * Reads the moment before a range: the last second before a day, even one before the first member, or a block.
 *
 * @throws {ProblemError} `moment_in_future`, `moment_before_start` or `block_not_indexed`
 */
export function readStart(text: string, request: MomentRequest): Moment {
  if (!isDay(text)) return readMoment('from', text, request)
  requireBegun('from', text, request)
  return { timestamp: Math.max(readTime(text, 'first', request.query.tz) - 1, 0) }
}

function readBlock(name: string, block: number, { community, view }: MomentRequest): Moment {
  const extra = { parameter: name }
  if (block < community.startBlock) {
    const detail = `The community begins with block ${community.startBlock}: choose a later one.`
    throw new ProblemError('moment_before_start', detail, extra)
  }
  if (block > view.asOf.block) {
    const detail = `Block ${block} is not indexed: the newest is ${view.asOf.block}.`
    throw new ProblemError('block_not_indexed', detail, extra)
  }
  return { block }
}

export async function readAt(
  { forest, id, sources }: Pick<LookupOf<'metrics'>, 'forest' | 'sources'> & { id: MemberId | null },
  moment: Moment,
): Promise<At> {
  return { ...toMoment(moment), undated: await sources.inSlices(forest.undated(id, moment)) }
}

/** Returns whether nothing can change what happened up to a moment. A contract that is asked may tell of earlier binds later. */
export function isFinal(moment: Moment, { view: { asOf, finalTime }, community }: MomentRequest): boolean {
  if (community.asked) return false
  return 'block' in moment ? moment.block <= asOf.finalizedBlock : moment.timestamp < finalTime
}
