/** A JSON-RPC request, without its envelope. */
export type RpcRequest = { method: string; params: readonly unknown[] }

/** An error object of JSON-RPC, as a node gave it. */
export type RpcError = { code: number; message: string; data?: unknown }

/**
 * Why a node gave no result.
 *
 * - `unreachable`: no answer, or none that can be understood.
 * - `rate_limited`: it was asked too often.
 * - `unsupported`: it does not offer the method.
 * - `missing`: it does not have what was asked for, though another node may.
 * - `refused`: anything else, in its own words.
 */
export type NodeErrorKind = 'unreachable' | 'rate_limited' | 'unsupported' | 'missing' | 'refused'

export class NodeError extends Error {
  override readonly name = 'NodeError'
  readonly kind: NodeErrorKind
  /** What the node itself said, where it did. */
  readonly rpcError: RpcError | undefined
  /** Milliseconds to wait, where the node said so. */
  readonly retryAfter: number | undefined

  constructor(kind: NodeErrorKind, message: string, details: { rpcError?: RpcError; retryAfter?: number } = {}) {
    super(message)
    this.kind = kind
    this.rpcError = details.rpcError
    this.retryAfter = details.retryAfter
  }
}

/** The longest answer that is read, in bytes: a full range of logs takes some megabytes. */
const longestAnswer = 256 * 1024 * 1024

/**
 * Asks one node once.
 *
 * @param timeout Milliseconds until the whole answer must be there.
 * @throws {NodeError} and nothing else
 */
export async function askNode(url: string, { method, params }: RpcRequest, timeout = 8_000): Promise<unknown> {
  let response: Response
  let text: string
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(timeout),
    })
    text = await readText(response)
  } catch (error) {
    throw new NodeError('unreachable', error instanceof Error ? (causeOf(error) ?? error.message) : String(error))
  }
  const answer = parse(text)
  const rpcError = toRpcError(answer?.error)
  if (response.status === 429)
    throw new NodeError('rate_limited', rpcError ? `HTTP 429, ${rpcError.message}` : 'HTTP 429', {
      retryAfter: waitOf(response),
      ...(rpcError && { rpcError }),
    })
  if (rpcError) throw toNodeError(rpcError)
  if (!response.ok || answer?.result === undefined)
    throw new NodeError('unreachable', response.ok ? 'its answer is not JSON-RPC' : `HTTP ${response.status}`)
  return answer.result
}

/** Sorts what a node said by what can be done about it: nodes agree on few codes, and on no words. */
function toNodeError(rpcError: RpcError): NodeError {
  return new NodeError(kindOf(rpcError), rpcError.message, { rpcError })
}

function kindOf({ code, message }: RpcError): NodeErrorKind {
  const says = (pattern: RegExp) => pattern.test(message)
  if (code === 3 || says(/revert/i)) return 'refused'
  if (code === 429 || says(tooOften)) return 'rate_limited'
  if (code === -32603 || says(/internal error|overload|temporarily|no backend/i)) return 'unreachable'
  if (
    code === -32601 ||
    says(/(method|eth_getLogs) .*(not |un)(found|supported|available|allowed|exist)|does not exist|disabled/i)
  )
    return 'unsupported'
  if (says(notThere)) return 'missing'
  return 'refused'
}

/** "request limit reached - reduce calls per second", "exceeded the RPS limit", "credits limited to 6000/sec", "cu limit". */
const tooOften =
  /too many requests|rate.?limit|request limit|(requests?|calls) per (second|minute)|\/se?c|\b(rps|cups?|cu)\b|credits|quota|usage limit|capacity|compute units|throughput/i
const notThere =
  /(header|block|state) not found|cannot be found|unknown block|beyond current head|missing trie node|pruned|not available|archive|no state|ancient/i

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.byteLength
    if (length > longestAnswer) throw new Error('its answer is too long')
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

function parse(text: string): { result?: unknown; error?: unknown } | undefined {
  try {
    const answer: unknown = JSON.parse(text)
    return typeof answer === 'object' && answer !== null ? answer : undefined
  } catch {
    return undefined
  }
}

function toRpcError(error: unknown): RpcError | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const { code, message, data } = error as Record<string, unknown>
  return {
    code: typeof code === 'number' ? code : -32000,
    message: typeof message === 'string' ? message.slice(0, 500) : 'an error without a message',
    ...(data !== undefined && { data }),
  }
}

function waitOf(response: Response): number {
  const seconds = response.headers.get('retry-after') ?? ''
  return /^\d{1,4}$/.test(seconds) ? Number(seconds) * 1_000 : 0
}

/** `fetch failed` says nothing; its cause does. */
function causeOf({ name, cause }: Error): string | undefined {
  if (name === 'TimeoutError') return 'no answer in time'
  return cause instanceof Error ? (cause as NodeJS.ErrnoException).code || cause.message : undefined
}
