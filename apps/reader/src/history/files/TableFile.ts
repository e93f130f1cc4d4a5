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
