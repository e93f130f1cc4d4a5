import { parseQuantity } from './parseBlock.ts'

/** A JSON-RPC request, without its envelope. */
export type RpcRequest = { method: string; params: readonly unknown[] }

/** A range of blocks, both ends included. */
export type BlockRange = { fromBlock: number; toBlock: number }

export const newestNumber: RpcRequest = { method: 'eth_blockNumber', params: [] }

/**
 * Returns the range of an `eth_getLogs` request. Returns `undefined` for other requests, and for the logs of one
 * block by hash.
 */
export function logRangeOf({ method, params: [filter] }: RpcRequest): BlockRange | undefined {
  if (method !== 'eth_getLogs' || typeof filter !== 'object' || filter === null) return undefined
  const fromBlock = parseQuantity((filter as Record<string, unknown>).fromBlock)
  const toBlock = parseQuantity((filter as Record<string, unknown>).toBlock)
  return fromBlock === undefined || toBlock === undefined ? undefined : { fromBlock, toBlock }
}

export const countBlocks = ({ fromBlock, toBlock }: BlockRange) => toBlock - fromBlock + 1

/** Returns whether a request is for the newest block or its number. */
export function isNewest({ method, params }: RpcRequest): boolean {
  return method === 'eth_blockNumber' || (method === 'eth_getBlockByNumber' && params[0] === 'latest')
}

/**
 * Returns whether a request is by height: another chain has blocks at the same heights, but never with the same
 * hashes.
 */
export function isByHeight(rpc: RpcRequest): boolean {
  return ['eth_blockNumber', 'eth_getBlockByNumber', 'eth_call'].includes(rpc.method) || logRangeOf(rpc) !== undefined
}

/** Returns the height of a block that is requested by number. */
export function heightOf({ method, params: [block] }: RpcRequest): number | undefined {
  return method === 'eth_getBlockByNumber' ? parseQuantity(block) : undefined
}

/** Returns whether a request is by block hash. */
export function isByHash({ method, params: [filter] }: RpcRequest): boolean {
  if (method === 'eth_getBlockByHash') return true
  return method === 'eth_getLogs' && typeof (filter as { blockHash?: unknown } | null)?.blockHash === 'string'
}
