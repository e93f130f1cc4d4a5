import type { SiweStore } from '@lineage/wallet-kit/siwe-server'
import { type AccountsPlace, type Database, openDatabase, type Query } from './database.ts'
import { keepLabels, type LabelStore } from './keepLabels.ts'

/** What is kept of accounts. Apart from the index: reading a chain anew leaves it alone. */
export type Accounts = SiweStore & { labels: LabelStore; close: () => Promise<void> }

/** Several processes may come to an empty database at once: one makes the tables, and the others wait for it. */
const tables = `
  begin;
  select pg_advisory_xact_lock(4361);
  create schema if not exists lineage_accounts;
  create table if not exists lineage_accounts.used_nonces (nonce text primary key, expires_at bigint not null);
  create table if not exists lineage_accounts.sessions (
    id text primary key,
    address text not null,
    chain_id bigint not null,
    expires_at bigint not null
  );
  create table if not exists lineage_accounts.labels (
    account text not null,
    address text not null,
    text text not null,
    watched boolean not null,
    updated_at bigint not null,
    primary key (account, address)
  );
  commit;
`

/** Opened at the first question, and anew after that failed: without accounts every lookup still answers. */
export function openAccounts(place: AccountsPlace): Accounts {
  let opening: Promise<Database> | undefined

  const open = async () => {
    const database = await openDatabase(place)
    try {
      await database.run(tables)
      return database
    } catch (error) {
      await database.close().catch(() => undefined)
      throw error
    }
  }
  const opened = () => {
    opening ??= open().catch((error) => {
      opening = undefined
      throw error
    })
    return opening
  }
  const query: Query = async (text, values) => (await opened()).query(text, values)

  return {
    labels: keepLabels({ query, transaction: async (work) => (await opened()).transaction(work) }),
    async useNonce(nonce, expiresAt) {
      await query('delete from lineage_accounts.used_nonces where expires_at <= $1', [Date.now()])
      const added = await query(
        'insert into lineage_accounts.used_nonces values ($1, $2) on conflict do nothing returning nonce',
        [nonce, expiresAt],
      )
      return added.length === 1
    },
    async saveSession({ id, address, chainId, expiresAt }) {
      await query('delete from lineage_accounts.sessions where expires_at <= $1', [Date.now()])
      await query('insert into lineage_accounts.sessions values ($1, $2, $3, $4)', [id, address, chainId, expiresAt])
    },
    async findSession(id) {
      const [row] = await query('select address, chain_id, expires_at from lineage_accounts.sessions where id = $1', [
        id,
      ])
      if (!row) return undefined
      const address = String(row.address) as `0x${string}`
      return { id, address, chainId: Number(row.chain_id), expiresAt: Number(row.expires_at) }
    },
    async deleteSession(id) {
      await query('delete from lineage_accounts.sessions where id = $1', [id])
    },
    async close() {
      const database = await opening?.catch(() => undefined)
      await database?.close()
    },
  }
}
