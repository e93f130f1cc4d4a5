import { toWalletKitError, WalletNotAvailableError } from '../lib/errors.ts'
import { requestProvider, requestTimeout } from '../provider/requestProvider.ts'
import type { KitContext } from '../state/context.ts'
import { isEstablished } from '../state/transitions.ts'
import { isUnsupportedMethod } from './isUnsupportedMethod.ts'
import { parseCapabilities, type WalletCapabilities } from './parseCalls.ts'

export type GetCapabilitiesParameters<chainId extends number = number> = {
  /** Default: the chain of the wallet. */
  chainId?: chainId | undefined
}

const method = 'wallet_getCapabilities'

/** Asks the wallet for its capabilities on a chain. A wallet without the method has none. */
export async function getCapabilities(
  { store }: Pick<KitContext, 'store'>,
  { chainId }: GetCapabilitiesParameters = {},
): Promise<WalletCapabilities> {
  const state = store.getState()
  if (!isEstablished(state)) throw new WalletNotAvailableError('Connect a wallet first.')
  const { provider, address, chainId: current } = state
  const wanted = chainId ?? current
  try {
    const request = { method, params: [address, [`0x${wanted.toString(16)}`]] }
    return parseCapabilities(await requestProvider(provider, request, requestTimeout), wanted)
  } catch (thrown) {
    if (isUnsupportedMethod(thrown, method)) return {}
    throw toWalletKitError(thrown)
  }
}
