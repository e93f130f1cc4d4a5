import type { EIP1193Provider } from 'viem'
import { toWalletKitError } from '../lib/errors.ts'
import { createRpcError } from '../lib/providerParts.ts'
import { requestProvider } from './eip1193.ts'
import { isUnsupportedMethod } from './isUnsupportedMethod.ts'

/** The method by which viem sends a transaction again that the wallet refused as invalid, such as with -32000. */
const secondMethod = 'wallet_sendTransaction'

/**
 * Sends a request of viem to a wallet, and rejects with errors that viem understands. A refusal of `secondMethod` as
 * unsupported becomes -32601: viem then throws the wallet's first error. `null` and `undefined` become an error.
 *
 * @see https://github.com/wevm/viem/blob/main/src/actions/wallet/sendTransaction.ts
 */
export async function requestForViem(
  provider: EIP1193Provider,
  parameters: { method: string; params?: unknown },
): Promise<unknown> {
  try {
    return await requestProvider(provider, parameters)
  } catch (thrown) {
    if (parameters.method === secondMethod && isUnsupportedMethod(thrown, secondMethod))
      throw createRpcError(-32601, `The wallet does not support ${secondMethod}.`)
    throw thrown ?? toWalletKitError(thrown)
  }
}
