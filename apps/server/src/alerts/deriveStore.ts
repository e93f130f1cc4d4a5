import type { Address } from '@lineage/referral-api'
import type { Database, Query } from '../database/database.ts'
import type { Heals, WatchedEvents } from '../lookups/findWatchedEvents.ts'
import type { NewAlert } from './alertStore.ts'
import { lockAlerts } from './alertTables.ts'
import { insertAlerts, prune } from './deliveryStore.ts'
import { type Derived, type PendingAlert, type StoredWatch, toId } from './deriveAlerts.ts'

/** Seconds that a digest waits after its end, because block times may be slightly behind. */
const digestDelay = 60

/**
 * Progress of deriving alerts in a community. All events up to `block` are final, and their alerts are stored. `heals` counts
 * the changes of final blocks whose alerts are stored too.
 */
type AlertCursor = {
  block: number
  version: number
  markBlock: number
  markTime: number
  finalTime: number
  /** `undefined` before the first events. */
  heals: Heals | undefined
}

type StoreParameters = {
  community: string
  cursor: AlertCursor
  derived: Derived
  /** Events that the alerts were derived from. */
  events: Pick<WatchedEvents, 'upTo' | 'asOf' | 'heals' | 'healed'>
  /** Sends the jobs that deliver to webhooks of accounts, in the transaction of their alerts. */
  sendJobs: (query: Query, accounts: readonly Address[]) => Promise<void>
}

export type DeriveStore = ReturnType<typeof createDeriveStore>

/** Creates the store from which alerts are derived: the watches of a community, its cursor, and new alerts. */
export function createDeriveStore({ query, transaction }: Database) {
  return {
    /** Returns the communities with watches, or with alerts that may have to be retracted. */
    async listWatchedCommunities(): Promise<string[]> {
      const rows = await query<{ community: string }>(
        // With its order and limit it is a search in the index for each community, not a read of all alerts.
        `select distinct community from lineage_accounts.watches
         union select c.community from lineage_accounts.alert_cursors c cross join lateral (
           select from lineage_accounts.alerts a
           where a.community = c.community and a.block > c.block and not a.is_retracted and a.kind <> 'retracted'
           order by a.block limit 1) pending`,
        [],
      )
      return rows.map(({ community }) => community)
    },
    async readCursor(community: string): Promise<AlertCursor | undefined> {
      const [cursor] = await query<AlertCursor & { heals: Heals | null }>(
        `select block, version, mark_block as "markBlock", mark_time as "markTime", final_time as "finalTime",
           case when index is not null then jsonb_build_object('index', index, 'number', heals) end as heals
         from lineage_accounts.alert_cursors where community = $1`,
        [community],
      )
      return cursor && { ...cursor, heals: cursor.heals ?? undefined }
    },
    async readWatches(community: string): Promise<StoredWatch[]> {
      return query(
        'select account, address, rules, since_block as since from lineage_accounts.watches where community = $1',
        [community],
      )
    },
    /** Returns the alerts of blocks after one, or of these blocks. */
    async readPending(community: string, which: { after: number } | { blocks: readonly number[] }) {
      const [test, value] = 'after' in which ? ['block > $2', which.after] : ['block = any($2)', which.blocks]
      return query<PendingAlert>(
        `select id, base, account, kind, community, address, block, hash, log_index as "logIndex", time, details,
           is_retracted as "isRetracted"
         from lineage_accounts.alerts where community = $1 and ${test} and kind <> 'retracted' order by number`,
        [community, value],
      )
    },
    /** Stores alerts with the jobs that deliver them, and moves the cursor, unless another server did so meanwhile. */
    storeDerived: ({ community, cursor, derived, events, sendJobs }: StoreParameters) =>
      transaction(async (query): Promise<'stored' | 'overtaken'> => {
        await query(lockAlerts, [])
        const next = moveCursor(cursor, events)
        const moved = await query(
          `update lineage_accounts.alert_cursors
           set block = $3, version = version + 1, mark_block = $4, mark_time = $5, final_time = $6,
             index = $7, heals = $8
           where community = $1 and version = $2 returning community`,
          [
            ...[community, cursor.version, next.block, next.markBlock, next.markTime, next.finalTime],
            ...[next.heals?.index, next.heals?.number],
          ],
        )
        if (moved.length === 0) return 'overtaken'
        await insertAlerts(query, derived.alerts, 'watched')
        await retract(query, derived.retracted)
        await count(query, { community, derived, events, cursor })
        const digests = await insertDigests(query, community, {
          ...next,
          part: events.healed ? events.heals : undefined,
        })
        const added = [...derived.alerts, ...derived.retracted.map(({ by }) => by), ...digests]
        await prune(query, added, next.block)
        await sendJobs(query, [...new Set(added.map(({ account }) => account))])
        return 'stored'
      }),
  }
}

