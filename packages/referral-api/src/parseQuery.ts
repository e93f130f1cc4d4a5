import leven from 'leven'
import * as z from 'zod'
import { readTime } from './days.ts'
import { filters, isMomentParameter, operations, pathParameters, type QueryParameter } from './operations.ts'
import { filterLimit, type problems } from './problems.ts'
import type { OperationId } from './routes.ts'
import type { ParsedQueryOf } from './types.ts'

/** The reason why a query is refused, for the problem that answers it. */
export type QueryProblem = { code: keyof typeof problems; detail: string; parameter?: string }

const operationById = new Map(operations.map((operation) => [operation.id as OperationId, operation]))

/**
 * Parses and checks the query of a request: whole numbers become numbers, starts of addresses lower case, `limit` at
 * most 200, and missing parameters their default. Refuses parameters that the operation does not have, because an answer
 * without them would be taken for one with them.
 *
 * @example parseQuery('search', new URLSearchParams('q=0xAB')) // { query: { q: '0xab', limit: 50 } }
 */
export function parseQuery<id extends OperationId>(
  id: id,
  search: URLSearchParams,
): { query: ParsedQueryOf<id> } | { problem: QueryProblem } {
  const parameters = operationById.get(id)?.query ?? {}
  const query: Record<string, unknown> = {}
  const problem = findFilterProblem(parameters, search) ?? findNameProblem(id, search)
  if (problem) return { problem }
  for (const [name, parameter] of Object.entries(parameters)) {
    const text = search.get(name)
    if (text === null && !parameter.isRequired && !(parameter.schema instanceof z.ZodDefault)) continue
    const { success, data } = parseValue(parameter.schema, text ?? undefined)
    if (!success) return { problem: invalid(name, parameter, text) }
    query[name] = data
  }
  const contradiction = findContradiction(id, query)
  return contradiction ? { problem: contradiction } : { query: query as ParsedQueryOf<id> }
}

/** Parses a text as it is, or else as a whole number. Larger ones than JavaScript's are equal to the largest. */
function parseValue(schema: z.ZodType, text: string | undefined) {
  const parsed = schema.safeParse(text)
  if (parsed.success || text === undefined || !/^\d+$/.test(text)) return parsed
  return schema.safeParse(Math.min(Number(text), Number.MAX_SAFE_INTEGER))
}

function invalid(name: string, { schema, expected }: QueryParameter, text: string | null): QueryProblem {
  if (schema === pathParameters.address.schema && text !== null)
    return {
      code: 'invalid_address',
      detail: `${name}: Invalid address: it must be 0x and 40 hex digits.`,
      parameter: name,
    }
  const values = schema instanceof z.ZodDefault ? schema.unwrap() : schema
  return mustBe(name, expected ?? `one of ${values instanceof z.ZodEnum ? values.options.join(', ') : 'its values'}`)
}

const invalidParameter = (parameter: string, detail: string): QueryProblem => ({
  code: 'invalid_parameter',
  detail,
  parameter,
})

const mustBe = (parameter: string, expected: string): QueryProblem =>
  invalidParameter(parameter, `Invalid parameter "${parameter}": it must be ${expected}.`)

/**
 * Refuses a parameter that the operation does not have, and one that is given twice, because only one of the two would
 * count.
 */
export function findNameProblem(id: OperationId, search: URLSearchParams): QueryProblem | undefined {
  const parameters = operationById.get(id)?.query ?? {}
  const given = [...search.keys()]
  const moment = given.find((name) => !Object.hasOwn(parameters, name) && lookupsOfMoment.has(name))
  if (moment !== undefined) return invalidParameter(moment, noMomentDetail(moment))
  const unknown = given.find((name) => !Object.hasOwn(parameters, name))
  if (unknown !== undefined) return invalidParameter(unknown, unknownDetail(unknown, Object.keys(parameters)))
  const repeated = given.find((name, index) => given.indexOf(name) < index)
  return repeated === undefined ? undefined : invalidParameter(repeated, `"${repeated}" is given more than once.`)
}

/** The paths of the lookups that know a past moment, by the name that it has there. A query may have thousands of names. */
const lookupsOfMoment = new Map<string, string[]>()
for (const { path, query = {} } of operations)
  for (const [name, parameter] of Object.entries(query))
    if (isMomentParameter(parameter)) lookupsOfMoment.set(name, [...(lookupsOfMoment.get(name) ?? []), path])

const noMomentDetail = (name: string): string =>
  `This lookup has no "${name}": leave it out for the present, or use one that has it: ${lookupsOfMoment.get(name)?.join(', ')}.`

/**
 * Says that a parameter is not known, and which ones are.
 *
 * @example unknownDetail('asof', ['asOf']) // 'Unknown parameter "asof": did you mean "asOf"?'
 */
