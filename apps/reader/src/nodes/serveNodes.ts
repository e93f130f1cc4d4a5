import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toNodeError } from './rpc/NodeError.ts'
import { readText } from './rpc/readText.ts'
import type { RpcRequest } from './rpc/rpcRequest.ts'

const maxRequestBytes = 1_000_000

/** Handlers of JSON-RPC requests, and of the report about the nodes. */
export type Served = { request(rpc: RpcRequest): Promise<unknown>; report(): object }

type Answer = { status: number; body: object }

/**
 * Serves the nodes as one node for Ponder, which accepts only URLs: on a port of the loopback interface, under a
 * secret path. `GET` returns the report.
 *
 * @returns the URL
 */
export async function serveNodes(nodes: Served): Promise<string> {
  const path = `/${randomUUID()}`
  const server = createServer((request, response) => {
    void answer(nodes, request, path).then(({ status, body }) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  server.unref()
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
}

async function answer(nodes: Served, request: IncomingMessage, path: string): Promise<Answer> {
  if (request.url !== path) return { status: 404, body: {} }
  if (request.method === 'GET') return { status: 200, body: nodes.report() }
  const rpc = parseRequest(await readText(request, maxRequestBytes).catch(() => ''))
  const id = rpc?.id ?? null
  if (!rpc) return { status: 400, body: { jsonrpc: '2.0', id, error: { code: -32600, message: 'invalid request' } } }
  try {
    return { status: 200, body: { jsonrpc: '2.0', id, result: await nodes.request(rpc) } }
  } catch (error) {
    const { rpcError, kind, message } = toNodeError(error)
    // Ponder retries after an HTTP error, but accepts a JSON-RPC error as the answer.
    const isFinal = rpcError && ['refused', 'missing'].includes(kind)
    // Ponder logs the error that it gets. viem reads a revert from `data`.
    const { code = -32603, data } = rpcError ?? {}
    const body = { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } }
    return { status: isFinal ? 200 : 503, body }
  }
}

function parseRequest(text = ''): (RpcRequest & { id: unknown }) | undefined {
  try {
    const { id = null, method, params = [] } = JSON.parse(text) as Record<string, unknown>
    return typeof method === 'string' && Array.isArray(params) ? { id, method, params } : undefined
  } catch {
    return undefined
  }
}
