import type { GrowthInterval, ReferralsParameters, ReferrersParameters } from '@lineage/forest'
import type { Address } from 'viem'
import { parseAddress } from '../../config/parseAddress.ts'
import { ProblemError } from './problems.ts'

type Query = (name: string) => string | undefined

const defaultLimit = 50
const maxLimit = 200
/** Deeper than any chain of binds that 32-bit ids can name. */
const maxLevel = 2 ** 32

/** In lower case. */
export function readAddress(text: string): Address {
  const parsed = parseAddress(text)
  if (parsed.status === 'valid') return parsed.address
  throw new ProblemError(
    'invalid_address',
    parsed.status === 'checksum'
      ? 'The checksum of the address is wrong: one of its characters may be mistyped. In lower case it is not checked.'
      : 'An address is 0x followed by 40 hex digits.',
  )
}

export function readPage(query: Query): { limit: number; cursor: string | undefined } {
  return { limit: readLimit(query), cursor: query('cursor') }
}

export function readLimit(query: Query): number {
  const text = query('limit')
  if (text === undefined) return defaultLimit
  if (!/^\d+$/.test(text) || Number(text) < 1) throw invalid('limit', 'a whole number of at least 1')
  return Math.min(Number(text), maxLimit)
}

/** Like a cursor, it may name a place that is not there. */
export function readReferrers(query: Query): ReferrersParameters {
  const text = query('skip') ?? '0'
  if (!/^\d{1,15}$/.test(text)) throw invalid('skip', 'a whole number of at least 0')
  return { skip: Number(text), ...readPage(query) }
}

export function readReferrals(query: Query): ReferralsParameters {
  const sort = oneOf('sort', query('sort') ?? 'joined', ['joined', 'team', 'volume'])
  return {
    level: readLevel(query('level')),
    sort,
    order: oneOf('order', query('order') ?? (sort === 'joined' ? 'asc' : 'desc'), ['asc', 'desc']),
    ...readPage(query),
  }
}

export function readInterval(query: Query): GrowthInterval {
  return oneOf('interval', query('interval') ?? 'day', ['day', 'week', 'month'])
}

export function readPrefix(query: Query): string {
  const text = query('q')
  if (text === undefined || !/^0x[0-9a-fA-F]{2,40}$/.test(text))
    throw invalid('q', 'the beginning of an address: 0x and 2 to 40 hex digits')
  return text.toLowerCase()
}

function readLevel(text: string | undefined): number | 'all' {
  if (text === undefined) return 1
  if (text === 'all') return 'all'
  if (!/^\d+$/.test(text) || Number(text) < 1 || Number(text) > maxLevel)
    throw invalid('level', '"all" or a whole number of at least 1')
  return Number(text)
}

function oneOf<const value extends string>(name: string, text: string, values: readonly value[]): value {
  const found = values.find((value) => value === text)
  if (found === undefined) throw invalid(name, `one of ${values.join(', ')}`)
  return found
}

function invalid(parameter: string, expected: string): ProblemError {
  return new ProblemError('invalid_parameter', `"${parameter}" must be ${expected}.`, { parameter })
}
