import { SignClient } from '@walletconnect/sign-client'

/**
 * The relay client, built into one file that is loaded when a relay wallet is picked: the part of
 * `@walletconnect/ethereum-provider` that the kit uses.
 */
export const EthereumProvider = {
  init: async (options: Parameters<typeof SignClient.init>[0]) => ({
    signer: { client: await SignClient.init(options), session: undefined },
  }),
}
