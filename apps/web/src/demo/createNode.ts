import { ProviderRpcError } from './errors.ts'

export type ChainNode = (method: string, params: unknown) => Promise<unknown>

/** JSON-RPC code of a node that does not have the method. */
const methodNotFound = -32601

/** Creates a JSON-RPC client; errors keep the node's code and message. The node allows only read methods. */
export function createNode(rpcUrl: string): ChainNode {
  return async (method, params) => {
    let answer: { result?: unknown; error?: { code?: number; message?: string; data?: unknown } }
    try {
      const response = await fetch(rpcUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        signal: AbortSignal.timeout(10_000),
      })
      answer = await response.json()
    } catch (cause) {
      throw new ProviderRpcError('internal', 'The node did not respond. Try again in a moment.', cause)
    }
    const { error } = answer
    if (error?.code === methodNotFound)
      throw new ProviderRpcError('unsupportedMethod', `The demo wallet does not support ${method}.`)
    if (error)
      throw new ProviderRpcError(error.code ?? -32603, error.message ?? 'The node rejected the request.', error.data)
    if (!('result' in answer)) throw new ProviderRpcError('internal', 'The node returned an invalid response.')
    return answer.result
  }
}
