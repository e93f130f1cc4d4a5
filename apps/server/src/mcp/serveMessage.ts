import type { Community } from '@lineage/referral-api'
import { createCalendar, isDay } from '@lineage/referral-api/days'
import { info } from '@lineage/referral-api/openapi'
import * as schemas from '@lineage/referral-api/schemas'
import { type CallToolResult, createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { guide } from '../docs/guide.ts'
import { internalError, ProblemError } from '../lib/problem.ts'
import { readText } from '../lookups/fileStream.ts'
import type { LookupAnswer, LookupRequest } from '../lookups/Index.ts'
import { writeAmounts } from './amounts.ts'
import { ofFilter, ofRange, ofTimes, pageOf, same } from './pages.ts'
import { type Arguments, cutLevels, shortAnswers, type Tool, tools, toRequest } from './tools.ts'

const instructions = [
  guide.replace('Amounts are decimal strings in the token’s smallest unit.', 'Amounts are decimals with their token.'),
  'Every answer has `link`, a page that shows it to a person, and `asOf`, the block and time it is of. A failed call has the `code` ' +
    'of the problem and what to do in `detail`.',
].join('\n')

/** Largest number of bytes of an answer. */
const answerLimit = 1_000_000

type McpContext = {
  /** Answers a lookup for the visitor. */
  lookUp: (request: LookupRequest, signal: AbortSignal) => Promise<LookupAnswer>
  readCommunities: () => Promise<Community[]>
  /** Origin of the pages that answers link to. */
  origin: string
}

/** Answers one message with a new MCP server, which is closed after the answer. */
export async function serveMessage(request: Request, message: object, context: McpContext): Promise<Response> {
  const handler = createMcpHandler(() => createServer(context), {
    // The tools never change, so a subscription to changes would only hold a connection.
    maxSubscriptions: 0,
    keepAliveMs: 0,
  })
  return handler.fetch(request, { parsedBody: message })
}

/**
 * Returns a schema for the list of the tools. What it describes is checked by `toRequest`, whose problems are those of the
 * API, and by the API itself. Its JSON Schema is computed once, because each list of the tools takes all.
 */
function describe<schema extends z.ZodType>(schema: schema, toJson: (schema: schema) => Record<string, unknown>) {
  let json: Record<string, unknown> | undefined
  const convert = () => {
    json ??= toJson(schema)
    return json
  }
  return {
    '~standard': {
      version: 1,
      vendor: 'lineage',
      validate: (value: unknown) => ({ value: value as Record<string, unknown> }),
      jsonSchema: { input: convert, output: convert },
    },
  } as const
}

/** The dialect is that of the protocol, so it is left out of each schema, and so are the largest numbers of the API. */
function toInput(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    override({ jsonSchema }) {
      if (Number(jsonSchema.maximum) > 2 ** 31) delete jsonSchema.maximum
    },
  })
  return json
}

/** Returns the JSON Schema of an answer: amounts are texts with their token, and short answers lack their long lists. */
function toOutput(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...json } = z.toJSONSchema(z.intersection(schema, z.object({ link: z.string() })), {
    io: 'input',
    reused: 'ref',
    override({ jsonSchema }) {
      for (const name of ['pattern', 'minimum', 'maximum', 'exclusiveMinimum'] as const) delete jsonSchema[name]
      const long = ['series', 'depths', 'directsHistogram', 'rest']
      if (jsonSchema.required) jsonSchema.required = jsonSchema.required.filter((one) => !long.includes(one))
    },
  })
  return { type: 'object', ...withoutShort(json) }
}

/** Shortens the names of definitions to their numbers, and replaces references by their definitions where these are shorter. */
function withoutShort(schema: object): Record<string, unknown> {
  const { $defs = {}, ...json }: z.core.JSONSchema.JSONSchema = JSON.parse(
    JSON.stringify(schema).replaceAll('__schema', ''),
  )
  const short = new Map<string, unknown>()
  const long: Record<string, unknown> = {}
  for (const [name, definition] of Object.entries($defs)) {
    if (JSON.stringify(definition).length < 30) short.set(`#/$defs/${name}`, definition)
    else long[name] = definition
  }
  const replace = (_: string, value: { $ref?: string } | null) => short.get(value?.$ref ?? '') ?? value
  return JSON.parse(JSON.stringify({ ...json, ...(Object.keys(long).length > 0 && { $defs: long }) }), replace)
}

const described = tools.map((tool) => ({
  tool,
  inputSchema: describe(tool.inputSchema, toInput),
  outputSchema: describe(schemas.responses[tool.name], toOutput),
}))