export function unknownDetail(name: string, known: readonly string[]): string {
  const shown = name.slice(0, 40)
  const near = findNearest(name, known)
  if (near !== undefined) return `Unknown parameter "${shown}": did you mean "${near}"?`
  if (known.length === 0) return `Unknown parameter "${shown}": leave it out, there are none here.`
  return `Unknown parameter "${shown}": leave it out, or use one of ${known.join(', ')}.`
}

/** Finds the name that was probably meant: one that is longer or shorter, or has at most two other characters. */
function findNearest(name: string, known: readonly string[]): string | undefined {
  const given = name.toLowerCase()
  const distance = (one: string) => {
    const other = one.toLowerCase()
    const isPart = given.length > 2 && (other.startsWith(given) || given.startsWith(other))
    return isPart ? Number(other !== given) : leven(given, other)
  }
  const [nearest] = known.toSorted((one, other) => distance(one) - distance(other))
  return nearest !== undefined && distance(nearest) <= Math.min(2, given.length / 2) ? nearest : undefined
}

/** Refuses too many parameters of a list with filters, and a filter that is given twice. */
function findFilterProblem(parameters: object, search: URLSearchParams): QueryProblem | undefined {
  if (!('minTeam' in parameters)) return undefined
  const names = [...search.keys()]
  if (names.length > filterLimit) {
    const detail = `Too many filters: there may be ${filterLimit} parameters in all.`
    return { code: 'too_many_filters', detail }
  }
  const repeated = names.find((name, index) => isFilter(name) && names.indexOf(name) < index)
  return repeated === undefined ? undefined : contradictory(repeated, `"${repeated}" is given more than once.`)
}

const isFilter = (name: string): boolean => Object.hasOwn(filters, name)

const contradictory = (parameter: string, reason: string): QueryProblem => ({
  code: 'contradictory_filter',
  detail: `The filter contradicts itself: ${reason}`,
  parameter,
})

type Time = string | number

/** Refuses a range of events that ends before it begins, and a status with one. */
function findRangeProblem({ from, to, tz, order, status }: Record<string, unknown>): QueryProblem | undefined {
  if (status !== undefined && (order === 'asc' || (from ?? to) !== undefined))
    return contradictory('status', '"status" cannot be given together with "from", "to" or "order=asc".')
  if (from === undefined || to === undefined) return undefined
  return readTime(from as Time, 'first', tz as string) > readTime(to as Time, 'last', tz as string)
    ? contradictory('to', '"from" is later than "to".')
    : undefined
}

/** Finds parameters that are valid alone, but not together. */
function findContradiction(id: OperationId, query: Record<string, unknown>): QueryProblem | undefined {
  const {
    joinedFrom = 0,
    joinedTo = Number.POSITIVE_INFINITY,
    tz,
    level,
    levelFrom,
    levelTo,
    sort,
    skip,
    cursor,
  } = query
  if (id === 'events' || id === 'pairBinds') return findRangeProblem(query)
  if (Number(skip) > 0 && cursor !== undefined) return mustBe('skip', 'left out together with "cursor"')
  if (readTime(joinedFrom as Time, 'first', tz as string) > readTime(joinedTo as Time, 'last', tz as string))
    return contradictory('joinedTo', '"joinedFrom" is later than "joinedTo".')
  if (Number(levelFrom ?? 1) > Number(levelTo ?? Number.POSITIVE_INFINITY))
    return contradictory('levelTo', '"levelFrom" is greater than "levelTo".')
  if (Number(query.depthFrom ?? 0) > Number(query.depthTo ?? Number.POSITIVE_INFINITY))
    return contradictory('depthTo', '"depthFrom" is greater than "depthTo".')
  if (level !== undefined && (levelFrom ?? levelTo) !== undefined)
    return contradictory('level', '"level" cannot be given together with "levelFrom" or "levelTo".')
  if (id === 'referralsCsv' && sort !== 'joined') {
    // Each streamed page would cost as much as the whole file.
    const detail = `A CSV is in order of joining and cannot be sorted by "${sort}": leave "sort" out, and sort the file.`
    return { code: 'unsupported_order', detail, parameter: 'sort' }
  }
  if (query.asOf === undefined)
    return query.amounts === undefined
      ? undefined
      : mustBe('amounts', 'left out without "asOf", because answers for the present always have amounts')
  return id === 'referrals' || id === 'referralsCsv' ? findPastProblem(query) : undefined
}

/** Refuses the amounts of a range beside a past moment. */
function findPastProblem(query: Record<string, unknown>): QueryProblem | undefined {
  if (String(query.sort).startsWith('period')) return mustBe('sort', 'joined, team or volume together with "asOf"')
  const name = ['from', 'to'].find((one) => query[one] !== undefined)
  return name === undefined ? undefined : mustBe(name, 'left out together with "asOf"')
}
