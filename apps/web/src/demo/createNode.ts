import { ProviderRpcError } from './errors.ts'

/** Read methods that the wallet forwards to its node. */
export const readMethods: ReadonlySet<string> = new Set([
  'eth_blockNumber',
  'eth_call',
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
])

export type ChainNode = (method: string, params: unknown) => Promise<unknown>

/** Creates a JSON-RPC client; errors keep the node's code and message. */
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
      throw new ProviderRpcError('internal', 'The chain does not answer. Try again in a moment.', cause)
    }
    const { error } = answer
    if (error) throw new ProviderRpcError(error.code ?? -32603, error.message ?? 'The chain refused.', error.data)
    if (!('result' in answer)) throw new ProviderRpcError('internal', 'The chain gave no answer that can be read.')
    return answer.result
  }
}
