import { createMissingIndex } from '@lineage/database'
import type { Address } from '@lineage/referral-api'
import type { SiweStore, StoredSession } from '@lineage/wallet-kit/siwe-server'
import { noteVisit } from '../alerts/watchStore.ts'
import { createPast, type Query } from '../database/database.ts'

/** SQL that creates the tables of used nonces and sessions. */
export const siweTables = `
  create table if not exists lineage_accounts.used_nonces (nonce text primary key, expires_at bigint not null);
  ${createMissingIndex('used_nonces_by_end', 'lineage_accounts.used_nonces', '(expires_at)')}
  create table if not exists lineage_accounts.sessions (
    id text primary key,
    address text not null,
    chain_id bigint not null,
    expires_at bigint not null
  );
  ${createMissingIndex('sessions_by_end', 'lineage_accounts.sessions', '(expires_at)')}
  ${createMissingIndex('sessions_of_account', 'lineage_accounts.sessions', '(address, expires_at)')}
`
const nonceTable = 'lineage_accounts.used_nonces'
export const sessionTable = 'lineage_accounts.sessions'

/** Time for which expired nonces are kept, in milliseconds: the clock may be set back by up to this much. */
const nonceHistory = 7 * 86_400_000

/** Largest number of expired rows that a sign-in deletes, more than it adds. */
const deletedAtOnce = 100

/** Largest number of sessions of an account: the oldest one ends when it signs in once more. */
export const mostSessions = 50

/** SQL that deletes rows that ended before the time `$…`. It runs in the statement of a sign-in, which would wait for each one. */
const deletePast = (table: string, key: string, before: string) =>
  `delete from ${table} where ${key} in (
     select ${key} from ${table} where expires_at <= ${before} order by expires_at limit ${deletedAtOnce} for update skip locked)`

const insertNonce = `
  with past as (${deletePast(nonceTable, 'nonce', '$3')})
  insert into ${nonceTable} values ($1, $2) on conflict do nothing returning nonce`

const insertSession = `
  with past as (${deletePast(sessionTable, 'id', '$5')}),
    visit as (${noteVisit('$2', '$6')}),
    oldest as (
      delete from ${sessionTable} where id in (
        select id from ${sessionTable} where address = $2 order by expires_at desc offset ${mostSessions - 1}))
  insert into ${sessionTable} values ($1, $2, $3, $4)`

const selectSession = `select id, address, chain_id as "chainId", expires_at as "expiresAt" from ${sessionTable}`

/** Creates the store of sign-in sessions and nonces, which also lists the sessions of an account. */
export function createSiweStore(
  query: Query,
  findPast = createPast(),
): SiweStore & { listSessions: (account: Address) => Promise<StoredSession[]> } {
  return {
    async useNonce(nonce, expiresAt) {
      return (await query(insertNonce, [nonce, expiresAt, findPast() - nonceHistory])).length === 1
    },
    async saveSession({ id, address, chainId, expiresAt }) {
      await query(insertSession, [id, address, chainId, expiresAt, findPast(), Date.now()])
    },
    async findSession(id) {
      const [session] = await query<StoredSession>(`${selectSession} where id = $1`, [id])
      return session
    },
    async listSessions(account) {
      return query(`${selectSession} where address = $1 order by expires_at desc`, [account])
    },
    async deleteSession(id) {
      await query(`delete from ${sessionTable} where id = $1`, [id])
    },
  }
}
