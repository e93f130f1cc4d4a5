import type { EIP1193Provider } from 'viem'
import { readErrorCodes } from '../lib/errors.ts'
import { requestProvider, requestTimeout } from '../provider/requestProvider.ts'
import { parseCallsStatus } from './parseCalls.ts'
import type { Progress, StoredTransaction } from './readProgress.ts'

/** Milliseconds after which wallets may forget calls. https://eips.ethereum.org/EIPS/eip-5792 */
const memory = 24 * 3_600_000

/** Error codes of a wallet that does not know the calls (5730) or the method (-32601 and 4200). */
const unknownCodes = [5730, 4200, -32601]

/**
 * Reads the progress of calls from the wallet that accepted them. Returns `undefined` if there is none. Without
 * `provider`, that wallet is not connected.
 */
export async function readCalls(
  provider: EIP1193Provider | undefined,
  { callsId, awaiting, createdAt }: StoredTransaction,
): Promise<Progress | undefined> {
  const known = provider && (await askWallet(provider, callsId))
  if (known === 'pending') return awaiting === undefined ? undefined : { awaiting: undefined }
  if (known) return known
  if (Date.now() - createdAt >= memory) return { status: 'failed', failureReason: 'timeout' }
  return provider && awaiting !== 'wallet' ? { awaiting: 'wallet' } : undefined
}

/**
 * Reads the status of calls from the wallet. Rejects when the wallet does not answer. Resolves with `undefined` when
 * it does not know.
 */
async function askWallet(provider: EIP1193Provider, callsId: string | undefined) {
  try {
    const request = { method: 'wallet_getCallsStatus', params: [callsId] }
    return parseCallsStatus(await requestProvider(provider, request, requestTimeout))
  } catch (thrown) {
    if (readErrorCodes(thrown).some((code) => unknownCodes.includes(code))) return undefined
    throw thrown
  }
}
