import { constants, zstdCompressSync } from 'node:zlib'
import type { ColumnChunk, KeyValue, SchemaElement } from 'hyparquet'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { writeColumn } from 'hyparquet-writer/src/column.js'
import type { Column } from './columns.ts'
import type { Bytes, FileFormat } from './fileStream.ts'

/** Rows of a group, which is written at once: few enough for its columns to take a few milliseconds each. */
const rowsPerGroup = 10_000

const codec = 'ZSTD'
const compressors = {
  [codec]: (bytes: Uint8Array): Uint8Array =>
    zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
}

/**
 * Creates the format of a Parquet file with one part for each column of a group of rows, so that other requests run in between.
 *
 * @param about Keys and values of the metadata, such as the block of the file.
 * @see https://parquet.apache.org/docs/file-format/
 */
export function createParquetFormat<row>(
  columns: readonly Column<row>[],
  about: Readonly<Record<string, string>>,
): FileFormat<row> {
  const writer = new ByteWriter()
  const elements = columns.map(toElement)
  const root: SchemaElement = { name: 'root', num_children: columns.length }
  const kvMetadata: KeyValue[] = Object.entries(about).map(([key, value]) => ({ key, value }))
  const file = new ParquetWriter({ writer, schema: [root, ...elements], codec, compressors, kvMetadata })
  const reads = columns.map(toRead)
  const values = columns.map((): Value[] => [])

  /** Returns the bytes that were written since the last call. */
  function take(): Bytes {
    const bytes = new Uint8Array(writer.buffer.slice(0, writer.index) as ArrayBuffer)
    writer.index = 0
    return bytes
  }

  function* writeGroup(): Generator<Bytes> {
    const start = writer.offset
    const size = values[0]?.length ?? 0
    const chunks: ColumnChunk[] = []
    for (const [index, element] of elements.entries()) {
      chunks.push(writeValues(writer, [root, element], values[index] as Value[]))
      values[index] = []
      yield take()
    }
    file.num_rows += BigInt(size)
    file.row_groups.push({
      columns: chunks,
      num_rows: BigInt(size),
      total_byte_size: chunks.reduce((sum, { meta_data }) => sum + (meta_data?.total_uncompressed_size ?? 0n), 0n),
      total_compressed_size: BigInt(writer.offset - start),
    })
  }

  return {
    *begin() {
      yield take()
    },
    *add(rows) {
      for (const row of rows) for (const [index, read] of reads.entries()) values[index]?.push(read(row))
      if ((values[0]?.length ?? 0) >= rowsPerGroup) yield* writeGroup()
    },
    *end() {
      if ((values[0]?.length ?? 0) > 0) yield* writeGroup()
      void file.finish()
      yield take()
    },
  }
}

type Value = string | number | bigint | null

/** Writes the values of a column of a group, and returns where and how. */
function writeValues(writer: ByteWriter, schemaPath: [SchemaElement, SchemaElement], values: Value[]): ColumnChunk {
  const [, element] = schemaPath
  const column = {
    columnName: element.name,
    element,
    schemaPath,
    codec,
    compressors,
    // Bounds of texts would only make the file larger.
    stats: element.type !== 'BYTE_ARRAY',
    // One page, which needs no index.
    pageSize: 0,
    columnIndex: false,
    offsetIndex: false,
  } as const
  const definitionLevels = values.map((value) => (value === null ? 0 : 1))
  const pageData = { values, definitionLevels, repetitionLevels: [], maxDefinitionLevel: 1 }
  return writeColumn({ writer, column, pageData }).chunk
}

const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } } as const
const kinds = {
  text,
  label: text,
  number: { type: 'INT64' },
  decimal: { type: 'DOUBLE' },
  time: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
  day: { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } },
} as const satisfies Record<Column<never>['kind'], Partial<SchemaElement>>

const toElement = <row>({ name, kind }: Column<row>): SchemaElement => ({
  name,
  repetition_type: 'OPTIONAL',
  ...kinds[kind],
})

const dayMilliseconds = 86_400_000

/** Returns the function that reads the value of a column. */
function toRead<row>(column: Column<row>): (row: row) => Value {
  const convert =
    <value>(read: (row: row) => value | null, to: (value: value) => Value) =>
    (row: row) => {
      const value = read(row)
      return value === null ? null : to(value)
    }
  switch (column.kind) {
    case 'number':
      return convert(column.read, BigInt)
    case 'decimal':
      return convert(column.read, Number)
    case 'time':
      return convert(column.read, (seconds) => BigInt(seconds * 1000))
    case 'day':
      return convert(column.read, (day) => Date.parse(day) / dayMilliseconds)
    default:
      return column.read
  }
}
