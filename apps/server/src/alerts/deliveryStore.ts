import type { Address, Alert, Delivery } from '@lineage/referral-api'
import type { Database, Query } from '../database/database.ts'
import { type AlertRow, type NewAlert, selectAlerts, toAlert, type WebhookTarget } from './alertStore.ts'
import { lockAlerts } from './alertTables.ts'
import { toId } from './deriveAlerts.ts'
import { noteVisit } from './watchStore.ts'

/** Number of newest deliveries kept per webhook, and of newest alerts per account. */
const [keptDeliveries, keptAlerts] = [20, 1_000]
/** Number of alerts inserted by one statement, which must finish within 5 s. */
const insertedAtOnce = 2_000
/** Number of accounts whose alerts are counted by one statement, each up to those that are kept. */
const prunedAtOnce = 200
/** Milliseconds from which an answer counts as slow. */
export const slowAnswer = 2_000

/** A webhook to deliver to. */
export type DueWebhook = WebhookTarget & {
  /** Number of the last alert that was delivered. */
  sent: number
  failures: number
  /** Unix milliseconds. */
  failingSince: number | null
  /** Unix milliseconds of the last delivery; 0 before the first one. */
  triedAt: number
  /** `slow` if the last delivery failed or took long. Slow webhooks wait only for each other. */
  lane: Lane
}
export type Lane = 'fast' | 'slow'

export type DeliveryStore = ReturnType<typeof createDeliveryStore>

const selectDue = `select w.id, account, url, secret, sent, failures, failing_since as "failingSince",
   coalesce(d.at, 0) * 1000 as "triedAt",
   case when failures > 0 or d.milliseconds >= ${slowAnswer} then 'slow' else 'fast' end as lane
 from lineage_accounts.webhooks w left join lateral (
   select at, milliseconds from lineage_accounts.deliveries
   where webhook = w.id and alert is not null order by id desc limit 1) d on true
 where w.state = 'active'`

export async function listActive(query: Query, accounts: readonly Address[]): Promise<DueWebhook[]> {
  if (accounts.length === 0) return []
  return query(`${selectDue} and w.account = any($1)`, [accounts])
}

