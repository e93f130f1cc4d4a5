import type { Address, Alert } from '@lineage/referral-api'
import type { Database } from '../../database/database.ts'
import { toAlert } from '../alertRow.ts'

/** Creates the part of the store that lists and marks the alerts of an account. */
export function createListStore({ query }: Pick<Database, 'query'>) {
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
