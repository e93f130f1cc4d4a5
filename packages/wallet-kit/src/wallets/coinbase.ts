import type { EIP1193Provider } from 'viem'
import { ConfigurationError } from '../core/lib/errors.ts'
import { readProperty } from '../core/lib/readProperty.ts'
import { readAccounts, requestAccounts } from '../core/provider/requestAccounts.ts'
import type { ConnectorFactory } from '../core/wallets/wallet.ts'

/** The used part of `@coinbase/wallet-sdk`. */
export type CoinbaseSdk = {
  createCoinbaseWalletSDK: (options: {
    appName: string
    appLogoUrl: string | null
    appChainIds: number[]
    preference: { options: 'all'; telemetry: false }
  }) => { getProvider: () => object }
}

export type CoinbaseOptions = {
  /** Loads the SDK when the wallet is picked. Default: the installed `@coinbase/wallet-sdk`. */
  load?: () => Promise<CoinbaseSdk>
}

/**
 * Creates a connector for Coinbase Wallet without its extension: its SDK opens a Coinbase window for a passkey or the
 * phone's app. The SDK (`@coinbase/wallet-sdk`, an optional peer) is loaded when the wallet is picked or restored.
 *
 * @see https://github.com/coinbase/coinbase-wallet-sdk
 * @example
 * const ours = { ...coinbase, connectors: [injected(), coinbase()] }
 */
export function coinbase({ load = loadSdk }: CoinbaseOptions = {}): ConnectorFactory {
  return ({ chainIds, app }, { name }) => {
    let client: Promise<EIP1193Provider> | undefined
    const open = () => {
      client ??= createProvider(load, {
        appName: app.appName,
        appLogoUrl: app.appIcon ?? null,
        appChainIds: [...chainIds],
        preference: { options: 'all', telemetry: false },
      })
      // The next attempt loads it again.
      client.catch(() => {
        client = undefined
      })
      return client
    }
    return {
      kind: 'coinbase',
      isReady: () => typeof window !== 'undefined',
      connect: async () => requestAccounts(await open(), name),
      reconnect: async ({ signal }) => readAccounts(await open(), signal),
      disconnect: async (provider) => {
        await (readProperty(provider, 'disconnect') as (() => Promise<void>) | undefined)?.call(provider)
      },
    }
  }
}

async function createProvider(
  load: () => Promise<CoinbaseSdk>,
  options: Parameters<CoinbaseSdk['createCoinbaseWalletSDK']>[0],
): Promise<EIP1193Provider> {
  const { createCoinbaseWalletSDK } = await load()
  return createCoinbaseWalletSDK(options).getProvider() as EIP1193Provider
}

/** In a `try`, since bundlers then accept that the package is missing. */
async function loadSdk(): Promise<CoinbaseSdk> {
  try {
    return await import('@coinbase/wallet-sdk')
  } catch (cause) {
    throw new ConfigurationError(
      'The Coinbase SDK could not be loaded. Install the package @coinbase/wallet-sdk in this app.',
      { cause },
    )
  }
}