/** Creates the store from which alerts are delivered to webhooks. */
export function createDeliveryStore({ query, transaction }: Database) {
  return {
    async findActive(id: string): Promise<DueWebhook | undefined> {
      const [webhook] = await query<DueWebhook>(`${selectDue} and w.id = $1`, [id])
      return webhook
    },
    /** Lists the webhooks with undelivered alerts. */
    async listDue(): Promise<DueWebhook[]> {
      return query(
        `${selectDue} and exists (select 1 from lineage_accounts.alerts a
           where a.account = w.account and a.number > w.sent and a.kind <> 'webhook_paused')`,
        [],
      )
    },
    /** Returns the undelivered alerts of a webhook, oldest first. */
    async readUnsent({ account, sent }: DueWebhook, limit: number): Promise<Alert[]> {
      const rows = await query<AlertRow>(
        `${selectAlerts} where account = $1 and number > $2 and kind <> 'webhook_paused' order by number limit $3`,
        [account, sent, limit],
      )
      return rows.map((row) => toAlert(row, 0))
    },
    /** Records that an alert was delivered. Returns `false` if the webhook was deleted or another worker was faster. */
    async noteSent({ id, sent, account }: DueWebhook, number: number, delivery: Delivery): Promise<boolean> {
      const rows = await query(
        `with moved as (
           update lineage_accounts.webhooks set sent = $8, failures = 0, failing_since = null
           where id = $1 and sent = $7 returning id
         ), seen as (${noteVisit('$9', '$10')}), added as (${insertDelivery} from moved w), pruned as (${deleteOldDeliveries})
         select id from moved`,
        [id, ...toColumns(delivery), sent, number, account, Date.now()],
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
    pause: (webhook: DueWebhook, now: number): Promise<void> =>
      transaction(async (query) => {
        await query(lockAlerts, [])
        const text = `update lineage_accounts.webhooks set state = 'paused' where id = $1 and sent = $2 and state = 'active' returning id`
        if ((await query(text, [webhook.id, webhook.sent])).length === 0) return
        const notices = [toNotice(webhook, now)]
        await insertAlerts(query, notices)
        // No alert with a block is deleted: this function does not know which blocks are final.
        await prune(query, notices, -1)
      }),
    /** Records a delivery that has failed, or a test. */
    async noteDelivery(webhook: string, delivery: Delivery): Promise<void> {
      await query(
        `with pruned as (${deleteOldDeliveries}) ${insertDelivery} from lineage_accounts.webhooks w where w.id = $1`,
        [webhook, ...toColumns(delivery)],
      )
    },
  }
}

/** Needs a webhook as `w`, and the columns of a delivery from $2 on. */
const insertDelivery = `insert into lineage_accounts.deliveries (webhook, alert, at, status, milliseconds, answer)
  select w.id, $2, $3::bigint, $4::integer, $5::integer, $6`
const deleteOldDeliveries = `delete from lineage_accounts.deliveries where webhook = $1 and id <= (
  select id from lineage_accounts.deliveries where webhook = $1 order by id desc offset ${keptDeliveries} limit 1)`

const toColumns = ({ alert, at, status, milliseconds, answer }: Delivery) => [alert, at, status, milliseconds, answer]

function toNotice({ id: webhook, account, url, failingSince }: DueWebhook, now: number): NewAlert {
  const id = toId(account, 'webhook_paused', webhook, failingSince ?? now)
  const event = { community: null, address: null, block: null, hash: null, logIndex: null }
  const time = Math.floor(now / 1_000)
  return { id, base: id, account, kind: 'webhook_paused', ...event, time, details: { webhook: url } }
}

/** Inserts alerts in order, unless they are there already. `watched` leaves out those whose watch is gone. */
export async function insertAlerts(query: Query, alerts: readonly NewAlert[], which: 'all' | 'watched' = 'all') {
  const watched = `join lineage_accounts.watches w
    on w.account = added.account and w.community = added.community and w.address = added.address`
  for (let first = 0; first < alerts.length; first += insertedAtOnce) {
    const numbered = alerts.slice(first, first + insertedAtOnce).map((alert, position) => ({ ...alert, position }))
    await query(
      `insert into lineage_accounts.alerts
         (id, base, account, kind, community, address, block, hash, log_index, time, details)
       select added.id, added.base, added.account, added.kind, added.community, added.address, added.block, added.hash,
         added."logIndex", added.time, added.details
       from jsonb_to_recordset($1::jsonb) as added (position bigint, id text, base text, account text, kind text,
         community text, address text, block bigint, hash text, "logIndex" integer, time bigint, details jsonb)
       ${which === 'watched' ? watched : ''} order by added.position on conflict (id) do nothing`,
      [JSON.stringify(numbered)],
    )
  }
}

/** Deletes the oldest alerts of accounts with too many, except those that may be retracted or are not delivered yet. */
export async function prune(query: Query, added: readonly NewAlert[], finalBlock: number): Promise<void> {
  const accounts = [...new Set(added.map(({ account }) => account))]
  for (let first = 0; first < accounts.length; first += prunedAtOnce)
    await query(
      `delete from lineage_accounts.alerts a using (
         select of.account, least(kept.number, (
           select min(sent) from lineage_accounts.webhooks w where w.account = of.account and w.state = 'active')) as up_to
         from unnest($1::text[]) of(account) cross join lateral (
           select number from lineage_accounts.alerts where account = of.account order by number desc offset ${keptAlerts} limit 1) kept) old
       where a.account = old.account and a.number <= old.up_to and (a.block is null or a.block <= $2)`,
      [accounts.slice(first, first + prunedAtOnce), finalBlock],
    )
}
