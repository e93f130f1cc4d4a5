import type { Community } from '@lineage/referral-api'
import { info } from '@lineage/referral-api/openapi'
import * as schemas from '@lineage/referral-api/schemas'
import { type CallToolResult, createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { guide } from '../docs/guide.ts'
import { internalError, ProblemError } from '../lib/problem.ts'
import { readText } from '../lookups/fileStream.ts'
import type { LookupAnswer, LookupRequest } from '../lookups/Index.ts'
import { writeAmounts } from './amounts.ts'
import { linkOf } from './linkOf.ts'
import { type Arguments, shortAnswers, type Tool, tools, toRequest } from './tools.ts'

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

/** The dialect is that of the protocol, so it is left out of each schema. */
function toInput(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input' })
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

/** Replaces references by their definitions where these are shorter. */
function withoutShort({ $defs = {}, ...json }: z.core.JSONSchema.JSONSchema): Record<string, unknown> {
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
        annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
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
  const community = String(given.community ?? '')
  const findTokens = async () => new Map((await readCommunities()).map(({ id, tokens }) => [id, tokens]))
  const asked = given.minVolume === undefined ? undefined : (await findTokens()).get(community)
  const { body } = await lookUp(toRequest(tool, given, asked), signal)
  const answer = await readText(body)
  if (answer.length > answerLimit)
    throw new ProblemError('too_costly', 'The answer is larger than 1 MB. Request fewer items.')
  const shorten = given.detail === 'full' ? undefined : shortAnswers[tool.name]
  const parsed: unknown = JSON.parse(answer)
  const tokens = await findTokens()
  const written = writeAmounts(shorten ? shorten(parsed as never) : parsed, (id) => tokens.get(id), community)
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
