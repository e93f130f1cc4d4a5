import type { Address, Watch, WatchRules } from '@lineage/referral-api'
import { mostWatches } from '@lineage/referral-api/watched'
import type { Database, Query, Row } from '../../database/database.ts'
import { lockAlerts } from '../alertTables.ts'
import { AlertLimitError, checkLimit } from './alertLimits.ts'

/** Creates the part of the store that keeps the watches of accounts. */
export function createWatchStore({ query, transaction }: Pick<Database, 'query' | 'transaction'>) {
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

export const toWatch = ({ community, address, rules, updated_at }: Row): Watch => ({
  community: String(community),
  address: address as Address,
  rules: rules as WatchRules,
  updatedAt: Number(updated_at),
})
