import type { ReferralClient } from './client.ts'
import { accountRoutes as routes } from './routes.ts'
import type { Address, Label, WatchRules } from './types.ts'

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
  list: () => request('labels', routes.labels, { path: [] }),
  save: (address: Address, label: Pick<Label, 'text' | 'watched'>) =>
    request('saveLabel', routes.saveLabel, { path: [address], body: label }),
  /** Adds labels and returns all of them. If an address has two labels, the newer one is kept. */
  merge: (items: readonly Label[]) => request('mergeLabels', routes.mergeLabels, { path: [], body: { items } }),
  remove: (address: Address) => request('removeLabel', routes.removeLabel, { path: [address] }),
  removeAll: () => request('removeLabels', routes.removeLabels, { path: [] }),
})

export type AlertsClient = ReturnType<typeof createAlertsClient>

/**
 * Creates a client of the signed-in account's alerts. It loads separately from the lookups.
 *
 * @example
 * const alerts = createAlertsClient(createReferralClient({ baseUrl: '/v1' }))
 * const { items, unread } = await alerts.list()
 *
 * @throws {ReferralApiError} from every method: `unauthenticated` for a guest
 */
export const createAlertsClient = ({ request }: Pick<ReferralClient, 'request'>) => ({
  list: (query: { limit?: number; cursor?: string } = {}) => request('alerts', routes.alerts, { path: [], query }),
  markRead: (upTo: number) => request('readAlerts', routes.readAlerts, { path: [], body: { upTo } }),
  settings: () => request('alertSettings', routes.alertSettings, { path: [] }),
  watch: (community: string, address: Address, rules: WatchRules) =>
    request('saveWatch', routes.saveWatch, { path: [community, address], body: rules }),
  unwatch: (community: string, address: Address) =>
    request('removeWatch', routes.removeWatch, { path: [community, address] }),
  addWebhook: (url: string) => request('addWebhook', routes.addWebhook, { path: [], body: { url } }),
  removeWebhook: (id: string) => request('removeWebhook', routes.removeWebhook, { path: [id] }),
  resumeWebhook: (id: string) => request('resumeWebhook', routes.resumeWebhook, { path: [id] }),
  testWebhook: (id: string) => request('testWebhook', routes.testWebhook, { path: [id] }),
  renewFeed: () => request('renewFeed', routes.renewFeed, { path: [] }),
  removeFeed: () => request('removeFeed', routes.removeFeed, { path: [] }),
})
