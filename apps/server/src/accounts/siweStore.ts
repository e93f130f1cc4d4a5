import type { Address } from '@lineage/referral-api'
import type { SiweStore, StoredSession } from '@lineage/wallet-kit/siwe-server'
import type { Query } from '../database/database.ts'

const nonceTable = 'lineage_accounts.used_nonces'
export const sessionTable = 'lineage_accounts.sessions'

/** Time for which expired nonces are kept, in milliseconds: the clock may be set back by up to this much. */
const nonceHistory = 30 * 86_400_000

/** Creates the store of sign-in sessions and nonces, which also lists the sessions of an account. */
export function createSiweStore(
  query: Query,
): SiweStore & { listSessions: (account: Address) => Promise<StoredSession[]> } {
  return {
    async useNonce(nonce, expiresAt) {
      await query(`delete from ${nonceTable} where expires_at <= $1`, [Date.now() - nonceHistory])
      const insert = `insert into ${nonceTable} values ($1, $2) on conflict do nothing returning nonce`
      return (await query(insert, [nonce, expiresAt])).length === 1
    },
    async saveSession({ id, address, chainId, expiresAt }) {
      await query(`delete from ${sessionTable} where expires_at <= $1`, [Date.now()])
      await query(`insert into ${sessionTable} values ($1, $2, $3, $4)`, [id, address, chainId, expiresAt])
    },
    async findSession(id) {
      const [row] = await query(`select address, chain_id, expires_at from ${sessionTable} where id = $1`, [id])
      return row && toSession({ id, ...row })
    },
    async listSessions(account) {
      const rows = await query(`select * from ${sessionTable} where address = $1 order by expires_at desc`, [account])
      return rows.map(toSession)
    },
    async deleteSession(id) {
      await query(`delete from ${sessionTable} where id = $1`, [id])
    },
  }
}

const toSession = ({ id, address, chain_id, expires_at }: Record<string, unknown>): StoredSession => ({
  id: String(id),
  address: address as Address,
  chainId: Number(chain_id),
  expiresAt: Number(expires_at),
})
