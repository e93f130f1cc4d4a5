import { ConfigurationError } from '../lib/errors.ts'
import { isRecord, readProperty } from '../lib/untrusted.ts'
import type { AuthenticationConfig } from './authentication.ts'
import type { WalletKitConfig } from './config.ts'

/** A check of one property. `expected` completes the error "Property x is not …". */
type Check = readonly [isValid: (value: unknown) => boolean, expected: string]

const isText = (value: unknown) => typeof value === 'string'
const isFunction = (value: unknown) => typeof value === 'function'

const text: Check = [isText, 'a text']
const isName = (value: unknown) => typeof value === 'string' && value.trim() !== ''
const name: Check = [isName, 'a text']
const texts: Check = [(value) => Array.isArray(value) && value.every(isText), 'a list of texts']
const record = recordOf(isText)
const messages = recordOf(textOrRecordOf(textOrRecordOf(isText)))
const icon: Check = [(value) => isText(value) || isFunction(value), 'a text or a function that loads one']
const connectors: Check = [(value) => Array.isArray(value) && value.every(isFunction), 'a list of connectors']
const hexColor = matching(/^#(([\da-f]{3}){1,2}|([\da-f]{4}){1,2})$/i, 'a hex value')
const relayUrl = matching(/^wss?:\/\/\S+$/, 'a ws: or wss: address')
const nodeUrl = matching(/^(https?:\/\/|\/)\S+$/, 'an http: or https: URL')
const id = matching(/^[\w-]+$/, 'letters, digits and dashes')
const object: Check = [isRecord, 'an object']
const call: Check = [isFunction, 'a function']
const flag: Check = [(value) => typeof value === 'boolean', 'true or false']
const container: Check = [
  (value) => isFunction(value) || [1, 11].includes(readProperty(value, 'nodeType') as number),
  'an element or a function that gives one',
]
const storage: Check = [
  // `localStorage` is `null` in some WebViews.
  (value) =>
    value === null ||
    (isRecord(value) && ['getItem', 'setItem', 'removeItem'].every((key) => isFunction(readProperty(value, key)))),
  'a storage with getItem, setItem and removeItem',
]

const options: Partial<Record<keyof WalletKitConfig, Check>> = {
  ...{
    id,
    appName: name,
    appUrl: text,
    appIcon: text,
    projectId: text,
    relayUrl,
    storage,
    names: object,
    authentication: object,
  },
  ...{ locale: text, messages, container, trapFocus: flag, nonce: text, learnMoreUrl: text, disclaimer: text },
}

const optionalOfNames: Record<string, Check> = { resolve: call, baseUrl: text, apiKey: text, header: text, bnb: flag }

const requiredOfAdapter: Record<string, Check> = { getNonce: call, createMessage: call, verify: call }
const optionalOfAdapter: Record<string, Check> = { signOut: call, getSession: call }
const optionalOfAuthentication: Record<string, Check> = { required: flag, covers: call }

const requiredOfWallet: Record<string, Check> = { name, iconUrl: icon, iconBackground: text, connectors }
const optionalOfWallet: Record<string, Check> = {
  ...{ shortName: text, iconAccent: hexColor, rdns: texts, flags: texts, namespaces: texts },
  ...{ downloadUrls: record, relayLinks: record, openInWallet: text, connectCapabilities: texts },
}

function matching(pattern: RegExp, expected: string): Check {
  return [(value) => typeof value === 'string' && pattern.test(value), expected]
}

function recordOf(isValid: Check[0]): Check {
  const isOptional = (value: unknown) => value === undefined || isValid(value)
  return [(value) => isRecord(value) && Object.values(value).every(isOptional), 'an object of texts']
}

function textOrRecordOf(isValid: Check[0]): Check[0] {
  const [isRecordOf] = recordOf(isValid)
  return (value) => isText(value) || isRecordOf(value)
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
  validateOptional(config, options)
  if (config.names) validateOptional(config.names, optionalOfNames, '', 'names.')
  if (config.authentication) validateAuthentication(config.authentication)
  if (config.names?.bnb && !config.chains.some(({ id }) => id === 56))
    throw new ConfigurationError('Names that end in .bnb need chain 56')
}

function validateProperty(key: string, value: unknown, [isValid, expected]: Check, of = ''): void {
  if (!isValid(value)) throw new ConfigurationError(`Property ${key} is not ${expected}${of}`)
}

function validateOptional(values: object, checks: Record<string, Check>, of = '', path = ''): void {
  for (const [key, check] of Object.entries(checks)) {
    const value = (values as Record<string, unknown>)[key]
    if (value !== undefined) validateProperty(path + key, value, check, of)
  }
}

function validateAuthentication({ adapter, ...others }: AuthenticationConfig): void {
  validateProperty('authentication.adapter', adapter, object)
  const values = adapter as unknown as Record<string, unknown>
  const path = 'authentication.adapter.'
  for (const [key, check] of Object.entries(requiredOfAdapter)) validateProperty(path + key, values[key], check)
  validateOptional(adapter, optionalOfAdapter, '', path)
  validateOptional(others, optionalOfAuthentication, '', 'authentication.')
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
  const of = ` for wallet: ${definition.name ?? definition.id}`
  for (const [key, check] of Object.entries(requiredOfWallet)) validateProperty(key, definition[key], check, of)
  validateOptional(definition, optionalOfWallet, of)
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
