import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { CsvError, parse } from 'csv-parse'
import { HistoryFileError } from './HistoryFileError.ts'
import type { Position, TableFile, TableRow } from './TableFile.ts'

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
