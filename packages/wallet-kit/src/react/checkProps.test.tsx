import { screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ConfigurationError } from '../core/lib/errors.ts'
import { createScriptedKit } from '../testing/createScriptedKit.ts'
import { ConnectButton, type ConnectButtonProps } from './ConnectButton/ConnectButton.tsx'
import { renderPage } from './testing/renderPage.tsx'
import { createWalletKitTheme } from './theme/createWalletKitTheme.ts'
import type { WalletKitProviderProps } from './WalletKitProvider.tsx'

beforeEach(() => {
  vi.spyOn(console, 'warn').mockReturnValue()
  vi.spyOn(console, 'error').mockReturnValue()
})
afterEach(() => vi.unstubAllEnvs())

const create = () => createScriptedKit({ wallets: 'announced' })
const said = () => vi.mocked(console.warn).mock.calls.flat()
const render = (props: object, button: object = {}) =>
  renderPage(create(), {
    children: <ConnectButton {...(button as ConnectButtonProps)} />,
    ...(props as Partial<WalletKitProviderProps>),
  })

test.each([
  ['the options', { appName: 'Test', chains: [] }],
  ['a function', () => ({})],
  ['a text', 'kit'],
])('error: kit is %s: says how to create one', (_, kit) => {
  expect(() => render({ kit })).toThrow(
    'WalletKitProvider: kit is not a wallet kit. Create one outside of your components, const kit = createWalletKit({ … }), and give kit={kit}.',
  )
})

test.each([[{}], [['en']], [1]])('error: locale is %j: says what it may be', (locale) => {
  expect(() => render({ locale })).toThrow(
    'WalletKitProvider: locale is not a text. Give a BCP 47 tag, such as locale="zh-CN".',
  )
})

test.each([
  [null, "the options are not an object, such as { accent: '#3451B2' }."],
  ['dark', "the options are not an object, such as { accent: '#3451B2' }."],
  [{ accent: 5 }, "accent is not a colour, such as '#3451B2', or { light, dark } with one each."],
  [{ accent: null }, "accent is not a colour, such as '#3451B2', or { light, dark } with one each."],
  [{ radius: '8px' }, 'radius is not a number of pixels, such as 8.'],
  [{ colorScheme: true }, "colorScheme is not 'light', 'dark', 'media', 'class', 'data' or a selector with %s."],
  [
    { tokens: { light: { accent: 5 } } },
    "tokens is not { light, dark } with texts by token, such as { light: { paper: '#fff' } }.",
  ],
])('error: a theme of %j: says what it may be', (options, message) => {
  expect(() => createWalletKitTheme(options as never)).toThrow(
    new ConfigurationError(`createWalletKitTheme: ${message}`),
  )
})

test.each([
  [{ disclamer: 'Terms' }, 'WalletKitProvider ignores the unknown prop disclamer. Did you mean disclaimer?'],
  [{ nonse: 'a' }, 'WalletKitProvider ignores the unknown prop nonse. Did you mean nonce?'],
  [{ coolMode: true }, 'WalletKitProvider ignores the unknown prop coolMode.'],
  [
    { initialChain: 56 },
    'WalletKitProvider ignores the unknown prop initialChain. It is an option of createWalletKit.',
  ],
  [
    { initalChain: 56 },
    'WalletKitProvider ignores the unknown prop initalChain. Did you mean initialChain, an option of createWalletKit?',
  ],
  [{ dialogs: 'ondemand' }, "WalletKitProvider: dialogs is 'ondemand'. Did you mean 'onDemand'?"],
  [{ closeOnBack: true }, "WalletKitProvider: closeOnBack is true. Expected 'phone', 'always' or 'never'."],
  [{ trapFocus: 'false' }, "WalletKitProvider: trapFocus is 'false'. Expected true or false."],
  [{ theme: 'dark' }, "WalletKitProvider: theme is 'dark'. Expected a theme of createWalletKitTheme."],
  [{ messages: 'de' }, "WalletKitProvider: messages is 'de'. Expected an object."],
  [
    { messages: { close: 5 } },
    'WalletKitProvider: messages.close is 5. Expected a text, or its plural forms with other.',
  ],
  [
    { messages: { de: { back: ['Zurück'] } } },
    'WalletKitProvider: messages.de.back is Zurück. Expected a text, or its plural forms with other.',
  ],
  [
    { container: '#place' },
    "WalletKitProvider: container is '#place'. Expected an element, or a function that returns one.",
  ],
])('behavior: the props %j of WalletKitProvider: warns', (props, message) => {
  render(props)
  expect(said()).toEqual([`@lineage/wallet-kit: ${message}`])
  expect(screen.getByRole('button', { name: 'Connect Wallet' })).toBeTruthy()
})

test.each([
  [{ accountstatus: 'avatar' }, 'ConnectButton ignores the unknown prop accountstatus. Did you mean accountStatus?'],
  [{ 'data-testid': 'a' }, 'ConnectButton ignores the unknown prop data-testid.'],
  [{ accountStatus: 'adress' }, "ConnectButton: accountStatus is 'adress'. Did you mean 'address'?"],
  [
    { chainStatus: { smallScreen: 'icon', largeScreen: 'text' } },
    "ConnectButton: chainStatus is 'text'. Expected 'full', 'icon', 'name' or 'none'.",
  ],
  [{ showBalance: 'no' }, "ConnectButton: showBalance is 'no'. Expected true or false."],
])('behavior: the props %j of ConnectButton: warns', (props, message) => {
  render({}, props)
  expect(said()).toEqual([`@lineage/wallet-kit: ${message}`])
})

test('behavior: warns once of the same prop', () => {
  const page = render({ learnMoreURL: 'https://a.example' })
  page.update({ locale: 'de' })
  page.update({ locale: 'fr' })
  expect(said()).toHaveLength(1)
})

test('behavior: all props, omitted ones and a kit that is still created: says nothing', () => {
  const all = {
    ...{ kit: create().kit, theme: undefined, avatar: () => null, locale: 'de', dialogs: 'none' },
    messages: {
      ...{ connectWallet: 'Join', close: undefined, de: { close: 'Zu' }, fr: undefined },
      pendingTransactions: { one: '{count} payment', other: '{count} payments' },
    },
    ...{ container: () => null, trapFocus: false, closeOnBack: 'never', nonce: 'a', learnMoreUrl: 'https://a.example' },
    ...{ disclaimer: <b />, children: <ConnectButton /> },
  } satisfies Record<keyof WalletKitProviderProps, unknown>
  const button = {
    ...{ label: 'In', className: 'a', chainStatus: 'none', showBalance: true },
    accountStatus: { smallScreen: 'avatar', largeScreen: 'full' },
  } satisfies Record<keyof ConnectButtonProps, unknown>
  render(all)
  render({ kit: undefined, locale: undefined }, button)
  render({ container: null }, { label: undefined })
  expect(said()).toEqual([])
})

test('behavior: in production says nothing', () => {
  vi.stubEnv('NODE_ENV', 'production')
  render({ themes: 'dark', trapFocus: 'no' }, { acountStatus: 'full' })
  expect(said()).toEqual([])
})
