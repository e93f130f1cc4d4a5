import { randomBytes } from 'node:crypto'
import type { Address, Webhook } from '@lineage/referral-api'
import type { Database, Row } from '../../database/database.ts'
import { lockAlerts } from '../alertTables.ts'
import { checkLimit } from './alertLimits.ts'
import { type DueWebhook, toDue } from './dueWebhook.ts'

/** Creates the part of the store that keeps the webhooks of accounts. */
export function createWebhookStore({ query, transaction }: Pick<Database, 'query' | 'transaction'>) {
  return {
    async listWebhooks(account: Address): Promise<Webhook[]> {
      const rows = await query(
        `select w.*, coalesce(d.items, '[]'::jsonb) as deliveries from lineage_accounts.webhooks w
         left join lateral (
           select jsonb_agg(to_jsonb(one) order by one.id desc) as items from (
             select * from lineage_accounts.deliveries where webhook = w.id order by id desc limit 10) one
         ) d on true where w.account = $1 order by w.created_at, w.id`,
        [account],
      )
      return rows.map(toWebhook)
    },
    /** Adds a webhook, which gets alerts derived from now on. @throws {AlertLimitError} */
    async addWebhook(account: Address, url: string): Promise<Webhook & { secret: string }> {
      const id = randomBytes(9).toString('base64url')
      const secret = `whsec_${randomBytes(24).toString('base64')}`
      await transaction(async (query) => {
        await query(lockAlerts, [])
        await query(
          `insert into lineage_accounts.webhooks (id, account, url, secret, sent, created_at)
           select $1, $2, $3, $4, coalesce(max(number), 0), $5::bigint from lineage_accounts.alerts`,
          [id, account, url, secret, Date.now()],
        )
        await checkLimit(query, 'webhooks', account)
      })
      return { id, url, state: 'active', failingSince: null, deliveries: [], secret }
    },
    async findWebhook(account: Address, id: string): Promise<DueWebhook | undefined> {
      const [row] = await query('select * from lineage_accounts.webhooks where account = $1 and id = $2', [account, id])
      return row && toDue(row)
    },
    async removeWebhook(account: Address, id: string): Promise<boolean> {
      const text = 'delete from lineage_accounts.webhooks where account = $1 and id = $2 returning id'
      return (await query(text, [account, id])).length > 0
    },
    /** Resumes a paused webhook. Returns `false` if it does not exist. */
    async resumeWebhook(account: Address, id: string): Promise<boolean> {
      await query(
        `update lineage_accounts.webhooks set state = 'active', failures = 0, failing_since = null
         where account = $1 and id = $2 and state = 'paused'`,
        [account, id],
      )
      const text = 'select 1 from lineage_accounts.webhooks where account = $1 and id = $2'
      return (await query(text, [account, id])).length > 0
    },
  }
}

function toWebhook(row: Row): Webhook {
  const { id, url, state, failing_since: failingSince, deliveries } = row
  return {
    id: String(id),
    url: String(url),
    state: state as Webhook['state'],
    failingSince: failingSince === null ? null : Math.floor(Number(failingSince) / 1_000),
    deliveries: (deliveries as Row[]).map((one) => ({
      alert: one.alert as string | null,
      at: Number(one.at),
      status: one.status as number | null,
      milliseconds: Number(one.milliseconds),
      answer: String(one.answer),
    })),
  }
}
