import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { NodeError, type RpcRequest } from './askNode.ts'
import type { Nodes } from './createNodes.ts'

const longestRequest = 1_000_000

/**
 * Serves the nodes as one, on a port of this machine and under a path that nobody else knows: Ponder takes addresses
 * alone. What the nodes cannot do is read with GET.
 *
 * @returns its URL
 */
export async function serveNodes(nodes: Nodes): Promise<string> {
  const path = `/${randomUUID()}`
  const server = createServer((request, response) => {
    void answerOf(request).then(({ status, body }) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    })
  })

  async function answerOf(request: IncomingMessage): Promise<{ status: number; body: object }> {
    if (request.url !== path) return { status: 404, body: {} }
    if (request.method === 'GET') return { status: 200, body: nodes.warnings() }
    const asked = toRequest(await readBody(request).catch(() => ''))
    const id = asked?.id ?? null
    if (!asked)
      return { status: 400, body: { jsonrpc: '2.0', id, error: { code: -32600, message: 'invalid request' } } }
    try {
      return { status: 200, body: { jsonrpc: '2.0', id, result: await nodes.request(asked) } }
    } catch (error) {
      const { rpcError, kind, message } = error instanceof NodeError ? error : new NodeError('unreachable', `${error}`)
      // Whoever asks tries again after a fault of HTTP, and takes an error of JSON-RPC for the answer.
      const isFinal = rpcError && ['refused', 'missing'].includes(kind)
      const body = { jsonrpc: '2.0', id, error: rpcError ?? { code: -32603, message } }
      return { status: isFinal ? 200 : 503, body }
    }
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  server.unref()
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk
    if (text.length > longestRequest) throw new Error('too long')
  }
  return text
}

function toRequest(text: string): (RpcRequest & { id: unknown }) | undefined {
  try {
    const { id = null, method, params = [] } = JSON.parse(text) as Record<string, unknown>
    return typeof method === 'string' && Array.isArray(params) ? { id, method, params } : undefined
  } catch {
    return undefined
  }
}
