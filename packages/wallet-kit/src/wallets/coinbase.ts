import type { EIP1193Provider } from 'viem'
import { ConfigurationError } from '../core/lib/errors.ts'
import { createLazy } from '../core/lib/promises.ts'
import { readProperty } from '../core/lib/untrusted.ts'
import { readAccounts, requestAccounts } from '../core/wallets/injected.ts'
import type { Connector, ConnectorContext, ConnectorFactory } from '../core/wallets/wallet.ts'

type CoinbaseSdkName = Exclude<Connector['needs'], 'projectId' | undefined>

export type CoinbaseOptions = {
  /**
   * Loads the SDK when the wallet is picked: `() => import('@coinbase/wallet-sdk')` or `() =>
   * import('@base-org/account')`. Without it, the wallet works only with its extension.
   */
  load?: (() => Promise<CoinbaseSdk>) | undefined
}

/**
 * Creates a connector for Coinbase Wallet without its extension. Its SDK, which the app installs,
 * opens a Coinbase window for a passkey or the phone's app. It is loaded when the wallet is picked or restored, and its
 * telemetry is off.
 *
 * @param options - `load`, which loads the SDK.
 * @see https://github.com/coinbase/coinbase-wallet-sdk
 * @example
 * const load = () => import('@coinbase/wallet-sdk')
 * const ours = { ...coinbaseWallet, connectors: [injectedConnector(), coinbaseConnector({ load })] }
 */
export const coinbaseConnector = (options?: CoinbaseOptions): ConnectorFactory =>
  createConnector('@coinbase/wallet-sdk', options)

/**
 * Creates a connector for Base Account by its SDK, as `coinbaseConnector` does for Coinbase Wallet.
 *
 * @param options - `load`, which loads the SDK.
 * @see https://github.com/base/account-sdk
 * @example
 * const ours = { ...baseAccount, connectors: [baseAccountConnector({ load: () => import('@base-org/account') })] }
 */
export const baseAccountConnector = (options?: CoinbaseOptions): ConnectorFactory =>
  createConnector('@base-org/account', options)

function createConnector(sdk: CoinbaseSdkName, { load }: CoinbaseOptions = {}): ConnectorFactory {
  return ({ chainIds, app }, { name }) => {
    const client = createLazy(async () => {
      if (!load) throw new ConfigurationError(`${name} needs ${sdk}, which is not loaded.`)
      return openProvider(load, app, chainIds)
    })
    return {
      kind: 'coinbase',
      isReady: () => load !== undefined && typeof document !== 'undefined',
      needs: load ? undefined : sdk,
      connect: async ({ signIn }) => requestAccounts(await client.load(), signIn),
      reconnect: async ({ signal }) => readAccounts(await client.load(), signal),
      disconnect: async (provider) => {
        await (readProperty(provider, 'disconnect') as (() => Promise<void>) | undefined)?.call(provider)
      },
    }
  }
}

type SdkOptions = { appName: string; appLogoUrl: string | null; appChainIds: number[] }
type Sdk = { getProvider: () => object }

/** The used part of `@coinbase/wallet-sdk` or of `@base-org/account`, its successor. */
export type CoinbaseSdk =
  | {
      /**
       * Creates the SDK of Coinbase Wallet.
       *
       * @param options - Name, icon and chains of the app.
       */
      createCoinbaseWalletSDK: (options: SdkOptions & { preference: { options: 'all'; telemetry: false } }) => Sdk
    }
  | {
      /**
       * Creates the SDK of Base Account.
       *
       * @param options - Name, icon and chains of the app.
       */
      createBaseAccountSDK: (options: SdkOptions & { preference: { telemetry: false } }) => Sdk
    }

/** Loads the SDK and creates its provider, without telemetry. */
async function openProvider(
  load: () => Promise<CoinbaseSdk>,
  { appName, appIcon }: ConnectorContext['app'],
  chainIds: readonly number[],
): Promise<EIP1193Provider> {
  const sdk = await load()
  const options = { appName, appLogoUrl: appIcon ?? null, appChainIds: [...chainIds] }
  const created =
    'createBaseAccountSDK' in sdk
      ? sdk.createBaseAccountSDK({ ...options, preference: { telemetry: false } })
      : sdk.createCoinbaseWalletSDK({ ...options, preference: { options: 'all', telemetry: false } })
  return created.getProvider() as EIP1193Provider
}
