import { mapConcurrently } from '../mapConcurrently.ts'
import { NodeError } from '../rpc/NodeError.ts'
import { onBatchServed } from '../state/headerAccess.ts'
import { isReadable, now, type Pool } from './node.ts'
import { type Headers, headerAt, readBatches } from './readBatches.ts'
import { requestPool } from './requestPool.ts'
import type { ChainCheck } from './verifyResult.ts'

/** Number of concurrent single requests. */
const concurrency = 4

/**
 * Requests the headers of blocks in batches as large as a node serves, from the first node that has them. Headers
 * missing from the batches are requested one by one.
 *
 * @throws {NodeError} if no node has a header
 */
export async function requestHeaders(pool: Pool, numbers: readonly number[], chainCheck: ChainCheck): Promise<Headers> {
  const found: Headers = new Map()
  const listMissing = () => numbers.filter((number) => !found.has(number))
  const restLast = pool.nodes.toSorted((left, right) => restOf(left.pace.restsUntil) - restOf(right.pace.restsUntil))
  for (const node of restLast) await readBatches(pool, node, listMissing(), found)
  const node = pool.nodes.find(isReadable)
  await mapConcurrently(listMissing(), concurrency, async (number) => {
    const header = await requestPool(pool, headerAt(number), chainCheck)
    if (typeof header !== 'object' || header === null) throw new NodeError('missing', `No node has block ${number}`)
    found.set(number, header)
    if (node) node.headers = onBatchServed(node.headers, 1)
  })
  return found
}

const restOf = (until: number) => Math.max(until - now(), 0)
