import { acceptShape, findMisfit, type Misfit, type ShapedLog } from './eventShapes.ts'
import { findFault, findTimeFault } from './findFault.ts'
import { findHashFault, readGap } from './headers.ts'
import { isReadable, type Node, now, type Pool, recordWrongAnswer } from './node.ts'
import { NodeError, retry } from './nodeError.ts'
import type { WrongAnswer } from './nodeState.ts'
import { isResting } from './pace.ts'
import { finality, heightOf, isByHeight, isNewest, type RpcRequest } from './rpc.ts'
import { checkChain, mayAnswerSoon, sendPaced } from './send.ts'

/**
 * When the node's chain is checked: after each answer, or once after many, by the caller (`confirmChain`). `never`: the
 * caller compares answers with its own; empty lists of logs are not confirmed either.
 */
export type ChainCheck = 'each' | 'by_caller' | 'never'

/** One attempt to answer a request. */
export type Attempt = {
  deadline: number
  chainCheck: ChainCheck
  /** How often each node has failed to return the logs of its range. */
  failures: Map<Node, number>
  /** Nodes that have returned an empty list, which is not confirmed yet. */
  empty: Set<Node>
}

export const createAttempt = ({ patience }: Pool, chainCheck: ChainCheck = 'each'): Attempt => ({
  ...{ deadline: now() + patience, chainCheck, failures: new Map(), empty: new Set() },
})

/** Checks the form of a result. Checks the node's chain again if the result does not prove it. */
export async function verifyResult(
  pool: Pool,
  node: Node,
  rpc: RpcRequest,
  result: unknown,
  { deadline, chainCheck }: Pick<Attempt, 'deadline' | 'chainCheck'>,
) {
  checkForm(pool, node, rpc, result)
  const height = heightOf(rpc)
  if (result === null && height !== undefined && height <= node.head.number - finality)
    throw new NodeError('missing', `${node.name} does not have block ${height}, which is final on it`)
  // Another chain may be behind the URL by now.
  if (chainCheck !== 'each' || !isByHeight(rpc) || pool.head.isConnected(result)) return
  if (isNewest(rpc)) await readGap(pool, node, result, deadline)
  if (pool.head.isConnected(result)) return
  const since = now()
  await retryIfAlone(pool, node, () => checkChain(pool, node, since), deadline)
}

export const wrongAnswerTo = (rpc: RpcRequest): WrongAnswer => (isNewest(rpc) ? 'newest' : rpc.method)

/** Marks the node as silent and throws if its result is malformed. */
export function checkForm(pool: Pool, node: Node, rpc: RpcRequest, result: unknown): void {
  const isBlock = rpc.method === 'eth_getBlockByNumber'
  const ofBlock = isBlock ? (findTimeFault(result) ?? findHashFault(pool, node, result)) : undefined
  const fault = findFault(rpc, result) ?? ofBlock ?? rpc.findFault?.(result)
  if (fault === undefined) return
  recordWrongAnswer(pool, node, fault, wrongAnswerTo(rpc))
  throw new NodeError('unreachable', `${node.name}: ${fault}`)
}

/** Retries a request that the node may answer soon while all other nodes rest: otherwise its first result would be lost. */
export function retryIfAlone<result>(pool: Pool, node: Node, task: () => Promise<result>, deadline: number) {
  const wakesAt = () => Math.max(node.pace.restsUntil, now() + 10)
  const isAlone = () => pool.nodes.every((other) => other === node || isResting(other.pace, now()))
  return retry(task, (error) =>
    mayAnswerSoon(node, error) && isAlone() && wakesAt() <= deadline ? Math.ceil(wakesAt() - now()) : undefined,
  )
}

/** Milliseconds for which the only node is asked again. A contract may emit its event in more than one form. */
const patience = 60_000

/**
 * Compares logs with the events that are read, because a log without some of its topics or data cannot be decoded, and
 * its event would be missing in the tables. Another node decides whether such a log is right. If no other node has it,
 * it counts while no log of the event had the configured shape, since the configuration may be wrong, and otherwise once
 * the only node has returned it for a minute.
 */
export async function verifyShapes(pool: Pool, node: Node, logs: readonly ShapedLog[]): Promise<void> {
  for (let misfit = findMisfit(pool.events, logs); misfit; misfit = findMisfit(pool.events, logs)) {
    const isConfirmed = await askOthers(pool, node, misfit)
    if (isConfirmed === undefined && !misfit.entry.isProven) return
    const fault = `${node.name}: ${misfit.description}`
    if (isConfirmed === false) {
      recordWrongAnswer(pool, node, misfit.description, 'eth_getLogs')
      throw new NodeError('unreachable', fault)
    }
    if (isConfirmed === undefined && isNew(pool, misfit))
      throw new NodeError('unreachable', `${fault}. It is asked again`)
    pool.log(`${fault}. Such events are left out from now on, because they cannot be decoded.`, 'warn')
    acceptShape(misfit)
  }
}

/** Returns whether a log of the only node was first seen less than `patience` ago. */
function isNew(pool: Pool, { entry, log, description }: Misfit): boolean {
  const id = `${log.blockHash} ${log.logIndex}`
  if (entry.askedAgain.size === 0) pool.log(`The only node is asked again for a minute: ${description}.`, 'warn')
  const since = entry.askedAgain.get(id) ?? now()
  entry.askedAgain.set(id, since)
  return now() - since < patience
}

/** Returns whether another node has the log in the same shape, or `undefined` if no other node has it. */
async function askOthers(pool: Pool, node: Node, { log }: Misfit): Promise<boolean | undefined> {
  const { address, blockNumber } = log
  const rpc = { method: 'eth_getLogs', params: [{ address, fromBlock: blockNumber, toBlock: blockNumber }] }
  for (const other of pool.nodes) {
    if (other === node || !isReadable(other) || isResting(other.pace, now())) continue
    const logs = await sendPaced(pool, other, rpc).catch(() => undefined)
    try {
      checkForm(pool, other, rpc, logs)
    } catch {
      continue
    }
    const same = (logs as readonly ShapedLog[]).find((found) => isSame(found, log))
    if (same) return findMisfit(pool.events, [same]) !== undefined
  }
  return undefined
}

const isSame = (left: ShapedLog, right: ShapedLog) =>
  left.blockHash === right.blockHash && Number(left.logIndex) === Number(right.logIndex)
