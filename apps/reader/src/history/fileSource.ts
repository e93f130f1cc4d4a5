import { readdir, stat } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import type { Retry } from '../backfill.ts'
import { type BlockRange, countBlocks } from '../nodes/rpc.ts'
import {
  type HistoryBlock,
  type HistoryLog,
  type HistoryPart,
  type HistorySource,
  isWanted,
  type LogFilter,
} from './HistorySource.ts'
import { type FileLog, formats, type LogFile, openLogFile } from './logFile.ts'
import { HistoryFileError } from './tableFile.ts'

export type CreateFileSourceParameters = {
  /** Path of a file or a folder. */
  path: string
  filter: LogFilter
  /** Names of files in the folder that are no logs. */
  others?: readonly string[]
  /** Source of the blocks outside of the files. */
  nodes: HistorySource
  /** Ranges of blocks to read, in order. */
  missing: readonly BlockRange[]
  ask: Retry
  log: (message: string) => void
}

/**
 * Creates a source that reads history from files of logs, after comparing them with the nodes, and from the nodes
 * before the files' first block and after their last one.
 *
 * @throws {HistoryFileError} if the files cannot be used
 */
export async function createFileSource(parameters: CreateFileSourceParameters): Promise<HistorySource> {
  const { path, filter, others, nodes, missing, ask, log } = parameters
  const files = await openHistoryFiles(path, filter, others)
  const { read, ignored } = files.names
  if (read.length + ignored.length > 1) log(`LINEAGE_HISTORY reads ${list(read)}; it ignores ${list(ignored)}.`)
  const covered = {
    fromBlock: Math.max(files.covered.fromBlock, missing[0]?.fromBlock ?? 0),
    toBlock: Math.min(files.covered.toBlock, missing.at(-1)?.toBlock ?? 0),
  }
  if (covered.fromBlock > covered.toBlock) {
    log('LINEAGE_HISTORY has no block that was not read yet: unset it.')
    return nodes
  }
  const compared = await compareWithNodes({ files, range: covered, filter, nodes, ask })
  log(
    `LINEAGE_HISTORY has ${files.count} logs of blocks ${covered.fromBlock} to ${covered.toBlock}. Compared with the nodes: ${compared.logs} logs, in ${compared.blocks} blocks.`,
  )
  return {
    async read(range, wanted) {
      const { fromBlock, toBlock } = range
      if (fromBlock < covered.fromBlock)
        return nodes.read({ fromBlock, toBlock: Math.min(toBlock, covered.fromBlock - 1) }, wanted)
      if (fromBlock > covered.toBlock) return nodes.read(range, wanted)
      const part = await files.read({ fromBlock, toBlock: Math.min(toBlock, covered.toBlock) })
      const blocks = new Map(part.logs.map(({ number, block }): [number, HistoryBlock] => [number, block]))
      return { range: part.range, logs: part.logs.map((one) => one.log), blocks: [...blocks.values()] }
    },
  }
}

/** Largest number of file names in a log line. */
const mostNames = 20

function list(names: readonly string[]): string {
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : ''
  return `${names.slice(0, mostNames).join(', ') || 'nothing'}${more}`
}

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
/** Number of samples for each contract and event on its own: the common samples have few of a rare event. */
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
    // A short range is compared whole by the common samples.
    if (compared.blocks === countBlocks(range)) break
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

/** The wanted logs of a range, with the logs just before and after it if they were read. */
type FilePart = { range: BlockRange; logs: FileLog[]; before: FileLog | undefined; after: FileLog | undefined }

type HistoryFiles = {
  /** Names of the files that are read, and of those in the folder that are ignored. */
  names: { read: readonly string[]; ignored: readonly string[] }
  /** Range in which the files should have all logs: between the first and the last block, which may be cut off. */
  covered: BlockRange
  /** Number of wanted logs. */
  count: number
  /** Number of wanted logs for each entry of the filter. */
  counts: readonly number[]
  /** Reads blocks from the start of a range, like `HistorySource`. */
  read(range: BlockRange): Promise<FilePart>
}

/** Number of logs in a part. The logs of one block are never split. */
const partSize = 5_000

/**
 * Opens a file or a folder of log files and reads all of it once. Files with the names of `others` are no logs.
 *
 * @throws {HistoryFileError} if a file cannot be read, is not in chain order, or contradicts itself
 */
