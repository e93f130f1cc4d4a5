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

  constructor(kind: NodeErrorKind, message: string, details: { rpcError?: RpcError; retryAfter?: number } = {}) {
    super(message)
    this.kind = kind
    this.rpcError = details.rpcError
    this.retryAfter = details.retryAfter
  }
}

/** Returns a `NodeError` unchanged; wraps any other error as `unreachable`. */
export function toNodeError(error: unknown): NodeError {
  return error instanceof NodeError ? error : new NodeError('unreachable', 'the request failed')
}
