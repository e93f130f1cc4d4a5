import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Request = { method: string; params: [never?, ...unknown[]] }
type Call = Request & { id: unknown }
/** Asks the real node. Resolves to its result. */
export type Ask = (method: string, params: readonly unknown[]) => Promise<unknown>
/** The answer of the real node: its result, or its error. */
type Forwarded = { result?: unknown }
type Answer =
  | { result: unknown }
  | { error: { code: number; message: string } }
  /** Forwards the request with other parameters. */
  | { instead: readonly unknown[] }
  /** Forwards the request and changes the result; with `id`, answers another request of the batch. */
  | { change: (result: never, ask: Ask) => unknown; id?: unknown }
  | undefined
/** Returns an answer, throws to break the connection, or returns `undefined` to forward; `taken` after writing itself. */
export type Behaviour = (call: Call, response: ServerResponse) => Answer | 'taken'

export type NodeProxy = Awaited<ReturnType<typeof startProxy>>

/** Starts a node that forwards requests to a real one, unless `behaviour` answers. */
export async function startProxy(url: string, behaviour: Behaviour = () => undefined) {
  const requests: Request[] = []
  const posts: number[] = []
  let behave = behaviour
  let port = 0
  let held: Promise<unknown> | undefined
  const underWay = new Set<Promise<void>>()
  const server = createServer((request, response) => void admit(request, response))

  async function admit(request: IncomingMessage, response: ServerResponse) {
    while (held) await held
    const answered = respond(request, response).finally(() => underWay.delete(answered))
    underWay.add(answered)
  }

  async function respond(request: IncomingMessage, response: ServerResponse) {
    // Answers the API's requests to the node layer, in tests without one.
    if (request.method === 'GET') return void response.end(JSON.stringify({ state: 'usable', warnings: [] }))
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    const body = JSON.parse(text) as Call | Call[]
    posts.push(Array.isArray(body) ? body.length : 1)
    try {
      const answers = await answerCalls(Array.isArray(body) ? body : [body], response)
      if (answers) response.end(JSON.stringify(Array.isArray(body) ? answers : answers[0]))
    } catch {
      response.destroy()
    }
  }

  /** Returns `undefined` if the behaviour has answered. */
  async function answerCalls(calls: readonly Call[], response: ServerResponse): Promise<object[] | undefined> {
    const given: { call: Call; answer: Exclude<Answer, undefined> }[] = []
    for (const call of calls) {
      requests.push(call)
      const answer = behave(call, response)
      if (answer === 'taken') return undefined
      given.push({ call, answer: answer ?? { instead: call.params } })
    }
    const isForwarded = ({ answer }: (typeof given)[number]) => 'instead' in answer || 'change' in answer
    const forwarded = await forward(
      given
        .filter(isForwarded)
        .map(({ call, answer }) => ({ ...call, params: 'instead' in answer ? answer.instead : call.params })),
    )
    const answers: object[] = []
    for (const one of given) {
      const { call, answer } = one
      const result = isForwarded(one) ? (forwarded.shift() as Forwarded) : answer
      answers.push({ jsonrpc: '2.0', id: call.id, ...(await changeResult(result, answer)) })
    }
    return answers
  }

  async function changeResult(forwarded: object, answer: Exclude<Answer, undefined>): Promise<object> {
    if (!('change' in answer) || !('result' in forwarded)) return forwarded
    const ask: Ask = async (method, params) => (await forward([{ jsonrpc: '2.0', id: 1, method, params }]))[0]?.result
    const result = await answer.change(forwarded.result as never, ask)
    return { result, ...('id' in answer && { id: answer.id }) }
  }

  /** Forwards calls in one request, because each takes the processor's time. Returns their answers in this order. */
  async function forward(calls: readonly object[]): Promise<Forwarded[]> {
    if (calls.length === 0) return []
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify(calls.map((call, id) => ({ ...call, id })))
    const response = await fetch(url, { method: 'POST', headers, body })
    const answers = (await response.json()) as (Forwarded & { id: number })[]
    return answers.toSorted((a, b) => a.id - b.id).map(({ id: _, ...answer }) => answer)
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
    behave(next: Behaviour = () => undefined) {
      behave = next
    },
    /** Holds requests back while an action runs, which begins when those under way are answered. */
    async hold<result>(action: () => Promise<result>): Promise<result> {
      const done = Promise.all(underWay).then(action)
      held = done.catch(() => undefined)
      return done.finally(() => {
        held = undefined
      })
    },
    /** Closes the port until `listen`. */
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
    listen,
  }
}
