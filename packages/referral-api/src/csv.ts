/**
 * Formats rows as CSV for spreadsheets: with the byte order mark that Excel needs for Chinese, and with formulas escaped.
 *
 * @see https://www.rfc-editor.org/rfc/rfc4180
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */
export const toCsv = (rows: readonly (readonly string[])[]): string =>
  `\uFEFF${rows.map((row) => `${row.map(toCell).join(',')}\r\n`).join('')}`

/**
 * Matches the places in a text where a spreadsheet may begin to read a formula: at its start, and after a separator of the
 * cells in other countries, also if a quote follows, which ends a cell there.
 */
const formulaStart = /(^|[;\t\r\n])(?="?[=+\-@＝＋－＠\t\r])/g

const toCell = (text: string) => `"${text.replace(formulaStart, "$1'").replaceAll('"', '""')}"`

/**
 * Reads a CSV as it arrives: each line after the header as an object of texts by column. Cells may be quoted, and then have
 * commas, quotes and line breaks. Returning early cancels the stream.
 *
 * @throws {Error} if the stream breaks off within a line
 * @example for await (const { address } of readCsv(stream)) console.log(address)
 */
export async function* readCsv(stream: ReadableStream<Uint8Array>): AsyncGenerator<Record<string, string>> {
  const reader = stream.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader()
  let header: string[] | undefined
  let rest = ''
  try {
    for (;;) {
      const { done, value = '' } = await reader.read()
      rest += value
      const { lines, end } = splitLines(rest)
      rest = rest.slice(end)
      for (const line of lines) {
        if (header) yield Object.fromEntries(header.map((name, index) => [name, line[index] ?? '']))
        else header = line
      }
      if (done && rest !== '') throw new Error('The CSV is incomplete.')
      if (done) return
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/** A cell, quoted or not, with the comma or the end of the line after it. */
const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n)/y

/** Splits the whole lines at the beginning of a text into cells. `end`: where the first incomplete line begins. */
function splitLines(text: string): { lines: string[][]; end: number } {
  const lines: string[][] = []
  let end = 0
  let line: string[] = []
  cell.lastIndex = 0
  for (let found = cell.exec(text); found; found = cell.exec(text)) {
    const [, quoted, plain = '', separator] = found
    line.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (separator === ',') continue
    lines.push(line)
    line = []
    end = cell.lastIndex
  }
  return { lines, end }
}
