import type { EIP1193Provider } from 'viem'
import { readErrorCodes } from '../lib/errors.ts'
import { requestProvider, requestTimeout } from '../provider/requestProvider.ts'
import { isUnsupportedMethod } from './isUnsupportedMethod.ts'
import { parseCallsStatus } from './parseCalls.ts'
import type { Progress, StoredTransaction } from './readProgress.ts'

const method = 'wallet_getCallsStatus'

/** Error code of a wallet that does not know the calls. https://eips.ethereum.org/EIPS/eip-5792 */
const unknownCalls = 5730

/**
 * Reads the progress of calls from the wallet that accepted them. Resolves with `undefined` when it does not know, and
 * rejects when it does not answer.
 */
export async function readCalls(
  provider: EIP1193Provider,
  { callsId, awaiting }: StoredTransaction,
): Promise<Progress | undefined> {
  try {
    const status = parseCallsStatus(await requestProvider(provider, { method, params: [callsId] }, requestTimeout))
    if (status !== 'pending') return status
    return awaiting ? { awaiting: undefined } : {}
  } catch (thrown) {
    if (readErrorCodes(thrown).includes(unknownCalls) || isUnsupportedMethod(thrown, method)) return undefined
    throw thrown
  }
}
