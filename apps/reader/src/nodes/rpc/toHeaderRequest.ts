import type { RpcRequest } from './rpcRequest.ts'

/**
 * Returns the request to send for a block, without transactions because they are not needed.
 *
 * @param method `header` only for nodes that offer the methods of go-ethereum for headers.
 *
 * @see https://geth.ethereum.org/docs/interacting-with-geth/rpc/ns-eth
 */
export function toHeaderRequest({ method, params }: RpcRequest, access: 'header' | 'block'): RpcRequest {
  if (method !== 'eth_getBlockByNumber' && method !== 'eth_getBlockByHash') return { method, params }
  const [block] = params
  return access === 'header'
    ? { method: method.replace('Block', 'Header'), params: [block] }
    : { method, params: [block, false] }
}
