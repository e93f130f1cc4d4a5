export { cleanLabelText, countCharacters, labelLimit, labelTextLimit } from './labelText.ts'

type LabelRow = { address: string; text: string; watched: boolean; updatedAt: number }

/**
 * Labels as a file for spreadsheets: with the mark that has Excel read Chinese, and no cell that a spreadsheet would
 * take for a formula.
 *
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */
export function toLabelsCsv(labels: Iterable<LabelRow>): string {
  const rows = [['address', 'label', 'watched', 'updated_at']]
  for (const { address, text, watched, updatedAt } of labels)
    rows.push([address, text, watched ? 'yes' : 'no', new Date(updatedAt * 1_000).toISOString()])
  return `\uFEFF${rows.map((row) => `${row.map(toCell).join(',')}\r\n`).join('')}`
}

const toCell = (text: string) => `"${(/^[=+\-@＝＋－＠\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
