import { NodeError } from '../rpc/NodeError.ts'
import { findMisfit, type Misfit, type ShapedLog } from '../state/eventShapes.ts'
import { isResting } from '../state/pace.ts'
import { doubt, isReadable, type Node, now, type Pool } from './node.ts'
import { sendPaced } from './sendPaced.ts'
import { checkForm } from './verifyResult.ts'

/**
 * Compares logs with the events that are read, because a log without some of its topics or data cannot be decoded, and
 * its event would be missing in the tables. Another node decides whether such a log is right. If no other node has it,
 * it counts only while no log of the event had the configured shape: the configuration may be wrong.
 */
export async function verifyShapes(pool: Pool, node: Node, logs: readonly ShapedLog[]): Promise<void> {
  const misfit = findMisfit(pool.events, logs)
  if (!misfit) return
  const isConfirmed = (await askOthers(pool, node, misfit)) ?? !misfit.entry.isProven
  if (isConfirmed) return
  doubt(pool, node, misfit.description, 'eth_getLogs')
  throw new NodeError('unreachable', `${node.name}: ${misfit.description}`)
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
