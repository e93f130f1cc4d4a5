import { setTimeout as delay } from 'node:timers/promises'
import { numberToHex } from 'viem/utils'
import { onBatchLimited, onBatchRefused, onBatchServed } from './access.ts'
import { findFault, findTimeFault } from './findFault.ts'
import { mapConcurrently } from './mapConcurrently.ts'
import { isReadable, type Node, now, type Pool } from './node.ts'
import { NodeError, toNodeError } from './nodeError.ts'
import { messages } from './nodeState.ts'
import { hashHeader } from './proofs.ts'
import { parseBlock, type RpcRequest } from './rpc.ts'
import { sendBatch, sendPaced } from './send.ts'

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
      part.forEach((number, index) => {
        if (isHeader(pool, node, number, answers[index])) found.set(number, answers[index])
      })
      const failed = part.filter((_, index) => answers[index] instanceof NodeError)
      const isRefused = answers.some((answer) => answer instanceof NodeError && answer.kind === 'refused')
      // Some nodes refuse a batch that is too large by errors for some of its requests. One alone is refused for itself.
      const isTooLarge = isRefused && failed.length > 1
      node.headers = (isTooLarge ? onBatchRefused : onBatchServed)(node.headers, part.length)
      missing = [...(isTooLarge ? failed : []), ...missing.slice(part.length)]
      limitedInRow = 0
    } catch (error) {
      const isLimited = toNodeError(error).kind === 'rate_limited'
      if (!isLimited) node.headers = onBatchRefused(node.headers, part.length)
      else if (++limitedInRow > 1) node.headers = onBatchLimited(node.headers, part.length)
      if (isLimited) await delay(Math.max(Math.ceil(node.pace.restsUntil - now()), 1))
    }
  }
}

export const headerAt = (number: number): RpcRequest => ({
  method: 'eth_getBlockByNumber',
  params: [numberToHex(number), false],
})

/** Returns the fault of a block whose fields do not have its hash, or `undefined`. Says of a node that this cannot be checked. */
export function findHashFault({ hashes, log }: Pool, node: Node, block: unknown): string | undefined {
  if (typeof block !== 'object' || block === null) return undefined
  const found = hashes.check(block)
  if (found === 'false') return 'it returned a block whose fields do not have its hash'
  const before = node.blockHashes
  node.blockHashes = found === 'unknown' && (hashes.areKnown || hashHeader(block)) ? 'unknown' : 'known'
  if (node.blockHashes !== before && before === 'known') log(`${node.name} ${messages.node_unverified()}`, 'warn')
  return undefined
}

/** Returns whether an answer is a complete header of the requested block. */
export const isHeader = (pool: Pool, node: Node, number: number, answer: unknown): answer is object =>
  typeof answer === 'object' &&
  answer !== null &&
  !(answer instanceof Error) &&
  (findFault(headerAt(number), answer) ?? findTimeFault(answer) ?? findHashFault(pool, node, answer)) === undefined

/** Number of concurrent single requests. */
const concurrency = 4
/** Largest gap in blocks that is read at once. */
const maxGap = 50
/** Milliseconds for which the headers of a gap are kept: they are requested at once. */
const keptFor = 10_000

/**
 * Requests the blocks between the last returned head and a newer one as a batch. If they link the two, they prove
 * that the node is on this chain, and the next requests for them are answered from memory.
 */
export async function readGap(pool: Pool, node: Node, newest: unknown, deadline: number): Promise<void> {
  const block = parseBlock(newest)
  const first = pool.head.number + 1
  if (!block || !pool.head.isKnown || block.number <= first || block.number - first > maxGap) return
  const numbers = Array.from({ length: block.number - first }, (_, index) => first + index)
  const found = await readAll(pool, node, numbers, deadline)
  const chain = [...numbers.map((number) => found.get(number)), newest]
  if (!pool.head.isConnected(chain[0]) || !isLinked(chain)) return
  for (const [number, { at }] of pool.gapHeaders) if (at < now() - keptFor) pool.gapHeaders.delete(number)
  for (const number of numbers) {
    pool.head.remember(found.get(number))
    pool.gapHeaders.set(number, { header: found.get(number), at: now() })
  }
}

async function readAll(pool: Pool, node: Node, numbers: readonly number[], deadline: number): Promise<Headers> {
  const found: Headers = new Map()
  await readBatches(pool, node, numbers, found, deadline)
  const alone = numbers.filter((number) => !found.has(number))
  // The gap is not linked if one is missing, so no others are requested then.
  await mapConcurrently(alone, concurrency, async (number) => {
    const answer = await sendPaced(pool, node, headerAt(number))
    if (!isHeader(pool, node, number, answer)) throw new NodeError('missing', `${node.name} lacks block ${number}`)
    found.set(number, answer)
  }).catch(() => undefined)
  return found
}

/** Returns whether each block is the child of the one before. */
function isLinked(chain: readonly unknown[]): boolean {
  const blocks = chain.map(parseBlock)
  return blocks.every((block, index) => index === 0 || (block && block.parentHash === blocks[index - 1]?.hash))
}

/** Takes a header of the last gap; `undefined` if the block was not in it, or the chain was reorganised since. */
export function takeGapHeader(pool: Pool, number: number | undefined): unknown {
  const found = number === undefined ? undefined : pool.gapHeaders.get(number)
  if (number === undefined || !found || found.at < now() - keptFor) return undefined
  pool.gapHeaders.delete(number)
  return pool.head.isConnected(found.header) ? found.header : undefined
}
