import { numberToHex } from 'viem/utils'
import type { Nodes } from '../nodes/createNodes.ts'
import { type BlockRange, countBlocks } from '../nodes/rpc.ts'
import { type HistoryLog, type HistoryPart, isWanted, type LogFilter, textOfLogs } from './HistorySource.ts'

type Check = ReturnType<Nodes['openHistory']>['check']
/** A list of logs as a node returned it, and what was requested. */
type Answer = { range: BlockRange; filter: LogFilter; logs: HistoryLog[] }

export type ConfirmedLogs = { logs: HistoryLog[]; doubts: NonNullable<HistoryPart['doubts']> }

/** Number of logs from which a node may have cut a list: none is known to cut shorter ones. */
export const mayBeCutFrom = 100

/**
 * Confirms that a list has all logs of its range, since some nodes cut long ones without an error: another node, or the only
 * one, returns the same in two parts. Returns `undefined` if not: then smaller ranges must be read, down to single blocks,
 * which are settled.
 *
 * @param state `doubted`: the list of a wider range was not complete.
 */
export async function confirmLogs(
  check: Check,
  answer: Answer,
  state: 'first' | 'doubted',
): Promise<ConfirmedLogs | undefined> {
  const { range, logs } = answer
  const blocks = listBlocks(logs)
  const isSingle = countBlocks(range) === 1
  if (isSingle && state === 'doubted') return settle(check, answer, range.fromBlock)
  // The nodes confirm empty lists themselves.
  if (blocks.length === 0) return { logs, doubts: [] }
  const again = await readAgain(check, answer, blocks)
  const isSame = textOfLogs(again) === textOfLogs(logs)
  const [first] = blocks as [number]
  if (isSingle && !isSame) return settle(check, answer, first)
  if (!isSame) return undefined
  const mayBeCut = blocks.length === 1 && (state === 'doubted' || logs.length >= mayBeCutFrom)
  return mayBeCut ? settle(check, answer, first) : { logs, doubts: [] }
}

/** Requests the logs of a range in two parts, or those before, in and after the only block with logs. */
async function readAgain(
  check: Check,
  { range, filter, logs }: Answer,
  blocks: readonly number[],
): Promise<HistoryLog[]> {
  const { fromBlock, toBlock } = range
  const middle = blocks[blocks.length >> 1] as number
  const rest =
    blocks.length > 1
      ? [{ fromBlock: middle, toBlock }]
      : [
          { fromBlock: middle, toBlock: middle },
          { fromBlock: middle + 1, toBlock },
        ]
  const parts = [{ fromBlock, toBlock: middle - 1 }, ...rest].filter((part) => countBlocks(part) > 0)
  return (await Promise.all(parts.map((part) => check.again(toRequest(part, filter), logs)))).flat()
}

/** Returns the logs that a block has, and says which node has returned others. */
async function settle(check: Check, { filter, logs }: Answer, block: number): Promise<ConfirmedLogs> {
  const { candidates, doubt } = await check.settle(block, filter)
  const toWanted = (list: readonly HistoryLog[]) =>
    list.filter((log) => isWanted({ ...log, address: log.address.toLowerCase() as HistoryLog['address'] }, filter))
  const lists = candidates.map(toWanted) as [HistoryLog[], ...HistoryLog[][]]
  const isDisputed = lists.length === 1 || new Set(lists.map(textOfLogs)).size > 1
  if (!doubt && textOfLogs(lists[0]) !== textOfLogs(toWanted(logs))) check.noteWrong(logs, block)
  return { logs: lists[0], doubts: doubt && isDisputed ? [{ block, doubt }] : [] }
}

const listBlocks = (logs: readonly HistoryLog[]): number[] =>
  [...new Set(logs.map(({ blockNumber }) => Number(blockNumber)))].toSorted((left, right) => left - right)

/**
 * Returns one request for all contracts and all first topics. It also matches combinations that the filter does not
 * have.
 */
export function toRequest({ fromBlock, toBlock }: BlockRange, filter: LogFilter) {
  const address = [...new Set(filter.map((wanted) => wanted.address))]
  const topics = [[...new Set(filter.map(({ topic }) => topic))], ...(filter[0]?.topics ?? [])]
  const range = { fromBlock: numberToHex(fromBlock), toBlock: numberToHex(toBlock) }
  return { method: 'eth_getLogs', params: [{ address, topics, ...range }] }
}
