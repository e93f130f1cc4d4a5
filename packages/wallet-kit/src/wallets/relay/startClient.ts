import type { ConnectorContext } from '../../core/wallet.ts'
import type { LoadRelayClient, RelayClient } from './loadRelayClient.ts'

/**
 * Where the provider keeps the chain of a session. Without it, it ends a session whose namespaces are named by chain
 * (`eip155:56`) when the page is loaded again.
 */
export const chainKey = 'wc@2:ethereum_provider:/chainId'

type StartParameters = {
  load: LoadRelayClient
  projectId: string
  /** Sets what it stores apart from that of other projects and relays. */
  name: string
} & Pick<ConnectorContext, 'app' | 'chainIds'>

/** Starts the provider of the page and gives the client within: the way to all its sessions. */
export async function startClient({ load, projectId, name, app, chainIds }: StartParameters): Promise<RelayClient> {
  const { EthereumProvider } = await load()
  const { appName, appUrl = globalThis.location?.origin ?? '', appIcon, relayUrl } = app
  const { signer } = await EthereumProvider.init({
    projectId,
    ...(relayUrl && { relayUrl }),
    optionalChains: [...chainIds],
    metadata: { name: appName, description: appName, url: appUrl, icons: appIcon ? [appIcon] : [] },
    showQrModal: false,
    disableProviderPing: true,
    telemetryEnabled: false,
    customStoragePrefix: name,
    logger: 'silent',
  })
  // The provider itself knows one session, and one try at a time. It would go on to follow the last session of before,
  // and ask its wallet for every chain that the wallet reports: here each kit follows its own.
  signer.session = undefined
  return signer.client
}
