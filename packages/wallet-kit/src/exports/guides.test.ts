// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { printSignInSteps } from '../core/dialogs/printSteps.ts'
import type { WalletKitErrorName, WalletNotAvailableReason } from '../core/lib/errors.ts'
import type { NamesConfig, WalletKitConfig } from '../core/state/config.ts'
import type { Transaction } from '../core/state/state.ts'
import type { WalletKit } from '../core/WalletKit.ts'
import { type InAppBrowser, limitsOf } from '../core/wallets/userAgent.ts'
import { connectWallet } from '../locales/locales.ts'
import type { ConnectButtonProps } from '../react/ConnectButton/ConnectButton.tsx'
import type { ConnectButtonRenderProps } from '../react/ConnectButton/useConnectButton.ts'
import type { WalletKitThemeOptions } from '../react/theme/createWalletKitTheme.ts'
import type { WalletKitProviderProps } from '../react/WalletKitProvider.tsx'
import type { SiweProblemCode } from '../siwe/siweProblem.ts'
import type { Behaviour, ScriptedWallet, ScriptedWalletOptions } from '../testing/createScriptedWallet.ts'

const folder = fileURLToPath(new URL('../../../../apps/docs/pages/kit/', import.meta.url))
const readGuide = (file: string) => readFileSync(`${folder}${file}`, 'utf8')
const guides = readdirSync(folder).map(readGuide).join('\n')

/** Returns the cells of the table whose header begins with `title`. */
function rowsOf(title: string): string[][] {
  const [, rows = ''] = new RegExp(`^\\| ${title}.*\\n\\| -.*\\n((?:\\|.*\\n)+)`, 'm').exec(guides) ?? []
  const cells = (row: string) => row.split(/(?<!\\)\|/).slice(1, -1)
  return rows
    .trim()
    .split('\n')
    .map((row) => cells(row).map((cell) => cell.trim()))
}

/** Returns the names in the first column of the table whose header begins with `title`. */
const namesInTable = (title: string): string[] =>
  rowsOf(title)
    .flatMap(([cell = '']) => namesIn(cell))
    .sort()

