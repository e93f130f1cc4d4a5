export type Id = string | number | null
export type Call = { id: Id; method: string; params: unknown }
export type Reply = { jsonrpc: '2.0'; id: Id } & ({ result: unknown } | { error: PlainError })

/** Largest number of calls in a batch. */
export const batchLimit = 20

export function createError(id: Id, code: number, message: string): Reply {
  return { jsonrpc: '2.0', id, error: { code, message } }
}

/** Parses a JSON value. Returns `undefined` for text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the error of a body that is neither a call nor a batch. */
export function findBodyError(body: unknown): Reply | undefined {
  if (body === undefined) return createError(null, -32700, 'The body is not valid JSON.')
  if (!Array.isArray(body)) return undefined
  if (body.length === 0) return createError(null, -32600, 'The batch is empty.')
  if (body.length <= batchLimit) return undefined
  return createError(null, -32600, `The batch has ${body.length} calls. Send at most ${batchLimit}.`)
}

/** Returns whether an item expects no reply. https://www.jsonrpc.org/specification#notification */
export function isNotification(item: unknown): boolean {
  const { jsonrpc, method } = (item ?? {}) as Record<string, unknown>
  return jsonrpc === '2.0' && typeof method === 'string' && !Object.hasOwn(item as object, 'id')
}

/** Returns the call of an item, or the error reply to it. */
export function parseCall(item: unknown, methods: ReadonlySet<string>): Call | Reply {
  const { jsonrpc, id: given, method, params = [] } = (item ?? {}) as Record<string, unknown>
  const id = typeof given === 'string' || typeof given === 'number' ? given : null
  if (jsonrpc !== '2.0' || id === null || typeof method !== 'string' || typeof params !== 'object' || params === null)
    return createError(id, -32600, 'The call is not valid JSON-RPC 2.0 with an id.')
  if (!methods.has(method))
    return createError(id, -32601, `The method ${JSON.stringify(method.slice(0, 64))} is not available here.`)
  return { id, method, params }
}

/** Largest amount of gas that a call may name; nodes use 50 million by default. */
const gasLimit = 50_000_000n

const simulations: ReadonlySet<string> = new Set(['eth_call', 'eth_estimateGas'])

/** Deepest nesting of params; no method needs more than half of it. */
const depthLimit = 8

/**
 * Returns why the params of a call are refused: nested too deep to be written as JSON, too much gas, or overrides of the state
 * or block, with which a visitor can make a node run any code.
 */
export function findParamsError({ method, params }: Pick<Call, 'method' | 'params'>): string | undefined {
  if (isDeeperThan(depthLimit, params)) return 'The params are nested too deep.'
  if (!simulations.has(method)) return undefined
  if (!Array.isArray(params)) return 'The params must be a list.'
  const [transaction, , ...overrides] = params
  if (overrides.some((one) => one !== null && one !== undefined))
    return 'Overrides of state or block are not available here.'
  const { gas, gasLimit: otherGas } = Object(transaction) as Record<string, unknown>
  const isTooHigh = [gas, otherGas].some((one) => one !== undefined && one !== null && toGas(one) > gasLimit)
  return isTooHigh ? `The gas must be a number of at most ${gasLimit}.` : undefined
}

/** Returns whether a JSON value has more levels of lists and objects. */
export const isDeeperThan = (depth: number, value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (depth === 0 || Object.values(value).some((part) => isDeeperThan(depth - 1, part)))

/** Returns an amount of gas; one that is not a number counts as too high. */
function toGas(value: unknown): bigint {
  const isNumber =
    Number.isSafeInteger(value) || (typeof value === 'string' && /^(0x[0-9a-f]{1,16}|\d{1,18})$/i.test(value))
  return isNumber ? BigInt(value as string | number) : gasLimit + 1n
}

/** Patterns of node errors, each with the message for visitors. viem recognizes these messages. */
const knownErrors: readonly [pattern: RegExp, code: number, message: string][] = [
  [/revert/i, 3, 'execution reverted'],
  [/insufficient funds/i, -32000, 'insufficient funds'],
  [/nonce too low/i, -32000, 'nonce too low'],
  [/nonce too high/i, -32000, 'nonce too high'],
  [/already known|already imported/i, -32000, 'already known'],
  [/underpriced/i, -32000, 'transaction underpriced'],
  [/intrinsic gas too low/i, -32000, 'intrinsic gas too low'],
  [/gas required exceeds allowance/i, -32000, 'gas required exceeds allowance'],
  [/out of gas/i, -32000, 'out of gas'],
  [/header not found|missing trie node|block not found|unknown block/i, -32000, 'The node does not have this block.'],
]

const messages: Record<number, string> = {
  3: 'execution reverted',
  [-32600]: 'The node refused the call as invalid.',
  [-32601]: 'The node does not offer this method.',
  [-32602]: 'The node refused the params.',
  [-32603]: 'The node failed. Try again later.',
}

export type PlainError = { code: number; message: string; data?: string }

/**
 * Converts a node's error into the one that visitors get: a known code and a plain message. The node's own message
 * may name its operator, its key or its address. The data of a revert comes from the contract and is kept.
 */
export function toPlainError({ code, message, data }: { code: number; message?: unknown; data?: unknown }): PlainError {
  const words = typeof message === 'string' ? message.slice(0, 1_000) : ''
  const known = code in messages ? undefined : knownErrors.find(([pattern]) => pattern.test(words))
  const plain = known
    ? { code: known[1], message: known[2] }
    : { code: code in messages ? code : -32000, message: messages[code] ?? 'The node refused the call.' }
  const isRevertData = plain.code === 3 && typeof data === 'string' && /^0x([0-9a-f]{2})*$/i.test(data)
  return isRevertData ? { ...plain, data } : plain
}