/** Returns the cursor at the newest final block. `finalTime` is the time of a marked block that has become final. */
function moveCursor(cursor: AlertCursor, { asOf, upTo, heals, healed }: StoreParameters['events']) {
  if (healed) return { ...cursor, heals }
  const finalizedBlock = Math.min(asOf.finalizedBlock, upTo)
  const block = Math.max(cursor.block, finalizedBlock)
  if (cursor.markBlock > finalizedBlock) return { ...cursor, block, heals }
  return { block, finalTime: cursor.markTime, markBlock: asOf.block, markTime: asOf.timestamp, heals }
}

async function retract(query: Query, retracted: Derived['retracted']): Promise<void> {
  if (retracted.length === 0) return
  const rows = await query<{ id: string }>(
    'update lineage_accounts.alerts set is_retracted = true where id = any($1) and not is_retracted returning id',
    [retracted.map(({ id }) => id)],
  )
  const changed = new Set(rows.map(({ id }) => id))
  await insertAlerts(
    query,
    retracted.filter(({ id }) => changed.has(id)).map(({ by }) => by),
  )
}

/** Counts new members for digests, and removes those whose events are gone. */
async function count(
  query: Query,
  { community, derived, events, cursor }: Pick<StoreParameters, 'community' | 'derived' | 'events' | 'cursor'>,
): Promise<void> {
  const { healed, upTo } = events
  await query(
    `delete from lineage_accounts.digest_events where community = $1 and ${healed ? 'block = any($2)' : 'block > $2 and block <= $4'}
     and not event = any (select jsonb_array_elements_text($3::jsonb))`,
    [
      community,
      healed ? healed.blocks : cursor.block,
      JSON.stringify(derived.eventsOnChain),
      ...(healed ? [] : [upTo]),
    ],
  )
  if (derived.counted.length === 0) return
  await query(
    `insert into lineage_accounts.digest_events
     select w.account, w.community, w.address, added.event, added.block, added.starts, added.ends, added."isUndated"
     from jsonb_to_recordset($2::jsonb) as added
       (account text, address text, event text, block bigint, starts bigint, ends bigint, "isUndated" boolean)
     join lineage_accounts.watches w on w.account = added.account and w.address = added.address and w.community = $1
     on conflict do nothing`,
    [community, JSON.stringify(derived.counted)],
  )
}

/**
 * Creates the digests of the hours and days whose blocks are all final. Members who were found in one, but may have joined
 * before, are in a digest of their own. Members whose binds were missing when a digest was
 * created are in one more digest, the `part` of the replaced blocks.
 */
async function insertDigests(
  query: Query,
  community: string,
  cursor: Pick<AlertCursor, 'block' | 'finalTime'> & { part: Heals | undefined },
): Promise<NewAlert[]> {
  const rows = await query<DueDigest>(
    `with due as (
       delete from lineage_accounts.digest_events where community = $1 and ends <= $3::bigint - $2::bigint and block <= $4 returning *
     )
     select account, address, starts, ends, is_undated as "isUndated", count(*) as members from due
     group by account, address, starts, ends, is_undated order by is_undated`,
    [community, digestDelay, cursor.finalTime, cursor.block],
  )
  const digests = rows.map((row) => toDigest(community, row, cursor.part))
  if (digests.length > 0) await insertAlerts(query, digests)
  return digests
}

type DueDigest = {
  account: Address
  address: Address
  starts: number
  ends: number
  isUndated: boolean
  members: number
}

function toDigest(
  community: string,
  { account, address, starts, ends, isUndated, members }: DueDigest,
  part?: Heals,
): NewAlert {
  const parts = [...(part ? [part.index, part.number] : []), ...(isUndated ? ['undated'] : [])]
  const id = toId(account, community, address, 'digest', starts, ends, ...parts)
  const event = { block: null, hash: null, logIndex: null, time: ends }
  const details = { members, ...(isUndated && { isUndated }) }
  return { id, base: id, kind: 'digest', account, community, address, ...event, details }
}
