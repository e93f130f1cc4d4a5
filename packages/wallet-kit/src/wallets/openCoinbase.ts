// A separate module, loaded when the wallet is picked.
import type { EIP1193Provider } from 'viem'
import type { ConnectorContext } from '../core/wallets/wallet.ts'

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
export async function openCoinbase(
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
