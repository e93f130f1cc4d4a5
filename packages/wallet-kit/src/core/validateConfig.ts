import type { WalletKitConfig } from './config.ts'
import { ConfigurationError } from './errors.ts'
import { isRecord } from './storage.ts'

type Check = { is: (value: unknown) => boolean; what: string }

const text: Check = { is: (value) => typeof value === 'string', what: 'a text' }
const name: Check = { is: (value) => typeof value === 'string' && value.trim() !== '', what: 'a text' }
const texts: Check = { is: (value) => Array.isArray(value) && value.every(text.is), what: 'a list of texts' }
const record: Check = {
  is: (value) => isRecord(value) && Object.values(value).every(isOptional(text)),
  what: 'an object of texts',
}
const textOrRecordOf = (inner: Check): Check => ({
  is: (value) => text.is(value) || (isRecord(value) && Object.values(value).every(isOptional(inner))),
  what: record.what,
})
// A text, the plural forms of one, or the texts of a language.
const message = textOrRecordOf(textOrRecordOf(text))
const messages: Check = {
  is: (value) => isRecord(value) && Object.values(value).every(isOptional(message)),
  what: record.what,
}
const icon: Check = {
  is: (value) => text.is(value) || typeof value === 'function',
  what: 'a text or a function that loads one',
}
const factories: Check = {
  is: (value) => Array.isArray(value) && value.every((it) => typeof it === 'function'),
  what: 'a list of connectors',
}
const hex: Check = {
  is: (value) => text.is(value) && /^#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(value as string),
  what: 'a hex value',
}
const relay: Check = {
  is: (value) => text.is(value) && /^wss?:\/\/\S+$/.test(value as string),
  what: 'a ws: or wss: address',
}
const id: Check = {
  is: (value) => typeof value === 'string' && /^[\w-]+$/.test(value),
  what: 'letters, digits and dashes',
}
const object: Check = { is: isRecord, what: 'an object' }
const flag: Check = { is: (value) => typeof value === 'boolean', what: 'true or false' }
const place: Check = {
  is: (value) => typeof value === 'function' || (typeof value === 'object' && value !== null),
  what: 'an element or a function that gives one',
}
const storage: Check = {
  // `localStorage` itself is `null` in some WebViews.
  is: (value) =>
    value === null || (isRecord(value) && ['getItem', 'setItem', 'removeItem'].every((key) => key in value)),
  what: 'a storage with getItem, setItem and removeItem',
}

const options: Partial<Record<keyof WalletKitConfig, Check>> = {
  id,
  appName: name,
  appUrl: text,
  appIcon: text,
  projectId: text,
  relayUrl: relay,
  storage,
  names: object,
  locale: text,
  messages,
  container: place,
  trapFocus: flag,
  nonce: text,
  learnMoreUrl: text,
  disclaimer: text,
}

const properties: Record<string, Check> = {
  name,
  iconUrl: icon,
  iconBackground: text,
  connectors: factories,
  shortName: text,
  iconAccent: hex,
  rdns: texts,
  flags: texts,
  namespaces: texts,
  downloadUrls: record,
  relayLinks: record,
  openInWallet: text,
}
const required = ['name', 'iconUrl', 'iconBackground', 'connectors']

function isOptional({ is }: Check) {
  return (value: unknown) => value === undefined || is(value)
}

/** Says what is wrong with a configuration before anything is built on it; callers without types are met too. */
export function validateConfig(config: WalletKitConfig): void {
  if (!isRecord(config)) throw new ConfigurationError('No configuration was provided')
  validateWallets(config.wallets)
  validateChains(config)
  if (config.appName === undefined) throw new ConfigurationError('No appName was provided')
  for (const [key, check] of Object.entries(options))
    if (!isOptional(check)(config[key as keyof WalletKitConfig]))
      throw new ConfigurationError(`Property ${key} is not ${check.what}`)
  if (config.names?.bnb && !config.chains.some(({ id }) => id === 56))
    throw new ConfigurationError('Names that end in .bnb are read on chain 56, which is not among the chains')
}

function validateWallets(groups: unknown): void {
  if (!Array.isArray(groups) || groups.length === 0) throw new ConfigurationError('No wallet list was provided')
  for (const group of groups) {
    if (!isRecord(group) || !name.is(group.groupName))
      throw new ConfigurationError('Property groupName is not a text for a group of wallets')
    if (!Array.isArray(group.wallets) || group.wallets.length === 0)
      throw new ConfigurationError(`No wallets provided for group: ${group.groupName}`)
    for (const wallet of group.wallets) {
      if (!(isRecord(wallet) || typeof wallet === 'function') || !name.is(wallet.id))
        throw new ConfigurationError(`Property id is not a text for a wallet of group: ${group.groupName}`)
      for (const [key, { is, what }] of Object.entries(properties))
        if (wallet[key] === undefined ? required.includes(key) : !is(wallet[key]))
          throw new ConfigurationError(`Property ${key} is not ${what} for wallet: ${wallet.name ?? wallet.id}`)
    }
  }
}

function validateChains({ chains, transports, initialChain }: WalletKitConfig): void {
  if (!Array.isArray(chains) || chains.length === 0) throw new ConfigurationError('No chains were provided')
  for (const chain of chains) {
    if (!isRecord(chain) || !Number.isSafeInteger(chain.id) || !name.is(chain.name))
      throw new ConfigurationError('Properties id and name are missing for a chain')
    if (
      typeof (transports as unknown as Record<number, unknown> | null | undefined)?.[chain.id as number] !== 'function'
    )
      throw new ConfigurationError(`No transport was provided for chain: ${chain.name} (${chain.id})`)
  }
  const initialChainId = isRecord(initialChain) ? initialChain.id : initialChain
  if (initialChain !== undefined && !chains.some(({ id }) => id === initialChainId))
    throw new ConfigurationError(`The initial chain is not among the chains: ${String(initialChainId)}`)
}
