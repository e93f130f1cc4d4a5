import { numberToHex } from 'viem'
import { parseBlock } from './parseBlock.ts'
import type { RpcRequest } from './rpcRequest.ts'

/** Reads the hash of a block. Returns `undefined` if the block does not exist, or no node answers. */
export async function readHash(
  request: (rpc: RpcRequest) => Promise<unknown>,
  block: number,
): Promise<string | undefined> {
  const rpc = { method: 'eth_getBlockByNumber', params: [numberToHex(block), false] }
  return parseBlock(await request(rpc).catch(() => undefined))?.hash
}
