import { maxGap } from '../../ponderInternals.ts'
import { parseBlock } from '../rpc/parseBlock.ts'
import { type Node, now, type Pool } from './node.ts'
import { type Headers, headerAt, isHeader, readBatches } from './readBatches.ts'
import { sendPaced } from './sendPaced.ts'

/** Milliseconds for which the blocks of a gap are kept; Ponder requests them at once. */
const keptFor = 10_000

/**
 * Requests the blocks between the last returned head and a newer one as a batch. If they link the two, they prove
 * that the node is on this chain, and Ponder's later requests for them are answered from memory.
 */
export async function fillGap(pool: Pool, node: Node, newest: unknown, deadline: number): Promise<void> {
  const block = parseBlock(newest)
  const first = pool.head.number + 1
  if (!block || !pool.head.isKnown || block.number <= first || block.number - first > maxGap) return
  const numbers = Array.from({ length: block.number - first }, (_, index) => first + index)
  const found = await readAll(pool, node, numbers, deadline)
  const chain = [...numbers.map((number) => found.get(number)), newest]
  if (!pool.head.isConnected(chain[0]) || !isLinked(chain)) return
  for (const [number, { at }] of pool.fillers) if (at < now() - keptFor) pool.fillers.delete(number)
  for (const number of numbers) {
    pool.head.remember(found.get(number))
    pool.fillers.set(number, { header: found.get(number), at: now() })
  }
}

async function readAll(pool: Pool, node: Node, numbers: readonly number[], deadline: number): Promise<Headers> {
  const found: Headers = new Map()
  await readBatches(pool, node, numbers, found, deadline)
  const alone = numbers.filter((number) => !found.has(number))
  const answers = await Promise.all(
    alone.map((number) => sendPaced(pool, node, headerAt(number)).catch(() => undefined)),
  )
  alone.forEach((number, index) => {
    const answer = answers[index]
    if (isHeader(pool, number, answer)) found.set(number, answer)
  })
  return found
}

/** Returns whether each block is the child of the one before. */
function isLinked(chain: readonly unknown[]): boolean {
  const blocks = chain.map(parseBlock)
  return blocks.every((block, index) => index === 0 || (block && block.parentHash === blocks[index - 1]?.hash))
}

/**
 * Takes a block of the last gap. Returns `undefined` if the block was not in the gap, or the chain was reorganised
 * since.
 */
export function takeFiller(pool: Pool, number: number | undefined): unknown {
  const filler = number === undefined ? undefined : pool.fillers.get(number)
  if (number === undefined || !filler || filler.at < now() - keptFor) return undefined
  pool.fillers.delete(number)
  return pool.head.isConnected(filler.header) ? filler.header : undefined
}
