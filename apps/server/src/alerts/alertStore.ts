import { createHash, randomBytes } from 'node:crypto'
import type { Address, Alert, AlertKind, Webhook } from '@lineage/referral-api'
import type { Database, Row } from '../database/database.ts'
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
    const [row] = await query('select read_up_to from lineage_accounts.alert_accounts where account = $1', [account])
    return Number(row?.read_up_to ?? 0)
  }
  return {
    /** Returns alerts older than a number, newest first. */
    async listAlerts(account: Address, { before, limit }: { before: number; limit: number }): Promise<Alert[]> {
      const readUpTo = await findReadMark(account)
      const rows = await query(
        'select * from lineage_accounts.alerts where account = $1 and number < $2 order by number desc limit $3',
        [account, before, limit],
      )
      return rows.map((row) => toAlert(row, readUpTo))
    },
    /** Returns the accounts with alerts after a number, and the newest number. Without a number, no accounts. */
    async listNews(after: number | undefined): Promise<{ number: number; accounts: Address[] }> {
      if (after === undefined) {
        const [row] = await query('select coalesce(max(number), 0) as number from lineage_accounts.alerts', [])
        return { number: Number(row?.number), accounts: [] }
      }
      const rows = await query(
        'select account, max(number) as number from lineage_accounts.alerts where number > $1 group by account',
        [after],
      )
      return {
        number: Math.max(after, ...rows.map((row) => Number(row.number))),
        accounts: rows.map(({ account }) => account as Address),
      }
    },
    async countUnread(account: Address): Promise<number> {
      const [row] = await query(
        'select count(*) as count from lineage_accounts.alerts where account = $1 and number > $2',
        [account, await findReadMark(account)],
      )
      return Number(row?.count)
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

const numberOrNull = (value: unknown) => (value === null ? null : Number(value))

/** Reads a row of the table. */
export function toAlert(row: Row, readUpTo: number): Alert {
  const {
    member = null,
    referrer = null,
    from = null,
    status = null,
    amount = null,
    ...rest
  } = row.details as AlertDetails
  const { members = null, isUndated = false, webhook = null, retracts = null } = rest
  return {
    id: String(row.id),
    number: Number(row.number),
    kind: row.kind as AlertKind,
    community: row.community as string | null,
    address: row.address as Address | null,
    time: Number(row.time),
    block: numberOrNull(row.block),
    hash: row.hash as string | null,
    logIndex: numberOrNull(row.log_index),
    member,
    referrer,
    from,
    status,
    amount,
    members,
    isUndated,
    webhook,
    retracts,
    isRetracted: row.is_retracted === true,
    isRead: Number(row.number) <= readUpTo,
  }
}

/** A webhook to send to. */
export type WebhookTarget = { id: string; account: Address; url: string; secret: string }

/** Creates the functions that list and change the webhooks of an account. */
function createWebhookStore({ query, transaction }: Database) {
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
    async findWebhook(account: Address, id: string): Promise<WebhookTarget | undefined> {
      const [row] = await query('select * from lineage_accounts.webhooks where account = $1 and id = $2', [account, id])
      return row && { id, account, url: String(row.url), secret: String(row.secret) }
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
      const [row] = await query('select account from lineage_accounts.alert_accounts where feed = $1', [hashOf(token)])
      if (row) await query(noteVisit(), [row.account, Date.now()])
      return row?.account as Address | undefined
    },
  }
}
