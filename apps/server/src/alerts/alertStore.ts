import { createHash, randomBytes } from 'node:crypto'
import type { Address, Alert, Delivery, Watch, WatchRules, Webhook } from '@lineage/referral-api'
import { mostWatches } from '@lineage/referral-api/watched'
import type { Database, Query } from '../accounts/database.ts'
import { type NewAlert, toAlert } from './alertRow.ts'
import { lockAlerts } from './alertTables.ts'
import { type Derived, type PendingAlert, type StoredWatch, toId } from './deriveAlerts.ts'

/** Largest number of watches and of webhooks per account. */
export const alertLimits = { watches: 50, webhooks: 5 } as const

/** Number of newest alerts kept per account. */
const keptAlerts = 1_000
/** Number of alerts inserted by one statement, which must finish within 5 s. */
const insertedAtOnce = 2_000
/** Number of newest deliveries kept per webhook. */
const keptDeliveries = 20
/** Seconds that a digest waits after its end, because block times may be slightly behind. */
const digestDelay = 60

/** Thrown when a change would exceed a limit of the account or of the service. Nothing was changed. */
export class AlertLimitError extends Error {
  override readonly name = 'AlertLimitError'
  readonly of: keyof typeof alertLimits

  constructor(of: keyof typeof alertLimits, limitOf: 'account' | 'service' = 'account') {
    super(
      limitOf === 'account'
        ? `An account can have ${alertLimits[of]} ${of}. Nothing was changed. Delete one first.`
        : `This service can keep ${mostWatches} ${of}, and has as many. Nothing was changed. Try again later.`,
    )
    this.of = of
  }
}

/** Progress of deriving alerts in a community: all events up to `block` are final and their alerts are stored. */
type AlertCursor = { block: number; version: number; markBlock: number; markTime: number; finalTime: number }

/** A webhook to deliver to. */
export type DueWebhook = {
  id: string
  account: Address
  url: string
  secret: string
  /** Number of the last alert that was delivered. */
  sent: number
  failures: number
  /** Unix milliseconds. */
  failingSince: number | null
}

/** A webhook in the queue. `first` is the first webhook of its account. */
export type DueWebhookId = { id: string; first: string }

export type AlertStore = ReturnType<typeof createAlertStore>

/** Creates the store of watches, alerts, webhooks and feeds. */
export function createAlertStore(database: Pick<Database, 'query' | 'transaction'>) {
  return {
    ...createListStore(database),
    ...createWatchStore(database),
    ...createDeriveStore(database),
    ...createWebhookStore(database),
    ...createFeedStore(database),
  }
}

type Row = Record<string, unknown>
type Parts = Pick<Database, 'query' | 'transaction'>

