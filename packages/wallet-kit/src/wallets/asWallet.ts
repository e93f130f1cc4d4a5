import type { ConnectorFactory, WalletDefinition } from '../core/wallets/wallet.ts'

/** A wallet definition that creates a connector when it is called. */
export type CallableWallet<Options> = WalletDefinition & ((options?: Options) => ConnectorFactory)

/** Makes a definition callable: `safe` is an entry of a wallet list, `safe({ origins })` a connector. */
export function asWallet<Options>(
  createConnector: (options?: Options) => ConnectorFactory,
  definition: WalletDefinition,
): CallableWallet<Options> {
  const call = (options?: Options) => createConnector(options)
  // Assigning fails: the `name` of a function is read-only.
  return Object.defineProperties(call, Object.getOwnPropertyDescriptors(definition)) as CallableWallet<Options>
}
