import type { Community, JsonId, Metrics, TeamMap } from '@lineage/referral-api'
import { type Operation, operations, pathParameters } from '@lineage/referral-api/operations'
import { unknownDetail } from '@lineage/referral-api/parse-query'
import type { LookupId } from '@lineage/referral-api/routes'
import * as z from 'zod'
import { ProblemError } from '../lib/problem.ts'
import type { LookupRequest } from '../lookups/Index.ts'
import { parseLookup } from '../lookups/parseLookup.ts'
import { toUnits } from './amounts.ts'

/** A lookup as a tool: its arguments combine path, query and body. */
export type Tool = {
  name: LookupId & JsonId
  title: string
  description: string
  inputSchema: z.ZodObject
  operation: Operation
}
export type Arguments = Record<string, unknown>
type Tokens = Community['tokens']

/** Answers without their long lists, for agents, who read all that they get. */
export const shortAnswers: { [name in Tool['name']]?: (answer: never) => object } = {
  metrics: ({ series: _, depths: __, directsHistogram: ___, ...totals }: Metrics) => totals,
  // Each item counts all that is below it, so nothing is missing in the sums.
  map: ({ items, ...map }: TeamMap) => ({
    ...map,
    items: items.filter(({ parent }) => parent === null).map(withoutRest),
  }),
  teamMap: ({ items: [top, ...legs], ...map }: TeamMap) => ({
    ...map,
    items: [...(top ? [top] : []), ...legs.filter(({ parent }) => parent === 0).map(withoutRest)],
  }),
}

const withoutRest = ({ rest: _, ...item }: TeamMap['items'][number]) => item

/** Number of items that a tool returns without `limit`: fewer than the API, because agents read all of them. */
const fewItems = 20
/** Arguments of tools that the API does not have, or describes differently. */
const own = {
  detail: z
    .enum(['summary', 'full'])
    .optional()
    .describe('`summary` by default: without long lists. `full`: the whole answer of the API, up to 60 kB.'),
  limit: z.int().min(1).max(200).optional().describe(`Items per page: ${fewItems} by default, 200 at most.`),
  interval: z.enum(['day', 'week', 'month']).optional().describe('Months by default; weeks from Monday, or days.'),
  minVolume: z
    .string()
    .regex(/^\d{1,60}(\.\d{1,36})?$/)
    .optional()
    .describe('At least this much own plus team volume, in tokens: 1000 or 0.5.'),
}
/** Tools whose answers are long with `detail: full`. */
const detailed: readonly LookupId[] = ['metrics', 'map', 'teamMap']

/** Number of levels that a tool returns at once: anybody can make a line of a hundred thousand members, each below the last. */
const fewLevels = 100
/** The lists of levels in answers: where they are, and their arguments. */
const levelLists: { [name in Tool['name']]?: { rows: string; level: string; first: number } } = {
  levels: { rows: 'items', level: 'level', first: 1 },
  metrics: { rows: 'depths', level: 'depth', first: 0 },
}

/** Returns the argument that limits the levels of an answer. One more is requested, which shows whether there are more. */
function limitLevels(name: Tool['name'], given: Arguments): Arguments {
  const list = levelLists[name]
  if (!list) return {}
  const [from, to] = [given[`${list.level}From`] ?? list.first, given[`${list.level}To`] ?? 2 ** 32 - 2]
  return { [`${list.level}To`]: Math.min(Number(to), Number(from) + fewLevels) }
}

/** Cuts the levels of an answer, and adds the argument that returns the next ones. */
export function cutLevels(name: Tool['name'], answer: object): object {
  const { rows: key = '', level = '' } = levelLists[name] ?? {}
  const rows = (answer as Record<string, unknown>)[key] as Record<string, unknown>[] | undefined
  const next = rows?.[fewLevels]?.[level]
  return next === undefined ? answer : { ...answer, [key]: rows?.slice(0, fewLevels), next: { [`${level}From`]: next } }
}

/** Every lookup except the files, which are as long as a downline or a community. */
export const tools: readonly Tool[] = operations.flatMap((operation) => {
  const { id, title, description } = operation
  if (title === undefined || description === undefined) return []
  const name = id as Tool['name']
  const inputSchema = z.strictObject({
    ...Object.fromEntries(namesInPath(operation).map((one) => [one, withDescription(pathParameters[one])])),
    ...Object.fromEntries(Object.entries(operation.query ?? {}).map(([one, given]) => [one, toArgument(one, given)])),
    ...shapeOfBody(operation),
    ...(detailed.includes(name) && { detail: own.detail }),
  })
  return { name, title, description, inputSchema, operation }
})

/** Returns the lookup of a call. @throws {ProblemError} */
export function toRequest(
  { name: id, operation, inputSchema }: Tool,
  given: Arguments,
  tokens?: Tokens,
): LookupRequest {
  const bodyNames = Object.keys(shapeOfBody(operation))
  checkArguments(inputSchema, given, bodyNames)
  const path = Object.fromEntries(namesInPath(operation).map((name) => [name, String(given[name])]))
  const asked: Arguments = {
    ...given,
    ...('limit' in inputSchema.shape && given.limit === undefined && { limit: fewItems }),
    ...('interval' in inputSchema.shape && given.interval === undefined && { interval: 'month' }),
    ...limitLevels(id, given),
    ...(given.minVolume !== undefined && { minVolume: toUnits(String(given.minVolume), tokens?.volume ?? null) }),
  }
  const query = new URLSearchParams()
  for (const name of Object.keys(operation.query ?? {}))
    if (asked[name] !== undefined) query.set(name, String(asked[name]))
  const body = operation.body ? Object.fromEntries(bodyNames.map((name) => [name, given[name]])) : undefined
  return parseLookup(id, { path, query, body, atLeast: 0 })
}

/** Refuses arguments that the tool does not have, lacks, or cannot be of a path or query; only a body has lists. @throws {ProblemError} */
function checkArguments({ shape }: z.ZodObject, given: Arguments, bodyNames: readonly string[]): void {
  for (const name of Object.keys(given))
    if (!Object.hasOwn(shape, name)) throw invalid(name, unknownDetail(name, Object.keys(shape)))
  for (const [name, schema] of Object.entries(shape)) {
    const value = given[name]
    if (value === undefined && schema.safeParse(undefined).success) continue
    if (value === undefined) throw invalid(name, `The argument "${name}" is missing.`)
    const isText = ['string', 'number', 'boolean'].includes(typeof value)
    const isList = Array.isArray(value) && bodyNames.includes(name)
    // Addresses of a path and a body have their own problems.
    if (name === 'detail' && !schema.safeParse(value).success) throw invalid(name, `"${name}" must be summary or full.`)
    if (!isText && !isList) throw invalid(name, `Invalid argument "${name}": it must be a text or a number.`)
  }
}

const invalid = (parameter: string, detail: string) => new ProblemError('invalid_parameter', detail, { parameter })

type Parameter = NonNullable<Operation['query']>[string]

function withDescription({ schema, description }: Pick<Parameter, 'schema' | 'description'>): z.ZodType {
  return schema.describe(description)
}

function toArgument(name: string, { schema, description, isRequired }: Parameter): z.ZodType {
  const changed = own[name as keyof typeof own]
  return changed ?? withDescription({ schema: isRequired ? schema : schema.optional(), description })
}

function namesInPath({ path }: Operation) {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as keyof typeof pathParameters)
}

function shapeOfBody({ body }: Operation): z.ZodRawShape {
  return body && 'schema' in body && body.schema instanceof z.ZodObject ? body.schema.shape : {}
}
