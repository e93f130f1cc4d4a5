import { stat } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { HistoryFileError } from './HistoryFileError.ts'
import { openCsv } from './openCsv.ts'
import { openParquet } from './openParquet.ts'
import { findColumns, type ParsedLog, parseLog } from './parseLog.ts'
import type { Position, TableFile } from './TableFile.ts'

/** A log of a file with its place, such as `binds.csv:12`. */
export type FileLog = ParsedLog & { number: number; index: number; place: string }

/** A file of logs in chain order. */
export type LogFile = {
  /** Block of the first log. */
  first: number
  /** Reads the logs starting at a block. Some logs of earlier blocks may come first. */
  logs(fromBlock: number): AsyncGenerator<FileLog>
  /** Throws if the file was changed after it was opened. */
  unchanged(): Promise<void>
}

export const formats = ['.csv', '.parquet']

/** Number of rows between two positions where reading can start. */
const markEvery = 250

/**
 * Opens a file of logs. The extension of its name tells its format.
 *
 * @returns `undefined` for a file without rows
 * @throws {HistoryFileError} here and while it is read
 */
export async function openLogFile(path: string): Promise<LogFile | undefined> {
  const unchanged = await createChangeCheck(path)
  const table = await (extname(path).toLowerCase() === '.parquet' ? openParquet(path) : openCsv(path))
  const columns = findColumns(table.name, table.columns)
  const marks: { block: number; position: Position }[] = []

  /** Block of the last log, once it has been read. */
  let last: number | undefined

  async function* logs(fromBlock: number): AsyncGenerator<FileLog> {
    if (last !== undefined && last < fromBlock) return
    await unchanged()
    let before: FileLog | undefined
    let rows = 0
    for await (const { values, position } of table.rows(marks.findLast(({ block }) => block < fromBlock)?.position)) {
      const log = toFileLog(table, position, parseLog(values, columns))
      checkOrder(log, before)
      if (rows++ % markEvery === 0 && position.offset > (marks.at(-1)?.position.offset ?? -1))
        marks.push({ block: log.number, position })
      before = log
      yield log
    }
    last = before?.number ?? last
  }

  for await (const { number } of logs(0)) return { first: number, logs, unchanged }
  return undefined
}

/**
 * Creates a check that throws if the file has changed since this call: its positions and the comparison with the
 * nodes are then invalid.
 */
async function createChangeCheck(path: string): Promise<() => Promise<void>> {
  const read = async () => {
    const { size, mtimeMs, ino } = await stat(path).catch((error: NodeJS.ErrnoException) => {
      throw new HistoryFileError(`${basename(path)} cannot be read (${error.code}).`)
    })
    return [size, mtimeMs, ino].join()
  }
  const first = await read()
  return async () => {
    if ((await read()) !== first)
      throw new HistoryFileError(`${basename(path)} was changed while it was read. Start again once it is complete.`)
  }
}

function toFileLog({ name }: TableFile, { line }: Position, parsed: ReturnType<typeof parseLog>): FileLog {
  const place = `${name}:${line}`
  if ('invalid' in parsed) throw new HistoryFileError(`${place} has no valid ${parsed.invalid}.`)
  return { ...parsed, number: Number(parsed.log.blockNumber), index: Number(parsed.log.logIndex), place }
}

function checkOrder({ number, index, place }: FileLog, before: FileLog | undefined): void {
  if (before && (before.number > number || (before.number === number && before.index > index)))
    throw new HistoryFileError(
      `${place} is log ${index} of block ${number}, after log ${before.index} of block ${before.number}: sort the file by block_number, then by index.`,
    )
}
