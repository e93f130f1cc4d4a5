import type { EIP1193Provider } from 'viem'
import { readCalls } from './readCalls.ts'
import { type Progress, type Reader, readProgress, type StoredTransaction } from './readProgress.ts'

/**
 * Reads the progress of a pending transaction from the node or, of calls without a hash, from the wallet that took them;
 * `undefined` when there is none, or for a chain that the app does not read.
 */
export async function readAny(
  { connection }: { connection?: { walletId: string; provider: EIP1193Provider } },
  reader: Reader | undefined,
  { hash, ...known }: StoredTransaction,
  isLate: boolean,
): Promise<Progress | undefined> {
  if (hash) return reader && readProgress(reader, { ...known, hash }, isLate)
  return readCalls(connection?.walletId === known.walletId ? connection?.provider : undefined, known)
}
