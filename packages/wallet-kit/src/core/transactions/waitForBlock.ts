import type { Hash } from 'viem'
import { WalletKitError } from '../lib/errors.ts'
import { createCancelledError, delay, withTimeout } from '../lib/promises.ts'
import { requestTimeout } from '../provider/requestProvider.ts'
import type { KitContext } from '../state/context.ts'
import type { Transaction, TransactionAccount } from '../state/state.ts'
import { type Progress, readProgress } from './readProgress.ts'

/** Time limits in milliseconds for a transaction to be in a block, and for one read. Below: the interval of reads. */
const blockTimeout = 300_000
const readTimeout = 3 * requestTimeout
const interval = 1_000

const failures: Partial<Record<NonNullable<Transaction['failureReason']>, string>> = {
  reverted: 'A call was reverted.',
  cancelled: 'A call was cancelled in the wallet.',
  dropped: 'A call was replaced or dropped.',
}

/**
 * Waits until a transaction, or the same one with a higher fee, is in a block. Ends without an error when `signal`
 * fires.
 *
 * @throws {WalletKitError} when it was reverted, cancelled or replaced, or is in no block after five minutes
 */
export async function waitForBlock(
  { clients }: Pick<KitContext, 'clients'>,
  { address, chainId }: TransactionAccount,
  hash: Hash,
  signal: AbortSignal,
): Promise<void> {
  const reader = { client: clients.getClient(chainId), sender: address }
  const createdAt = Date.now()
  let known = { hash, description: '', status: 'pending' as Transaction['status'], createdAt }
  while (!signal.aborted) {
    const isLate = Date.now() - createdAt >= blockTimeout
    const read = readProgress(reader, known, isLate)
    const progress: Progress =
      (await withTimeout(read, readTimeout, createCancelledError, signal).catch(() => {})) ?? {}
    known = { ...known, ...progress } as typeof known
    if (progress.status === 'confirmed') return
    const failure = progress.failureReason && failures[progress.failureReason]
    if (failure) throw new WalletKitError(`${failure} The calls after it were not sent.`)
    if (isLate) throw new WalletKitError('A call was in no block for five minutes. The calls after it were not sent.')
    await delay(interval, signal)
  }
}
