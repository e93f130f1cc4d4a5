import { numberToHex } from 'viem/utils'
import { createCapacity, onRefused, onServed } from '../nodes/access.ts'
import type { Nodes } from '../nodes/createNodes.ts'
import { mapConcurrently } from '../nodes/mapConcurrently.ts'
import { NodeError, TooWideError } from '../nodes/nodeError.ts'
import { type BlockRange, countBlocks } from '../nodes/rpc.ts'
import {
  type HistoryBlock,
  type HistoryLog,
  type HistoryPart,
  type HistorySource,
  isWanted,
  type LogFilter,
  textOfLogs,
} from './HistorySource.ts'

/** Number of blocks in the first range of logs. Later ranges are as wide as the nodes serve. */
const firstWidth = 2_000
const maxWidth = 50_000
/** Number of logs in one response from which ranges are narrowed: two parts are in memory, each of eight responses. */
const manyLogs = 1_000
/** Number of concurrent requests, unless a node is slower. */
const concurrency = 8
/** Number of headers requested together. A node may get them in smaller batches. */
const headersAtOnce = 100

type Retry = <result>(request: () => Promise<result>) => Promise<result>

type History = Pick<ReturnType<Nodes['openHistory']>, 'logs' | 'headers' | 'confirm'> &
  Partial<ReturnType<Nodes['openHistory']>>

/**
 * Creates the source that reads history from the nodes: logs in ranges as wide as the nodes serve, then the headers
 * of the blocks with logs. With a history that has `check`, `confirmLogs` compares the logs of each range with other nodes.
 *
 * @param retry Repeats each request that fails, so that the others of a part are not sent again. By default, the part fails.
 */
export function createNodeSource(
  nodes: Pick<Nodes, 'nodeOf'> & { openHistory: () => History },
  retry: Retry = (request) => request(),
): HistorySource {
  let width = createCapacity(firstWidth)

  /** Repeats a request, unless its range is too wide. */
  async function ask<result>(request: () => Promise<result>): Promise<result> {
    const isTooWide = (error: unknown) => error instanceof TooWideError
    const found = await retry(() =>
      request().catch((error) => (isTooWide(error) ? (error as TooWideError) : Promise.reject(error))),
    )
    if (found instanceof TooWideError) throw found
    return found
  }

  /** Requests the logs of a range, in halves if the nodes refuse it or leave some out. */
  async function readLogs(
    history: History,
    range: BlockRange,
    filter: LogFilter,
    state: 'first' | 'doubted' = 'first',
  ): Promise<Confirmed[]> {
    const size = countBlocks(range)
    let next = state
    try {
      const logs = (await ask(() => history.logs(toRequest(range, filter)))) as HistoryLog[]
      width = logs.length > manyLogs ? onRefused(width, size) : onServed(width, size, maxWidth)
      const { check } = history
      const answer = { range, filter, logs }
      const confirmed = check ? await ask(() => confirmLogs(check, answer, state)) : { logs, doubts: [] }
      if (confirmed) return [{ ...confirmed, from: nodes.nodeOf(logs) }]
      // Only long lists are cut: other nodes need no smaller ranges.
      if (logs.length >= mayBeCutFrom) width = onRefused(width, size)
      next = 'doubted'
    } catch (error) {
      if (!(error instanceof TooWideError) || size < 2) throw error
      width = onRefused(width, size, error.maxBlocks)
    }
    const found: Confirmed[] = []
    for (const part of split(range, Math.min(width.size, Math.ceil(size / 2))))
      found.push(...(await readLogs(history, part, filter, next)))
    return found
  }

  return {
    async read({ fromBlock, toBlock }, filter): Promise<HistoryPart> {
      const history = nodes.openHistory()
      const range = { fromBlock, toBlock: Math.min(toBlock, fromBlock + width.size * concurrency - 1) }
      const parts = split(range, width.size).flatMap((part) => groupFilter(filter).map((wanted) => ({ part, wanted })))
      const read = await mapConcurrently(parts, concurrency, ({ part, wanted }) => readLogs(history, part, wanted))
      const found = read.flat()
      const logs = uniqueLogs(found.flatMap((one) => one.logs))
      const blocks = await readBlocks(
        (some) => retry(() => history.headers(some)),
        [...new Set(logs.map(({ blockNumber }) => Number(blockNumber)))],
      )
      checkHashes(logs, blocks)
      await history.confirm()
      const [from, ...others] = new Set(found.map((one) => one.from))
      const doubts = found.flatMap((one) => one.doubts)
      return { range, logs, blocks: [...blocks.values()], from: others.length > 0 ? undefined : from, doubts }
    },
  }
}

