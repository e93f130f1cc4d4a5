import { SignClient } from '@walletconnect/sign-client'
import type { LoadRelayClient } from './loadRelayClient.ts'

/**
 * The relay client, built into one file that is loaded when a relay wallet is picked: the part of
 * `@walletconnect/ethereum-provider` that the kit uses.
 */
export const EthereumProvider: Awaited<ReturnType<LoadRelayClient>>['EthereumProvider'] = {
  init: async ({ optionalChains: _, ...options }) => ({ signer: { client: await SignClient.init(options) } }),
}
