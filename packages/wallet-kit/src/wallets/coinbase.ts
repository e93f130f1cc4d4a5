import type { EIP1193Provider } from 'viem'
import { askProvider, askProviderQuietly } from '../core/askProvider.ts'
import { ConfigurationError } from '../core/errors.ts'
import { read } from '../core/read.ts'
import type { ConnectorFactory } from '../core/wallet.ts'

/** The part of `@coinbase/wallet-sdk` that is used. */
export type CoinbaseSdk = {
  createCoinbaseWalletSDK: (options: {
    appName: string
    appLogoUrl: string | null
    appChainIds: number[]
    preference: { options: 'all'; telemetry: false }
  }) => { getProvider: () => object }
}

export type CoinbaseOptions = {
  /** Brings the SDK, once such a wallet is picked. Default: the installed `@coinbase/wallet-sdk`. */
  load?: () => Promise<CoinbaseSdk>
}

/**
 * Reaches Coinbase Wallet without its extension: its SDK opens a window of Coinbase, for a passkey or the phone's app.
 * The SDK (`@coinbase/wallet-sdk`, an optional peer) is loaded when the wallet is picked or restored, and not before.
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
      // What could not be loaded is loaded anew.
      client.catch(() => {
        client = undefined
      })
      return client
    }
    return {
      kind: 'coinbase',
      isReady: () => typeof window !== 'undefined',
      connect: async () => askProvider(await open(), name),
      reconnect: async ({ signal }) => askProviderQuietly(await open(), signal),
      disconnect: async (provider) => {
        await (read(provider, 'disconnect') as (() => Promise<void>) | undefined)?.call(provider)
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

/** Bundlers take an import in a `try` for one that may be missing. */
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
