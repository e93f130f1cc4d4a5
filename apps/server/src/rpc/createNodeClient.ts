import { isBrokenConnection, isRateLimit, type NodeUrl, parseNodeUrl } from '@lineage/communities'
import { summarizeError } from '../lib/log.ts'
import type { ByteShare } from './byteBudget.ts'
import { type Call, createError, type Id, isDeeperThan, parseJson, type Reply, toPlainError } from './jsonRpc.ts'

/** Milliseconds for which a node that failed is asked after all others. */
const cooldown = 30_000
/** Code of a limit of the node itself; another node may answer. https://eips.ethereum.org/EIPS/eip-1474#error-codes */
const limitExceeded = -32005
/** Code of a call that reverts, with the words of its contract. */
const reverted = 3

export type NodeClientParameters = {
  urls: string[]
  /** Time limit of each node, in milliseconds; all nodes together have twice as long. */
  timeout: number
  /** Called for each answer or failure of a node. */
  onAnswer?: (answer: { node: string; outcome: 'answered' | 'failed'; milliseconds: number }) => void
}

export type NodesAnswer =
  /** Replies in the order of the calls. */
  | { status: 'answered'; replies: Reply[]; bytes: number }
  /** The calls ask for too much, which is not a fault of the node. */
  | { status: 'too_large'; bytes: number }
  | { status: 'visitor_full' | 'server_full' }
  /** No node answered, or the visitor left. */
  | { status: 'failed' }

type AskParameters = { signal: AbortSignal; share: Pick<ByteShare, 'take'> }

/** Creates a function that passes calls to the first node that answers all of them. */
export function createNodeClient({ urls, timeout, onAnswer }: NodeClientParameters) {
  const nodes = urls
    .flatMap((url) => parseNodeUrl(url) ?? [])
    .map((node, index) => ({
      ...node,
      name: `Node ${index + 1} (${node.host})`,
      failedUntil: Number.NEGATIVE_INFINITY,
    }))

  return async (calls: Call[], { signal, share }: AskParameters): Promise<NodesAnswer> => {
    const time = performance.now()
    const order = nodes.toSorted((a, b) => Number(a.failedUntil > time) - Number(b.failedUntil > time))
    const ending = AbortSignal.any([signal, AbortSignal.timeout(2 * timeout)])
    for (const node of order) {
      const startedAt = performance.now()
      const answer = await askNode(node, calls, {
        signal: AbortSignal.any([ending, AbortSignal.timeout(timeout)]),
        share,
      })
      if (!signal.aborted) {
        const outcome = answer.status === 'failed' ? 'failed' : 'answered'
        onAnswer?.({ node: node.name, outcome, milliseconds: performance.now() - startedAt })
      }
      if (answer.status !== 'failed') {
        node.failedUntil = Number.NEGATIVE_INFINITY
        return answer
      }
      // A visitor who leaves is not a fault of the node.
      if (signal.aborted) return answer
      if (answer.blame === 'node') {
        node.failedUntil = performance.now() + cooldown
        console.error(`${node.name} did not answer /v1/rpc: ${answer.reason}. It is asked last for 30 s.`)
      }
      if (ending.aborted) return answer
    }
    return { status: 'failed' }
  }
}

type NodeAnswer =
  | Exclude<NodesAnswer, { status: 'failed' }>
  /** `calls`: the node limits the amount that these calls ask for; it may answer other calls. */
  | { status: 'failed'; blame: 'node' | 'calls'; reason: string }

async function askNode(
  { url, headers: ownHeaders }: NodeUrl,
  calls: Call[],
  { signal, share }: AskParameters,
): Promise<NodeAnswer> {
  try {
    const headers = { ...ownHeaders, 'content-type': 'application/json', accept: 'application/json' }
    const send = () => fetch(url, { method: 'POST', headers, body: toBody(calls), signal, redirect: 'error' })
    // A transaction that is sent twice would be refused as known.
    const isRepeatable = calls.every(({ method }) => method !== 'eth_sendRawTransaction')
    const response = await send().catch((error: Error) =>
      isRepeatable && isBrokenConnection(error) ? send() : Promise.reject(error),
    )
    if (!response.ok) {
      await response.body?.cancel()
      return { status: 'failed', blame: 'node', reason: `status ${response.status}` }
    }
    const answer = await readAnswer(response, share)
    return answer.status === 'read' ? readReplies(calls, answer) : answer
  } catch (error) {
    return { status: 'failed', blame: 'node', reason: summarizeError(error) }
  }
}

function readReplies(calls: Call[], { text, bytes }: { text: string; bytes: number }): NodeAnswer {
  const answers = [parseJson(text)].flat() as ({ id?: unknown; error?: unknown } | null | undefined)[]
  const byId = new Map(answers.map((answer) => [answer?.id, answer]))
  const replies = calls.map(({ id }, index) => toReply(id, byId.get(index)))
  if (replies.every((reply) => reply !== undefined)) return { status: 'answered', replies, bytes }
  // Nodes refuse a range with too many logs by the same code as too many requests.
  const isRange = calls.every(
    ({ method }, index) =>
      replies[index] !== undefined || (method === 'eth_getLogs' && codeOf(byId.get(index)) === limitExceeded),
  )
  return { status: 'failed', blame: isRange ? 'calls' : 'node', reason: 'an invalid answer, or too many requests' }
}

function toBody(calls: Call[]): string {
  // Numbered by position, because a visitor may use one id twice.
  const numbered = calls.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params }))
  // Some nodes do not accept batches.
  return JSON.stringify(numbered.length === 1 ? numbered[0] : numbered)
}

const codeOf = (answer: unknown): unknown => Object(Object(answer).error).code

/** Deepest nesting of a result: an access list in a transaction of a block needs half of it. */
const resultDepth = 16

/** Returns the reply to a call, or `undefined` if another node should be asked. */
function toReply(id: Id, answer: unknown): Reply | undefined {
  const { result, error } = Object(answer) as { result?: unknown; error?: { message?: unknown; data?: unknown } }
  // One that is nested too deep could not be written as JSON.
  const isReadable = result !== undefined && !isDeeperThan(resultDepth, result)
  if (!error) return isReadable ? { jsonrpc: '2.0', id, result } : undefined
  const code = codeOf(answer)
  const isLimit = code === limitExceeded || isRateLimit({ code: Number(code), message: String(error.message) })
  if (typeof code !== 'number' || (code !== reverted && isLimit)) return undefined
  return { ...createError(id, 0, ''), error: toPlainError({ ...error, code }) }
}

/** Largest number of bytes of a node's answer. */
const answerLimit = 1024 * 1024

type ReadAnswerReturnType =
  | { status: 'read'; text: string; bytes: number }
  | { status: 'too_large'; bytes: number }
  | { status: 'visitor_full' | 'server_full' }

/** Reads a node's answer as text, until it exceeds the limit or the budget, which is taken for each chunk. */
async function readAnswer(response: Response, share: Pick<ByteShare, 'take'>): Promise<ReadAnswerReturnType> {
  const announced = Number(response.headers.get('content-length') ?? 0)
  if (announced > answerLimit) {
    await response.body?.cancel()
    return { status: 'too_large', bytes: answerLimit }
  }
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  // Leaving the loop cancels the stream.
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > answerLimit) return { status: 'too_large', bytes: answerLimit }
    const taken = share.take(chunk.length)
    if (taken !== 'taken') return { status: taken }
    text += decoder.decode(chunk, { stream: true })
  }
  return { status: 'read', text: text + decoder.decode(), bytes }
}
