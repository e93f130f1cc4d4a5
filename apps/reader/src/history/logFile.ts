import { stat } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import type { Hex } from 'viem'
import { numberToHex } from 'viem/utils'
import type { HistoryBlock, HistoryLog } from './HistorySource.ts'
import { HistoryFileError, openCsv, openParquet, type Position, type TableFile } from './tableFile.ts'

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
  const table = await (extname(path).toLowerCase() === '.parquet' ? openParquet(path, isLogColumn) : openCsv(path))
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

/** Creates a check that throws if the file has changed since this call, so that its positions are invalid. */
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

/** Column names of each field in exports of Dune, ethereum-etl, BigQuery, Allium, Goldsky and cryo. */
const names = {
  blockNumber: ['block_number', 'blocknumber'],
  blockHash: ['block_hash', 'blockhash'],
  time: ['block_time', 'block_timestamp', 'timestamp'],
  address: ['contract_address', 'address'],
  transactionHash: ['tx_hash', 'transaction_hash', 'transactionhash'],
  transactionIndex: ['tx_index', 'transaction_index', 'transactionindex'],
  logIndex: ['index', 'log_index', 'logindex'],
  data: ['data'],
} as const
const topicNames = ['topic0', 'topic1', 'topic2', 'topic3']

const isLogColumn = (name: string): boolean =>
  [...Object.values(names).flat(), 'topics', ...topicNames].includes(name.trim().toLowerCase())

type Field = keyof typeof names
/** Index of each field's column. Topics have one column or four. */
type Columns = Record<Field, number> & { topics: number[] }

/** A log of a file, with the fields of its block that the file has. */
type ParsedLog = { log: HistoryLog; block: HistoryBlock }

/**
 * Finds the columns of a file of logs by their names.
 *
 * @throws {HistoryFileError} with the names of the missing columns
 */
function findColumns(file: string, head: readonly string[]): Columns {
  const given = head.map((name) => name.trim().toLowerCase())
  const find = (known: readonly string[]) => given.findIndex((name) => known.includes(name))
  const columns = Object.fromEntries(Object.entries(names).map(([field, known]) => [field, find(known)])) as Record<
    Field,
    number
  >
  const list = find(['topics'])
  const topics = list >= 0 ? [list] : topicNames.map((name) => find([name]))
  const missing = (Object.keys(names) as Field[]).flatMap((field) => (columns[field] < 0 ? [names[field][0]] : []))
  if (topics[0] === -1) missing.push('topic0' as never)
  if (missing.length > 0)
    throw new HistoryFileError(`${file} has no column ${missing.join(', ')}. See "A file of logs" in docs/history.md.`)
  return { ...columns, topics: topics.filter((at) => at >= 0) }
}

/** Returns the log of a row, or the name of a field with an invalid value. */
function parseLog(values: readonly string[], columns: Columns): ParsedLog | { invalid: string } {
  const textOf = (field: Field) => (values[columns[field]] ?? '').trim()
  const number = parseQuantity(textOf('blockNumber'))
  const time = parseTime(textOf('time'))
  const transactionIndex = parseIndex(textOf('transactionIndex'))
  const logIndex = parseIndex(textOf('logIndex'))
  const blockHash = parseBytes(textOf('blockHash'), 32)
  const transactionHash = parseBytes(textOf('transactionHash'), 32)
  const address = parseBytes(textOf('address'), 20)
  const data = parseBytes(textOf('data') || '0x')
  const topics = parseTopics(columns.topics.map((at) => values[at] ?? ''))
  if (number === undefined) return { invalid: 'block_number' }
  if (blockHash === undefined) return { invalid: 'block_hash' }
  if (time === undefined) return { invalid: 'block_time' }
  if (address === undefined) return { invalid: 'contract_address' }
  if (topics === undefined) return { invalid: 'topic0 to topic3' }
  if (data === undefined) return { invalid: 'data' }
  if (transactionHash === undefined) return { invalid: 'tx_hash' }
  if (transactionIndex === undefined) return { invalid: 'tx_index' }
  if (logIndex === undefined) return { invalid: 'index' }
  return {
    log: {
      ...{ address, topics, data, blockHash, transactionHash, blockNumber: numberToHex(number) },
      ...{ transactionIndex: numberToHex(transactionIndex), logIndex: numberToHex(logIndex) },
    },
    block: { number: numberToHex(number), hash: blockHash, timestamp: numberToHex(time) },
  }
}

/** Parses a decimal number, or a hexadecimal one as in exports of explorers. */
function parseQuantity(text: string): number | undefined {
  return /^(?:\d{1,10}|0x[0-9a-f]{1,8})$/i.test(text) ? Number(text) : undefined
}

/** Parses a position, which must fit a 32-bit column. Explorers write zero as `0x`. */
function parseIndex(text: string): number | undefined {
  const index = text === '0x' ? 0 : parseQuantity(text)
  return index !== undefined && index < 2 ** 31 ? index : undefined
}

function parseBytes(text: string, length?: number): Hex | undefined {
  const isBytes = /^0x(?:[0-9a-f]{2})*$/i.test(text) && (length === undefined || text.length === 2 + 2 * length)
  return isBytes ? (text.toLowerCase() as Hex) : undefined
}

/** Parses seconds, or a date and time in UTC, such as `2026-06-01 12:00:00.000 UTC`. */
function parseTime(text: string): number | undefined {
  const seconds = parseQuantity(text)
  if (seconds !== undefined) return seconds
  const found = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})(?:\.\d{1,9})?(?: ?(?:UTC|Z|\+00(?::?00)?))?$/.exec(text)
  const time = Date.parse(`${found?.[1]}T${found?.[2]}Z`)
  return Number.isNaN(time) || time < 0 ? undefined : time / 1_000
}

/** Parses topics from four columns or from one list. Missing topics must be at the end. */
function parseTopics(texts: readonly string[]): Hex[] | undefined {
  const [list = ''] = texts
  const given = texts.length === 1 ? list.replaceAll(/[[\]"'\s]/g, '').split(/[,;]/) : texts.map((text) => text.trim())
  const count = given.findLastIndex((text) => text !== '' && text !== '0x') + 1
  const topics = given.slice(0, count).map((text) => parseBytes(text, 32))
  return count > 4 || topics.includes(undefined) ? undefined : (topics as Hex[])
}
