import { bodyLimit } from '@lineage/referral-api/problems'
import { readBody } from './body.ts'
import { problem } from './problem.ts'

/** What may be asked: reads only. */
const readMethods = new Set([
  'eth_blockNumber',
  'eth_call',
  'eth_chainId',
  'eth_estimateGas',
  'eth_feeHistory',
  'eth_gasPrice',
  'eth_getBalance',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getCode',
  'eth_getLogs',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'eth_maxPriorityFeePerGas',
  'net_version',
])
/** In the demo its wallet also sends what it signed to the chain on this machine. */
const demoMethods = new Set(['eth_sendRawTransaction'])

const batchLimit = 20
/** A node that failed is asked last for this long. */
const restTime = 30_000
const answerLimit = 16 * 1024 * 1024
/** The node's own "too many requests": another may have room. https://eips.ethereum.org/EIPS/eip-1474#error-codes */
const limitExceeded = -32005

type Id = string | number | null
type Call = { id: Id; method: string; params: unknown }
type Reply = { jsonrpc: '2.0'; id: Id } & ({ result: unknown } | { error: { code: number; message: string } })

export type Rpc = {
  /** `take` counts the calls against the visitor's share and answers how many seconds to wait, 0 for none. */
  answer: (request: Request, visit: { take: (cost: number) => number; mode: 'live' | 'demo' }) => Promise<Response>
}

/**
 * Passes read-only JSON-RPC calls on to the first node that answers.
 *
 * @see https://www.jsonrpc.org/specification
 */
export function createRpc({ urls, patience = 10_000, now = Date.now }: RpcParameters): Rpc {
  const nodes = urls.map((url) => ({ url, restsUntil: 0 }))

  /** Asks the nodes in order, those that failed of late last. */
  async function ask(calls: Call[], signal: AbortSignal): Promise<Reply[]> {
    // Numbered anew, so that answers find their calls even where a visitor used one id twice.
    const numbered = calls.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params }))
    // Not every node takes batches: one call alone is none.
    const body = JSON.stringify(numbered.length === 1 ? numbered[0] : numbered)
    const time = now()
    const order = nodes.toSorted((a, b) => Number(a.restsUntil > time) - Number(b.restsUntil > time))
    for (const node of order) {
      const replies = await askNode(node.url, body, calls, AbortSignal.any([signal, AbortSignal.timeout(patience)]))
      if (replies) {
        node.restsUntil = 0
        return replies
      }
      if (signal.aborted) break
      node.restsUntil = now() + restTime
    }
    return calls.map(({ id }) => failure(id, -32603, 'No node answers at the moment. Try again.'))
  }

  return {
    async answer(request, { take, mode }) {
      const bytes = await readBody(request, bodyLimit)
      if (bytes === 'too_large') return problem('payload_too_large', { detail: 'A request may hold 64 kB.' })
      const text = new TextDecoder().decode(bytes)
      const parsed = parse(text)
      const items = Array.isArray(parsed) ? parsed : [parsed]
      const wait = take(Math.min(items.length, batchLimit) || 1)
      if (wait > 0) return problem('rate_limited', { detail: `Too many requests. Wait ${wait} s.`, retryAfter: wait })
      if (parsed === undefined) return reply(failure(null, -32700, 'The body is not JSON.'))
      if (items.length === 0) return reply(failure(null, -32600, 'The batch is empty.'))
      if (items.length > batchLimit)
        return reply(failure(null, -32600, `A batch may hold ${batchLimit} calls, this one has ${items.length}.`))

      // What asks for no answer gets none, not even the reads it names.
      const checked = items.filter((item) => !isNotification(item)).map((item) => check(item, mode))
      if (checked.length === 0) return new Response(null, { status: 204 })
      const calls = checked.filter((item) => 'method' in item)
      const replies = (calls.length > 0 ? await ask(calls, request.signal) : []).values()
      const all = checked.map((item) => ('method' in item ? (replies.next().value as Reply) : item))
      return reply(Array.isArray(parsed) ? all : (all[0] as Reply))
    },
  }
}

export type RpcParameters = {
  urls: string[]
  /** Milliseconds a node has. */
  patience?: number
  now?: () => number
}

const reply = (body: Reply | Reply[]) => Response.json(body, { headers: { 'cache-control': 'no-store' } })
const failure = (id: Id, code: number, message: string): Reply => ({ jsonrpc: '2.0', id, error: { code, message } })

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** https://www.jsonrpc.org/specification#notification */
function isNotification(item: unknown): boolean {
  const { jsonrpc, method } = (item ?? {}) as Record<string, unknown>
  return jsonrpc === '2.0' && typeof method === 'string' && !Object.hasOwn(item as object, 'id')
}

/** A call that may be passed on, or the reply that refuses it. */
function check(item: unknown, mode: 'live' | 'demo'): Call | Reply {
  const { jsonrpc, id, method, params } = (item ?? {}) as Record<string, unknown>
  const known = typeof id === 'string' || typeof id === 'number' ? id : null
  const paramsFit = params === undefined || (typeof params === 'object' && params !== null)
  if (jsonrpc !== '2.0' || known === null || typeof method !== 'string' || !paramsFit)
    return failure(known, -32600, 'This is not a JSON-RPC 2.0 call with an id.')
  if (!readMethods.has(method) && !(mode === 'demo' && demoMethods.has(method)))
    return failure(known, -32601, `${JSON.stringify(method.slice(0, 64))} is not offered here: reads only.`)
  return { id: known, method, params: params ?? [] }
}

/** One node's replies in the calls' order; `undefined` when it has none to give. */
async function askNode(url: string, body: string, calls: Call[], signal: AbortSignal): Promise<Reply[] | undefined> {
  try {
    const headers = { 'content-type': 'application/json', accept: 'application/json' }
    const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'error' })
    if (!response.ok) {
      await response.body?.cancel()
      return undefined
    }
    const bytes = await readBody(response, answerLimit)
    const answer = bytes === 'too_large' ? undefined : parse(new TextDecoder().decode(bytes))
    const answers = Array.isArray(answer) ? answer : [answer]
    const replies = calls.map(({ id }, index) =>
      toReply(
        answers.find((one) => one?.id === index),
        id,
      ),
    )
    return replies.every((one) => one !== undefined) ? replies : undefined
  } catch {
    return undefined
  }
}

function toReply(answer: unknown, id: Id): Reply | undefined {
  const { result, error } = (answer ?? {}) as { result?: unknown; error?: { code?: unknown; message?: unknown } }
  if (error) {
    if (typeof error.code !== 'number' || error.code === limitExceeded) return undefined
    // `data` carries the reason a contract reverted with.
    return { jsonrpc: '2.0', id, error: error as { code: number; message: string } }
  }
  return result === undefined ? undefined : { jsonrpc: '2.0', id, result }
}
