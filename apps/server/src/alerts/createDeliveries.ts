import type { Delivery } from '@lineage/referral-api'
import type { JobDatabase } from '../database/database.ts'
import { createDeliveryQueue } from './createDeliveryQueue.ts'
import type { SendWebhook } from './sendWebhook.ts'
import type { AlertStore } from './store/createAlertStore.ts'
import type { DueWebhook } from './store/dueWebhook.ts'
import { toMessage } from './toMessage.ts'

export type DeliveriesParameters = {
  store: AlertStore
  jobs: JobDatabase
  send: SendWebhook
  /** Origin of the pages that messages link to. */
  origin: string
  onDelivery?: ((outcome: 'delivered' | 'failed' | 'paused') => void) | undefined
  /** Milliseconds until the first retry; each next one takes three times as long, up to an hour. */
  firstRetry?: number
  /** Milliseconds of continuous failures after which a webhook is paused. */
  patience?: number
  /** Milliseconds after which a webhook that has more to get goes to the end of the queue. */
  turn?: number
  /** Seconds between two checks for webhooks that are due. */
  pollingInterval?: number
}

const portion = 50
const longestRetry = 3_600_000

/**
 * Creates the service that delivers alerts to webhooks. Each webhook gets them in their order: it stores the number of
 * the last one. If the process is killed before it records a delivery, the alert is sent again with the same id.
 */
export function createDeliveries(parameters: DeliveriesParameters) {
  const { store, jobs, send, origin, onDelivery, pollingInterval } = parameters
  const { firstRetry = 5_000, patience = 86_400_000, turn = 10_000 } = parameters
  let state: 'open' | 'closed' = 'open'
  const queue = createDeliveryQueue({
    jobs,
    listDue: store.listDue,
    serve,
    ...(pollingInterval && { pollingInterval }),
  })

  /**
   * Sends the undelivered alerts of a webhook until one fails or its turn is over. Returns the milliseconds until its
   * next turn; `undefined` if it needs none.
   */
  async function serve(id: string): Promise<number | undefined> {
    const until = Date.now() + turn
    let webhook = await store.findActive(id)
    while (webhook) {
      const alerts = await store.readUnsent(webhook, portion)
      for (const alert of alerts) {
        if (state === 'closed') return 0
        const delivery = await trySend(webhook, alert.id, toMessage(alert, origin), alert.id)
        if (!isDelivered(delivery)) return fail(webhook, delivery)
        onDelivery?.('delivered')
        // Another worker was faster: it goes on.
        if (!(await store.noteSent(webhook, alert.number))) return undefined
        webhook = { ...webhook, sent: alert.number, failures: 0, failingSince: null }
        if (Date.now() >= until) return 0
      }
      if (alerts.length < portion) return undefined
    }
    return undefined
  }

  async function trySend({ id: webhook, url, secret }: DueWebhook, id: string, body: object, alert: string | null) {
    const delivery: Delivery = { alert, ...(await send({ url, secret, id, body })) }
    await store.noteDelivery(webhook, delivery)
    return delivery
  }

  async function fail(webhook: DueWebhook, { status }: Delivery): Promise<number | undefined> {
    const now = Date.now()
    const since = webhook.failingSince ?? now
    const wait = Math.min(longestRetry, firstRetry * 3 ** webhook.failures) * (0.9 + Math.random() / 5)
    const isNoted = await store.noteFailure(webhook, now)
    onDelivery?.('failed')
    if (!isNoted) return undefined
    // 410: it is gone for good, as the specification says.
    if (status !== 410 && now - since < patience) return wait
    await store.pause({ ...webhook, failingSince: since }, now)
    onDelivery?.('paused')
    return undefined
  }

  return {
    /** Queues the webhooks that have something to get. */
    request: queue.request,
    /** Sends a test, which is not repeated. */
    test: (webhook: DueWebhook, id: string) =>
      trySend(webhook, id, { type: 'test', timestamp: new Date().toISOString(), data: {} }, null),
    async close(): Promise<void> {
      state = 'closed'
      await queue.close()
    },
  }
}

const isDelivered = ({ status }: Delivery): boolean => status !== null && status >= 200 && status < 300