/** Creates the part of the store that lists and marks the alerts of an account. */
function createListStore({ query }: Parts) {
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

/** The watches of accounts. */
function createWatchStore({ query, transaction }: Parts) {
  return {
    async listWatches(account: Address): Promise<Watch[]> {
      const rows = await query(
        'select * from lineage_accounts.watches where account = $1 order by community, address',
        [account],
      )
      return rows.map(toWatch)
    },
    /**
     * Adds a watch for events after `asOf`, or changes one: the new rules apply to all events without an alert so
     * far.
     *
     * @throws {AlertLimitError}
     */
    async saveWatch(account: Address, watch: Watch, asOf: { block: number; finalizedBlock: number }): Promise<void> {
      await transaction(async (query) => {
        await query(lockAlerts, [])
        await skipUnwatched(query, watch.community, asOf.finalizedBlock)
        await query(
          `insert into lineage_accounts.watches values ($1, $2, $3, $4::jsonb, $5, $6)
           on conflict (account, community, address) do update set rules = excluded.rules, updated_at = excluded.updated_at`,
          [account, watch.community, watch.address, JSON.stringify(watch.rules), asOf.block, watch.updatedAt],
        )
        await query(
          'insert into lineage_accounts.alert_cursors (community, block) values ($1, $2) on conflict do nothing',
          [watch.community, asOf.finalizedBlock],
        )
        await checkLimit(query, 'watches', account)
        const [row] = await query('select count(*) as count from lineage_accounts.watches', [])
        if (Number(row?.count) > mostWatches) throw new AlertLimitError('watches', 'service')
      })
    },
    async removeWatch(account: Address, community: string, address: Address): Promise<void> {
      await transaction(async (query) => {
        await query(lockAlerts, [])
        for (const table of ['watches', 'digest_events'])
          await query(`delete from lineage_accounts.${table} where account = $1 and community = $2 and address = $3`, [
            account,
            community,
            address,
          ])
      })
    },
  }
}

/** Moves the cursor of a community past the blocks without watches, if no alert may have to be retracted. */
async function skipUnwatched(query: Query, community: string, finalizedBlock: number): Promise<void> {
  await query(
    `update lineage_accounts.alert_cursors c set block = $2, version = version + 1
     where community = $1 and block < $2
       and not exists (select 1 from lineage_accounts.watches w where w.community = c.community)
       and not exists (select 1 from lineage_accounts.alerts a where a.community = c.community and a.block > c.block)
       and not exists (select 1 from lineage_accounts.digest_events d where d.community = c.community)`,
    [community, finalizedBlock],
  )
}

async function checkLimit(query: Query, name: keyof typeof alertLimits, account: Address): Promise<void> {
  const [row] = await query(`select count(*) as count from lineage_accounts.${name} where account = $1`, [account])
  if (Number(row?.count) > alertLimits[name]) throw new AlertLimitError(name)
}

const toWatch = ({ community, address, rules, updated_at }: Row): Watch => ({
  community: String(community),
  address: address as Address,
  rules: rules as WatchRules,
  updatedAt: Number(updated_at),
})

type DeriveParameters = {
  community: string
  cursor: AlertCursor
  derived: Derived
  /** Last block that was derived. `asOf` is the newest block of the index. */
  upTo: number
  asOf: { block: number; timestamp: number; finalizedBlock: number }
}

/** The cursors, watches and alerts of a derivation. */
function createDeriveStore({ query, transaction }: Parts) {
  return {
    /** Returns the communities with watches, or with alerts that may have to be retracted. */
    async listWatchedCommunities(): Promise<string[]> {
      const rows = await query(
        `select distinct community from lineage_accounts.watches
         union select a.community from lineage_accounts.alerts a join lineage_accounts.alert_cursors c using (community)
           where a.block > c.block and not a.is_retracted and a.kind <> 'retracted'`,
        [],
      )
      return rows.map(({ community }) => String(community))
    },
    /**
     * Returns the cursor of a community and holds it for one server; `undefined` while another server holds it. A
     * hold that ends later than possible comes from a wrong clock and is ignored.
     */
    async holdCursor(community: string, holder: string, milliseconds: number): Promise<AlertCursor | undefined> {
      const [row] = await query(
        `update lineage_accounts.alert_cursors set holder = $2, held_until = $3::bigint + $4::bigint
         where community = $1 and (holder = $2 or held_until not between $3::bigint and $3::bigint + $4::bigint) returning *`,
        [community, holder, Date.now(), milliseconds],
      )
      return row && toCursor(row)
    },
    /** Releases the cursors of a server, so that another server can derive alerts at once. */
    async releaseCursors(holder: string): Promise<void> {
      await query('update lineage_accounts.alert_cursors set held_until = 0 where holder = $1', [holder])
    },
    async readWatches(community: string): Promise<StoredWatch[]> {
      const rows = await query('select * from lineage_accounts.watches where community = $1', [community])
      return rows.map(({ since_block, account, ...row }) => {
        const { address, rules } = toWatch(row)
        return { account: account as Address, address, rules, since: Number(since_block) }
      })
    },
    /** Returns the alerts of blocks after `after`. */
    async readPending(community: string, after: number): Promise<PendingAlert[]> {
      const rows = await query(
        `select * from lineage_accounts.alerts where community = $1 and block > $2 and kind <> 'retracted' order by number`,
        [community, after],
      )
      return rows.map(toPending)
    },
    /** Stores derived alerts, and moves the cursor over final blocks; does nothing if another server did so meanwhile. */
    async storeDerived({ community, cursor, derived, upTo, asOf }: DeriveParameters): Promise<'stored' | 'overtaken'> {
      let outcome: 'stored' | 'overtaken' = 'overtaken'
      await transaction(async (query) => {
        await query(lockAlerts, [])
        const next = moveCursor(cursor, { ...asOf, finalizedBlock: Math.min(asOf.finalizedBlock, upTo) })
        const moved = await query(
          `update lineage_accounts.alert_cursors
           set block = $3, version = version + 1, mark_block = $4, mark_time = $5, final_time = $6
           where community = $1 and version = $2 returning community`,
          [community, cursor.version, next.block, next.markBlock, next.markTime, next.finalTime],
        )
        if (moved.length === 0) return
        await insertWatched(query, derived.alerts)
        await retract(query, derived.retracted)
        await count(query, { community, derived, upTo, cursor })
        const digests = await insertDigests(query, community, next)
        await prune(query, [...derived.alerts, ...derived.retracted.map(({ by }) => by), ...digests], next.block)
        outcome = 'stored'
      })
      return outcome
    },
  }
}

const toCursor = (row: Row): AlertCursor => ({
  block: Number(row.block),
  version: Number(row.version),
  markBlock: Number(row.mark_block),
  markTime: Number(row.mark_time),
  finalTime: Number(row.final_time),
})

/**
 * Returns the cursor at the newest final block. Once the marked block is final, all events up to its time are final.
 */
function moveCursor(cursor: AlertCursor, asOf: DeriveParameters['asOf']): Omit<AlertCursor, 'version'> {
  const block = Math.max(cursor.block, asOf.finalizedBlock)
  if (cursor.markBlock > asOf.finalizedBlock) return { ...cursor, block }
  return { block, finalTime: cursor.markTime, markBlock: asOf.block, markTime: asOf.timestamp }
}

function toPending(row: Row): PendingAlert {
  return {
    id: String(row.id),
    base: String(row.base),
    account: row.account as Address,
    kind: row.kind as PendingAlert['kind'],
    community: String(row.community),
    address: row.address as Address,
    block: Number(row.block),
    hash: String(row.hash),
    logIndex: Number(row.log_index),
    time: Number(row.time),
    details: row.details as PendingAlert['details'],
    isRetracted: row.is_retracted === true,
  }
}

const insertText = `insert into lineage_accounts.alerts
  (id, base, account, kind, community, address, block, hash, log_index, time, details)
  select added.id, added.base, added.account, added.kind, added.community, added.address, added.block, added.hash,
    added."logIndex", added.time, added.details
  from jsonb_to_recordset($1::jsonb) as added (position bigint, id text, base text, account text, kind text, community text, address text,
    block bigint, hash text, "logIndex" integer, time bigint, details jsonb)`

/** Inserts the alerts whose watch still exists. */
async function insertWatched(query: Query, alerts: readonly NewAlert[]): Promise<void> {
  for (let first = 0; first < alerts.length; first += insertedAtOnce)
    await query(
      `${insertText} join lineage_accounts.watches w
       on w.account = added.account and w.community = added.community and w.address = added.address
     ${inOrder}`,
      [toNumbered(alerts.slice(first, first + insertedAtOnce))],
    )
}

const insertAlerts = (query: Query, alerts: readonly NewAlert[]) =>
  query(`${insertText} ${inOrder}`, [toNumbered(alerts)])

/** Numbers rows in the order of their insertion. */
const inOrder = 'order by added.position on conflict (id) do nothing'
const toNumbered = (alerts: readonly NewAlert[]) =>
  JSON.stringify(alerts.map((alert, position) => ({ ...alert, position })))

async function retract(query: Query, retracted: Derived['retracted']): Promise<void> {
  for (const { id, by } of retracted) {
    const found = await query(
      'update lineage_accounts.alerts set is_retracted = true where id = $1 and not is_retracted returning id',
      [id],
    )
    if (found.length > 0) await insertAlerts(query, [by])
  }
}

/** Counts new members for digests, and removes those whose events are gone. */
async function count(
  query: Query,
  { community, derived, upTo, cursor }: Omit<DeriveParameters, 'asOf'>,
): Promise<void> {
  await query(
    `delete from lineage_accounts.digest_events where community = $1 and block > $2 and block <= $3
     and not event = any (select jsonb_array_elements_text($4::jsonb))`,
    [community, cursor.block, upTo, JSON.stringify(derived.standing)],
  )
  if (derived.counted.length === 0) return
  await query(
    `insert into lineage_accounts.digest_events
     select w.account, w.community, w.address, added.event, added.block, added.starts, added.ends
     from jsonb_to_recordset($2::jsonb) as added (account text, address text, event text, block bigint, starts bigint, ends bigint)
     join lineage_accounts.watches w on w.account = added.account and w.address = added.address and w.community = $1
     on conflict do nothing`,
    [community, JSON.stringify(derived.counted)],
  )
}

/** Creates the digests of the hours and days whose blocks are all final. */
async function insertDigests(
  query: Query,
  community: string,
  cursor: Omit<AlertCursor, 'version'>,
): Promise<NewAlert[]> {
  const rows = await query(
    `with due as (
       delete from lineage_accounts.digest_events where community = $1 and ends + $2 <= $3 and block <= $4 returning *
     )
     select account, address, starts, ends, count(*) as count from due group by account, address, starts, ends`,
    [community, digestDelay, cursor.finalTime, cursor.block],
  )
  const digests = rows.map((row) => toDigest(community, row))
  if (digests.length > 0) await insertAlerts(query, digests)
  return digests
}

function toDigest(community: string, { account, address, starts, ends, count }: Row): NewAlert {
  const id = toId(String(account), community, String(address), 'digest', Number(starts), Number(ends))
  const event = { block: null, hash: null, logIndex: null, time: Number(ends) }
  const of = { account: account as Address, community, address: address as Address }
  return { id, base: id, kind: 'digest', ...of, ...event, details: { members: Number(count) } }
}

/**
 * Deletes the oldest alerts of accounts that have too many. Keeps alerts that may be retracted or are not delivered
 * yet.
 */
async function prune(query: Query, added: readonly NewAlert[], finalBlock: number): Promise<void> {
  for (const account of new Set(added.map((alert) => alert.account)))
    await query(
      `delete from lineage_accounts.alerts where account = $1 and (block is null or block <= $2) and number <= (
         select number from lineage_accounts.alerts where account = $1 order by number desc offset ${keptAlerts} limit 1)
       and number <= all (select sent from lineage_accounts.webhooks where account = $1 and state = 'active')`,
      [account, finalBlock],
    )
}

/** Webhooks and their deliveries. */
function createWebhookStore({ query, transaction }: Parts) {
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
    /** Lists the webhooks with alerts to get. A webhook that failed waits for its next try, and is listed with `all`. */
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
    /** Notes that a webhook has got an alert; `false` if it is gone, or another worker was faster. */
    async noteSent({ id, sent }: DueWebhook, number: number): Promise<boolean> {
      const rows = await query(
        `update lineage_accounts.webhooks set sent = $3, failures = 0, failing_since = null
         where id = $1 and sent = $2 returning id`,
        [id, sent, number],
      )
      return rows.length > 0
    },
    /** Notes a failure; `false` if the webhook is gone, or another worker has moved it on. */
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

function toDue(row: Row): DueWebhook {
  return {
    id: String(row.id),
    account: row.account as Address,
    url: String(row.url),
    secret: String(row.secret),
    sent: Number(row.sent),
    failures: Number(row.failures),
    failingSince: row.failing_since === null ? null : Number(row.failing_since),
  }
}

/** Creates the part of the store that finds feeds by their secret token, of which only the hash is stored. */
function createFeedStore({ query }: Parts) {
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
    async findFeedAccount(token: string): Promise<Address | undefined> {
      const [row] = await query('select account from lineage_accounts.alert_accounts where feed = $1', [hashOf(token)])
      return row?.account as Address | undefined
    },
  }
}
