import { isBrokenConnection, type NodeUrl } from '@lineage/communities'
import { describeRpcError, NodeError, type RpcError, toErrorKind } from './nodeError.ts'
import { isByHash, isNewest, type RpcRequest } from './rpc.ts'

/** Largest response: a full range of logs takes some megabytes. A longer response leads to a smaller range. */
const maxBytes = 32 * 1024 * 1024
const defaultTimeout = 8_000
/** Milliseconds for a small answer: a node that is cut off must not delay the newest blocks for longer. */
const smallTimeout = 3_500

type Endpoint = Pick<NodeUrl, 'url' | 'headers'>

/**
 * Sends one JSON-RPC request to one node. Its errors contain neither the URL nor the node's own text.
 *
 * viem's HTTP client is not used: it limits neither the size of a response nor the time its body takes.
 *
 * @param timeout Milliseconds until the whole response must have arrived.
 * @throws {NodeError} and no other error
 */
export async function postRpc(
  endpoint: Endpoint,
  { method, params }: RpcRequest,
  timeout = isSmall({ method, params }) ? smallTimeout : defaultTimeout,
): Promise<unknown> {
  const body = { jsonrpc: '2.0', id: 1, method, params }
  const isWide = ['eth_getLogs', 'eth_getBlockReceipts', 'eth_call'].includes(method)
  const { response, text } = await exchange(endpoint, body, { timeout, tooLong: isWide ? 'refused' : 'unreachable' })
  return toResult(response, parseObject(text))
}

/**
 * Sends several JSON-RPC requests to one node as a batch.
 *
 * @returns the result or the error of each request, in their order
 * @throws {NodeError} if the node refuses the whole batch
 *
 * @see https://www.jsonrpc.org/specification#batch
 */
export async function postBatch(endpoint: Endpoint, requests: readonly RpcRequest[]): Promise<unknown[]> {
  const body = requests.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params }))
  const { response, text } = await exchange(endpoint, body, { timeout: defaultTimeout, tooLong: 'refused' })
  const answers = parseJson(text)
  // A node that refuses batches answers with a single error.
  if (!Array.isArray(answers)) {
    toResult(response, parseObject(text))
    throw new NodeError('refused', 'the response is not a batch')
  }
  const byId = new Map((answers as ((Answer & { id?: unknown }) | null)[]).map((answer) => [answer?.id, answer]))
  return requests.map((_, id) => {
    try {
      return toResult(response, byId.get(id) ?? undefined)
    } catch (error) {
      return error
    }
  })
}

/** Returns whether a request is one of those for the newest block and its logs. */
const isSmall = (rpc: RpcRequest) => rpc.method === 'eth_chainId' || isNewest(rpc) || isByHash(rpc)

/** `tooLong` is the kind of error for a response that is too long: `refused` if the caller can request less. */
type ExchangeOptions = { timeout: number; tooLong: 'refused' | 'unreachable' }

/** Sends a request, and a second time if the connection breaks: the node or a proxy may have closed one that was kept open. */
async function exchange({ url, headers }: Endpoint, body: object, { timeout, tooLong }: ExchangeOptions) {
  const init: RequestInit = {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(timeout),
    // The headers may contain a password, and a redirect may lead to another chain.
    redirect: 'manual',
  }
  const send = () => fetchText(url, init, tooLong)
  try {
    return await send().catch((error: Error) => (isBrokenConnection(error) ? send() : Promise.reject(error)))
  } catch (error) {
    if (error instanceof NodeError) throw error
    const timedOut = (error as Error).name === 'TimeoutError'
    throw new NodeError('unreachable', toReason(error as Error), {
      timedOut,
      wasReached: isBrokenConnection(error as Error),
    })
  }
}

async function fetchText(url: string, init: RequestInit, tooLong: ExchangeOptions['tooLong']) {
  const response = await fetch(url, init)
  if (response.status >= 300 && response.status < 400) {
    await response.body?.cancel()
    const reason = `HTTP ${response.status}: it redirects to another address, which is not followed`
    throw new NodeError('unreachable', reason)
  }
  const text = response.body ? await readText(response.body, maxBytes) : ''
  if (text === undefined) throw new NodeError(tooLong, `the response is longer than ${maxBytes / 1024 ** 2} MB`)
  return { response, text }
}

type Answer = { result?: unknown; error?: unknown }

const refusals: ReadonlyMap<number, string> = new Map([
  [401, ': it asks for a key'],
  [402, ': it asks for payment'],
  [403, ': it refuses this key, plan or country'],
])

function toResult({ status, ok, headers }: Response, answer: Answer | undefined): unknown {
  const rpcError = toRpcError(answer?.error)
  if (status === 429)
    throw new NodeError('rate_limited', rpcError ? `HTTP 429, ${describeRpcError(rpcError)}` : 'HTTP 429', {
      retryAfter: parseRetryAfter(headers),
      ...(rpcError && { rpcError }),
    })
  if (rpcError) throw new NodeError(toErrorKind(rpcError), describeRpcError(rpcError), { rpcError })
  if (!ok) throw new NodeError('unreachable', `HTTP ${status}${refusals.get(status) ?? ''}`, { wasReached: true })
  if (answer?.result === undefined)
    throw new NodeError('unreachable', 'the response is not JSON-RPC', { wasReached: true })
  return answer.result
}

function parseObject(text: string): Answer | undefined {
  const value = parseJson(text)
  return typeof value === 'object' && value !== null ? value : undefined
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
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

/** Returns milliseconds; 0 without the header, which has seconds or a date, or above three hours. */
function parseRetryAfter(headers: Headers): number {
  const text = headers.get('retry-after') ?? ''
  const wait = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now()
  return wait > 0 && wait < 10_000_000 ? wait : 0
}

/** Returns why there was no whole response, with the code of the cause of a "fetch failed" error. */
function toReason({ name, cause }: Error): string {
  if (name === 'TimeoutError') return 'no response in time'
  const code = (cause as NodeJS.ErrnoException | undefined)?.code ?? ''
  if (!/^[A-Z][A-Z0-9_]+$/.test(code)) return 'the connection failed'
  const [, text] = failures.find(([codes]) => codes.test(code)) ?? []
  return text === undefined ? code : `${text} (${code})`
}

/** @see https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const failures: readonly [codes: RegExp, text: string][] = [
  [/^(UND_ERR_SOCKET|ECONNRESET|EPIPE)$/, 'the connection broke'],
  [/^ECONNREFUSED$/, 'nothing listens at its address'],
  [/^(ENOTFOUND|EAI_)/, 'its host is not found'],
  [/^(EHOST|ENET)/, 'no network leads to its host'],
  [/^(Z_|ERR_BROTLI|ERR__ERROR_FORMAT)/, 'the response is not compressed as it says'],
  [/_NO_APPLICATION_PROTOCOL$/, 'it speaks HTTP/2 only, and HTTP/1.1 is needed'],
  [/^(CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/, 'its certificate cannot be trusted'],
]

/** Reads a body as UTF-8. Returns `undefined`, and reads no further, when it is longer than `maxBytes`. */
export async function readText(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string | undefined> {
  const decoder = new TextDecoder()
  let text = ''
  let length = 0
  for await (const chunk of body) {
    length += chunk.byteLength
    if (length > maxBytes) return undefined
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
