import type { ConnectorFactory, WalletDefinition } from '../core/wallets/wallet.ts'

/** A wallet definition that, called, creates a connector. */
export type CallableWallet<Options> = WalletDefinition & ((options?: Options) => ConnectorFactory)

/** Makes a definition callable: `safe` is an entry of a list of wallets, `safe({ origins })` a connector. */
export function asWallet<Options>(
  createConnector: (options?: Options) => ConnectorFactory,
  definition: WalletDefinition,
): CallableWallet<Options> {
  const call = (options?: Options) => createConnector(options)
  // Assigning fails: the `name` of a function is read-only.
  return Object.defineProperties(call, Object.getOwnPropertyDescriptors(definition)) as CallableWallet<Options>
}