type Confirmed = ConfirmedLogs & { from: string | undefined }

async function readBlocks(request: History['headers'], numbers: readonly number[]): Promise<Map<number, HistoryBlock>> {
  const parts = split({ fromBlock: 0, toBlock: numbers.length - 1 }, headersAtOnce)
  const found = await mapConcurrently(parts, concurrency, async ({ fromBlock, toBlock }) =>
    pickFields(await request(numbers.slice(fromBlock, toBlock + 1))),
  )
  return new Map(found.flat())
}

/** Keeps only the fields that the tables need, because whole headers would take most of the memory. */
function pickFields(headers: ReadonlyMap<number, object>): [number, HistoryBlock][] {
  return [...headers].map(([key, header]) => {
    const { number, hash, timestamp } = header as HistoryBlock
    return [key, { number, hash, timestamp }]
  })
}

/** Checks that logs and blocks belong to the same chain: nodes that are out of sync return different ones. */
function checkHashes(logs: readonly HistoryLog[], blocks: ReadonlyMap<number, HistoryBlock>): void {
  for (const { blockNumber, blockHash } of logs)
    if (blocks.get(Number(blockNumber))?.hash !== blockHash)
      throw new NodeError('missing', `The nodes returned logs of another block ${Number(blockNumber)} than they have`)
}

/** Groups the events that one request asks for: those with further topics each need their own. */
function groupFilter(filter: LogFilter): LogFilter[] {
  const [wide, narrow] = [filter.filter(({ topics }) => !topics), filter.filter(({ topics }) => topics)]
  return [...(wide.length > 0 ? [wide] : []), ...narrow.map((one) => [one])]
}

/** Returns the logs without those that several requests have matched. */
function uniqueLogs(logs: HistoryLog[]): HistoryLog[] {
  return [...new Map(logs.map((log) => [`${log.blockNumber} ${log.logIndex}`, log])).values()]
}

/** Splits a range into ranges of at most `size` blocks. */
function split({ fromBlock, toBlock }: BlockRange, size: number): BlockRange[] {
  const parts = Math.max(Math.ceil((toBlock - fromBlock + 1) / size), 0)
  return Array.from({ length: parts }, (_, index) => ({
    fromBlock: fromBlock + index * size,
    toBlock: Math.min(fromBlock + (index + 1) * size - 1, toBlock),
  }))
}

type Check = ReturnType<Nodes['openHistory']>['check']
/** A list of logs as a node returned it, and what was requested. */
type Answer = { range: BlockRange; filter: LogFilter; logs: HistoryLog[] }

type ConfirmedLogs = { logs: HistoryLog[]; doubts: NonNullable<HistoryPart['doubts']> }

/** Number of logs from which a node may have cut a list: none is known to cut shorter ones. */
const mayBeCutFrom = 100

/**
 * Confirms that a list has all logs of its range, since some nodes cut long ones without an error: another node, or the only
 * one, returns the same in two parts. Returns `undefined` if not: then smaller ranges must be read, down to single blocks,
 * which are settled.
 *
 * @param state `doubted`: the list of a wider range was not complete.
 */
async function confirmLogs(
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

/** Returns one request for all contracts and first topics, which also matches combinations that the filter does not have. */
function toRequest({ fromBlock, toBlock }: BlockRange, filter: LogFilter) {
  const address = [...new Set(filter.map((wanted) => wanted.address))]
  const topics = [[...new Set(filter.map(({ topic }) => topic))], ...(filter[0]?.topics ?? [])]
  const range = { fromBlock: numberToHex(fromBlock), toBlock: numberToHex(toBlock) }
  return { method: 'eth_getLogs', params: [{ address, topics, ...range }] }
}
