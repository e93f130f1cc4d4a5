import { type BlockRange, countBlocks } from '../../nodes/rpc/rpcRequest.ts'
import type { Retry } from '../createRetry.ts'
import type { HistoryLog, HistoryPart, HistorySource, LogFilter } from '../HistorySource.ts'
import { isWanted } from '../isWanted.ts'
import { HistoryFileError } from './HistoryFileError.ts'
import type { FilePart, HistoryFiles } from './openHistoryFiles.ts'
import type { FileLog } from './openLogFile.ts'

export type CompareWithNodesParameters = {
  files: HistoryFiles
  /** Blocks to compare. Each sample is a part of this range. */
  range: BlockRange
  filter: LogFilter
  nodes: HistorySource
  ask: Retry
  /** Returns a random number from 0 up to 1. */
  random?: () => number
}

export type Compared = { logs: number; blocks: number }

const samples = 200
/**
 * Number of samples for each contract and event on its own. An event that is rare beside the others is in few of the
 * common samples.
 */
const samplesOfEach = 20
/** Average number of logs in a sample. */
const logsAtOnce = 25
const maxWidth = 50_000

/**
 * Compares files with the nodes by samples. From each of 200 equal parts of the range it compares all logs and
 * headers of a few blocks at a random place, then does the same in 20 parts for each contract and event on its own.
 *
 * @throws {HistoryFileError} with the place where they differ
 */
export async function compareWithNodes(parameters: CompareWithNodesParameters): Promise<Compared> {
  const { files, range, filter, nodes, ask, random = Math.random } = parameters
  const compared = { logs: 0, blocks: 0 }

  /** Compares the logs of a filter in a range, which the nodes may serve in several parts. */
  async function compareRange({ fromBlock, toBlock }: BlockRange, wanted: LogFilter): Promise<void> {
    for (let from = fromBlock; from <= toBlock; ) {
      const found = await ask(() => nodes.read({ fromBlock: from, toBlock }, wanted))
      const all = await files.read(found.range)
      const given = { ...all, logs: all.logs.filter(({ log }) => isWanted(log, wanted)) }
      comparePart({ ...found, logs: found.logs.filter((log) => isWanted(log, wanted)) }, given)
      compared.logs += given.logs.length
      compared.blocks += countBlocks(given.range)
      from = given.range.toBlock + 1
    }
  }

  const each = filter.length > 1 ? filter.map((one, at) => ({ wanted: [one], count: files.counts[at] ?? 0 })) : []
  for (const { wanted, count } of [{ wanted: filter, count: files.count }, ...each]) {
    const width = Math.min(Math.ceil((countBlocks(files.covered) * logsAtOnce) / Math.max(count, 1)), maxWidth)
    const parts = wanted === filter ? samples : samplesOfEach
    for (const part of pickRanges(range, { width, parts, random })) await compareRange(part, wanted)
  }
  return compared
}

type PickParameters = { width: number; parts: number; random: () => number }

function pickRanges({ fromBlock, toBlock }: BlockRange, { width, parts, random }: PickParameters): BlockRange[] {
  const size = Math.ceil((toBlock - fromBlock + 1) / parts)
  const count = Math.ceil((toBlock - fromBlock + 1) / size)
  return Array.from({ length: count }, (_, index) => {
    const first = fromBlock + index * size
    const last = Math.min(first + size - 1, toBlock)
    const start = first + Math.floor(random() * Math.max(last - first + 2 - width, 1))
    return { fromBlock: start, toBlock: Math.min(start + width - 1, last) }
  })
}

/** Compares the logs of a range of the nodes with those of the files, both ways. */
function comparePart(expected: HistoryPart, given: FilePart): void {
  // If the part ends earlier, blocks beyond its end cannot be compared.
  const logs = expected.logs.filter(({ blockNumber }) => Number(blockNumber) <= given.range.toBlock)
  const ofNodes = new Map(logs.map((log) => [keyOf(log), log]))
  const headers = new Map(expected.blocks.map((block) => [Number(block.number), block]))
  for (const one of given.logs) {
    const log = ofNodes.get(keyOf(one.log))
    if (!log) throw new HistoryFileError(`${one.place}: the nodes have no such log in block ${one.number}.`)
    const field = findDifference(one, log, headers.get(one.number))
    if (field) throw new HistoryFileError(`${one.place}: the nodes have another ${field} of block ${one.number}.`)
  }
  if (given.logs.length === logs.length) return
  const known = new Set(given.logs.map(({ log }) => keyOf(log)))
  const missing = logs.find((log) => !known.has(keyOf(log))) as HistoryLog
  const { range } = given
  throw new HistoryFileError(
    `${describePlace(missing, given)}, log ${Number(missing.logIndex)} of block ${Number(missing.blockNumber)} is missing: from block ${range.fromBlock} to ${range.toBlock} the nodes have ${logs.length} logs, not ${given.logs.length}.`,
  )
}

/** Describes after or before which row of the files a log belongs. */
function describePlace({ blockNumber, logIndex }: HistoryLog, { before, logs, after }: FilePart): string {
  const [number, index] = [Number(blockNumber), Number(logIndex)]
  const isEarlier = (one: FileLog) => one.number < number || (one.number === number && one.index < index)
  const previous = logs.findLast(isEarlier) ?? before
  return previous ? `After ${previous.place}` : `Before ${(logs[0] ?? after)?.place}`
}

const keyOf = ({ blockNumber, logIndex }: HistoryLog) => `${Number(blockNumber)} ${Number(logIndex)}`

const fields = ['address', 'topics', 'data', 'blockHash', 'transactionHash', 'transactionIndex'] as const

/** Returns the name of a field that differs between a log of a file and that of the nodes. */
function findDifference(
  { log, block }: FileLog,
  expected: HistoryLog,
  header: HistoryPart['blocks'][number] | undefined,
) {
  const textOf = (value: unknown) => JSON.stringify(value).toLowerCase()
  const field = fields.find((name) => textOf(log[name]) !== textOf(expected[name]))
  if (field) return field
  return Number(block.timestamp) === Number(header?.timestamp) ? undefined : 'time'
}
