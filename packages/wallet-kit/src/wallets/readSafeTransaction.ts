import type { Hash } from 'viem'
import { read } from '../core/read.ts'
import { requestTimeout } from '../core/request.ts'
import type { WalletTransaction } from '../core/wallet.ts'
import type { AskSafe } from './createSafeProvider.ts'

const statuses = {
  AWAITING_CONFIRMATIONS: 'awaitingOwners',
  AWAITING_EXECUTION: 'awaitingExecution',
  CANCELLED: 'cancelled',
  FAILED: 'failed',
  SUCCESS: 'executed',
} as const satisfies Record<string, WalletTransaction['status']>

/**
 * How far the owners of a Safe are with a transaction. `undefined` when the Safe knows none by this hash, does not say how
 * it stands, or does not answer.
 *
 * @see https://github.com/safe-global/safe-apps-sdk/blob/main/packages/safe-apps-sdk/src/types/gateway.ts
 */
export async function readSafeTransaction(ask: AskSafe, safeTxHash: Hash): Promise<WalletTransaction | undefined> {
  const details = await ask('getTxBySafeTxHash', { safeTxHash }, requestTimeout).catch(() => undefined)
  const given = read(details, 'txStatus')
  const status = Object.entries(statuses).find(([name]) => name === given)?.[1]
  const txHash = read(details, 'txHash')
  const isHash = typeof txHash === 'string' && /^0x[0-9a-f]{64}$/i.test(txHash)
  return status && { status, ...(isHash && { hash: txHash as Hash }) }
}
