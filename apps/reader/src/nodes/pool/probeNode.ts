import { newestNumber } from '../rpc/rpcRequest.ts'
import { isResting } from '../state/pace.ts'
import { endLeap, isLeap } from './leaps.ts'
import { type Node, now, type Pool } from './node.ts'
import { requestNode } from './requestNode.ts'

/** Requests the newest block from a node that is silent or behind, and updates its state. */
export async function probeNode(pool: Pool, node: Node): Promise<void> {
  const isGood = node.contact.status === 'answering' && node.head.lag === 0
  if (isGood || isResting(node.pace, now())) return
  try {
    const number = Number(await requestNode(pool, node, newestNumber))
    if (!isLeap(pool, node, number)) endLeap(pool, node, number)
    node.head = { ...node.head, lag: Math.max(pool.head.number - node.head.number, 0) }
  } catch {
    // The node's state records the failure.
  }
}
