import { NodeError } from '../rpc/NodeError.ts'
import { acceptShape, findMisfit, type Misfit, type ShapedLog } from '../state/eventShapes.ts'
import { isResting } from '../state/pace.ts'
import { doubt, isReadable, type Node, now, type Pool } from './node.ts'
import { sendPaced } from './sendPaced.ts'
import { checkForm } from './verifyResult.ts'

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
      doubt(pool, node, misfit.description, 'eth_getLogs')
      throw new NodeError('unreachable', fault)
    }
    if (isConfirmed === undefined && isNew(pool, misfit))
      throw new NodeError('unreachable', `${fault}. It is asked again`)
    pool.log(`${fault}. Such events are left out from now on, because they cannot be decoded.`)
    acceptShape(misfit)
  }
}

/** Returns whether a log of the only node was first seen less than `patience` ago. */
function isNew(pool: Pool, { entry, log, description }: Misfit): boolean {
  const id = `${log.blockHash} ${log.logIndex}`
  if (entry.doubted.size === 0) pool.log(`The only node is asked again for a minute: ${description}.`)
  const since = entry.doubted.get(id) ?? now()
  entry.doubted.set(id, since)
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
