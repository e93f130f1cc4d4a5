import { SignClient } from '@walletconnect/sign-client'

/**
 * The relay client, built into one file that is loaded when a relay wallet is picked: the part of
 * `@walletconnect/ethereum-provider` that the kit uses.
 */
export const EthereumProvider = {
  init: async (options: Parameters<typeof SignClient.init>[0]) => {
    const client = await SignClient.init(options)
    shareConnecting(client.core.relayer)
    return { signer: { client, session: undefined } }
  },
}

type Relayer = Awaited<ReturnType<typeof SignClient.init>>['core']['relayer']

/**
 * Lets requests wait for the connection that is being opened. The client's own open one for each of them, also for those that it
 * sends while it connects: with a relay that refuses connections, without end.
 */
function shareConnecting(relayer: Relayer): void {
  relayer.request = async (request) => {
    if (!relayer.connected) await relayer.transportOpen()
    return relayer.provider.request(request)
  }
  // Without a connection of its own: the request for the topic opens it.
  relayer.subscribe = async (topic, options) =>
    (await relayer.subscriber.subscribe(topic, { internal: { throwOnFailedPublish: true }, ...options })) ?? ''
}
