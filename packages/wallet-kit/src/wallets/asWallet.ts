import type { ConnectorFactory, WalletDefinition } from '../core/wallet.ts'

/** A wallet, and, called, the way to reach it. */
export type CallableWallet<Options> = WalletDefinition & ((options?: Options) => ConnectorFactory)

/** Joins both under one name: `safe` stands in a list of wallets, `safe({ origins })` among connectors. */
export function asWallet<Options>(
  createConnector: (options?: Options) => ConnectorFactory,
  definition: WalletDefinition,
): CallableWallet<Options> {
  const call = (options?: Options) => createConnector(options)
  // Defined, not assigned: a function has a name of its own, which is read-only.
  return Object.defineProperties(call, Object.getOwnPropertyDescriptors(definition)) as CallableWallet<Options>
}
