import type { EIP1193Provider } from 'viem'
import { ConfigurationError } from '../core/lib/errors.ts'
import { readProperty } from '../core/lib/untrusted.ts'
import { readAccounts, requestAccounts } from '../core/provider/requestAccounts.ts'
import type { Connector, ConnectorFactory } from '../core/wallets/wallet.ts'
import type { CoinbaseSdk } from './openCoinbase.ts'

export type { CoinbaseSdk }

type CoinbaseSdkName = Exclude<Connector['needs'], 'projectId' | undefined>

export type CoinbaseOptions = {
  /**
   * Loads the SDK when the wallet is picked: `() => import('@coinbase/wallet-sdk')` or `() =>
   * import('@base-org/account')`. Without it, the wallet works only with its extension.
   */
  load?: (() => Promise<CoinbaseSdk>) | undefined
}

/**
 * Creates a connector for Coinbase Wallet without its extension, or for Base Account. Its SDK, which the app installs,
 * opens a Coinbase window for a passkey or the phone's app. It is loaded when the wallet is picked or restored, and its
 * telemetry is off.
 *
 * @see https://github.com/coinbase/coinbase-wallet-sdk
 * @see https://github.com/base/account-sdk
 * @example
 * const ours = { ...coinbase, connectors: [injected(), coinbase({ load: () => import('@coinbase/wallet-sdk') })] }
 */
export function coinbase(
  { load }: CoinbaseOptions = {},
  sdk: CoinbaseSdkName = '@coinbase/wallet-sdk',
): ConnectorFactory {
  return ({ chainIds, app }, { name }) => {
    let client: Promise<EIP1193Provider> | undefined
    const open = async () => {
      if (!load) throw new ConfigurationError(`${name} needs ${sdk}, which is not loaded.`)
      client ??= import('./openCoinbase.ts').then(({ openCoinbase }) => openCoinbase(load, app, chainIds))
      // The next attempt loads it again.
      client.catch(() => {
        client = undefined
      })
      return client
    }
    return {
      kind: 'coinbase',
      isReady: () => load !== undefined && typeof window !== 'undefined',
      needs: load ? undefined : sdk,
      connect: async ({ signIn }) => requestAccounts(await open(), signIn),
      reconnect: async ({ signal }) => readAccounts(await open(), signal),
      disconnect: async (provider) => {
        await (readProperty(provider, 'disconnect') as (() => Promise<void>) | undefined)?.call(provider)
      },
    }
  }
}
