import type { Database } from '../../database/database.ts'
import { createDeliveryStore } from './createDeliveryStore.ts'
import { createDeriveStore } from './createDeriveStore.ts'
import { createFeedStore } from './createFeedStore.ts'
import { createListStore } from './createListStore.ts'
import { createWatchStore } from './createWatchStore.ts'
import { createWebhookStore } from './createWebhookStore.ts'

export type AlertStore = ReturnType<typeof createAlertStore>

/** Creates the store of watches, alerts, webhooks and feeds. */
export function createAlertStore(database: Pick<Database, 'query' | 'transaction'>) {
  return {
    ...createListStore(database),
    ...createWatchStore(database),
    ...createDeriveStore(database),
    ...createWebhookStore(database),
    ...createDeliveryStore(database),
    ...createFeedStore(database),
  }
}
