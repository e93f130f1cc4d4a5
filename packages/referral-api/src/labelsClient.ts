import type { ReferralClient } from './client.ts'
import type { Address, Label, Labels } from './types.ts'

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
