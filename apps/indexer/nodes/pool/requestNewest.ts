import { numberToHex } from 'viem'
import { NodeError, toNodeError } from '../rpc/NodeError.ts'
import { parseBlock } from '../rpc/parseBlock.ts'
import { newestNumber, type RpcRequest } from '../rpc/rpcRequest.ts'
import { commonNumber } from '../state/nodeHead.ts'
import { isResting } from '../state/pace.ts'
import { isReadable, now, type Pool } from './node.ts'
import { requestNode } from './requestNode.ts'
import { requestPool } from './requestPool.ts'

/** Requests the newest block, or its number. It never goes back on the same chain. */
export async function requestNewest(pool: Pool, rpc: RpcRequest): Promise<unknown> {
  if (rpc.method === 'eth_blockNumber')
    return numberToHex(Math.max(Number(await requestPool(pool, newestNumber)), pool.head.number))
  const block = await requestHead(pool, rpc)
  // Ponder requests the head without transactions to find the newest final block.
  return rpc.params[1] === false ? toCommonBlock(pool, rpc, block) : block
}

/** Returns the head of the first node that does not lag. If all nodes lag, returns the last head again. */
async function requestHead(pool: Pool, rpc: RpcRequest): Promise<unknown> {
  const lagging: unknown[] = []
  let failure: NodeError | undefined
  for (const node of pool.nodes) {
    if (isResting(node.pace, now())) continue
    try {
      const block = await requestNode(pool, node, rpc)
      const isLagging = pool.head.isLagging(block)
      node.head = { ...node.head, lag: isLagging ? pool.head.lagOf(block) : 0 }
      if (!isLagging) return advanceHead(pool, rpc, block)
      lagging.push(block)
    } catch (error) {
      failure = toNodeError(error)
    }
  }
  if (lagging.length > 0) return keepHead(pool, rpc, lagging[0])
  if (failure && !pool.nodes.some(({ pace }) => isResting(pace, now()))) throw failure
  const block = await requestPool(pool, rpc)
  return pool.head.isLagging(block) ? keepHead(pool, rpc, block) : advanceHead(pool, rpc, block)
}

function advanceHead({ head }: Pool, { params }: RpcRequest, block: unknown): unknown {
  head.setHead(params, block)
  return block
}

/** Returns the last head again, or the lagging block if the head was only requested in another form. */
function keepHead({ head, requirements: { lowestHead } }: Pool, { params }: RpcRequest, lagging: unknown): unknown {
  const known = head.answerTo(params)
  if (!known && (parseBlock(lagging)?.number ?? 0) < lowestHead)
    throw new NodeError('missing', `No node has reached block ${lowestHead} yet`)
  return known ?? lagging
}

/**
 * Lowers the head to the highest block that all nodes have, because Ponder requests logs up to the final block from
 * any node. Later blocks it requests by hash, and checks them.
 */
async function toCommonBlock(pool: Pool, { method }: RpcRequest, block: unknown): Promise<unknown> {
  const heights = pool.nodes.filter(isReadable).map(({ head }) => commonNumber(head))
  const height = Math.max(pool.requirements.lowestHead, ...heights)
  if (heights.length === 0 || height >= (parseBlock(block)?.number ?? 0)) return block
  const common = await requestPool(pool, { method, params: [numberToHex(height), false] })
  if (common === null) throw new NodeError('missing', `No node has block ${height}`)
  return common
}