async function openHistoryFiles(
  path: string,
  filter: LogFilter,
  others: readonly string[] = [],
): Promise<HistoryFiles> {
  const { paths, ignored } = await listFiles(path, others)
  const opened = await Promise.all(paths.map(openLogFile))
  const files = opened.flatMap((file) => file ?? [])
  let count = 0
  const counts = filter.map(() => 0)
  let first: FileLog | undefined
  let last: FileLog | undefined
  let rows = 0
  for await (const log of mergeLogs(files, 0)) {
    rows++
    if (!isWanted(log.log, filter)) continue
    count++
    for (const [entry, wanted] of filter.entries())
      if (isWanted(log.log, [wanted])) counts[entry] = (counts[entry] ?? 0) + 1
    first ??= log
    last = log
  }
  if (!first || !last)
    throw new HistoryFileError(
      `${basename(path)} has ${rows} logs, but none of the contracts and events of the configuration.`,
    )
  return {
    names: { read: paths.map((one) => basename(one)), ignored },
    covered: { fromBlock: first.number + 1, toBlock: last.number - 1 },
    count,
    counts,
    async read({ fromBlock, toBlock }) {
      const part: FilePart = { range: { fromBlock, toBlock }, logs: [], before: undefined, after: undefined }
      for await (const log of mergeLogs(files, fromBlock)) {
        if (log.number < fromBlock) part.before = log
        else if (log.number > toBlock || isFull(part, log)) {
          part.after = log
          break
        } else if (isWanted(log.log, filter)) part.logs.push(log)
      }
      for (const file of files) await file.unchanged()
      const end = Math.min(toBlock, (part.after?.number ?? Number.POSITIVE_INFINITY) - 1)
      return { ...part, range: { fromBlock, toBlock: end } }
    },
  }
}

/** Returns whether a part is full before the next log. */
const isFull = ({ logs }: FilePart, next: FileLog) =>
  logs.length >= partSize && next.number > (logs.at(-1)?.number ?? next.number)

async function listFiles(path: string, others: readonly string[]): Promise<{ paths: string[]; ignored: string[] }> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new HistoryFileError(
      `${path} cannot be read (${error.code}). Once the history was read, unset LINEAGE_HISTORY.`,
    )
  })
  const isLogs = (name: string) => formats.includes(extname(name).toLowerCase()) && !others.includes(name)
  const names = found.isDirectory() ? (await readdir(path)).toSorted() : [basename(path)]
  const packed = names.find((name) => /\.(csv|parquet)\.(gz|zst|bz2|xz|zip)$/i.test(name))
  if (packed) throw new HistoryFileError(`${packed} is compressed: unpack it first.`)
  if (!found.isDirectory()) {
    if (isLogs(path)) return { paths: [path], ignored: [] }
    throw new HistoryFileError(`${basename(path)} is neither .csv nor .parquet.`)
  }
  const files = names.filter(isLogs)
  if (files.length === 0) throw new HistoryFileError(`${path} has no file that ends in .csv or .parquet.`)
  return { paths: files.map((name) => join(path, name)), ignored: names.filter((name) => !isLogs(name)) }
}

/**
 * Reads the logs of several files in chain order, each log once, starting at a block. Some logs of earlier blocks may
 * come first.
 *
 * @throws {HistoryFileError} where two rows contradict each other
 */
async function* mergeLogs(files: readonly LogFile[], fromBlock: number): AsyncGenerator<FileLog> {
  const waiting = files.toSorted((left, right) => left.first - right.first)
  const open: { next: FileLog; rest: AsyncGenerator<FileLog> }[] = []
  let last: FileLog | undefined
  try {
    for (;;) {
      while (waiting[0] && (open[0]?.next.number ?? Number.POSITIVE_INFINITY) >= waiting[0].first)
        await insert(open, (waiting.shift() as LogFile).logs(fromBlock))
      const earliest = open.shift()
      if (!earliest) return
      const { next, rest } = earliest
      if (!isRepeated(next, last)) yield next
      last = next
      await insert(open, rest)
    }
  } finally {
    for (const { rest } of open) await rest.return(undefined)
  }
}

/** Inserts a file in the order of its next log. Drops a file without further logs. */
async function insert(open: { next: FileLog; rest: AsyncGenerator<FileLog> }[], rest: AsyncGenerator<FileLog>) {
  const { value: next, done } = await rest.next()
  if (done || !next) return
  const at = open.findIndex((other) => isAfter(other.next, next))
  open.splice(at < 0 ? open.length : at, 0, { next, rest })
}

const isAfter = (left: FileLog, right: FileLog) =>
  left.number > right.number || (left.number === right.number && left.index > right.index)

/** Returns whether a log repeats the one before it, which happens where two files overlap. */
function isRepeated({ log, block, number, index, place }: FileLog, last: FileLog | undefined): boolean {
  if (last?.number !== number) return false
  if (last.block.hash !== block.hash || last.block.timestamp !== block.timestamp)
    throw new HistoryFileError(`${place} contradicts ${last.place}: block ${number} has another hash or time.`)
  if (last.index !== index) return false
  if (JSON.stringify(last.log) !== JSON.stringify(log))
    throw new HistoryFileError(`${place} contradicts ${last.place}: log ${index} of block ${number} is another one.`)
  return true
}
