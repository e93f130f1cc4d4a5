import { findMeant, quote } from '../lib/developer.ts'
import { ConfigurationError } from '../lib/errors.ts'
import { isRecord } from '../lib/untrusted.ts'
import type { WalletKitConfig } from './config.ts'

const options: Readonly<Record<keyof WalletKitConfig, true>> = {
  ...{ appName: true, appUrl: true, appIcon: true, id: true, projectId: true, relayUrl: true, chains: true },
  ...{ transports: true, initialChain: true, wallets: true, authentication: true, storage: true, names: true },
}

/** The names of the options of `createWalletKit`, for messages to developers. */
export const configOptions: readonly string[] = Object.keys(options)

/** The options of `WalletKitProvider`, which a kit would ignore without a word. */
const optionsOfProvider =
  'dialogs locale messages container trapFocus closeOnBack nonce learnMoreUrl disclaimer theme avatar'.split(' ')

/**
 * Explains faults of a configuration: a list of wallets that is a text, and a required option whose name is misspelt, better than
 * `validateConfig`, which finds them too; and an option of the provider. Only for development. @throws {ConfigurationError} that
 * says what was probably meant
 */
export function explainConfig(config: unknown): void {
  if (!isRecord(config)) return
  const { wallets } = config
  if (typeof wallets === 'string' && wallets !== 'announced') {
    const advice = findMeant(wallets, ['announced'])
      ? "Did you mean 'announced'?"
      : "Give a list of groups, such as defaultWallets(), or 'announced'."
    throw new ConfigurationError(`Property wallets is ${quote(wallets)}. ${advice}`)
  }
  for (const key of optionsOfProvider)
    if (config[key] !== undefined) throw new ConfigurationError(`Property ${key} belongs to WalletKitProvider`)
  const missing = ['wallets', 'chains', 'transports', 'appName'].filter((name) => config[name] === undefined)
  for (const name of Object.keys(config).filter((name) => !configOptions.includes(name))) {
    const meant = findMeant(name, missing)
    if (meant) throw new ConfigurationError(`Property ${name} is unknown. Did you mean ${meant}?`)
  }
}
