import { basename } from 'node:path'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import {
  asyncBufferFromFile,
  type Compressors,
  type FileMetaData,
  parquetMetadataAsync,
  parquetReadObjects,
  parquetSchema,
} from 'hyparquet'
import { HistoryFileError } from './HistoryFileError.ts'
import { isLogColumn } from './parseLog.ts'
import type { TableFile, TableRow } from './TableFile.ts'

/** Number of rows held in memory. */
const pageSize = 5_000

/** Codecs in addition to those of hyparquet: Snappy and none. */
const compressors: Compressors = {
  GZIP: (bytes) => gunzipSync(bytes),
  ZSTD: (bytes) => zstdDecompressSync(bytes),
  BROTLI: (bytes) => brotliDecompressSync(bytes),
}

/**
 * Opens a Parquet file. A line is the number of a row, counted from 1.
 *
 * @throws {HistoryFileError} here and during reading, if the file is not valid Parquet
 * @see https://parquet.apache.org/docs/file-format/
 */
export async function openParquet(path: string): Promise<TableFile> {
  const name = basename(path)
  const refuse = (error: unknown): never => {
    throw new HistoryFileError(`${name} cannot be read as Parquet: ${(error as Error).message}.`)
  }
  const file = await asyncBufferFromFile(path).catch(refuse)
  const metadata = await parquetMetadataAsync(file).catch(refuse)
  const columns = readColumns(metadata, refuse)
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

/** Returns the columns that a log can have. */
function readColumns(metadata: FileMetaData, refuse: (error: unknown) => never): string[] {
  try {
    return parquetSchema(metadata)
      .children.map(({ element }) => element.name)
      .filter(isLogColumn)
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
