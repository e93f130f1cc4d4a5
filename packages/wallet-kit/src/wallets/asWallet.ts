import type { ConnectorFactory, WalletDefinition } from '../core/wallets/wallet.ts'

/** A wallet definition that creates a connector when it is called. */
export type CallableWallet<Options, id extends string = string> = WalletDefinition<id> &
  ((options?: Options) => ConnectorFactory)

/** Makes a definition callable: `safe` is an entry of a wallet list, `safe({ origins })` a connector. */
export function asWallet<Options, id extends string>(
  createConnector: (options?: Options) => ConnectorFactory,
  definition: WalletDefinition<id>,
): CallableWallet<Options, id> {
  // Assigning fails: the `name` of a function is read-only.
  return Object.defineProperties(
    (options?: Options) => createConnector(options),
    Object.getOwnPropertyDescriptors(definition),
  ) as CallableWallet<Options, id>
}
