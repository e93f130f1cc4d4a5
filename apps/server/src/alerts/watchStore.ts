import type { Address, Watch } from '@lineage/referral-api'
import type { Database, Query } from '../database/database.ts'
import { createPlaces } from '../lib/places.ts'
import { lockAlerts } from './alertTables.ts'

/** Largest number of watches of all accounts, whose addresses are sent to the index at once. */
export const mostWatches = 20_000

/** Largest number of watches and of webhooks per account. */
export const alertLimits = { watches: 50, webhooks: 5 } as const

/** Thrown when a change would exceed a limit of the account or of the service. Nothing was changed. */
export class AlertLimitError extends Error {
  override readonly name = 'AlertLimitError'
  readonly of: keyof typeof alertLimits

  constructor(of: keyof typeof alertLimits, limitOf: 'account' | 'service' = 'account') {
    super(
      limitOf === 'account'
        ? `An account can have ${alertLimits[of]} ${of}. Nothing was changed. Delete one first.`
        : `This service can keep ${mostWatches} ${of}, and has as many. Nothing was changed. Your network has as many as any other, so try again later.`,
    )
    this.of = of
  }
}

/** Throws if an account has too many watches or webhooks. @throws {AlertLimitError} */
export async function checkLimit(query: Query, name: keyof typeof alertLimits, account: Address): Promise<void> {
  const [row] = await query<{ count: number }>(
    `select count(*) as count from lineage_accounts.${name} where account = $1`,
    [account],
  )
  if (row && row.count > alertLimits[name]) throw new AlertLimitError(name)
}

const day = 86_400_000

/**
 * Time after the last visit of an account at which its watches end, in milliseconds. An account that never came back
 * after its first day is `unconfirmed`.
 */
const lifetimes = { confirmed: 180 * day, unconfirmed: 30 * day }

/** Number of accounts whose watches end at once, so that a clock that is wrong for hours ends few. */
const expiredAtOnce = 100

/**
 * Returns SQL that notes a visit of an account with watches: it signed in, its feed was read, or its webhook got an
 * alert. One in an hour is enough.
 */
export const noteVisit = (account = '$1', now = '$2') =>
  `update lineage_accounts.visits set seen_at = ${now}::bigint where account = ${account} and seen_at < ${now}::bigint - 3600000`

type Block = { block: number; finalizedBlock: number }

/** Creates the functions that list and change the watches of an account. */
export function createWatchStore({ query, transaction }: Database) {
  return {
    async listWatches(account: Address): Promise<Watch[]> {
      return query(
        `select community, address, rules, updated_at as "updatedAt" from lineage_accounts.watches
         where account = $1 order by community, address`,
        [account],
      )
    },
    /**
     * Adds a watch for events after `asOf`, or changes one: the new rules apply to all events without an alert so
     * far. If the service has no place left, the newest watch of the network with the most watches makes room.
     *
     * @param networks Names of the networks of the visitor, the widest first.
     * @throws {AlertLimitError}
     */
    async saveWatch(account: Address, watch: Watch, asOf: Block, networks: readonly string[] = []): Promise<void> {
      await transaction(async (query) => {
        await query(lockAlerts, [])
        await makeRoom(query, account, watch, networks)
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
        await query(
          `insert into lineage_accounts.visits values ($1, $2, $3, $3)
           on conflict (account) do update set networks = excluded.networks, seen_at = excluded.seen_at`,
          [account, networks, Date.now()],
        )
        await checkLimit(query, 'watches', account)
      })
    },
    async removeWatch(account: Address, community: string, address: Address): Promise<void> {
      await transaction(async (query) => {
        await query(lockAlerts, [])
        await deleteWatches(query, 'account = $1 and community = $2 and address = $3', [account, community, address])
      })
    },
    /**
     * Ends the watches of accounts that did not come back: see `lifetimes`. Accounts of a version that noted no visits
     * count as seen now.
     *
     * @param past Unix milliseconds that have passed for certain.
     */
    async endUnusedWatches(past: number): Promise<void> {
      await transaction(async (query) => {
        await query(lockAlerts, [])
        await query(
          `insert into lineage_accounts.visits
           select account, '{}'::text[], min(updated_at) * 1000, $1::bigint from lineage_accounts.watches group by account on conflict do nothing`,
          [Date.now()],
        )
        // The clock was ahead.
        await query('update lineage_accounts.visits set seen_at = $1 where seen_at > $1::bigint + 86400000', [
          Date.now(),
        ])
        await deleteWatches(
          query,
          `account in (
             select account from lineage_accounts.visits v
             where seen_at <= $1::bigint - case when seen_at - since < $2::bigint then $3::bigint else $4::bigint end
               and exists (select 1 from lineage_accounts.watches w where w.account = v.account)
             order by seen_at limit ${expiredAtOnce})`,
          [past, day, lifetimes.unconfirmed, lifetimes.confirmed],
        )
      })
    },
  }
}

async function deleteWatches(query: Query, where: string, values: readonly unknown[]): Promise<void> {
  for (const table of ['digest_events', 'watches'])
    await query(`delete from lineage_accounts.${table} where ${where}`, values)
}

/** Deletes a watch of another network if all places are taken and the watch is a new one. @throws {AlertLimitError} */
async function makeRoom(query: Query, account: Address, watch: Watch, networks: readonly string[]): Promise<void> {
  const [row] = await query<{ count: number; is_known: boolean | null }>(
    `select count(*) as count, bool_or(account = $1 and community = $2 and address = $3) as is_known
     from lineage_accounts.watches`,
    [account, watch.community, watch.address],
  )
  if (!row || row.count < mostWatches || row.is_known) return
  const places = createPlaces<string>()
  const holders = await query<{ account: string; networks: string[] | null; count: number }>(
    `select w.account, v.networks, count(*) as count from lineage_accounts.watches w
     left join lineage_accounts.visits v using (account) group by w.account, v.networks order by max(w.updated_at)`,
    [],
  )
  for (const { account: holder, networks: path, count } of holders)
    places.take([...(path ?? []), holder], holder, count)
  const loser = places.findLoser([...networks, account])
  if (loser === undefined) throw new AlertLimitError('watches', 'service')
  const [newest] = await query(
    'select * from lineage_accounts.watches where account = $1 order by updated_at desc, since_block desc limit 1',
    [loser],
  )
  await deleteWatches(query, 'account = $1 and community = $2 and address = $3', [
    loser,
    newest?.community,
    newest?.address,
  ])
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
