import type { Alert, Delivery } from '@lineage/referral-api'
import { type DeliveryStore, type DueWebhook, type Lane, slowAnswer } from './deliveryStore.ts'
import type { Wait } from './jobs.ts'
import type { SendWebhook } from './sendWebhook.ts'

export type DeliverParameters = {
  store: DeliveryStore
  send: SendWebhook
  /** Origin of the pages that messages link to. */
  origin: string
  onDelivery?: ((outcome: 'delivered' | 'failed' | 'paused') => void) | undefined
  /** Returns whether the server is stopping. */
  isClosed?: () => boolean
  /** Milliseconds until the first retry; each next one takes three times as long, up to an hour. */
  firstRetry?: number
  /** Milliseconds of continuous failures after which a webhook is paused. */
  patience?: number
  /** Milliseconds after which a webhook that has more to get goes to the end of the queue. */
  turn?: number
}

const portion = 50
const longestRetry = 3_600_000

/**
 * Creates the function that delivers alerts to a webhook in their order, until there are no more, one fails, its turn is
 * over, or it belongs to the other lane. It resolves to the milliseconds until the next turn, if there must be one. If
 * the process is killed before it records a delivery, the alert is sent again with the same id.
 */
export function createDeliver({ store, origin, onDelivery, ...parameters }: DeliverParameters) {
  const { firstRetry = 5_000, patience = 86_400_000, turn = 10_000, isClosed = () => false } = parameters

  /** Records the last act of a lane for a webhook, which may move it to the other lane: nothing is sent after that. */
  async function fail(webhook: DueWebhook, { status }: Delivery): Promise<void> {
    const now = Date.now()
    const failingSince = webhook.failingSince ?? now
    if (!(await store.noteFailure(webhook, now))) return
    onDelivery?.('failed')
    // 410: it is gone for good, as the specification says.
    if (status !== 410 && now - failingSince < patience) return
    await store.pause({ ...webhook, failingSince }, now)
    onDelivery?.('paused')
  }

  async function deliverOne(webhook: DueWebhook, alert: Alert, wait: Wait): Promise<Delivery | 'overtaken'> {
    const message = { id: alert.id, body: toMessage(alert, origin) }
    const delivery: Delivery = { alert: alert.id, ...(await wait(() => parameters.send({ ...webhook, ...message }))) }
    if (!isDelivered(delivery)) {
      await fail(webhook, delivery)
      await store.noteDelivery(webhook.id, delivery)
      return delivery
    }
    if (!(await store.noteSent(webhook, alert.number, delivery))) return 'overtaken'
    onDelivery?.('delivered')
    return delivery
  }

  /** Delivers the next alerts of a webhook as long as it stays in its lane. */
  async function deliverPortion(
    webhook: DueWebhook,
    until: number,
    wait: Wait,
  ): Promise<'done' | 'stopped' | 'overtaken'> {
    const alerts = await store.readUnsent(webhook, portion)
    let sent = webhook
    for (const alert of alerts) {
      const delivery = await deliverOne(sent, alert, wait)
      if (delivery === 'overtaken') return delivery
      if (laneOf(delivery) !== webhook.lane || !isDelivered(delivery)) return 'stopped'
      if (Date.now() >= until || isClosed()) return 'stopped'
      sent = { ...sent, sent: alert.number, failures: 0, failingSince: null }
    }
    return alerts.length < portion ? 'done' : 'stopped'
  }

  /** Returns the milliseconds that a webhook still has to wait after a failure. */
  function pauseOf({ failures, triedAt }: DueWebhook): number {
    if (failures === 0) return 0
    const wait = Math.min(longestRetry, firstRetry * 3 ** (failures - 1))
    // The clock may have been set back.
    return Math.min(wait, Math.max(0, triedAt + wait - Date.now()))
  }

  return async (
    id: string,
    lane: Lane,
    wait: Wait = (work) => work(),
  ): Promise<{ webhook: DueWebhook; wait: number } | undefined> => {
    const until = Date.now() + turn
    for (let portions = 0; ; portions++) {
      const webhook = await store.findActive(id)
      if (!webhook) return undefined
      const pause = pauseOf(webhook)
      if (pause > 0) return { webhook, wait: pause * (1 + Math.random() / 5) }
      const isOver = webhook.lane !== lane || isClosed() || (portions > 0 && Date.now() >= until)
      if (isOver) return { webhook, wait: 0 }
      if ((await deliverPortion(webhook, until, wait)) !== 'stopped') return undefined
    }
  }
}

/** Returns the lane to which a webhook belongs after a delivery. */
const laneOf = (delivery: Delivery): Lane =>
  isDelivered(delivery) && delivery.milliseconds < slowAnswer ? 'fast' : 'slow'

const isDelivered = ({ status }: Delivery): boolean => status !== null && status >= 200 && status < 300

/** Returns the body of a webhook message: the alert, and a link that a person can open. */
function toMessage({ isRead: _, isRetracted: __, number: ___, webhook: ____, ...alert }: Alert, origin: string) {
  return {
    type: `alert.${alert.kind}`,
    timestamp: new Date(alert.time * 1_000).toISOString(),
    data: { ...alert, url: toLink(alert, origin) },
  }
}

/** Returns the link to the page of the alert's member, or of the watched address. */
export function toLink(
  { community, member, address }: Pick<Alert, 'community' | 'member' | 'address'>,
  origin: string,
) {
  const link = new URL('/', origin)
  const shown = member ?? address
  if (community !== null) link.searchParams.set('community', community)
  if (shown !== null) link.searchParams.set('address', shown)
  return link.href
}
