import type {
  FilteredReferralsParameters,
  Forest,
  MemberId,
  ReferralsFilter,
  ReferralsParameters,
  ReferrersParameters,
} from '@lineage/forest'
import type { GrowthInterval, QueryOf } from '@lineage/referral-api'
import { prefixPattern } from '@lineage/referral-api/address'
import type { LookupId } from '@lineage/referral-api/routes'
import type { Community } from '../../../config/index.ts'
import { ProblemError } from '../http/problems.ts'
import { type MemberEventKind, memberEventKinds } from '../tables/readMemberEvents.ts'
import { findMember } from './findMember.ts'

/** Reads a query parameter of an operation in the contract. */
export type Query<id extends LookupId> = (name: keyof QueryOf<id>) => string | undefined
export type MapBy = 'members' | 'volume'
type PairRequest = { forest: Forest; community: Community; query: (name: 'a' | 'b') => string | undefined }
type PageQuery = (name: 'limit' | 'cursor') => string | undefined

const defaultLimit = 50
const maxLimit = 200
/** Largest level: deeper than any downline with 32-bit ids. */
const maxLevel = 2 ** 32

export function readPage(query: PageQuery): { limit: number; cursor: string | undefined } {
  return { limit: readLimit(query), cursor: query('cursor') }
}

export function readLimit(query: (name: 'limit') => string | undefined): number {
  const text = query('limit')
  if (text === undefined) return defaultLimit
  if (!/^\d+$/.test(text) || Number(text) < 1) throw invalid('limit', 'a whole number of at least 1')
  return Math.min(Number(text), maxLimit)
}

/** Reads the parameters of an upline. A `skip` beyond the root is valid and gives an empty page. */
export function readReferrers(query: Query<'referrers'>): ReferrersParameters {
  const text = query('skip') ?? '0'
  if (!/^\d{1,15}$/.test(text)) throw invalid('skip', 'a whole number of at least 0')
  return { skip: Number(text), ...readPage(query) }
}

export function readReferrals(query: Query<'referrals'>): ReferralsParameters {
  const sort = oneOf('sort', query('sort') ?? 'joined', ['joined', 'team', 'volume'])
  return {
    level: readLevel(query('level')),
    sort,
    order: oneOf('order', query('order') ?? (sort === 'joined' ? 'asc' : 'desc'), ['asc', 'desc']),
    ...readPage(query),
  }
}

/**
 * Reads the order of a CSV by join time. In any other order, each streamed page would cost as much as the whole file.
 */
export function readCsvOrder(query: Query<'referralsCsv'>): 'asc' | 'desc' {
  const sort = oneOf('sort', query('sort') ?? 'joined', ['joined', 'team', 'volume'])
  if (sort !== 'joined') {
    const detail = `A CSV is in order of joining and cannot be sorted by "${sort}": leave "sort" out, and sort the file.`
    throw new ProblemError('unsupported_order', detail, { parameter: 'sort' })
  }
  return oneOf('order', query('order') ?? 'asc', ['asc', 'desc'])
}

/** Reads the parameters of a filtered downline. Without levels, a filter covers the whole downline. */
export function readFilteredReferrals(query: Query<'referrals'>, filter: ReferralsFilter): FilteredReferralsParameters {
  const { level, ...parameters } = readReferrals(query)
  const levels = query('level') === undefined || level === 'all' ? {} : { levelFrom: level, levelTo: level }
  return { ...parameters, ...filter, ...levels }
}

export function readMapBy(query: Query<'map' | 'teamMap'>): MapBy {
  return oneOf('by', query('by') ?? 'members', ['members', 'volume'])
}

/** Reads the kinds of events; all kinds without the parameter. */
export function readKinds(query: Query<'memberEvents' | 'memberEventsCsv'>): readonly MemberEventKind[] {
  const text = query('kind')
  return text === undefined ? memberEventKinds : [oneOf('kind', text, memberEventKinds)]
}

export function readInterval(query: Query<'growth'>): GrowthInterval {
  return oneOf('interval', query('interval') ?? 'day', ['day', 'week', 'month'])
}

export function readPrefix(query: Query<'search'>): string {
  return parsePrefix('q', query('q'))
}

/** Parses the start of an address, and returns it in lower case. */
export function parsePrefix(parameter: string, text = ''): string {
  if (!prefixPattern.test(text)) throw invalid(parameter, 'the start of an address: 0x and 2 to 40 hex digits')
  return text.toLowerCase()
}

/** Reads two members. */
export function readPair({ forest, community, query }: PairRequest): { a: MemberId; b: MemberId } {
  const read = (name: 'a' | 'b'): MemberId => {
    const text = query(name)
    if (text === undefined) throw invalid(name, 'an address')
    const found = findMember(forest, community, text)
    if ('id' in found) return found.id
    throw new ProblemError(found.error.code, `${name}: ${found.error.detail}`, { parameter: name })
  }
  return { a: read('a'), b: read('b') }
}

function readLevel(text: string | undefined): number | 'all' {
  if (text === undefined) return 1
  if (text === 'all') return 'all'
  if (!/^\d+$/.test(text) || Number(text) < 1 || Number(text) > maxLevel)
    throw invalid('level', '"all" or a whole number of at least 1')
  return Number(text)
}

export function oneOf<const value extends string>(name: string, text: string, values: readonly value[]): value {
  const found = values.find((value) => value === text)
  if (found === undefined) throw invalid(name, `one of ${values.join(', ')}`)
  return found
}

export function invalid(parameter: string, expected: string): ProblemError {
  return new ProblemError('invalid_parameter', `Invalid parameter "${parameter}": it must be ${expected}.`, {
    parameter,
  })
}