/** Returns the names in code marks, without quotes: for `connect({ walletId })` only `connect`. */
const namesIn = (text: string) => [...text.matchAll(/`'?([\w-]+)[^`]*`/g)].map(([, name]) => name ?? '')

// Records with every key of a type: the compiler reports missing keys.
const tables = {
  'option of `createWalletKit` ': {
    appName: 1,
    appUrl: 1,
    appIcon: 1,
    relayUrl: 1,
    id: 1,
    projectId: 1,
    chains: 1,
    transports: 1,
    wallets: 1,
    authentication: 1,
    storage: 1,
    names: 1,
    initialChain: 1,
  } satisfies Record<keyof WalletKitConfig, 1>,
  'prop of `WalletKitProvider`': {
    kit: 1,
    children: 1,
    theme: 1,
    avatar: 1,
    locale: 1,
    messages: 1,
    container: 1,
    trapFocus: 1,
    closeOnBack: 1,
    nonce: 1,
    learnMoreUrl: 1,
    disclaimer: 1,
    dialogs: 1,
  } satisfies Record<keyof WalletKitProviderProps, 1>,
  'option of `names`': { resolve: 1, baseUrl: 1, apiKey: 1, header: 1, bnb: 1 } satisfies Record<keyof NamesConfig, 1>,
  'prop  ': { label: 1, accountStatus: 1, chainStatus: 1, showBalance: 1, className: 1 } satisfies Record<
    keyof ConnectButtonProps,
    1
  >,
  'option of `createWalletKitTheme`': {
    accent: 1,
    radius: 1,
    overlay: 1,
    fontFamily: 1,
    colorScheme: 1,
    tokens: 1,
  } satisfies Record<keyof WalletKitThemeOptions, 1>,
  'member of `WalletKit`': {
    config: 1,
    getState: 1,
    subscribe: 1,
    onConnect: 1,
    onDisconnect: 1,
    provider: 1,
    connect: 1,
    disconnect: 1,
    reconnect: 1,
    switchChain: 1,
    signIn: 1,
    signOut: 1,
    addTransaction: 1,
    addCalls: 1,
    sendCalls: 1,
    getCapabilities: 1,
    onTransactionSettled: 1,
    clearTransactions: 1,
    lookUpName: 1,
    lookUpNames: 1,
    lookUpAddress: 1,
    getClient: 1,
    getPublicClient: 1,
    getWalletClient: 1,
    openConnectDialog: 1,
    openAccountDialog: 1,
    openNetworkDialog: 1,
    openSignInDialog: 1,
    closeDialog: 1,
    dispatch: 1,
    destroy: 1,
  } satisfies Record<keyof WalletKit, 1>,
  '`error.name`': {
    WalletKitError: 1,
    ConfigurationError: 1,
    UserRejectedError: 1,
    RequestPendingError: 1,
    WalletNotAvailableError: 1,
    ChainError: 1,
    RelayUnreachableError: 1,
    SignInError: 1,
    AbortedError: 1,
  } satisfies Record<WalletKitErrorName, 1>,
  '`reason`': {
    notConnected: 1,
    notInstalled: 1,
    notReachable: 1,
    noAccount: 1,
    unauthorized: 1,
    noAnswer: 1,
    offline: 1,
  } satisfies Record<WalletNotAvailableReason, 1>,
}

test.each(Object.entries(tables))('the table "%s" has every name of its type', (title, names) => {
  expect(namesInTable(title)).toEqual(Object.keys(names).sort())
})

const lists = {
  '`ConnectButton.Custom` passes': {
    account: 1,
    chain: 1,
    mounted: 1,
    status: 1,
    authenticationStatus: 1,
    openAccountModal: 1,
    openChainModal: 1,
    openConnectModal: 1,
    accountModalOpen: 1,
    chainModalOpen: 1,
    connectModalOpen: 1,
  } satisfies Record<keyof ConnectButtonRenderProps, 1>,
  'A nonce is valid for': {
    invalid_message: 1,
    wrong_domain: 1,
    wrong_uri: 1,
    wrong_chain: 1,
    message_expired: 1,
    message_not_yet_valid: 1,
    invalid_nonce: 1,
    nonce_expired: 1,
    nonce_used: 1,
    invalid_signature: 1,
    invalid_session: 1,
    cross_site: 1,
    method_not_allowed: 1,
    payload_too_large: 1,
    unsupported_media_type: 1,
    rate_limited: 1,
    unavailable: 1,
  } satisfies Record<SiweProblemCode, 1>,
  'Options: `accounts`': {
    accounts: 1,
    privateKey: 1,
    chainId: 1,
    knownChains: 1,
    chainIdFormat: 1,
    authorized: 1,
    locked: 1,
    listeners: 1,
    behaviours: 1,
    rpcUrl: 1,
    calls: 1,
    signInOnConnect: 1,
    flags: 1,
    requests: 1,
    approve: 1,
    release: 1,
    setBehaviour: 1,
    setAccounts: 1,
    setChain: 1,
    lock: 1,
    disconnect: 1,
    emit: 1,
    listenerCount: 1,
  } satisfies Record<keyof ScriptedWalletOptions | Exclude<keyof ScriptedWallet, 'provider'>, 1>,
}

test.each(Object.entries(lists))('the paragraph or table "%s" has every name of its type', (start, names) => {
  const paragraph = guides.split('\n\n').find((text) => text.startsWith(start)) ?? ''
  expect(namesIn(paragraph)).toEqual(expect.arrayContaining(Object.keys(names)))
})

test('the table of hooks has every exported hook', async () => {
  const names = Object.keys(await import('./index.ts')).filter((name) => name.startsWith('use'))
  expect(namesInTable('hook ')).toEqual(names.sort())
})

test('the table of hooks on TanStack Query has every exported hook', async () => {
  expect(namesInTable('hook on TanStack Query')).toEqual(Object.keys(await import('./hooks.ts')).sort())
})

test('the table of wallets has every wallet', async () => {
  const named = rowsOf('wallets \\|').flatMap(([, cell = '']) => namesIn(cell))
  expect(named.sort()).toEqual(Object.keys(await import('../wallets/table.ts')).sort())
})

test('the table of languages has every language', () => {
  const rows = rowsOf('`locale` \\| language')
  expect(rows.flatMap((row) => namesIn(row.join())).sort()).toEqual(Object.keys(connectWallet).sort())
})

test('the table of entries has every entry, and which of them need React', () => {
  const file = new URL('../../package.json', import.meta.url)
  const { exports } = JSON.parse(readFileSync(file, 'utf8')) as { exports: Record<string, string> }
  const rows = rowsOf('entry').map(([name = '', , needsReact]) => [name.replaceAll('`', ''), needsReact])
  const expected = Object.keys(exports).map((entry) => {
    const source = readFileSync(new URL(`${entry === '.' ? 'index' : entry}.ts`, import.meta.url), 'utf8')
    return [entry.replace('.', '@lineage/wallet-kit'), source.startsWith("'use client'") ? 'yes' : 'no']
  })
  expect(rows.sort()).toEqual(expected.sort())
})

