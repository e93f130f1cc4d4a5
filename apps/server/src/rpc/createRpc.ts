import { bodyLimit } from '@lineage/referral-api/problems'
import { readText } from '@lineage/wallet-kit/siwe-server'
import { ProblemError } from '../lib/problem.ts'
import { type ByteBudget, type ByteShare, createByteBudget } from './byteBudget.ts'
import { createNodeClient, type NodeClientParameters, type NodesAnswer } from './createNodeClient.ts'
import {
  batchLimit,
  type Call,
  createError,
  findBodyError,
  findParamsError,
  isNotification,
  parseCall,
  parseJson,
  type Reply,
} from './jsonRpc.ts'

/** Bytes counted for a request before its answer arrives, so that at most 128 wait for the nodes, 16 of one visitor. */
export const requestBytes = 256 * 1024
/** Bytes of requests and answers held in memory: a node's answer takes about three times its size. */
export const rpcBudget = { total: 32 * 1024 * 1024, perVisitor: 4 * 1024 * 1024 }

/** Methods that only read. */
export const readMethods: ReadonlySet<string> = new Set([
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
/** Methods of the demo, whose wallet also sends transactions to the chain on this machine. */
const demoMethods: ReadonlySet<string> = new Set([...readMethods, 'eth_sendRawTransaction'])

export type RpcParameters = NodeClientParameters & {
  /** Origins whose pages may call. */
  origins: readonly string[]
  budget?: ByteBudget
}

export type RpcContext = {
  mode: 'live' | 'demo'
  visitor: string
  /** Charges calls to the visitor. @throws {ProblemError} if there are too many */
  limit: (calls: number) => void
  /** Charges the size of an answer, or of the part that was read of it, and the time of the node. */
  charge: (answer: { bytes: number; milliseconds: number }) => void
  /** Calls a function once the response is sent or its connection is closed. */
  onClose: (listener: () => void) => void
}

/**
 * Creates the handler of `/v1/rpc`, which passes read-only JSON-RPC calls to the nodes.
 *
 * @see https://www.jsonrpc.org/specification
 */
export function createRpc({ origins, budget = createByteBudget(rpcBudget), ...parameters }: RpcParameters) {
  const askNodes = createNodeClient(parameters)

  return async (request: Request, context: RpcContext): Promise<Response> => {
    checkRequest(request, origins)
    const share = budget.open(context.visitor)
    context.onClose(share.release)
    const taken = share.take(requestBytes)
    if (taken !== 'taken') throw tooBusy(taken)
    const text = await readText(request, bodyLimit)
    if (text === undefined) throw new ProblemError('payload_too_large', 'The body is too large. Send at most 64 kB.')
    return answerBody(parseJson(text), { ...context, share, askNodes, signal: request.signal })
  }
}

type AnswerContext = Pick<RpcContext, 'mode' | 'limit' | 'charge'> & {
  share: ByteShare
  askNodes: ReturnType<typeof createNodeClient>
  signal: AbortSignal
}

async function answerBody(body: unknown, context: AnswerContext): Promise<Response> {
  const items: unknown[] = Array.isArray(body) ? body : [body]
  context.limit(Math.min(items.length, batchLimit) || 1)
  const bodyError = findBodyError(body)
  if (bodyError) return respond(bodyError)

  const methods = context.mode === 'demo' ? demoMethods : readMethods
  const parsed = items.filter((item) => !isNotification(item)).map((item) => parseAllowed(item, methods))
  if (parsed.length === 0) return new Response(null, { status: 204 })
  const calls = parsed.filter((one) => 'method' in one)
  const startedAt = performance.now()
  const signal = AbortSignal.any([context.signal, context.share.signal])
  let read = 0
  const share: Pick<ByteShare, 'take'> = {
    take(bytes) {
      read += bytes
      return context.share.take(bytes)
    },
  }
  const answer: NodesAnswer = calls.length > 0 ? await context.askNodes(calls, { share, signal }) : noCalls
  const milliseconds = performance.now() - startedAt
  if ('bytes' in answer) context.charge({ bytes: answer.bytes, milliseconds })
  else if (context.signal.aborted) context.charge({ bytes: read, milliseconds })
  if (context.share.signal.aborted) throw tooBusy('visitor_full')
  if (answer.status === 'visitor_full' || answer.status === 'server_full') throw tooBusy(answer.status)
  const next = answer.status === 'answered' ? answer.replies.values() : undefined
  const missing = answer.status === 'too_large' ? answerTooLarge : noAnswer
  const all = parsed.map((one) => ('method' in one ? (next?.next().value ?? missing(one)) : one))
  return respond(Array.isArray(body) ? all : (all[0] as Reply))
}

const noCalls: NodesAnswer = { status: 'answered', replies: [], bytes: 0 }

function parseAllowed(item: unknown, methods: ReadonlySet<string>): Call | Reply {
  const parsed = parseCall(item, methods)
  const paramsError = 'method' in parsed ? findParamsError(parsed) : undefined
  return paramsError === undefined ? parsed : createError(parsed.id, -32602, paramsError)
}

/**
 * Refuses a request that another site sent or that is not JSON. Any host name counts as this site's, because people
 * also open the page by names and addresses that are not configured. A page whose host name was pointed at this server
 * (DNS rebinding) may therefore call: it gets public data only, within its visitor's limits.
 */
function checkRequest(request: Request, origins: readonly string[]): void {
  const [origin, site] = [request.headers.get('origin'), request.headers.get('sec-fetch-site')]
  const own = [...origins, `http://${request.headers.get('host')}`, `https://${request.headers.get('host')}`]
  if ((origin !== null && !own.includes(origin)) || site === 'cross-site')
    throw new ProblemError('cross_site', 'Only pages of this site may call /v1/rpc.')
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? ''))
    throw new ProblemError('unsupported_media_type', 'Send the body as application/json.')
}

const tooBusy = (status: 'visitor_full' | 'server_full') =>
  status === 'visitor_full'
    ? new ProblemError('rate_limited', 'Too many of your calls wait for an answer. Try again in 1 s.', {
        retryAfter: 1,
      })
    : new ProblemError('unavailable', 'The server is busy. Try again in 1 s.', { retryAfter: 1 })

const noAnswer = ({ id }: { id: Reply['id'] }) => createError(id, -32603, 'No node answers. Try again later.')

// The code is not -32005, after which viem would retry.
const answerTooLarge = ({ id }: { id: Reply['id'] }) =>
  createError(id, -32000, 'The answer is larger than 1 MB. Request less, such as fewer blocks.')

const respond = (body: Reply | Reply[]) => Response.json(body, { headers: { 'cache-control': 'no-store' } })
