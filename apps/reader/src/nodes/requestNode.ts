import { findObstacle, isOff, onRangeRefused, onRangeServed } from './access.ts'
import type { ShapedLog } from './eventShapes.ts'
import { isReadable, messageFor, type Node, now, type Pool, recordRightAnswer } from './node.ts'
import { NodeError, TooWideError, toNodeError } from './nodeError.ts'
import { commonNumber } from './nodeState.ts'
import { isResting } from './pace.ts'
import { type BlockRange, logRangeOf, newestNumber, type RpcRequest } from './rpc.ts'
import { checkChain, sendPaced } from './send.ts'
import { type Attempt, checkForm, retryIfAlone, verifyResult, verifyShapes, wrongAnswerTo } from './verify.ts'

/** Milliseconds after which a node's chain is checked again. */
const chainCheckInterval = { right: 60_000, unchecked: 60_000, other: 5_000 }

/** Sends a request to one node, and checks the result. */
export async function requestNode(
  pool: Pool,
  node: Node,
  rpc: RpcRequest,
  attempt: Attempt = { deadline: now() + pool.patience, chainCheck: 'each' },
): Promise<unknown> {
  await checkChain(pool, node, now() - chainCheckInterval[node.chain.status])
  if (rpc.method === 'eth_getLogs' && isOff(node.logs, now()))
    throw new NodeError('unsupported', messageFor(pool, node, 'node_without_logs'))
  const range = logRangeOf(rpc)
  const result = range
    ? await requestLogs(pool, node, rpc, range, attempt)
    : await sendVerified(pool, node, rpc, attempt)
  if (rpc.method === 'eth_getLogs') await verifyShapes(pool, node, result as readonly ShapedLog[])
  recordRightAnswer(pool, node, wrongAnswerTo(rpc))
  return result
}

async function sendVerified(pool: Pool, node: Node, rpc: RpcRequest, attempt: Attempt): Promise<unknown> {
  const result = await sendPaced(pool, node, rpc)
  await verifyResult(pool, node, rpc, result, attempt)
  return result
}

/** Largest expected distance in blocks between two nodes behind one URL. */
const maxSpread = 256

/**
 * Requests the logs of a range from one node that has reached its end, and confirms an empty list. Whether a list that
 * is not empty is complete cannot be seen here: the audits compare the index with the contract.
 */
async function requestLogs(pool: Pool, node: Node, rpc: RpcRequest, range: BlockRange, attempt: Attempt) {
  await checkRange(pool, node, range)
  try {
    const logs =
      attempt.chainCheck === 'never'
        ? await sendPaced(pool, node, rpc)
        : await sendConfirmed(pool, node, rpc, range, attempt.deadline)
    await verifyResult(pool, node, rpc, logs, attempt)
    node.logs = onRangeServed(node.logs, range)
    return logs
  } catch (error) {
    const failure = toNodeError(error)
    throw ['refused', 'unsupported'].includes(failure.kind) ? recordRefusal(pool, node, range, failure) : failure
  }
}

/** Checks that the node has the whole range: a lagging node returns the logs it has, and no error. */
async function checkRange(pool: Pool, node: Node, range: BlockRange): Promise<void> {
  const obstacle = findObstacle(node.logs, range)
  if (obstacle === 'pruned') throw new NodeError('missing', messageFor(pool, node, 'node_without_history'))
  if (obstacle === 'too_wide') throw new TooWideError(node.logs.maxBlocks)
  const { number, reportedAt } = node.head
  const isNear = range.toBlock > number - maxSpread && reportedAt < now() - 1_000
  if (range.toBlock > number || isNear) await sendPaced(pool, node, newestNumber)
  if (range.toBlock > commonNumber(node.head))
    throw new NodeError('missing', `${node.name} has not reached block ${range.toBlock} yet`)
}

/**
 * Sends the request, and confirms an empty list, because a node that pruned its logs, lags or is faulty also returns
 * one. An empty list counts if another node returns it too, or the same node a second time.
 */
async function sendConfirmed(pool: Pool, node: Node, rpc: RpcRequest, range: BlockRange, deadline: number) {
  const logs = await sendPaced(pool, node, rpc)
  if (!Array.isArray(logs) || logs.length > 0) return logs
  const other = pool.inOrder().find((candidate) => candidate !== node && canServe(candidate, range))
  const second = other && (await sendChecked(pool, other, rpc).catch(() => undefined))
  if (Array.isArray(second)) pool.servedBy.set(second, other?.name ?? '')
  return Array.isArray(second) ? second : retryIfAlone(pool, node, () => sendPaced(pool, node, rpc), deadline)
}

async function sendChecked(pool: Pool, node: Node, rpc: RpcRequest) {
  const logs = await sendPaced(pool, node, rpc)
  checkForm(pool, node, rpc, logs)
  return logs
}

const canServe = (node: Node, range: BlockRange) =>
  isReadable(node) &&
  !isResting(node.pace, now()) &&
  range.toBlock <= node.head.number &&
  findObstacle(node.logs, range) === undefined

/** Returns the error that makes the caller request fewer blocks, if the node serves logs at all. */
function recordRefusal(pool: Pool, node: Node, range: BlockRange, failure: NodeError): NodeError {
  const before = node.logs.availability.status
  const { logs, limit } = onRangeRefused(node.logs, range, failure, now())
  node.logs = logs
  if (logs.availability.status === 'off') {
    const message = messageFor(pool, node, 'node_without_logs')
    if (before === 'on') pool.log(`${message} Its error: ${failure.message}`, 'warn')
    return new NodeError('unsupported', message)
  }
  if (limit !== undefined) pool.log(`${node.name} serves the logs of ${limit} blocks per request.`)
  return new TooWideError(limit)
}
