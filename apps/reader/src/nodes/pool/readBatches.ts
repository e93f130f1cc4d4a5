import { setTimeout as delay } from 'node:timers/promises'
import { numberToHex } from 'viem'
import { findFault } from '../rpc/findFault.ts'
import { toNodeError } from '../rpc/NodeError.ts'
import type { RpcRequest } from '../rpc/rpcRequest.ts'
import { onBatchLimited, onBatchRefused, onBatchServed } from '../state/headerAccess.ts'
import { findTimeFault } from './findTimeFault.ts'
import { isReadable, type Node, now, type Pool } from './node.ts'
import { sendBatch } from './sendPaced.ts'

/** Headers by block number. */
export type Headers = Map<number, object>

/** Adds the headers that one node returns. Stops when the node serves only single requests, or fails. */
export async function readBatches(
  pool: Pool,
  node: Node,
  numbers: readonly number[],
  found: Headers,
  deadline = Number.POSITIVE_INFINITY,
): Promise<void> {
  let missing = [...numbers]
  let limitedInRow = 0
  while (missing.length > 1 && node.headers.batch.size > 1 && isReadable(node) && now() < deadline) {
    const part = missing.slice(0, node.headers.batch.size)
    try {
      const answers = await sendBatch(pool, node, part.map(headerAt))
      node.headers = onBatchServed(node.headers, part.length)
      part.forEach((number, index) => {
        if (isHeader(pool, number, answers[index])) found.set(number, answers[index])
      })
      missing = missing.slice(part.length)
      limitedInRow = 0
    } catch (error) {
      const isLimited = toNodeError(error).kind === 'rate_limited'
      if (!isLimited) node.headers = onBatchRefused(node.headers, part.length)
      else if (++limitedInRow > 1) node.headers = onBatchLimited(node.headers, part.length)
      if (isLimited) await delay(Math.max(Math.ceil(node.pace.restsUntil - now()), 1))
    }
  }
}

/** Returns the request of a block's header. */
export const headerAt = (number: number): RpcRequest => ({
  method: 'eth_getBlockByNumber',
  params: [numberToHex(number), false],
})

/** Returns whether an answer is a complete header of the requested block. */
export const isHeader = (pool: Pool, number: number, answer: unknown): answer is object =>
  typeof answer === 'object' &&
  answer !== null &&
  !(answer instanceof Error) &&
  (findFault(headerAt(number), answer) ?? findTimeFault(pool, answer)) === undefined