test('the table of transactions has every outcome', () => {
  const reasons = { reverted: 1, partial: 1, cancelled: 1, dropped: 1, timeout: 1 } satisfies Record<
    NonNullable<Transaction['failureReason']>,
    1
  >
  const rows = rowsOf('status').map(([status = '', reason = '']) => [...namesIn(status), ...namesIn(reason)])
  const statuses = ['confirmed'] satisfies Exclude<Transaction['status'], 'pending' | 'failed'>[]
  expect(rows).toEqual([statuses, ...Object.keys(reasons).map((reason) => ['failed', reason])])
})

test('the table of scripts has every behaviour of the scripted wallet', () => {
  type Keys<union> = union extends unknown ? keyof union : never
  const names = { reject: 1, alreadyOpen: 1, wait: 1, hang: 1, throw: 1 } satisfies Record<
    Extract<Behaviour, string>,
    1
  >
  const keys = { error: 1, times: 1, result: 1 } satisfies Record<Keys<Exclude<Behaviour, string>>, 1>
  const cells = rowsOf('script of a method').map(([cell = '']) => cell)
  expect(cells.flatMap((cell) => cell.match(/\w+/g) ?? [])).toEqual([...Object.keys(names), ...Object.keys(keys)])
})

test('the table of browsers says what each in-app browser lacks', () => {
  const names: Record<InAppBrowser, string> = {
    wechat: 'WeChat, QQ',
    qq: 'WeChat, QQ',
    telegram: 'Telegram',
    binance: 'Binance on Android',
    other: 'any other app',
  }
  const rows = new Map(rowsOf('where the page is open').map(([place, text = '']) => [place, text]))
  for (const [inApp, name] of Object.entries(names) as [InAppBrowser, string][]) {
    const text = rows.get(name) ?? ''
    const { opens, lacks, unreachable } = limitsOf({ platform: 'android', inApp })
    expect(text.includes('no links to apps'), name).toBe(opens === 'nothing')
    expect(text.includes('with web addresses only'), name).toBe(opens === 'webAddresses')
    expect(/no relay|does not support the relay/.test(text), name).toBe(lacks.includes('walletConnect'))
    expect(text.includes('hidden'), name).toBe(unreachable === 'hidden')
    expect(name.includes('on Android'), name).toBe(limitsOf({ platform: 'ios', inApp }).lacks.length !== lacks.length)
  }
  expect(rows.size).toBe(new Set(Object.values(names)).size + 2)
})

test('the table of sign-in steps is the one in the code', async () => {
  const marks = /(?<=<!-- sign-in steps -->\n\n).*(?=\n\n<!-- \/sign-in steps -->)/s
  const guide = readGuide('sign-in.md')
  expect(guide).toMatch(marks)
  // `vitest -u` updates the guide.
  await expect(guide.replace(marks, printSignInSteps)).toMatchFileSnapshot(`${folder}sign-in.md`)
})

test('the list for Vite’s development server has every module that the first app imports', () => {
  const [, code = ''] = /```tsx\n(\/\/ src\/App\.tsx.*?)```/s.exec(readGuide('start.md')) ?? []
  const imported = [...code.matchAll(/ from '([^']+)'/g)].map(([, module]) => module)
  const [, list = ''] = /optimizeDeps: \{ include: \[([^\]]+)/.exec(readGuide('../guide/server-rendering.md')) ?? []
  expect(imported).toContain('viem/chains')
  expect([...list.matchAll(/'([^']+)'/g)].map(([, module]) => module)).toEqual(expect.arrayContaining(imported))
})

test('every button of an app without components says when its wallet refuses', () => {
  const calls = [...readGuide('without-components.md').matchAll(/kit\.connect\(\{ walletId: id \}\)(\.catch)?/g)]
  expect(calls.map(([, caught]) => caught)).toEqual(['.catch', '.catch', '.catch'])
})
