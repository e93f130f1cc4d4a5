import { createHash, randomBytes } from 'node:crypto'
import type { Address, Alert, AlertKind, Webhook } from '@lineage/referral-api'
import type { Database } from '../database/database.ts'
import { lockAlerts } from './alertTables.ts'
import { checkLimit, createWatchStore, noteVisit } from './watchStore.ts'

export type AlertStore = ReturnType<typeof createAlertStore>

/** Creates the store of what accounts see and change: their alerts, watches, webhooks and feeds. */
export function createAlertStore(database: Database) {
  return {
    ...createListStore(database),
    ...createWatchStore(database),
    ...createWebhookStore(database),
    ...createFeedStore(database),
  }
}

/** Creates the functions that list and mark the alerts of an account. */
function createListStore({ query }: Pick<Database, 'query'>) {
  async function findReadMark(account: Address): Promise<number> {
    const text = 'select read_up_to as mark from lineage_accounts.alert_accounts where account = $1'
    const [row] = await query<{ mark: number }>(text, [account])
    return row?.mark ?? 0
  }
  return {
    /** Returns alerts older than a number, newest first. */
    async listAlerts(account: Address, { before, limit }: { before: number; limit: number }): Promise<Alert[]> {
      const readUpTo = await findReadMark(account)
      const rows = await query<AlertRow>(
        `${selectAlerts} where account = $1 and number < $2 order by number desc limit $3`,
        [account, before, limit],
      )
      return rows.map((row) => toAlert(row, readUpTo))
    },
    /** Returns the accounts with alerts after a number, and the newest number. Without a number, no accounts. */
    async listNews(after: number | undefined): Promise<{ number: number; accounts: Address[] }> {
      if (after === undefined) {
        const text = 'select coalesce(max(number), 0) as number from lineage_accounts.alerts'
        const [newest] = await query<{ number: number }>(text, [])
        return { number: newest?.number ?? 0, accounts: [] }
      }
      const rows = await query<{ account: Address; number: number }>(
        'select account, max(number) as number from lineage_accounts.alerts where number > $1 group by account',
        [after],
      )
      return {
        number: Math.max(after, ...rows.map(({ number }) => number)),
        accounts: rows.map(({ account }) => account),
      }
    },
    async countUnread(account: Address): Promise<number> {
      const [row] = await query<{ count: number }>(
        'select count(*) as count from lineage_accounts.alerts where account = $1 and number > $2',
        [account, await findReadMark(account)],
      )
      return row?.count ?? 0
    },
    async markRead(account: Address, upTo: number): Promise<void> {
      await query(
        `insert into lineage_accounts.alert_accounts as existing (account, read_up_to) values ($1, $2)
         on conflict (account) do update set read_up_to = greatest(existing.read_up_to, excluded.read_up_to)`,
        [account, upTo],
      )
    },
  }
}

/** Data of an alert besides its event. */
export type AlertDetails = Partial<
  Pick<Alert, 'member' | 'referrer' | 'from' | 'status' | 'amount' | 'members' | 'isUndated' | 'webhook' | 'retracts'>
>

/** An alert to insert. */
export type NewAlert = {
  id: string
  /** Id derived from the event alone. `id` differs from it if the event was retracted and came back. */
  base: string
  account: Address
  kind: AlertKind
  community: string | null
  /** The watched address. */
  address: Address | null
  block: number | null
  hash: string | null
  logIndex: number | null
  time: number
  details: AlertDetails
}

export type AlertRow = Omit<Alert, keyof AlertDetails | 'isRead'> & { details: AlertDetails }

/** Selects rows for `toAlert`. */
export const selectAlerts = `select id, number, kind, community, address, time, block, hash, log_index as "logIndex",
  is_retracted as "isRetracted", details from lineage_accounts.alerts`

const noDetails: Required<AlertDetails> = {
  ...{ member: null, referrer: null, from: null, status: null, amount: null, members: null },
  ...{ isUndated: false, webhook: null, retracts: null },
}

/** Reads a row of the table. Details of other names, which a newer server may store, are left out. */
export function toAlert({ details, ...row }: AlertRow, readUpTo: number): Alert {
  const known = Object.entries({ ...noDetails, ...details }).filter(([name]) => name in noDetails)
  return { ...row, ...(Object.fromEntries(known) as typeof noDetails), isRead: row.number <= readUpTo }
}

/** A webhook to send to. */
export type WebhookTarget = { id: string; account: Address; url: string; secret: string }

/** Creates the functions that list and change the webhooks of an account. */
function createWebhookStore({ query, transaction }: Database) {
  return {
    async listWebhooks(account: Address): Promise<Webhook[]> {
      return query(
        `select w.id, url, state, failing_since / 1000 as "failingSince", coalesce(d.items, '[]'::jsonb) as deliveries
         from lineage_accounts.webhooks w
         left join lateral (
           select jsonb_agg(to_jsonb(one) - 'id' order by one.id desc) as items from (
             select id, alert, at, status, milliseconds, answer from lineage_accounts.deliveries
             where webhook = w.id order by id desc limit 10) one
         ) d on true where w.account = $1 order by w.created_at, w.id`,
        [account],
      )
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
    async findWebhook(account: Address, id: string): Promise<WebhookTarget | undefined> {
      const text = 'select id, account, url, secret from lineage_accounts.webhooks where account = $1 and id = $2'
      const [webhook] = await query<WebhookTarget>(text, [account, id])
      return webhook
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

/** Creates the functions for feeds, which are found by their secret token. Only its hash is stored. */
function createFeedStore({ query }: Pick<Database, 'query'>) {
  const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url')
  return {
    async hasFeed(account: Address): Promise<boolean> {
      const text = 'select 1 from lineage_accounts.alert_accounts where account = $1 and feed is not null'
      return (await query(text, [account])).length > 0
    },
    /** Replaces the token of the feed and returns the new one. */
    async renewFeed(account: Address): Promise<string> {
      const token = randomBytes(16).toString('base64url')
      await query(
        `insert into lineage_accounts.alert_accounts (account, feed) values ($1, $2)
         on conflict (account) do update set feed = excluded.feed`,
        [account, hashOf(token)],
      )
      return token
    },
    async removeFeed(account: Address): Promise<void> {
      await query('update lineage_accounts.alert_accounts set feed = null where account = $1', [account])
    },
    /** Returns the account of a feed that is read. */
    async findFeedAccount(token: string): Promise<Address | undefined> {
      const text = 'select account from lineage_accounts.alert_accounts where feed = $1'
      const [row] = await query<{ account: Address }>(text, [hashOf(token)])
      if (row) await query(noteVisit(), [row.account, Date.now()])
      return row?.account
    },
  }
}
