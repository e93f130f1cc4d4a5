import type { ReferralsFilter } from '@lineage/forest'
import type { ReferralsFilter as FilterQuery } from '@lineage/referral-api'
import { filterLimit } from '@lineage/referral-api/problems'
import { ProblemError } from '../http/problems.ts'
import { invalid, oneOf, parsePrefix } from './parameters.ts'

type Name = keyof FilterQuery
type Read = (name: Name) => string | undefined

/** Parser of each filter. */
const readers: { [name in Name]-?: (read: Read) => ReferralsFilter[name] } = {
  joinedFrom: (read) => readWhole(read, 'joinedFrom', 0),
  joinedTo: (read) => readWhole(read, 'joinedTo', 0),
  levelFrom: (read) => readWhole(read, 'levelFrom', 1),
  levelTo: (read) => readWhole(read, 'levelTo', 1),
  minTeam: (read) => readWhole(read, 'minTeam', 0),
  minVolume: readVolume,
  activeSince: (read) => readWhole(read, 'activeSince', 0),
  prefix: (read) => parsePrefix('prefix', read('prefix')),
  bound: readBound,
}

/**
 * Reads the filters of a list. Returns `undefined` if there is none.
 *
 * @param names Names of all parameters, repeated as often as given.
 * @throws {ProblemError} `invalid_parameter`, `contradictory_filter` or `too_many_filters`
 */
export function readFilter(read: Read, names: readonly string[]): ReferralsFilter | undefined {
  if (names.length > filterLimit)
    throw new ProblemError('too_many_filters', `Too many filters: there may be ${filterLimit} parameters in all.`)
  const given = names.filter((name): name is Name => Object.hasOwn(readers, name))
  if (given.length === 0) return undefined
  const repeated = given.find((name, index) => given.indexOf(name) < index)
  if (repeated) throw contradiction(repeated, `"${repeated}" is given more than once.`)
  const filter: ReferralsFilter = Object.fromEntries(given.map((name) => [name, readers[name](read)]))
  refuseContradiction(filter, names)
  return filter
}

function refuseContradiction(filter: ReferralsFilter, names: readonly string[]): void {
  const { joinedFrom = 0, joinedTo = Number.POSITIVE_INFINITY, levelFrom, levelTo } = filter
  if (joinedFrom > joinedTo) throw contradiction('joinedTo', '"joinedFrom" is later than "joinedTo".')
  if ((levelFrom ?? 1) > (levelTo ?? Number.POSITIVE_INFINITY))
    throw contradiction('levelTo', '"levelFrom" is below "levelTo".')
  if (names.includes('level') && (levelFrom ?? levelTo) !== undefined)
    throw contradiction('level', '"level" cannot be given together with "levelFrom" or "levelTo".')
}

const contradiction = (parameter: string, reason: string) =>
  new ProblemError('contradictory_filter', `The filter contradicts itself: ${reason}`, { parameter })

/** Reads a whole number. The largest 32-bit number is reserved. */
function readWhole(read: Read, name: Name, least: number): number {
  const text = read(name) ?? ''
  const value = Number(text)
  if (/^\d{1,10}$/.test(text) && value >= least && value < 2 ** 32 - 1) return value
  throw invalid(name, `a whole number from ${least} to ${2 ** 32 - 2}`)
}

function readVolume(read: Read): bigint {
  const text = read('minVolume') ?? ''
  if (!/^\d{1,78}$/.test(text)) throw invalid('minVolume', 'an amount in the smallest unit: 1 to 78 digits')
  return BigInt(text)
}

function readBound(read: Read): boolean {
  return oneOf('bound', read('bound') ?? '', ['true', 'false']) === 'true'
}
