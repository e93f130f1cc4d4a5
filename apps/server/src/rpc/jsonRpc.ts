import type { PlainError } from './toPlainError.ts'

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
