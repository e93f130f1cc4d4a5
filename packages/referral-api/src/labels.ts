import type { ReferralClient } from './client.ts'
import type { Address, Label, Labels } from './types.ts'

export { cleanLabelText, countCharacters, labelLimit, labelTextLimit } from './labelText.ts'

/**
 * Labels as a file for spreadsheets: with the mark that has Excel read Chinese, and no cell that a spreadsheet would
 * take for a formula.
 *
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */
export function toLabelsCsv(labels: Iterable<Label>): string {
  const rows = [['address', 'label', 'watched', 'updated_at']]
  for (const { address, text, watched, updatedAt } of labels)
    rows.push([address, text, watched ? 'yes' : 'no', new Date(updatedAt * 1_000).toISOString()])
  return `\uFEFF${rows.map((row) => `${row.map(toCell).join(',')}\r\n`).join('')}`
}

const toCell = (text: string) => `"${(/^[=+\-@＝＋－＠\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`

export type LabelsClient = ReturnType<typeof createLabelsClient>

/**
 * The signed-in account's labels, for pages; loaded apart from the lookups.
 *
 * @example
 * const labels = createLabelsClient(createReferralClient({ baseUrl: '/v1' }))
 * await labels.save('0x…', { text: 'Treasury', watched: true })
 *
 * @throws {ReferralApiError} from every method: `unauthenticated` for a guest, `too_many_labels` beyond `labelLimit`
 */
export const createLabelsClient = ({ ask }: Pick<ReferralClient, 'ask'>) => ({
  list: () => ask<Labels>('labels', '/labels'),
  save: (address: Address, label: Pick<Label, 'text' | 'watched'>) =>
    ask<Label>('label', `/labels/${address}`, put(label)),
  /** Adds labels; of two for one address the newer one stays. Answers all there are then. */
  merge: (items: readonly Label[]) => ask<Labels>('labels', '/labels', put({ items })),
  remove: (address: Address) => ask<undefined>('nothing', `/labels/${address}`, remove),
  removeAll: () => ask<undefined>('nothing', '/labels', remove),
})

const headers = { accept: 'application/json', 'content-type': 'application/json' }
const put = (body: unknown) => ({ method: 'PUT', headers, body: JSON.stringify(body) })
const remove = { method: 'DELETE', headers }
