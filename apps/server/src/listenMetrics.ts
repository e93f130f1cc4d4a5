import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { describeError } from './log.ts'
import type { Metrics } from './metrics.ts'

export type ListenMetricsParameters = {
  host: string
  port: number
  /** Port of the indexer on 127.0.0.1. */
  apiPort: number
}

/**
 * Serves the metrics of this process at `/metrics`, and those of the indexer, which listens on this machine only, at
 * `/metrics/indexer`. A port that is taken is logged: the lookups do not depend on it.
 */
export function listenMetrics(
  metrics: Pick<Metrics, 'read'>,
  { host, port, apiPort }: ListenMetricsParameters,
): Server {
  const readIndexer = async () => {
    const response = await fetch(`http://127.0.0.1:${apiPort}/metrics`, { signal: AbortSignal.timeout(5_000) })
    if (!response.ok) throw new Error(`status ${response.status}`)
    return { type: response.headers.get('content-type') ?? 'text/plain', text: await response.text() }
  }
  const readers = new Map([
    ['/metrics', metrics.read],
    ['/metrics/indexer', readIndexer],
  ])
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const read = request.method === 'GET' ? readers.get(request.url ?? '') : undefined
    if (!read) return response.writeHead(404).end()
    try {
      const { type, text } = await read()
      return response.writeHead(200, { 'content-type': type }).end(text)
    } catch (error) {
      return response.writeHead(503, { 'content-type': 'text/plain' }).end(`${describeError(error)}\n`)
    }
  }
  const server = createServer((request, response) => void answer(request, response))
  server.on('error', (error) => console.error(`The metrics are not served: ${describeError(error)}.`))
  return server.listen({ host, port })
}
