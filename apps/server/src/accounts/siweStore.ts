import type { SiweStore } from '@lineage/wallet-kit/siwe-server'
import type { Query } from './database.ts'

const nonces = 'lineage_accounts.used_nonces'
const sessions = 'lineage_accounts.sessions'

/** How long used nonces are kept after they have expired, in milliseconds: a clock may be set back by as much. */
const nonceHistory = 30 * 86_400_000

export function createSiweStore(query: Query): SiweStore {
  return {
    async useNonce(nonce, expiresAt) {
      await query(`delete from ${nonces} where expires_at <= $1`, [Date.now() - nonceHistory])
      const insert = `insert into ${nonces} values ($1, $2) on conflict do nothing returning nonce`
      return (await query(insert, [nonce, expiresAt])).length === 1
    },
    async saveSession({ id, address, chainId, expiresAt }) {
      await query(`delete from ${sessions} where expires_at <= $1`, [Date.now()])
      await query(`insert into ${sessions} values ($1, $2, $3, $4)`, [id, address, chainId, expiresAt])
    },
    async findSession(id) {
      const [row] = await query(`select address, chain_id, expires_at from ${sessions} where id = $1`, [id])
      if (!row) return undefined
      const address = String(row.address) as `0x${string}`
      return { id, address, chainId: Number(row.chain_id), expiresAt: Number(row.expires_at) }
    },
    async deleteSession(id) {
      await query(`delete from ${sessions} where id = $1`, [id])
    },
  }
}
