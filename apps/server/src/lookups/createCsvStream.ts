import { setImmediate } from 'node:timers/promises'

export type CsvPage<cursor> = { lines: readonly string[]; next: cursor | undefined }

/**
 * Streams CSV as fast as it is read: a header line, then pages. An error aborts the stream, so that an incomplete
 * file does not look complete. Cells must be numbers, addresses, dates or fixed words, so that spreadsheets do not
 * read them as formulas.
 *
 * @param readPage Returns the page after a cursor, the first page without one.
 * @see https://www.rfc-editor.org/rfc/rfc4180
 */
export function createCsvStream<cursor>(
  columns: readonly string[],
  readPage: (after: cursor | undefined) => CsvPage<cursor> | Promise<CsvPage<cursor>>,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let after: cursor | undefined
  let state: 'new' | 'open' | 'cancelled' = 'new'
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        // Excel needs the byte order mark to read UTF-8.
        if (state === 'new') controller.enqueue(encoder.encode(`\uFEFF${toLine(columns)}`))
        if (state === 'new') state = 'open'
        let lines: readonly string[]
        // A page may be empty, and a stream does not call again if a call adds nothing.
        do {
          // Let other requests run in between.
          await setImmediate()
          if (isCancelled()) return
          const page = await readPage(after)
          if (isCancelled()) return
          lines = page.lines
          after = page.next
        } while (lines.length === 0 && after !== undefined)
        if (lines.length > 0) controller.enqueue(encoder.encode(lines.join('')))
        if (after === undefined) controller.close()
      },
      cancel() {
        state = 'cancelled'
      },
    },
    // Compute nothing before it is read.
    { highWaterMark: 0 },
  )

  function isCancelled(): boolean {
    return state === 'cancelled'
  }
}

export const toLine = (cells: readonly (string | number | bigint | null)[]): string =>
  `${cells.map((cell) => cell ?? '').join()}\r\n`

/** Formats a Unix time for spreadsheets. */
export const toTimeCell = (seconds: number): string => `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`
