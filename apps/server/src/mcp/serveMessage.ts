import { info } from '@lineage/referral-api/openapi'
import { type CallToolResult, createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { guide } from '../docs/guide.ts'
import { internalError, problem } from '../lib/problem.ts'
import { linkOf } from './linkOf.ts'
import { type Arguments, type LookupRequest, type Tool, tools, toRequest } from './tools.ts'

const instructions = `${guide}\nEvery answer has \`link\`, a page that shows it to a person.`

/** Largest number of characters of an answer. */
const answerLimit = 1_000_000
/**
 * Largest number of characters of a path with its query: the indexer refuses headers of more than 16 kB with its own
 * message.
 */
const targetLimit = 8_192

export type McpContext = {
  /** Sends a lookup to the indexer on behalf of the visitor. */
  lookUp: (request: LookupRequest, signal: AbortSignal) => Promise<Response>
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

function createServer(context: McpContext): McpServer {
  const server = new McpServer({ name: 'lineage', title: info.title, version: info.version }, { instructions })
  for (const tool of tools)
    server.registerTool(
      tool.name,
      {
        description: tool.description,
        inputSchema: tool.inputSchema,
        annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
      },
      (given, { mcpReq: { signal } }) =>
        callTool(tool, given as Arguments, { ...context, signal }).catch((error: unknown) => {
          if (!signal.aborted) console.error(error)
          return toError(internalError())
        }),
    )
  return server
}

/** Answers a call with the JSON of the lookup and a link to a page, or with its problem as an error of the tool. */
async function callTool(
  tool: Tool,
  given: Arguments,
  { lookUp, origin, signal }: McpContext & { signal: AbortSignal },
): Promise<CallToolResult> {
  const request = toRequest(tool, given)
  if (request.target.length > targetLimit)
    return toError(problem('invalid_parameter', { detail: 'The arguments are too long.' }))
  const response = await lookUp(request, signal)
  if (!response.ok) return toError(response)
  const answer = (await response.json()) as object
  const text = JSON.stringify({ link: linkOf(tool.name, given, origin), ...answer })
  if (text.length <= answerLimit) return { content: [{ type: 'text', text }] }
  return toError(problem('too_costly', { detail: 'The answer is larger than 1 MB. Request fewer items.' }))
}

async function toError(response: Response): Promise<CallToolResult> {
  const seconds = response.headers.get('retry-after')
  const said = (await response.json()) as object
  const text = JSON.stringify({ ...said, ...(seconds !== null && { retryAfter: Number(seconds) }) })
  return { isError: true, content: [{ type: 'text', text }] }
}
