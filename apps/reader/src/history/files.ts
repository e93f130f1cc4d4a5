import { readdir, stat } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import type { BlockRange } from '../nodes/rpc.ts'
import { isWanted, type LogFilter } from './HistorySource.ts'
import { type FileLog, formats, type LogFile, openLogFile } from './logFile.ts'
import { HistoryFileError } from './tableFile.ts'

/** The wanted logs of a range, with the logs just before and after it if they were read. */
export type FilePart = { range: BlockRange; logs: FileLog[]; before: FileLog | undefined; after: FileLog | undefined }

export type HistoryFiles = {
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
export async function openHistoryFiles(
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
