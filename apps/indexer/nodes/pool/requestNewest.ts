import { numberToHex } from 'viem'
import { NodeError, toNodeError } from '../rpc/NodeError.ts'
import { parseBlock } from '../rpc/parseBlock.ts'
import { newestNumber, type RpcRequest } from '../rpc/rpcRequest.ts'
import { commonNumber } from '../state/nodeHead.ts'
import { isResting } from '../state/pace.ts'
import { isReadable, type Node, now, type Pool, silence } from './node.ts'
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

const leapFault = 'it returned a newest block far above that of the other nodes'

/**
 * Returns the head of the first node that does not lag. A head far above the last one needs a second node. If all
 * other nodes lag, returns the last head again.
 */
async function requestHead(pool: Pool, rpc: RpcRequest): Promise<unknown> {
  const lagging: unknown[] = []
  let leap: { node: Node; block: unknown } | undefined
  let failure: NodeError | undefined
  for (const node of pool.nodes) {
    if (isResting(node.pace, now())) continue
    try {
      const block = await requestNode(pool, node, rpc)
      const isLagging = pool.head.isLagging(block)
      node.head = { ...node.head, lag: isLagging ? pool.head.lagOf(block) : 0 }
      if (isLagging) lagging.push(block)
      // A single node with such a head is probably wrong, and the head would never go back.
      else if (pool.head.isLeap(block, now()) && !leap) leap = { node, block }
      else {
        if (leap && !pool.head.isLeap(block, now())) silence(pool, leap.node, leapFault, 100)
        return advanceHead(pool, rpc, block)
      }
    } catch (error) {
      failure = toNodeError(error)
    }
  }
  if (leap && lagging.length === 0) return advanceHead(pool, rpc, leap.block)
  if (leap) silence(pool, leap.node, leapFault, 100)
  if (lagging.length > 0) return keepHead(pool, rpc, lagging[0])
  if (failure && !pool.nodes.some(({ pace }) => isResting(pace, now()))) throw failure
  const block = await requestPool(pool, rpc)
  return pool.head.isLagging(block) ? keepHead(pool, rpc, block) : advanceHead(pool, rpc, block)
}

function advanceHead({ head }: Pool, { params }: RpcRequest, block: unknown): unknown {
  head.setHead(params, block, now())
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
