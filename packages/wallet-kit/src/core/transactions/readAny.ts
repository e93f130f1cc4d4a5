import type { EIP1193Provider } from 'viem'
import { readCalls } from './readCalls.ts'
import { type Progress, type Reader, readProgress, type StoredTransaction } from './readProgress.ts'

/**
 * Reads the progress of a pending transaction from the node or, for calls without a hash, from the wallet that
 * accepted them. Returns `undefined` if there is no progress, or if the app does not read the chain.
 */
export async function readAny(
  { connection }: { connection?: { walletId: string; provider: EIP1193Provider } },
  reader: Reader | undefined,
  { hash, ...known }: StoredTransaction,
  isLate: boolean,
): Promise<Progress | undefined> {
  if (hash) return reader && readProgress(reader, { ...known, hash }, isLate)
  if (connection && connection.walletId === known.walletId) return readCalls(connection.provider, known)
  // Another tab may have that wallet, and writes its progress.
  return isLate ? undefined : {}
}
