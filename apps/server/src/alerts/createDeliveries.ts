import type { Address, Delivery } from '@lineage/referral-api'
import type { AlertStore, DueWebhook } from './alertStore.ts'
import type { SendWebhook } from './sendWebhook.ts'
import { toMessage } from './toMessage.ts'

export type DeliveriesParameters = {
  store: AlertStore
  send: SendWebhook
  /** Of the pages that messages link to. */
  origin: string
  onDelivery?: ((outcome: 'delivered' | 'failed' | 'paused') => void) | undefined
  /** Milliseconds until the first retry; each next one takes three times as long, up to an hour. */
  firstRetry?: number
  /** Milliseconds of failures after which a webhook is paused. */
  patience?: number
  /** Milliseconds after which a worker leaves a webhook that has more to get, for the next one in the queue. */
  turn?: number
  /** Milliseconds between two looks for webhooks that another server left behind. */
  interval?: number
}

/** Milliseconds for which a worker holds a webhook, longer than a try takes. */
const holdFor = 30_000
/** Webhooks that are served at once. */
const workers = 4
const portion = 50
const longestRetry = 3_600_000

/**
 * Creates what delivers alerts to webhooks. Each webhook gets them in their order: the number of the last one is all the queue there
 * is. What another server, or a process that was killed, has not noted as delivered is sent again with the same id.
 */
export function createDeliveries(parameters: DeliveriesParameters) {
  const {
    store,
    send,
    origin,
    onDelivery,
    firstRetry = 5_000,
    patience = 86_400_000,
    turn = 10_000,
    interval = 30_000,
  } = parameters
  let state: 'open' | 'closed' = 'open'
  let timer: NodeJS.Timeout | undefined
  const running = new Set<Promise<void>>()
  /** Accounts that a worker serves: each has one at most. */
  const served = new Set<Address>()

  /** Starts a worker, if there are not enough. */
  function request(): void {
    if (state === 'closed' || running.size >= workers) return
    const work = serve()
      // `/v1/status` tells that the accounts' database fails, and webhooks are looked at again later.
      .catch(() => undefined)
      .finally(() => {
        running.delete(work)
        if (running.size === 0) void plan()
      })
    running.add(work)
  }

  async function serve(): Promise<void> {
    while (state === 'open') {
      const due = await store.takeDue(holdFor, [...served])
      if (!due) return
      // Another worker took one of the same account meanwhile.
      if (served.has(due.account)) {
        await store.postpone(due, Date.now())
        continue
      }
      served.add(due.account)
      // While this worker is busy, another one may find more.
      request()
      await serveWebhook(due).finally(() => served.delete(due.account))
    }
  }

  /** Sends what a webhook has not got, until it fails or its turn is over. */
  async function serveWebhook(taken: DueWebhook): Promise<void> {
    const until = Date.now() + turn
    let webhook = taken
    for (;;) {
      const alerts = await store.readUnsent(webhook, portion)
      for (const alert of alerts) {
        const delivery = await trySend(webhook, alert.id, toMessage(alert, origin), alert.id)
        if (!isDelivered(delivery)) return fail(webhook, delivery)
        onDelivery?.('delivered')
        if (!(await store.noteSent(webhook, alert.number, Date.now() + holdFor)) || state === 'closed') return
        webhook = { ...webhook, sent: alert.number, failures: 0, failingSince: null }
        if (Date.now() >= until) return store.postpone(webhook, Date.now())
      }
      if (alerts.length < portion) return store.postpone(webhook, Date.now())
    }
  }

  async function trySend({ id: webhook, url, secret }: DueWebhook, id: string, body: object, alert: string | null) {
    const delivery: Delivery = { alert, ...(await send({ url, secret, id, body })) }
    await store.noteDelivery(webhook, delivery)
    return delivery
  }

  async function fail(webhook: DueWebhook, { status }: Delivery): Promise<void> {
    const now = Date.now()
    const since = webhook.failingSince ?? now
    const wait = Math.min(longestRetry, firstRetry * 3 ** webhook.failures) * (0.9 + Math.random() / 5)
    const isNoted = await store.noteFailure(webhook, now, Math.round(now + wait))
    onDelivery?.('failed')
    if (!isNoted) return
    // 410: it is gone for good, as the specification says.
    if (status !== 410 && now - since < patience) return
    await store.pause({ ...webhook, failingSince: since }, now)
    onDelivery?.('paused')
  }

  /** Looks again when the next webhook is due. */
  async function plan(): Promise<void> {
    const next = await store.findNextDue().catch(() => undefined)
    if (state === 'closed') return
    clearTimeout(timer)
    const wait = next === undefined ? interval : Math.min(interval, Math.max(100, next - Date.now()))
    timer = setTimeout(request, wait).unref()
  }
  return {
    /** Looks for webhooks that have something to get. */
    request,
    /** Sends a test, which is not repeated. */
    test: (webhook: DueWebhook, id: string) =>
      trySend(webhook, id, { type: 'test', timestamp: new Date().toISOString(), data: {} }, null),
    async close(): Promise<void> {
      state = 'closed'
      clearTimeout(timer)
      await Promise.all(running)
    },
  }
}

const isDelivered = ({ status }: Delivery): boolean => status !== null && status >= 200 && status < 300