function createServer(context: McpContext): McpServer {
  const server = new McpServer({ name: 'lineage', title: info.title, version: info.version }, { instructions })
  for (const { tool, inputSchema, outputSchema } of described)
    server.registerTool(
      tool.name,
      {
        title: tool.title,
        description: tool.description,
        inputSchema,
        outputSchema,
        annotations: { readOnlyHint: true, openWorldHint: false },
      },
      (given, { mcpReq: { signal } }) =>
        callTool(tool, given as Arguments, { ...context, signal }).catch((error: unknown) => {
          if (error instanceof ProblemError) return toError(error, context.origin)
          if (!signal.aborted) console.error(error)
          return toError(internalError(), context.origin)
        }),
    )
  return server
}

/** Answers a call with the lookup, its amounts as texts, and a link to a page. @throws {ProblemError} */
async function callTool(
  tool: Tool,
  given: Arguments,
  { lookUp, readCommunities, origin, signal }: McpContext & { signal: AbortSignal },
): Promise<CallToolResult> {
  // Arguments are checked by `toRequest`.
  const community = typeof given.community === 'string' ? given.community : ''
  const findTokens = async () => new Map((await readCommunities()).map(({ id, tokens }) => [id, tokens]))
  const asked = given.minVolume === undefined ? undefined : (await findTokens()).get(community)
  const { body } = await lookUp(toRequest(tool, given, asked), signal)
  const answer = await readText(body)
  if (answer.length > answerLimit)
    throw new ProblemError('too_costly', 'The answer is larger than 1 MB. Request fewer items.')
  const shorten = given.detail === 'full' ? undefined : shortAnswers[tool.name]
  const parsed = JSON.parse(answer)
  const shown = cutLevels(tool.name, shorten ? shorten(parsed as never) : parsed)
  const tokens = await findTokens()
  const written = writeAmounts(shown, (id) => tokens.get(id), community)
  const structuredContent = { link: linkOf(tool.name, given, origin), ...written }
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent }
}

/** Returns a problem as an error of a tool. */
async function toError(problem: ProblemError, origin: string): Promise<CallToolResult> {
  const { retryAfter } = problem.extra
  const body = (await problem.toResponse().json()) as { type: string }
  const text = JSON.stringify({ ...body, type: new URL(body.type, origin).href, retryAfter })
  return { isError: true, content: [{ type: 'text', text }] }
}

/**
 * Returns the link to the page that shows a person the answer of a tool.
 *
 * @example linkOf('member', { community: 'demo', address: '0x…' }, 'https://lineage.example')
 */
export function linkOf(name: Tool['name'], given: Arguments, origin: string): string {
  const { path, query } = pageOf(name)
  const link = new URL(path, origin)
  for (const [parameter, argument] of Object.entries(query)) {
    const value = given[argument]
    if (value !== undefined)
      link.searchParams.set(parameter, argument in ofTimes ? toDay(argument, value, given.tz) : String(value))
  }
  if ('dayTo' in query) keepDays(link.searchParams, name)
  if (name === 'referrals') nameDefaults(link.searchParams)
  // Tools count days in UTC by themselves, pages in the zone of their language.
  if (query.tz && !link.searchParams.has('tz') && [...link.searchParams].some(([name, value]) => isOfDays(name, value)))
    link.searchParams.set('tz', 'UTC')
  return link.href
}

/** Removes a range that is not of days alone, because pages have no other: they show its last block instead. */
function keepDays(parameters: URLSearchParams, name: Tool['name']): void {
  const [from, to] = [parameters.get('dayFrom'), parameters.get('dayTo')]
  if ([from, to].every((moment) => moment === null || isDay(moment))) return
  parameters.delete('dayFrom')
  parameters.delete('dayTo')
  // The range of two members has seconds instead of blocks.
  if (to !== null && name !== 'pairBinds') parameters.set('asOf', to)
}

/** Names what the page of a downline would choose otherwise: it begins with its tree, and with days by their amounts. */
function nameDefaults(parameters: URLSearchParams): void {
  const hasAny = (names: object) => Object.keys(names).some((name) => parameters.has(name))
  if (!hasAny({ ...ofFilter, ...same('level', 'asOf') })) parameters.set('level', '1')
  if (hasAny(ofRange) && !parameters.has('sort')) parameters.set('sort', 'joined')
}

const isOfDays = (name: string, value: string): boolean => name === 'interval' || isDay(value)

/** Returns a time as the day of a zone that it begins or ends, as pages have days; any other time as it is. */
function toDay(name: string, value: unknown, zone: unknown): string {
  if (!isTime(value)) return String(value)
  const { dayOf, firstSecond, lastSecond } = createCalendar(String(zone ?? 'UTC'))
  const day = dayOf(value)
  return value === (name === 'joinedTo' ? lastSecond(day) : firstSecond(day)) ? day : String(value)
}

/** Returns whether a value is Unix seconds. The largest that an argument can be is of the year 2106. */
const isTime = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) < 2 ** 32
