import { toCsv } from '@lineage/referral-api/csv'
import { createCalendar } from '@lineage/referral-api/days'
import type { Column } from './columns.ts'
import type { Bytes, FileFormat } from './fileStream.ts'

type Cell = string | number | null

const toLine = (cells: readonly Cell[]): string => `${cells.map((cell) => cell ?? '').join()}\r\n`

/** Returns a text from outside as a cell. */
const toTextCell = (text: string): string => toCsv([[text]]).slice(1, -2)

/**
 * Creates the format of a CSV: a header line, then a line for each row. Cells are numbers, addresses, dates or fixed words, so
 * that spreadsheets do not read them as formulas; other texts are escaped.
 *
 * @see https://www.rfc-editor.org/rfc/rfc4180
 */
export function createCsvFormat<row>(columns: readonly Column<row>[], timeZone: string): FileFormat<row> {
  const encoder = new TextEncoder()
  const cells = columns.map((column) => toCells(column, timeZone))
  return {
    *begin() {
      // Excel needs the byte order mark to read UTF-8.
      yield encoder.encode(`\uFEFF${toLine(columns.flatMap((column) => toNames(column, timeZone)))}`) as Bytes
    },
    *add(rows) {
      if (rows.length === 0) return
      const lines = rows.map((row) => toLine(cells.flatMap((read) => read(row))))
      yield encoder.encode(lines.join('')) as Bytes
    },
    *end() {},
  }
}

/** Returns the names of a column: a time is there in UTC and as spreadsheets read it, in a time zone. */
function toNames<row>({ kind, name }: Column<row>, timeZone: string): string[] {
  const shown = /^[\w /+-]+$/.test(name) ? name : toTextCell(name)
  return kind === 'time' ? [shown, `${shown} ${timeZone}`] : [shown]
}

function toCells<row>(column: Column<row>, timeZone: string): (row: row) => Cell | readonly Cell[] {
  if (column.kind === 'label') {
    return (row) => {
      const text = column.read(row)
      return text === null ? null : toTextCell(text)
    }
  }
  if (column.kind !== 'time') return column.read
  const { clockText } = createCalendar(timeZone)
  return (row) => {
    const seconds = column.read(row)
    if (seconds === null) return [null, null]
    return [`${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`, clockText(seconds)]
  }
}
