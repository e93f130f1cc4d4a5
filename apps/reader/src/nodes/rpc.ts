import type { Hex } from 'viem'
import { keccak256 } from 'viem/utils'

/** Number of blocks after which a block is final: the chain never replaced more of them. */
export const finality = 30

/** A JSON-RPC request, without its envelope. */
export type RpcRequest = {
  method: string
  params: readonly unknown[]
  /** Returns what else is wrong with a result, beside its form. */
  findFault?: (result: unknown) => string | undefined
}

/** A range of blocks, both ends included. */
export type BlockRange = { fromBlock: number; toBlock: number }

export const newestNumber: RpcRequest = { method: 'eth_blockNumber', params: [] }

/** Returns the range of an `eth_getLogs` request; `undefined` for others, and for the logs of one block by hash. */
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

/** Returns whether a request is by height: another chain has the same heights, but never the same hashes. */
export function isByHeight(rpc: RpcRequest): boolean {
  return ['eth_blockNumber', 'eth_getBlockByNumber', 'eth_call'].includes(rpc.method) || logRangeOf(rpc) !== undefined
}

/** Returns the height of a block that is requested by number. */
export function heightOf({ method, params: [block] }: RpcRequest): number | undefined {
  return method === 'eth_getBlockByNumber' ? parseQuantity(block) : undefined
}

export function isByHash({ method, params: [filter] }: RpcRequest): boolean {
  return method === 'eth_getLogs' && typeof (filter as { blockHash?: unknown } | null)?.blockHash === 'string'
}

/** A block's header. */
export type Header = {
  number: number
  hash: Hex
  parent: Hex
  time: number
  bloom: Hex
  /** Root of the receipts; `undefined` if the node does not return it. */
  receiptsRoot?: Hex | undefined
}

/** Converts a block of a node that has been checked by `findFault`. */
export function toHeader(block: unknown): Header {
  const { number, hash, parentHash, timestamp, logsBloom, receiptsRoot } = block as Record<string, Hex>
  const times = { number: Number(number), time: Number(timestamp) }
  return { ...times, hash, parent: parentHash, bloom: logsBloom, receiptsRoot } as Header
}

export type Block = { number: number; hash: string; parentHash: string | undefined }

/** Parses a block of a node. Returns `undefined` if it has no number or no hash. */
export function parseBlock(value: unknown): Block | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { number: quantity, hash, parentHash } = value as Record<string, unknown>
  const number = parseQuantity(quantity)
  if (number === undefined || typeof hash !== 'string') return undefined
  return { number, hash, parentHash: typeof parentHash === 'string' ? parentHash : undefined }
}

/** Parses a hexadecimal number of a node. Returns `undefined` for other values and numbers beyond the safe integers. */
export function parseQuantity(value: unknown): number | undefined {
  return typeof value === 'string' && /^0x[0-9a-f]{1,13}$/i.test(value) ? Number(value) : undefined
}

/** Returns whether the block's bloom filter shows that it has logs. */
export function hasLogs(block: unknown): boolean {
  const bloom = (block as { logsBloom?: unknown } | null)?.logsBloom
  return typeof bloom === 'string' && /^0x0*[1-9a-f]/i.test(bloom)
}

/** Positions of the bits that stand for an address or topic in the bloom filter of a block. */
const bitsOf = new Map<Hex, readonly number[]>()
const mostBits = 20_000

/**
 * Returns the bits that stand for an address or topic in a bloom filter, counted from its end.
 *
 * @see https://ethereum.github.io/yellowpaper/paper.pdf, section 4.4.3
 */
function listBits(value: Hex): readonly number[] {
  const known = bitsOf.get(value)
  if (known) return known
  const hash = keccak256(value, 'bytes')
  const bits = [0, 2, 4].map((index) => (((hash[index] ?? 0) << 8) | (hash[index + 1] ?? 0)) & 0x7ff)
  if (bitsOf.size >= mostBits) bitsOf.clear()
  bitsOf.set(value, bits)
  return bits
}

/** Returns whether a block with this bloom filter may have a log with all of these addresses and topics. */
export function mayHold(bloom: Hex, values: readonly Hex[]): boolean {
  return values.flatMap(listBits).every((bit) => {
    // A digit of the text stands for four bits.
    const digit = Number.parseInt(bloom.at(-1 - (bit >> 2)) as string, 16)
    return (digit & (1 << (bit & 3))) !== 0
  })
}

/** Returns the bloom filter of a block with exactly these logs. */
export function bloomOf(logs: readonly { address: Hex; topics: readonly Hex[] }[]): Hex {
  const bytes = Buffer.alloc(256)
  for (const { address, topics } of logs)
    for (const value of [address.toLowerCase() as Hex, ...topics])
      for (const bit of listBits(value))
        bytes[255 - (bit >> 3)] = (bytes[255 - (bit >> 3)] as number) | (1 << (bit & 7))
  return `0x${bytes.toString('hex')}`
}

/**
 * Returns the request to send for a block, without transactions unless they are asked for.
 *
 * @param method `header` only for nodes that offer the methods of go-ethereum for headers.
 *
 * @see https://geth.ethereum.org/docs/interacting-with-geth/rpc/ns-eth
 */
export function toHeaderRequest({ method, params }: RpcRequest, access: 'header' | 'block'): RpcRequest {
  if (method !== 'eth_getBlockByNumber') return { method, params }
  const [block, whole] = params
  if (whole === true) return { method, params }
  return access === 'header' ? { method: 'eth_getHeaderByNumber', params: [block] } : { method, params: [block, false] }
}
