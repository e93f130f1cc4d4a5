import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Request = { method: string; params: [never?, ...unknown[]] }
type Answer =
  | { result: unknown }
  | { error: { code: number; message: string } }
  /** Forwards the request with other parameters. */
  | { instead: readonly unknown[] }
  | undefined

export type NodeProxy = Awaited<ReturnType<typeof startProxy>>

/**
 * Starts a node that forwards requests to a real one, except where `behaviour` answers: it returns an answer, throws to
 * break the connection, returns `undefined` to forward, or writes the response itself and returns `taken`.
 */
export async function startProxy(
  url: string,
  behaviour: (request: Request, response: ServerResponse) => Answer | 'taken' = () => undefined,
) {
  const requests: Request[] = []
  let behave = behaviour
  let port = 0
  const server = createServer((request, response) => void respond(request, response))

  async function respond(request: IncomingMessage, response: ServerResponse) {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    const body = JSON.parse(text) as Request & { id: unknown }
    requests.push(body)
    const send = (answer: object) => response.end(JSON.stringify({ jsonrpc: '2.0', id: body.id, ...answer }))
    try {
      const answer = behave(body, response)
      if (answer === 'taken') return
      if (answer && !('instead' in answer)) return send(answer)
      if (answer) text = JSON.stringify({ ...body, params: answer.instead })
      const headers = { 'content-type': 'application/json' }
      const forwarded = await fetch(url, { method: 'POST', headers, body: text })
      send((await forwarded.json()) as object)
    } catch {
      response.destroy()
    }
  }
  async function listen() {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  }
  await listen()
  return {
    url: `http://127.0.0.1:${port}/secret-key`,
    host: `127.0.0.1:${port}`,
    requests,
    behaviour: () => behave,
    behave(next: typeof behaviour) {
      behave = next
    },
    /** Closes the port until `listen`. */
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
    listen,
  }
}
