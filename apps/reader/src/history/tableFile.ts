import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { CsvError, parse } from 'csv-parse'
import {
  asyncBufferFromFile,
  type Compressors,
  type FileMetaData,
  parquetMetadataAsync,
  parquetReadObjects,
  parquetSchema,
} from 'hyparquet'

/** Start of a row: its byte and line in a CSV, its index and number in a Parquet file. */
export type Position = { offset: number; line: number }

/** A row as texts; an absent value is empty. */
export type TableRow = { values: readonly string[]; position: Position }

/** A file of rows with the same columns. */
export type TableFile = {
  name: string
  columns: readonly string[]
  /** Reads the rows after the header, or from the position of a row. */
  rows(from?: Position): AsyncIterable<TableRow>
}

/** Thrown for a file of logs that cannot be used. */
export class HistoryFileError extends Error {
  override readonly name = 'HistoryFileError'
}

/** Largest number of bytes in a row of a log file. */
const maxRow = 1_000_000

const begin: Position = { offset: 0, line: 1 }

/**
 * Opens a file of comma-separated values with a header.
 *
 * @throws {HistoryFileError} here and during reading, with the line, if the file is not valid CSV
 * @see https://www.rfc-editor.org/rfc/rfc4180
 */
export async function openCsv(path: string): Promise<TableFile> {
  const name = basename(path)
  for await (const { row: head, next } of readRows(path, begin))
    return {
      name,
      columns: head.values,
      async *rows(from = next) {
        for await (const { row } of readRows(path, from)) {
          if (row.values.length !== head.values.length)
            throw new HistoryFileError(
              `${name}:${row.position.line} has ${row.values.length} values, but the head has ${head.values.length}.`,
            )
          yield row
        }
      },
    }
  throw new HistoryFileError(`${name} is empty.`)
}

/** Reads the rows of comma-separated values, each with its place, such as `members.csv:12`. @throws {HistoryFileError} */
export async function* openRows(path: string): AsyncGenerator<{ values: readonly string[]; place: string }> {
  for await (const { row } of readRows(path, begin))
    yield { values: row.values, place: `${basename(path)}:${row.position.line}` }
}

async function* readRows(path: string, from: Position): AsyncGenerator<{ row: TableRow; next: Position }> {
  const input = createReadStream(path, { start: from.offset })
  const options = { bom: true, info: true, relax_column_count: true, skip_empty_lines: true, max_record_size: maxRow }
  const parser = parse(options)
  input.on('error', (error) => parser.destroy(error)).pipe(parser)
  let position = from
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: Progress }>) {
      const next = { offset: from.offset + info.bytes, line: from.line + info.lines }
      yield { row: { values: record, position }, next }
      position = next
    }
  } catch (error) {
    // Rows before the error may not have been passed on.
    const line = from.line - 1 + Number((error as { lines?: unknown }).lines)
    if (error instanceof CsvError)
      throw new HistoryFileError(`${basename(path)}:${line} is not a row of a CSV (${error.code}).`)
    throw new HistoryFileError(`${basename(path)} cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  } finally {
    input.destroy()
  }
}

/** Position of the parser at the end of a row. */
type Progress = { bytes: number; lines: number }

/** Number of rows held in memory. */
const pageSize = 5_000

/** Codecs in addition to those of hyparquet: Snappy and none. */
const compressors: Compressors = {
  GZIP: (bytes) => gunzipSync(bytes),
  ZSTD: (bytes) => zstdDecompressSync(bytes),
  BROTLI: (bytes) => brotliDecompressSync(bytes),
}

/**
 * Opens a Parquet file. A line is the number of a row, counted from 1. Only the columns that `isRead` accepts are read.
 *
 * @throws {HistoryFileError} here and during reading, if the file is not valid Parquet
 * @see https://parquet.apache.org/docs/file-format/
 */
export async function openParquet(path: string, isRead: (column: string) => boolean): Promise<TableFile> {
  const name = basename(path)
  const refuse = (error: unknown): never => {
    throw new HistoryFileError(`${name} cannot be read as Parquet: ${(error as Error).message}.`)
  }
  const file = await asyncBufferFromFile(path).catch(refuse)
  const metadata = await parquetMetadataAsync(file).catch(refuse)
  const columns = readColumns(metadata, refuse).filter(isRead)
  const count = Number(metadata.num_rows)
  const inGroups = metadata.row_groups.reduce((sum, group) => sum + Number(group.num_rows), 0)
  if (inGroups !== count) return refuse(new Error(`its head names ${count} rows, its groups have ${inGroups}`))
  // Other columns of an export, which may be large, are not decoded.
  const read = { file, metadata, columns, compressors, utf8: false, useOffsetIndex: true }
  return {
    name,
    columns,
    async *rows({ offset } = { offset: 0, line: 1 }) {
      for (let rowStart = offset; rowStart < count; rowStart += pageSize) {
        const rowEnd = Math.min(rowStart + pageSize, count)
        const page = await parquetReadObjects({ ...read, rowStart, rowEnd }).catch(refuse)
        for (const [index, row] of page.entries()) {
          const at = rowStart + index
          const absent = columns.find((column) => row[column] === undefined)
          if (absent !== undefined) return refuse(new Error(`row ${at + 1} has no ${absent}`))
          yield { values: columns.map((column) => toText(row[column])), position: { offset: at, line: at + 1 } }
        }
      }
    },
  } satisfies TableFile & { rows: (from?: TableRow['position']) => AsyncIterable<TableRow> }
}

function readColumns(metadata: FileMetaData, refuse: (error: unknown) => never): string[] {
  try {
    return parquetSchema(metadata).children.map(({ element }) => element.name)
  } catch (error) {
    return refuse(error)
  }
}

/** Formats a value like in a CSV: bytes in hexadecimal, a time as ISO 8601, a list with commas. */
function toText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Uint8Array) return `0x${Buffer.from(value).toString('hex')}`
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map(toText).join()
  return String(value)
}
