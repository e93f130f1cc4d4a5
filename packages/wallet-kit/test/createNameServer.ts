import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Answer = (response: ServerResponse, request: IncomingMessage) => void

/** Starts a scripted name service that records its requests. */
export async function createNameServer() {
  const requests: { url: string; headers: IncomingMessage['headers'] }[] = []
  const closed: string[] = []
  let answer: Answer = (response) => response.end(JSON.stringify({ data: null }))
  const server = createServer((request, response) => {
    requests.push({ url: request.url ?? '', headers: request.headers })
    response.on('close', () => closed.push(request.url ?? ''))
    answer(response, request)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    /** Number of requests whose connection has ended, answered or not. */
    closed,
    answer: (next: unknown) => {
      answer =
        typeof next === 'function'
          ? (next as Answer)
          : (response) => response.setHeader('content-type', 'application/json').end(JSON.stringify(next))
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
