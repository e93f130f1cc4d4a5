import type { ReferralClient } from './client.ts'
import { accountRoutes } from './routes.ts'
import type { Address, Label } from './types.ts'

export type LabelsClient = ReturnType<typeof createLabelsClient>

/**
 * Creates a client of the signed-in account's labels. It loads separately from the lookups.
 *
 * @example
 * const labels = createLabelsClient(createReferralClient({ baseUrl: '/v1' }))
 * await labels.save('0x…', { text: 'Treasury', watched: true })
 *
 * @throws {ReferralApiError} from every method: `unauthenticated` for a guest, `too_many_labels` beyond `labelLimit`
 */
export const createLabelsClient = ({ request }: Pick<ReferralClient, 'request'>) => ({
  list: () => request('labels', accountRoutes.labels, { path: [] }),
  save: (address: Address, label: Pick<Label, 'text' | 'watched'>) =>
    request('saveLabel', accountRoutes.saveLabel, { path: [address], body: label }),
  /** Adds labels and returns all of them. If an address has two labels, the newer one is kept. */
  merge: (items: readonly Label[]) => request('mergeLabels', accountRoutes.mergeLabels, { path: [], body: { items } }),
  remove: (address: Address) => request('removeLabel', accountRoutes.removeLabel, { path: [address] }),
  removeAll: () => request('removeLabels', accountRoutes.removeLabels, { path: [] }),
})
