import type { ConnectorContext } from '../../core/wallets/wallet.ts'
import type { LoadRelayClient, RelayClient } from './loadRelayClient.ts'

/**
 * Storage key of the session's chain. Without it, the provider ends sessions with namespaces by chain (`eip155:56`) after a
 * reload.
 */
export const chainKey = 'wc@2:ethereum_provider:/chainId'

type StartParameters = {
  load: LoadRelayClient
  projectId: string
  /** Prefix of the stored data, unique per project and relay. */
  name: string
} & Pick<ConnectorContext, 'app' | 'chainIds'>

/** Starts the page's provider and returns its inner client, which manages all sessions. */
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
  // The provider handles one session at a time: it would resume the last one and request every chain that its wallet
  // reports. Here each kit handles its own session.
  signer.session = undefined
  return signer.client
}
