import { NodeError } from '../rpc/NodeError.ts'
import { logRangeOf, type RpcRequest } from '../rpc/rpcRequest.ts'
import type { ShapedLog } from '../state/eventShapes.ts'
import { isOff } from '../state/logAccess.ts'
import { checkChain } from './checkChain.ts'
import { believe, messageFor, type Node, now, type Pool } from './node.ts'
import { requestLogs } from './requestLogs.ts'
import { sendPaced } from './sendPaced.ts'
import { type Attempt, verifyResult, wrongAnswerTo } from './verifyResult.ts'
import { verifyShapes } from './verifyShapes.ts'

const chainCheckInterval = 60_000

/** Sends a request to one node, and checks the result. */
export async function requestNode(
  pool: Pool,
  node: Node,
  rpc: RpcRequest,
  attempt: Attempt = { deadline: now() + pool.patience, chainCheck: 'each' },
): Promise<unknown> {
  await checkChain(pool, node, now() - chainCheckInterval)
  if (rpc.method === 'eth_getLogs' && isOff(node.logs, now()))
    throw new NodeError('unsupported', messageFor(pool, node, 'node_without_logs'))
  const range = logRangeOf(rpc)
  const result = range
    ? await requestLogs(pool, node, rpc, range, attempt)
    : await sendVerified(pool, node, rpc, attempt)
  if (rpc.method === 'eth_getLogs') await verifyShapes(pool, node, result as readonly ShapedLog[])
  believe(pool, node, wrongAnswerTo(rpc))
  return result
}

async function sendVerified(pool: Pool, node: Node, rpc: RpcRequest, attempt: Attempt): Promise<unknown> {
  const result = await sendPaced(pool, node, rpc)
  await verifyResult(pool, node, rpc, result, attempt)
  return result
}
