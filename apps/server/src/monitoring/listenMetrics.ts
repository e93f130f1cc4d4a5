import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { summarizeError } from '../lib/log.ts'
import type { Metrics } from './metrics.ts'

export type ListenMetricsParameters = {
  host: string
  port: number
  /** Origins of the indexers. */
  indexers: readonly string[]
}

/**
 * Serves the metrics of this process at `/metrics`, and those of the indexers, which listen on this machine only, at
 * `/metrics/indexer`, `/metrics/indexer/2` and so on. If the port is taken, logs that and returns: the lookups do not
 * need it.
 */
export function listenMetrics(
  metrics: Pick<Metrics, 'read'>,
  { host, port, indexers }: ListenMetricsParameters,
): Server {
  const readIndexer = async (origin: string) => {
    const response = await fetch(`${origin}/metrics`, { signal: AbortSignal.timeout(5_000) })
    if (!response.ok) throw new Error(`status ${response.status}`)
    return { type: response.headers.get('content-type') ?? 'text/plain', text: await response.text() }
  }
  const readers = new Map([
    ['/metrics', metrics.read],
    ...indexers.map((origin, index): [string, Metrics['read']] => [
      index === 0 ? '/metrics/indexer' : `/metrics/indexer/${index + 1}`,
      () => readIndexer(origin),
    ]),
  ])
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const read = request.method === 'GET' ? readers.get(request.url ?? '') : undefined
    if (!read) return response.writeHead(404).end()
    try {
      const { type, text } = await read()
      return response.writeHead(200, { 'content-type': type }).end(text)
    } catch (error) {
      return response.writeHead(503, { 'content-type': 'text/plain' }).end(`${summarizeError(error)}\n`)
    }
  }
  const server = createServer((request, response) => void answer(request, response))
  server.on('error', (error) => console.error(`The metrics are not served: ${summarizeError(error)}.`))
  return server.listen({ host, port })
}
