import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Asked = { method: string; params: [never?, ...unknown[]] }
type Answer =
  | { result: unknown }
  | { error: { code: number; message: string } }
  /** Passed on with other parameters. */
  | { instead: readonly unknown[] }
  | undefined

export type NodeProxy = Awaited<ReturnType<typeof startProxy>>

/**
 * A node that passes on to a real one what its behaviour does not answer itself: every fault in the wild, on demand.
 * `behaviour` returns an answer of its own, throws to break the connection, or returns nothing; `writes` takes over the
 * whole response.
 */
export async function startProxy(
  url: string,
  behaviour: (asked: Asked, response: ServerResponse) => Answer | 'taken' = () => undefined,
) {
  const asked: Asked[] = []
  let behave = behaviour
  let port = 0
  const server = createServer((request, response) => void answer(request, response))

  async function answer(request: IncomingMessage, response: ServerResponse) {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    const body = JSON.parse(text) as Asked & { id: unknown }
    asked.push(body)
    const reply = (answer: object) => response.end(JSON.stringify({ jsonrpc: '2.0', id: body.id, ...answer }))
    try {
      const own = behave(body, response)
      if (own === 'taken') return
      if (own && !('instead' in own)) return reply(own)
      if (own) text = JSON.stringify({ ...body, params: own.instead })
      const passed = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: text })
      reply((await passed.json()) as object)
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
    asked,
    behaviour: () => behave,
    behave(next: typeof behaviour) {
      behave = next
    },
    /** Gone until `listen`. */
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
    listen,
  }
}
