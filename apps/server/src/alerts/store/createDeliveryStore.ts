import type { Alert, Delivery } from '@lineage/referral-api'
import type { Database } from '../../database/database.ts'
import { type NewAlert, toAlert } from '../alertRow.ts'
import { lockAlerts } from '../alertTables.ts'
import { toId } from '../deriveAlerts.ts'
import { type DueWebhook, type DueWebhookId, toDue } from './dueWebhook.ts'
import { insertAlerts, prune } from './insertAlerts.ts'

/** Number of newest deliveries kept per webhook. */
const keptDeliveries = 20

/** Creates the part of the store that delivers alerts to webhooks. */
export function createDeliveryStore({ query, transaction }: Pick<Database, 'query' | 'transaction'>) {
  return {
    /** Lists the webhooks with undelivered alerts. A webhook whose last delivery failed is listed only with `all`. */
    async listDue(which: 'all' | 'not_failing'): Promise<DueWebhookId[]> {
      const rows = await query(
        `select id, (select min(o.id) from lineage_accounts.webhooks o where o.account = w.account) as first
         from lineage_accounts.webhooks w where state = 'active' and (failures = 0 or $1 = 'all') and exists (
           select 1 from lineage_accounts.alerts a where a.account = w.account and a.number > w.sent and a.kind <> 'webhook_paused')`,
        [which],
      )
      return rows.map(({ id, first }) => ({ id: String(id), first: String(first) }))
    },
    async findActive(id: string): Promise<DueWebhook | undefined> {
      const text = `select * from lineage_accounts.webhooks where id = $1 and state = 'active'`
      const [row] = await query(text, [id])
      return row && toDue(row)
    },
    /** Returns the undelivered alerts of a webhook, oldest first. */
    async readUnsent({ account, sent }: DueWebhook, limit: number): Promise<Alert[]> {
      const rows = await query(
        `select * from lineage_accounts.alerts where account = $1 and number > $2 and kind <> 'webhook_paused'
         order by number limit $3`,
        [account, sent, limit],
      )
      return rows.map((row) => toAlert(row, 0))
    },
    /** Records that an alert was delivered. Returns `false` if the webhook was deleted or another worker was faster. */
    async noteSent({ id, sent }: DueWebhook, number: number): Promise<boolean> {
      const rows = await query(
        `update lineage_accounts.webhooks set sent = $3, failures = 0, failing_since = null
         where id = $1 and sent = $2 returning id`,
        [id, sent, number],
      )
      return rows.length > 0
    },
    /** Records a failure. Returns `false` if the webhook was deleted or another worker delivered the alert. */
    async noteFailure({ id, sent }: DueWebhook, now: number): Promise<boolean> {
      const rows = await query(
        `update lineage_accounts.webhooks set failures = failures + 1, failing_since = coalesce(failing_since, $3)
         where id = $1 and sent = $2 returning id`,
        [id, sent, now],
      )
      return rows.length > 0
    },
    /** Pauses a webhook and notifies its account, unless another worker has delivered meanwhile. */
    async pause(webhook: DueWebhook, now: number): Promise<void> {
      await transaction(async (query) => {
        await query(lockAlerts, [])
        const text = `update lineage_accounts.webhooks set state = 'paused' where id = $1 and sent = $2 and state = 'active' returning id`
        if ((await query(text, [webhook.id, webhook.sent])).length === 0) return
        const notices = [toNotice(webhook, now)]
        await insertAlerts(query, notices)
        // No alert with a block is deleted: this function does not know which blocks are final.
        await prune(query, notices, -1)
      })
    },
    /** Stores a delivery and deletes all but the newest ones of the webhook. */
    async noteDelivery(webhook: string, { alert, at, status, milliseconds, answer }: Delivery): Promise<void> {
      await query(
        `insert into lineage_accounts.deliveries (webhook, alert, at, status, milliseconds, answer)
         select w.id, nullif($2, ''), $3::bigint, nullif($4::integer, 0), $5::integer, $6 from lineage_accounts.webhooks w where w.id = $1`,
        [webhook, alert ?? '', at, status ?? 0, milliseconds, answer],
      )
      await query(
        `delete from lineage_accounts.deliveries where webhook = $1 and id <= (
           select id from lineage_accounts.deliveries where webhook = $1 order by id desc offset ${keptDeliveries} limit 1)`,
        [webhook],
      )
    },
  }
}

function toNotice({ id: webhook, account, url, failingSince }: DueWebhook, now: number): NewAlert {
  const id = toId(account, 'webhook_paused', webhook, failingSince ?? now)
  const event = { community: null, address: null, block: null, hash: null, logIndex: null }
  return {
    id,
    base: id,
    account,
    kind: 'webhook_paused',
    ...event,
    time: Math.floor(now / 1_000),
    details: { webhook: url },
  }
}
