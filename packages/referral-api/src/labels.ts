import { toCsv } from './csv.ts'

/** Maximum number of labels of an account or a browser. */
export const labelLimit = 2_000
/** Maximum number of characters in a label. */
export const labelTextLimit = 60

/**
 * Matches control characters, direction marks, unpaired surrogates, fillers and what is no character, which have no glyph. Variation
 * selectors, which choose the form of an emoji or a Han character, are kept.
 *
 * @see https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point
 */
const invisible =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Noncharacter_Code_Point}\u2800]|(?!\p{Variation_Selector})\p{Default_Ignorable_Code_Point}/gu

/**
 * Cleans the text of a label: one line, without invisible characters and direction marks.
 *
 * @example
 * cleanLabelText(' Wang\u202e\n  Li ') // 'Wang Li'
 */
export const cleanLabelText = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(invisible, '').normalize('NFC').replace(/\s+/g, ' ').trim()

/** Counts characters like a reader: a rare Chinese character or an emoji counts as one. */
export const countCharacters = (text: string): number => [...text].length

type LabelRow = { address: string; text: string; watched: boolean; updatedAt: number }

/** Formats labels as CSV for spreadsheets. */
export function toLabelsCsv(labels: Iterable<LabelRow>): string {
  const rows = [['address', 'label', 'watched', 'updated_at']]
  for (const { address, text, watched, updatedAt } of labels)
    rows.push([address, text, watched ? 'yes' : 'no', new Date(updatedAt * 1_000).toISOString()])
  return toCsv(rows)
}
