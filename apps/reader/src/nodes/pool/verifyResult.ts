import { withRetry } from 'viem'
import { finality } from '../../ponderInternals.ts'
import { findFault } from '../rpc/findFault.ts'
import { NodeError, toNodeError } from '../rpc/NodeError.ts'
import { heightOf, isByHeight, isNewest, type RpcRequest } from '../rpc/rpcRequest.ts'
import type { WrongAnswer } from '../state/NodeState.ts'
import { isResting } from '../state/pace.ts'
import { checkChain } from './checkChain.ts'
import { fillGap } from './fillGap.ts'
import { findTimeFault } from './findTimeFault.ts'
import { doubt, type Node, now, type Pool } from './node.ts'

/** When the node's chain is checked: after each answer, or once after many, by the caller (`confirmChain`). */
export type ChainCheck = 'each' | 'by_caller'

/** One attempt to answer a request. */
export type Attempt = { deadline: number; chainCheck: ChainCheck }

/** Checks the form of a result. Checks the node's chain again if the result does not prove it. */
export async function verifyResult(
  pool: Pool,
  node: Node,
  rpc: RpcRequest,
  result: unknown,
  { deadline, chainCheck }: Attempt,
) {
  checkForm(pool, node, rpc, result)
  const height = heightOf(rpc)
  if (result === null && height !== undefined && height <= node.head.number - finality)
    throw new NodeError('missing', `${node.name} does not have block ${height}, which is final on it`)
  // Another chain may be behind the URL by now.
  if (chainCheck === 'by_caller' || !isByHeight(rpc) || pool.head.isConnected(result)) return
  if (isNewest(rpc)) await fillGap(pool, node, result, deadline)
  if (pool.head.isConnected(result)) return
  const since = now()
  await retryIfAlone(pool, node, () => checkChain(pool, node, since), deadline)
}

export const wrongAnswerTo = (rpc: RpcRequest): WrongAnswer => (isNewest(rpc) ? 'newest' : rpc.method)

/** Marks the node as silent and throws if its result is malformed. */
export function checkForm(pool: Pool, node: Node, rpc: RpcRequest, result: unknown): void {
  const fault = findFault(rpc, result) ?? findTimeFault(pool, result)
  if (fault === undefined) return
  doubt(pool, node, fault, wrongAnswerTo(rpc))
  throw new NodeError('unreachable', `${node.name}: ${fault}`)
}

/**
 * Retries a rate-limited request while all other nodes rest: otherwise the result of the first request would be lost.
 */
export function retryIfAlone<result>(pool: Pool, node: Node, task: () => Promise<result>, deadline: number) {
  const wakesAt = () => Math.max(node.pace.restsUntil, now() + 10)
  const isAlone = () => pool.nodes.every((other) => other === node || isResting(other.pace, now()))
  return withRetry(task, {
    retryCount: Number.POSITIVE_INFINITY,
    shouldRetry: ({ error }) => toNodeError(error).kind === 'rate_limited' && isAlone() && wakesAt() <= deadline,
    delay: () => Math.ceil(wakesAt() - now()),
  })
}
