import type { Address, Label } from '@lineage/referral-api'
import { labelLimit } from '@lineage/referral-api/labels'
import type { Database, Query } from '../database/database.ts'

/** Thrown when a change would exceed the label limit of an account. Nothing was changed. */
export class LabelLimitError extends Error {
  override readonly name = 'LabelLimitError'
}

export const labelTable = 'lineage_accounts.labels'
const table = labelTable
const select = `select address, text, watched, updated_at as "updatedAt" from ${table}`

export type LabelStore = ReturnType<typeof createLabelStore>

export function createLabelStore({ query, transaction }: Database) {
  /** Runs the changes of an account one after the other, in all processes, so that they cannot exceed the limit. */
  const change = (account: Address, work: (query: Query) => Promise<unknown>) =>
    transaction(async (query) => {
      await query('select pg_advisory_xact_lock(hashtextextended($1, 4361))', [account])
      await work(query)
      const [row] = await query<{ count: number }>(`select count(*) as count from ${table} where account = $1`, [
        account,
      ])
      if (row && row.count > labelLimit) throw new LabelLimitError(`An account can have ${labelLimit} labels.`)
    })

  return {
    /** Returns the labels of an account, last changed first. */
    async list(account: Address) {
      return query<Label>(`${select} where account = $1 order by updated_at desc, address`, [account])
    },
    async find(account: Address, address: Address) {
      const [label] = await query<Label>(`${select} where account = $1 and address = $2`, [account, address])
      return label
    },
    /** Adds labels. An existing label of an address is replaced by a newer one only. @throws {LabelLimitError} */
    async merge(account: Address, labels: readonly Label[]) {
      await change(account, (query) =>
        query(
          `insert into ${table} as existing
           select $1, * from jsonb_to_recordset($2::jsonb) as added (address text, text text, watched boolean, "updatedAt" bigint)
           on conflict (account, address) do update
             set text = excluded.text, watched = excluded.watched, updated_at = excluded.updated_at
             where existing.updated_at < excluded.updated_at`,
          [account, JSON.stringify(labels)],
        ),
      )
    },
    /** Adds or replaces a label. @throws {LabelLimitError} */
    async save(account: Address, { address, text, watched, updatedAt }: Label) {
      await change(account, (query) =>
        query(
          `insert into ${table} values ($1, $2, $3, $4, $5)
           on conflict (account, address) do update
             set text = excluded.text, watched = excluded.watched, updated_at = excluded.updated_at`,
          [account, address, text, watched, updatedAt],
        ),
      )
    },
    async remove(account: Address, address: Address) {
      await query(`delete from ${table} where account = $1 and address = $2`, [account, address])
    },
    async removeAll(account: Address) {
      await query(`delete from ${table} where account = $1`, [account])
    },
  }
}
