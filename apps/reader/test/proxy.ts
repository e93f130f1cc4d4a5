import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Request = { method: string; params: [never?, ...unknown[]] }
type Call = Request & { id: unknown }
type Answer =
  | { result: unknown }
  | { error: { code: number; message: string } }
  /** Forwards the request with other parameters. */
  | { instead: readonly unknown[] }
  /** Forwards the request and changes the result. */
  | { change: (result: never) => unknown }
  | undefined

export type NodeProxy = Awaited<ReturnType<typeof startProxy>>

/**
 * Starts a node that forwards requests to a real one, unless `behaviour` answers. It returns an answer, throws to
 * break the connection, returns `undefined` to forward, or writes the response itself and returns `taken`.
 */
export async function startProxy(
  url: string,
  behaviour: (request: Request, response: ServerResponse) => Answer | 'taken' = () => undefined,
) {
  const requests: Request[] = []
  const posts: number[] = []
  let behave = behaviour
  let port = 0
  const server = createServer((request, response) => void respond(request, response))

  async function respond(request: IncomingMessage, response: ServerResponse) {
    // Answers the API's requests to the node layer, in tests without one.
    if (request.method === 'GET') return void response.end(JSON.stringify({ state: 'usable', warnings: [] }))
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    const body = JSON.parse(text) as Call | Call[]
    posts.push(Array.isArray(body) ? body.length : 1)
    try {
      const answers: object[] = []
      for (const call of Array.isArray(body) ? body : [body]) {
        const answer = await answerCall(call, response)
        if (answer === 'taken') return
        answers.push({ jsonrpc: '2.0', id: call.id, ...answer })
      }
      response.end(JSON.stringify(Array.isArray(body) ? answers : answers[0]))
    } catch {
      response.destroy()
    }
  }

  async function answerCall(call: Call, response: ServerResponse): Promise<object | 'taken'> {
    requests.push(call)
    const answer = behave(call, response)
    if (answer && (answer === 'taken' || 'result' in answer || 'error' in answer)) return answer
    const body = JSON.stringify(answer && 'instead' in answer ? { ...call, params: answer.instead } : call)
    const forwarded = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const forwardedAnswer = (await forwarded.json()) as { result?: unknown }
    if (!answer || !('change' in answer)) return forwardedAnswer
    return { ...forwardedAnswer, result: answer.change(forwardedAnswer.result as never) }
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
    /** All requests; those in a batch one by one. */
    requests,
    /** Number of calls in each HTTP request. */
    posts,
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
