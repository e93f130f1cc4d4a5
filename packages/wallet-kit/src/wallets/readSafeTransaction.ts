import type { Hash } from 'viem'
import { isHash, readProperty } from '../core/lib/untrusted.ts'
import { requestTimeout } from '../core/provider/eip1193.ts'
import type { WalletTransaction } from '../core/wallets/wallet.ts'
import type { AskSafe } from './createSafeProvider.ts'

const statuses = {
  AWAITING_CONFIRMATIONS: 'awaitingOwners',
  AWAITING_EXECUTION: 'awaitingExecution',
  CANCELLED: 'cancelled',
  FAILED: 'failed',
  SUCCESS: 'executed',
} as const satisfies Record<string, WalletTransaction['status']>

/**
 * Returns the status of a Safe transaction. Returns `undefined` if the Safe does not know the hash, reports no known
 * status, or does not answer.
 *
 * @see https://github.com/safe-global/safe-apps-sdk/blob/main/packages/safe-apps-sdk/src/types/gateway.ts
 */
export async function readSafeTransaction(ask: AskSafe, safeTxHash: Hash): Promise<WalletTransaction | undefined> {
  const details = await ask('getTxBySafeTxHash', { safeTxHash }, requestTimeout).catch(() => undefined)
  const given = readProperty(details, 'txStatus')
  const status = Object.entries(statuses).find(([name]) => name === given)?.[1]
  const txHash = readProperty(details, 'txHash')
  return status && { status, ...(isHash(txHash) && { hash: txHash }) }
}
