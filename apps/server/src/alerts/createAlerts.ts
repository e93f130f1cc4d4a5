import type { JobDatabase } from '../database/database.ts'
import type { Indexers } from '../indexer/createIndexers.ts'
import type { Live } from '../live/createLive.ts'
import type { Metrics } from '../monitoring/metrics.ts'
import type { Settings } from '../settings/settings.ts'
import { createAlertNews } from './createAlertNews.ts'
import { createDeliveries, type DeliveriesParameters } from './createDeliveries.ts'
import { createDeriver, createEventReader } from './createDeriver.ts'
import { createWebhookSender } from './sendWebhook.ts'
import type { AlertStore } from './store/createAlertStore.ts'
import { createResolve, resolveLocal } from './webhookTarget.ts'

export type AlertsParameters = {
  accounts: { alerts: AlertStore; jobs: JobDatabase }
  indexers: Indexers
  live: Live
  settings: Pick<Settings, 'origins' | 'webhooks'>
  metrics?: Pick<Metrics, 'noteAlerts' | 'noteDelivery'> | undefined
} & Pick<DeliveriesParameters, 'firstRetry' | 'patience' | 'pollingInterval'>

export type Alerts = ReturnType<typeof createAlerts>

/** Creates the services that derive alerts and deliver them. */
export function createAlerts({ accounts, indexers, live, settings, metrics, ...retries }: AlertsParameters) {
  const store = accounts.alerts
  const { webhooks, origins } = settings
  const readEvents = createEventReader({ indexers })
  const deliveries =
    webhooks === 'off'
      ? undefined
      : createDeliveries({
          store,
          jobs: accounts.jobs,
          send: createWebhookSender({ scope: webhooks, resolve: webhooks === 'any' ? resolveLocal : createResolve() }),
          origin: origins[0],
          onDelivery: metrics?.noteDelivery,
          ...retries,
        })
  const news = createAlertNews({ store })
  const deriver = createDeriver({
    store,
    live,
    readEvents,
    onStored: (alerts) => {
      metrics?.noteAlerts(alerts)
      deliveries?.request()
      news.request()
    },
  })
  return {
    readEvents,
    /** `undefined` if webhooks are turned off. */
    deliveries,
    noteWatch: deriver.noteWatch,
    /** Tells a signed-in account's new alerts. */
    subscribe: news.subscribe,
    /** Starts with the communities that are watched and the alerts that were not delivered before. */
    start(): void {
      deriver.start()
      deliveries?.request()
    },
    async close(): Promise<void> {
      await deriver.close()
      await news.close()
      await deliveries?.close()
    },
  }
}
