import type { WalletKitConfig } from './config.ts'

const options: Readonly<Record<keyof WalletKitConfig, true>> = {
  ...{ appName: true, appUrl: true, appIcon: true, id: true, projectId: true, relayUrl: true, chains: true },
  ...{ transports: true, initialChain: true, wallets: true, authentication: true, storage: true, names: true },
}

/** The names of the options of `createWalletKit`, for messages to developers. */
export const configOptions: readonly string[] = Object.keys(options)
