import { ConfigurationError } from '../lib/errors.ts'
import { isRecord, readProperty } from '../lib/untrusted.ts'
import type { WalletKitConfig } from './config.ts'

/** A check of one property. `expected` completes the error "Property x is not …". */
type Check = readonly [isValid: (value: unknown) => boolean, expected: string]
/** Checks by property. */
type Checks = Readonly<Record<string, Check>>

const isText = (value: unknown) => typeof value === 'string'
const isFunction = (value: unknown) => typeof value === 'function'

const text: Check = [isText, 'a text']
const isName = (value: unknown) => typeof value === 'string' && value.trim() !== ''
const name: Check = [isName, 'a text']
const texts: Check = [(value) => Array.isArray(value) && value.every(isText), 'a list of texts']
const record = recordOf(isText)
const icon: Check = [(value) => isText(value) || isFunction(value), 'a text or a function that loads one']
const connectors: Check = [(value) => Array.isArray(value) && value.every(isFunction), 'a list of connectors']
const hexColor = matching(/^#(([\da-f]{3}){1,2}|([\da-f]{4}){1,2})$/i, 'a hex value')
const relayUrl = matching(/^wss?:\/\/\S+$/, 'a ws: or wss: address')
const nodeUrl = matching(/^(https?:\/\/|\/)\S+$/, 'an http: or https: URL')
const id = matching(/^[\w-]+$/, 'letters, digits and dashes')
const object: Check = [isRecord, 'an object']
const call: Check = [isFunction, 'a function']
const flag: Check = [(value) => typeof value === 'boolean', 'true or false']
const storage: Check = [
  // `localStorage` is `null` in some WebViews.
  (value) =>
    value === null ||
    (isRecord(value) && ['getItem', 'setItem', 'removeItem'].every((key) => isFunction(readProperty(value, key)))),
  'a storage with getItem, setItem and removeItem',
]

const optionsOfConfig = optional<keyof WalletKitConfig>({
  ...{ id, appUrl: text, appIcon: text, projectId: text, relayUrl, storage, names: object, authentication: object },
})

const optionsOfNames = optional({ resolve: call, baseUrl: text, apiKey: text, header: text, bnb: flag })

const ofAuthentication: Checks = { adapter: object, ...optional({ required: flag, covers: call }) }
const ofAdapter: Checks = {
  ...{ getNonce: call, createMessage: call, verify: call },
  ...optional({ signOut: call, getSession: call }),
}

const ofWallet: Checks = {
  ...{ name, iconUrl: icon, iconBackground: text, connectors },
  ...optional({
    ...{ names: record, shortName: text, iconAccent: hexColor, rdns: texts, flags: texts, namespaces: texts },
    ...{ downloadUrls: record, relayLinks: record, openInWallet: text, connectCapabilities: texts },
  }),
}

/** Returns checks that accept `undefined` as well. */
function optional<key extends string>(checks: { [name in key]?: Check }): Checks {
  const entries = Object.entries<Check>(checks as Checks)
  return Object.fromEntries(
    entries.map(([key, [isValid, expected]]) => [key, [(value) => value === undefined || isValid(value), expected]]),
  )
}

function matching(pattern: RegExp, expected: string): Check {
  return [(value) => typeof value === 'string' && pattern.test(value), expected]
}

function recordOf(isValid: Check[0]): Check {
  const isOptional = (value: unknown) => value === undefined || isValid(value)
  return [(value) => isRecord(value) && Object.values(value).every(isOptional), 'an object of texts']
}

/**
 * Checks a configuration at run time, for callers without types. @throws {ConfigurationError} that names the first
 * fault
 */
export function validateConfig(config: WalletKitConfig): void {
  if (!isRecord(config)) throw new ConfigurationError('No configuration was provided')
  if (config.wallets !== 'announced') validateWallets(config.wallets)
  validateChains(config)
  if (config.appName === undefined) throw new ConfigurationError('No appName was provided')
  validateProperties(config, { appName: name, ...optionsOfConfig })
  if (config.names) validateProperties(config.names, optionsOfNames, '', 'names.')
  if (config.authentication) {
    validateProperties(config.authentication, ofAuthentication, '', 'authentication.')
    validateProperties(config.authentication.adapter, ofAdapter, '', 'authentication.adapter.')
  }
  if (config.names?.bnb && !config.chains.some(({ id }) => id === 56))
    throw new ConfigurationError('Names that end in .bnb need chain 56')
}

function validateProperty(key: string, value: unknown, [isValid, expected]: Check, of = ''): void {
  if (!isValid(value)) throw new ConfigurationError(`Property ${key} is not ${expected}${of}`)
}

function validateProperties(values: object, checks: Checks, of = '', path = ''): void {
  for (const [key, check] of Object.entries(checks))
    validateProperty(path + key, (values as Record<string, unknown>)[key], check, of)
}

function validateWallets(groups: unknown): void {
  if (!Array.isArray(groups) || groups.length === 0) throw new ConfigurationError('No wallet list was provided')
  for (const group of groups) {
    validateProperty('groupName', Object(group).groupName, name, ' for a group of wallets')
    if (!Array.isArray(group.wallets) || group.wallets.length === 0)
      throw new ConfigurationError(`No wallets provided for group: ${group.groupName}`)
    for (const wallet of group.wallets) validateWallet(wallet, group.groupName)
  }
}

function validateWallet(wallet: unknown, groupName: string): void {
  const definition: Record<string, unknown> = Object(wallet)
  validateProperty('id', definition.id, name, ` for a wallet of group: ${groupName}`)
  validateProperties(definition, ofWallet, ` for wallet: ${definition.name ?? definition.id}`)
}

function validateChains({ chains, transports, initialChain }: WalletKitConfig): void {
  if (!Array.isArray(chains) || chains.length === 0) throw new ConfigurationError('No chains were provided')
  for (const chain of chains) {
    if (!isRecord(chain) || !Number.isSafeInteger(chain.id) || !isName(chain.name))
      throw new ConfigurationError('Properties id and name are missing for a chain')
    const transport = isRecord(transports) && transports[chain.id as number]
    const of = ` for chain: ${chain.name} (${chain.id})`
    if (!isFunction(transport) && !isName(transport)) throw new ConfigurationError(`No transport was provided${of}`)
    if (isText(transport)) validateProperty('transport', transport, nodeUrl, of)
  }
  const initialChainId = isRecord(initialChain) ? initialChain.id : initialChain
  if (initialChain !== undefined && !chains.some(({ id }) => id === initialChainId))
    throw new ConfigurationError(`The initial chain is not among the chains: ${String(initialChainId)}`)
}
