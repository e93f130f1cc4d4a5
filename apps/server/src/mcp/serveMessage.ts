import { info } from '@lineage/referral-api/openapi'
import { type CallToolResult, createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { guide } from '../docs/guide.ts'
import { internalError, ProblemError } from '../lib/problem.ts'
import { readText } from '../lookups/csv.ts'
import type { LookupAnswer, LookupRequest } from '../lookups/Index.ts'
import { type Arguments, linkOf, type Tool, tools, toRequest } from './tools.ts'

const instructions = `${guide}\nEvery answer has \`link\`, a page that shows it to a person.`

/** Largest number of bytes of an answer. */
const answerLimit = 1_000_000

type McpContext = {
  /** Answers a lookup for the visitor. */
  lookUp: (request: LookupRequest, signal: AbortSignal) => Promise<LookupAnswer>
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

const jsonByTool = new Map<Tool, Record<string, unknown>>()

/** Returns the schema of a tool's arguments. Its JSON Schema is computed once, because each list of the tools takes all. */
function keepJson(tool: Tool) {
  const { jsonSchema, ...standard } = tool.inputSchema['~standard']
  const input: typeof jsonSchema.input = (options) => {
    const known = jsonByTool.get(tool) ?? jsonSchema.input(options)
    jsonByTool.set(tool, known)
    return known
  }
  return { '~standard': { ...standard, jsonSchema: { ...jsonSchema, input } } }
}

function createServer(context: McpContext): McpServer {
  const server = new McpServer({ name: 'lineage', title: info.title, version: info.version }, { instructions })
  for (const tool of tools)
    server.registerTool(
      tool.name,
      {
        description: tool.description,
        inputSchema: keepJson(tool),
        annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
      },
      (given, { mcpReq: { signal } }) =>
        callTool(tool, given as Arguments, { ...context, signal }).catch((error: unknown) => {
          if (error instanceof ProblemError) return toError(error)
          if (!signal.aborted) console.error(error)
          return toError(internalError())
        }),
    )
  return server
}

/** Answers a call with the JSON of the lookup and a link to a page. @throws {ProblemError} */
async function callTool(
  tool: Tool,
  given: Arguments,
  { lookUp, origin, signal }: McpContext & { signal: AbortSignal },
): Promise<CallToolResult> {
  const { body } = await lookUp(toRequest(tool, given), signal)
  const answer = await readText(body)
  if (answer.length > answerLimit)
    throw new ProblemError('too_costly', 'The answer is larger than 1 MB. Request fewer items.')
  const link = JSON.stringify(linkOf(tool.name, given, origin))
  return { content: [{ type: 'text', text: `{"link":${link},${answer.slice(1)}` }] }
}

/** Returns a problem as an error of a tool. */
async function toError(problem: ProblemError): Promise<CallToolResult> {
  const { retryAfter } = problem.extra
  const text = JSON.stringify({ ...((await problem.toResponse().json()) as object), retryAfter })
  return { isError: true, content: [{ type: 'text', text }] }
}
