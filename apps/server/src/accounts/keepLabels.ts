import type { Address, Label } from '@lineage/referral-api'
import { labelLimit } from '@lineage/referral-api/labels'
import type { Database, Query } from './database.ts'

/** The labels of accounts. Whatever is asked, it is asked for one account. */
export type LabelStore = {
  /** The last changed first. */
  list: (account: Address) => Promise<Label[]>
  find: (account: Address, address: Address) => Promise<Label | undefined>
  /** Of two labels for one address the one changed last stays, and of two as old the one that is kept. @throws {LabelLimitError} */
  merge: (account: Address, labels: readonly Label[]) => Promise<void>
  /** Takes the place of what was kept. @throws {LabelLimitError} */
  save: (account: Address, label: Label) => Promise<void>
  remove: (account: Address, address: Address) => Promise<void>
  removeAll: (account: Address) => Promise<void>
}

/** An account would have more labels than it may. Nothing was changed. */
export class LabelLimitError extends Error {
  override readonly name = 'LabelLimitError'
}

const table = 'lineage_accounts.labels'

export function keepLabels({ query, transaction }: Pick<Database, 'query' | 'transaction'>): LabelStore {
  /** One change of an account after the other, in whichever processes: so many at once cannot pass the limit together. */
  const change = (account: Address, work: (query: Query) => Promise<unknown>) =>
    transaction(async (query) => {
      await query('select pg_advisory_xact_lock(hashtextextended($1, 4361))', [account])
      await work(query)
      const [row] = await query(`select count(*) as count from ${table} where account = $1`, [account])
      if (Number(row?.count) > labelLimit) throw new LabelLimitError(`An account keeps ${labelLimit} labels.`)
    })
  const values = (account: Address, { address, text, watched, updatedAt }: Label) =>
    [account, address, text, watched, updatedAt] as const

  return {
    async list(account) {
      const rows = await query(`select * from ${table} where account = $1 order by updated_at desc, address`, [account])
      return rows.map(toLabel)
    },
    async find(account, address) {
      const [row] = await query(`select * from ${table} where account = $1 and address = $2`, [account, address])
      return row && toLabel(row)
    },
    async merge(account, labels) {
      await change(account, (query) =>
        query(
          `insert into ${table} as kept
           select $1, * from jsonb_to_recordset($2::jsonb) as added (address text, text text, watched boolean, "updatedAt" bigint)
           on conflict (account, address) do update
             set text = excluded.text, watched = excluded.watched, updated_at = excluded.updated_at
             where kept.updated_at < excluded.updated_at`,
          [account, JSON.stringify(labels)],
        ),
      )
    },
    async save(account, label) {
      await change(account, (query) =>
        query(
          `insert into ${table} values ($1, $2, $3, $4, $5)
           on conflict (account, address) do update
             set text = excluded.text, watched = excluded.watched, updated_at = excluded.updated_at`,
          values(account, label),
        ),
      )
    },
    async remove(account, address) {
      await query(`delete from ${table} where account = $1 and address = $2`, [account, address])
    },
    async removeAll(account) {
      await query(`delete from ${table} where account = $1`, [account])
    },
  }
}

const toLabel = ({ address, text, watched, updated_at }: Record<string, unknown>): Label => ({
  address: address as Address,
  text: String(text),
  watched: watched === true,
  updatedAt: Number(updated_at),
})
