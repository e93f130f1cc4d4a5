import { toCsv } from './csv.ts'

export { cleanLabelText, countCharacters, labelLimit, labelTextLimit } from './labelText.ts'

type LabelRow = { address: string; text: string; watched: boolean; updatedAt: number }

/** Formats labels as CSV for spreadsheets. */
export function toLabelsCsv(labels: Iterable<LabelRow>): string {
  const rows = [['address', 'label', 'watched', 'updated_at']]
  for (const { address, text, watched, updatedAt } of labels)
    rows.push([address, text, watched ? 'yes' : 'no', new Date(updatedAt * 1_000).toISOString()])
  return toCsv(rows)
}
