import { setTimeout } from 'node:timers/promises'
import { isRateLimit } from '@lineage/communities'

/** A JSON-RPC error object as returned by a node. */
export type RpcError = { code: number; message: string; data?: unknown }

/**
 * Reason why a request to a node failed.
 *
 * - `unreachable`: no answer, or one that cannot be used.
 * - `rate_limited`: too many requests.
 * - `unsupported`: the node does not offer the method.
 * - `missing`: the node does not have the data; another node may.
 * - `refused`: any other error of the node.
 */
export type NodeErrorKind = 'unreachable' | 'rate_limited' | 'unsupported' | 'missing' | 'refused'

/** Thrown when a node returns no result. `createNodes` throws no other error. */
export class NodeError extends Error {
  override readonly name = 'NodeError'
  readonly kind: NodeErrorKind
  /** The node's own error, if it returned one. It may contain secrets and must not be shown. */
  readonly rpcError: RpcError | undefined
  /** Milliseconds to wait, according to the `Retry-After` header. */
  readonly retryAfter: number | undefined
  /** Whether no answer came in time. */
  readonly timedOut: boolean
  /** Whether the node was reached: some fail a share of all requests. */
  readonly wasReached: boolean

  constructor(
    kind: NodeErrorKind,
    message: string,
    details: { rpcError?: RpcError; retryAfter?: number; timedOut?: boolean; wasReached?: boolean } = {},
  ) {
    super(message)
    this.kind = kind
    this.rpcError = details.rpcError
    this.retryAfter = details.retryAfter
    this.timedOut = details.timedOut ?? false
    this.wasReached = details.wasReached ?? details.rpcError !== undefined
  }
}

/** Returns a `NodeError` unchanged; wraps any other error as `unreachable`. */
export function toNodeError(error: unknown): NodeError {
  return error instanceof NodeError ? error : new NodeError('unreachable', 'the request failed')
}

/** Runs a task again after a pause, as long as there is one. `pauseAfter` returns its milliseconds. */
export async function retry<result>(
  task: () => Promise<result>,
  pauseAfter: (error: NodeError, count: number) => number | undefined,
): Promise<result> {
  for (let count = 0; ; count++) {
    try {
      return await task()
    } catch (error) {
      const pause = pauseAfter(toNodeError(error), count)
      if (pause === undefined) throw error
      await setTimeout(pause)
    }
  }
}

/** Thrown for a range of logs with too many blocks. */
export class TooWideError extends NodeError {
  /** Largest allowed range in blocks; 0 if unknown. */
  readonly maxBlocks: number

  constructor(maxBlocks = 0) {
    super('missing', 'the range has too many blocks for one request')
    this.maxBlocks = maxBlocks
  }
}

/** Classifies a node's error. Codes differ between nodes, so the message is read too. */
export function toErrorKind({ code, message }: RpcError): NodeErrorKind {
  if (code === 3 || executionFailed.test(message)) return 'refused'
  if (isRateLimit({ code, message })) return 'rate_limited'
  if (code === -32603 || overloaded.test(message)) return 'unreachable'
  if (code === -32601 || unsupported.test(message)) return 'unsupported'
  return missing.test(message) ? 'missing' : 'refused'
}

/** Matches errors of the called contract, which nodes give any code: "out of gas", "EVM error OutOfGas", "invalid opcode: INVALID". */
export const executionFailed =
  /revert|\b(evm error|vm exception|vm execution)|out ?of ?gas|invalid (opcode|jump)|stack (underflow|overflow|limit)/i

/** Returns whether a node does not understand the parameters of a request. Another one may. */
export const isMisunderstood = ({ kind, rpcError }: NodeError): boolean =>
  kind === 'refused' && rpcError?.code === -32602

/** Returns whether the called contract itself refused a call. */
export const hasReverted = ({ code, message }: RpcError): boolean => code === 3 || /revert/i.test(message)

/** Returns whether a call has used up its gas: "out of gas", "EVM error OutOfGas", "EVM error MemoryOOG". */
export const ranOutOfGas = ({ message }: RpcError): boolean => /out ?of ?gas|OOG\b/i.test(message)

const overloaded = /internal error|overload|temporarily|no backend/i
const unsupported = /(method|eth_getLogs) .*(not |un)(found|supported|available|allowed|exist)|does not exist|disabled/i
const missing =
  /(header|block|state|block \w+|header for hash) not found|(can|could) ?not (be found|find header)|unknown block|beyond current head|invalid block range params$|missing (trie node|data)|pruned|not available|(state|receipts?)\b.* unavailable|not yet indexed|failed to get logs for block|archive|no state|ancient|BlockOutOfRange/i

/** Describes a node's error without its message, which may contain the URL, the key or the request. */
export function describeRpcError({ code, message }: RpcError): string {
  const [, meaning] = meanings.find(([pattern]) => pattern.test(message)) ?? []
  return `JSON-RPC error ${code}${meaning ? `, ${meaning}` : ''}`
}

/** Returns whether an error says why a request is refused, so that it would be refused again. */
export const saysWhy = ({ message }: RpcError): boolean =>
  /limit|range|block|result|exceed|too (many|large|wide)|time|deadline/i.test(message) ||
  meanings.some(([pattern]) => pattern.test(message))

const meanings: readonly [RegExp, string][] = [
  [/revert/i, 'execution reverted'],
  [
    /unauthori[sz]ed|forbidden|authenticat|api.?key|access denied|not in your plan|inactive|suspended|payment|not enabled for this app/i,
    'it asks for a key or another plan',
  ],
  [/quota|credits|capacity|usage limit|balance/i, 'its quota is used up'],
  [/too many (requests?|connections)\b|rate.?limit|request rate|per second/i, 'too many requests'],
  [/specify an address/i, 'it serves logs by address only'],
]
