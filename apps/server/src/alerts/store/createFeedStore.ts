import { createHash, randomBytes } from 'node:crypto'
import type { Address } from '@lineage/referral-api'
import type { Database } from '../../database/database.ts'

/** Creates the part of the store that finds feeds by their secret token, of which only the hash is stored. */
export function createFeedStore({ query }: Pick<Database, 'query'>) {
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
