import { findMeant, quote } from '../core/lib/developer.ts'
import { ConfigurationError } from '../core/lib/errors.ts'
import { isRecord } from '../core/lib/untrusted.ts'
import { configOptions } from '../core/state/explainConfig.ts'
import type { WalletKit } from '../core/WalletKit.ts'
import { connectWallet } from '../locales/locales.ts'

/** Valid values of a prop: a list of them; or a description and a function that checks a value; or `any`. */
type Expected =
  | readonly (string | boolean)[]
  | readonly [expected: string, isValid: (value: unknown) => boolean]
  | 'any'

const isObject = (value: unknown) => typeof value === 'object'
const flag = [true, false]

const ofProvider: Readonly<Record<string, Expected>> = {
  ...{ kit: 'any', children: 'any', avatar: 'any', locale: 'any', disclaimer: 'any' },
  ...{ nonce: 'any', learnMoreUrl: 'any', trapFocus: flag },
  container: [
    'an element, or a function that returns one',
    (value) => typeof value === 'function' || Object(value).nodeType !== undefined,
  ],
  theme: ['a theme of createWalletKitTheme', isObject],
  messages: ['an object', isObject],
  dialogs: ['own', 'onDemand', 'none'],
  closeOnBack: ['phone', 'always', 'never'],
}

const ofButton: Readonly<Record<string, Expected>> = {
  ...{ label: 'any', className: 'any', showBalance: flag },
  accountStatus: ['full', 'avatar', 'address'],
  chainStatus: ['full', 'icon', 'name', 'none'],
}

/**
 * Checks the props of a provider for callers without types, and warns of those that are ignored. Only for development.
 *
 * @throws {ConfigurationError} for what React cannot render: a kit or a language of another kind
 */
export function checkProviderProps(props: object): void {
  const { kit, locale, messages } = props as Record<string, unknown>
  if (kit && typeof (kit as { getState?: unknown }).getState !== 'function')
    throw new ConfigurationError(
      'WalletKitProvider: kit is not a wallet kit. Create one outside of your components, const kit = createWalletKit({ … }), and give kit={kit}.',
    )
  if (locale && typeof locale !== 'string')
    throw new ConfigurationError('WalletKitProvider: locale is not a text. Give a BCP 47 tag, such as locale="zh-CN".')
  warnOfProps('WalletKitProvider', props, ofProvider)
  if (isRecord(messages)) warnOfMessages(messages)
}

const isText = (value: unknown) => typeof value === 'string'
const areTexts = (value: unknown) =>
  isRecord(value) && Object.values(value).every((one) => one === undefined || isText(one))

const ofTheme: Readonly<Record<string, readonly [expected: string, (value: unknown) => boolean]>> = {
  accent: [
    "a colour, such as '#3451B2', or { light, dark } with one each",
    (value) => isText(value) || areTexts(value),
  ],
  radius: ['a number of pixels, such as 8', (value) => typeof value === 'number'],
  overlay: ["a colour, such as 'rgb(0 0 0 / 0.4)'", isText],
  fontFamily: ["a list of fonts, such as 'Inter, sans-serif'", isText],
  colorScheme: ["'light', 'dark', 'media', 'class', 'data' or a selector with %s", isText],
  tokens: [
    "{ light, dark } with texts by token, such as { light: { paper: '#fff' } }",
    (value) => isRecord(value) && Object.values(value).every((one) => one === undefined || areTexts(one)),
  ],
}

/**
 * Checks the options of a theme for callers without types. Only for development.
 *
 * @throws {ConfigurationError} that names the first value of another kind, and says what it may be
 */
export function checkThemeOptions(options: unknown): void {
  const fault = isRecord(options)
    ? Object.entries(ofTheme)
        .filter(([name, [, isValid]]) => options[name] !== undefined && !isValid(options[name]))
        .map(([name, [expected]]) => `${name} is not ${expected}`)[0]
    : "the options are not an object, such as { accent: '#3451B2' }"
  if (fault) throw new ConfigurationError(`createWalletKitTheme: ${fault}.`)
}

/** Warns of messages that are no texts, by key or by language and key. */
function warnOfMessages(messages: Readonly<Record<string, unknown>>, path = 'messages'): void {
  for (const [name, value] of Object.entries(messages)) {
    const isText = typeof (Object(value).other ?? value ?? '') === 'string'
    if (isRecord(value) && Object.hasOwn(connectWallet, name)) warnOfMessages(value, `${path}.${name}`)
    else if (!isText)
      warn(`WalletKitProvider: ${path}.${name} is ${quote(value)}. Expected a text, or its plural forms with other.`)
  }
}

/** Warns of props of a button that are ignored, for callers without types. Only for development. */
export const checkButtonProps = (props: object): void => warnOfProps('ConnectButton', props, ofButton)

const warned = new Set<string>()

function warnOfProps(component: string, props: object, known: Readonly<Record<string, Expected>>): void {
  for (const [name, value] of Object.entries(props)) {
    const expected = known[name]
    const fault = expected
      ? describeValue(`${component}: ${name}`, value, expected)
      : `${component} ignores the unknown prop ${name}.${suggest(name, Object.keys(known))}`
    if (fault) warn(fault)
  }
}

/** Warns of a fault once. */
function warn(fault: string): void {
  if (warned.has(fault)) return
  warned.add(fault)
  console.warn(`@lineage/wallet-kit: ${fault}`)
}

const destroyed = new WeakSet<WalletKit>()

/**
 * Destroys a provider's kit once a hot reload has replaced it: one with the same id and chains is the same kit, run again.
 * An app may show kits of other ids or chains in turn. Warns where a destroyed kit comes back. Only for development.
 */
export function replaceKit(previous: WalletKit | undefined, next: WalletKit | undefined): void {
  if (!next) return
  if (destroyed.has(next))
    console.warn(
      '@lineage/wallet-kit: WalletKitProvider got a kit that it has destroyed, since another one with the same id and chains took its place, as after a hot reload. Give kits that you show in turn an id each: createWalletKit({ id: … }).',
    )
  if (!previous || previous === next || identityOf(previous) !== identityOf(next)) return
  previous.destroy()
  destroyed.add(previous)
}

const identityOf = ({ config }: WalletKit) => JSON.stringify([config.id, config.chains.map(({ id }) => id)])

function suggest(name: string, known: readonly string[]): string {
  if (configOptions.includes(name)) return ' It is an option of createWalletKit.'
  const meant = findMeant(name, [...known, ...configOptions])
  if (!meant) return ''
  return known.includes(meant) ? ` Did you mean ${meant}?` : ` Did you mean ${meant}, an option of createWalletKit?`
}

/** Returns what is wrong with a value, or with those for small and large screens. */
function describeValue(of: string, value: unknown, expected: Expected): string | undefined {
  if (value === undefined || value === null || expected === 'any') return undefined
  const [text, isValid] = expected
  if (typeof isValid === 'function') return isValid(value) ? undefined : `${of} is ${quote(value)}. Expected ${text}.`
  const values = expected as readonly (string | boolean)[]
  const given = typeof value === 'object' ? Object.values(value) : [value]
  const wrong = given.find((one) => !values.includes(one))
  if (wrong === undefined) return undefined
  const meant =
    typeof wrong === 'string' &&
    findMeant(
      wrong,
      values.filter((one) => typeof one === 'string'),
    )
  const advice = meant ? `Did you mean ${quote(meant)}?` : `Expected ${listValues(values.map(quote))}.`
  return `${of} is ${quote(wrong)}. ${advice}`
}

const listValues = (values: readonly string[]) => `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`
