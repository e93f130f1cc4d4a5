import type { Community } from '@lineage/communities'
import type { Hex } from 'viem'
import type { DirectCall } from '../decode.ts'
import type { Nodes, WholeBlock } from '../nodes/createNodes.ts'
import { mapConcurrently } from '../nodes/mapConcurrently.ts'

/** Number of blocks that are requested at the same time. */
const concurrency = 8
/** Number of blocks that BNB Smart Chain adds in a day. */
const blocksADay = 192_000

/** Returns the first block whose calls name members of a community; `undefined` if none do. */
export function firstCallBlock({ asked }: Community): number | undefined {
  const blocks = (asked?.calls ?? []).map(({ fromBlock }) => fromBlock)
  return blocks.length > 0 ? Math.min(...blocks) : undefined
}

/** Reads the calls of the contracts that communities take candidates from, and the blocks that have some. */
export async function readCalls(
  nodes: Pick<Nodes, 'wholeBlock'>,
  communities: readonly Community[],
  blocks: readonly { number: number; hash?: Hex }[],
): Promise<{ calls: DirectCall[]; blocks: WholeBlock[] }> {
  const sources = communities.flatMap(({ asked }) => asked?.calls ?? [])
  const called = new Set(sources.map(({ address }) => address.toLowerCase()))
  const first = Math.min(...sources.map(({ fromBlock }) => fromBlock))
  const wanted = blocks.filter(({ number }) => number >= first)
  const found = await mapConcurrently(wanted, concurrency, async ({ number, hash }) => {
    const block = await nodes.wholeBlock(number, hash)
    return { block, calls: listCalls(block).filter(({ to }) => called.has(to)) }
  })
  const holding = found.filter(({ calls }) => calls.length > 0)
  return { calls: holding.flatMap(({ calls }) => calls), blocks: holding.map(({ block }) => block) }
}

const listCalls = ({ number, transactions }: WholeBlock): DirectCall[] =>
  transactions.flatMap(({ hash, transactionIndex, from, to, input }) =>
    to
      ? [
          {
            ...{ block: Number(number), tx: hash, txIndex: Number(transactionIndex), input },
            ...{ from: from.toLowerCase() as Hex, to: to.toLowerCase() as Hex },
          },
        ]
      : [],
  )

/** Says what it costs to read candidates from calls, by the size of the newest block. */
export async function describeCost(
  nodes: Pick<Nodes, 'wholeBlock'>,
  { id, first, newest }: { id: string; first: number; newest: number },
): Promise<string> {
  const bytes = JSON.stringify(await nodes.wholeBlock(newest)).length
  const missing = Math.max(newest - first + 1, 0)
  return `Community "${id}": calls name its candidates, so each block is requested with its transactions: ${missing.toLocaleString('en')} blocks now, about ${formatBytes(missing * bytes)} by the size of the newest one, and ${formatBytes(blocksADay * bytes)} a day from now on (${blocksADay.toLocaleString('en')} blocks). "fromBlock" leaves out earlier blocks.`
}

const formatBytes = (bytes: number): string =>
  bytes < 1e9 ? `${Math.ceil(bytes / 1e6)} MB` : `${Math.ceil(bytes / 1e9)} GB`
