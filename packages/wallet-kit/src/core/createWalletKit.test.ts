// @vitest-environment node
import fc from 'fast-check'
import { http } from 'viem'
import { bsc, mainnet } from 'viem/chains'
import { describe, expect, test } from 'vitest'
import { createScriptedAuthentication } from '../testing/createScriptedAuthentication.ts'
import { defaultWallets } from '../wallets/defaultWallets.ts'
import { metaMaskWallet, rainbowWallet } from '../wallets/table.ts'
import { createWalletKit } from './createWalletKit.ts'
import { ConfigurationError } from './lib/errors.ts'
import type { WalletKitConfig } from './state/config.ts'
import { injectedConnector } from './wallets/injected.ts'

const config = {
  appName: 'Test',
  chains: [bsc, mainnet],
  transports: { [bsc.id]: http(), [mainnet.id]: http() },
  wallets: defaultWallets(),
} satisfies WalletKitConfig
const create = (changes: object = {}) => createWalletKit({ ...config, ...changes })

test.each<[string, object]>([
  ['No wallet list was provided', { wallets: [] }],
  ['No wallet list was provided', { wallets: undefined }],
  ['No wallets provided for group: Popular', { wallets: [{ groupName: 'Popular', wallets: [] }] }],
  ['No wallets provided for group: More', { wallets: [...defaultWallets(), { groupName: 'More', wallets: [] }] }],
  [
    'Property iconAccent is not a hex value for wallet: MetaMask',
    { wallets: [{ groupName: 'Popular', wallets: [{ ...metaMaskWallet, iconAccent: 'orange' }] }] },
  ],
  ['No chains were provided', { chains: [] }],
  ['No transport was provided for chain: Ethereum (1)', { transports: { [bsc.id]: http() } }],
  ['The initial chain is not among the chains: 137', { initialChain: 137 }],
  ['The initial chain is not among the chains: null', { initialChain: null }],
  ['The initial chain is not among the chains: bsc', { initialChain: 'bsc' }],
  ['No appName was provided', { appName: undefined }],
])('%s', (message, changes) => {
  expect(() => create(changes)).toThrow(expect.objectContaining({ name: 'ConfigurationError', message }))
})

test.each([
  'https://node.example/v3/0123abcd',
  'https://node.example/?apikey=a%20b&x=1',
  'http://127.0.0.1:8545',
  '/rpc',
])('the URL %s is a transport', (url) => {
  expect(
    create({ transports: { [bsc.id]: url, [mainnet.id]: http() } }).getClient({ chainId: bsc.id }).transport,
  ).toMatchObject({
    type: 'http',
    url,
  })
})

const withWallet = (changes: object) => ({
  wallets: [{ groupName: 'Popular', wallets: [{ ...metaMaskWallet, ...changes }] }],
})

test.each([[undefined], [null], ['56'], [56], [[]]])('error: the whole configuration is %j', (config) => {
  expect(() => createWalletKit(config as never)).toThrow(
    expect.objectContaining({ name: 'ConfigurationError', message: expect.stringMatching(/^No /) }),
  )
})

const adapter = createScriptedAuthentication()
const wrongAdapter = (key: string, values: unknown[]): [string, unknown[], RegExp] => [
  'authentication',
  values.map((value) => ({ adapter: { ...adapter, [key]: value } })),
  new RegExp(`^Property authentication\\.adapter\\.${key} is not a function$`),
]

/** Invalid values by key, as a caller without types may pass them, each with the expected error. */
const wrong: readonly [key: string, values: readonly unknown[], message: RegExp][] = [
  ['wallets', [undefined, null, metaMaskWallet, {}, []], /^No wallet list was provided$/],
  ['wallets', [[null], ['metaMask'], [metaMaskWallet], [[metaMaskWallet]]], /^Property groupName is not a text/],
  ['wallets', [[{ groupName: '', wallets: [metaMaskWallet] }]], /^Property groupName is not a text/],
  [
    'wallets',
    [[{ groupName: 'A' }], [{ groupName: 'A', wallets: metaMaskWallet }]],
    /^No wallets provided for group: A$/,
  ],
  [
    'wallets',
    [undefined, null, 'metaMask', {}, () => metaMaskWallet].map((it) => [{ groupName: 'A', wallets: [it] }]),
    /^Property id is not a text for a wallet of group: A$/,
  ],
  ['chains', [undefined, null, 'bsc', 56, bsc, []], /^No chains were provided$/],
  ['chains', [[null], ['bsc'], [56], [{ id: '56' }]], /^Properties id and name are missing for a chain$/],
  [
    'transports',
    [undefined, null, 'https://node.example'.repeat(4), {}, { 56: '' }, { 56: 1 }],
    /^No transport .*\(56\)$/,
  ],
  [
    'transports',
    ['wss://node.example', 'ws://node.example', 'node.example', 'ftp://node.example', 'https://', 'https://a b'].map(
      (url) => ({ 56: url }),
    ),
    /^Property transport is not an http: or https: URL for chain: .*\(56\)$/,
  ],
  ['initialChain', [null, 'bsc', '56', {}], /^The initial chain is not among the chains: /],
  ['appName', [null, 1, '', ' '], /^Property appName is not a text$/],
  ['projectId', [null, 1, {}], /^Property projectId is not a text$/],
  ['relayUrl', [null, 1, 'https://relay.example', ''], /^Property relayUrl is not a ws: or wss: address$/],
  ['storage', ['localStorage', 1, {}, []], /^Property storage is not a storage with getItem/],
  ['names', [null, 'https://names.example', []], /^Property names is not an object$/],
  ['storage', [{ getItem: 1, setItem: 1, removeItem: 1 }], /^Property storage is not a storage with getItem/],
  ['authentication', [null, 'siwe', true, [], () => adapter], /^Property authentication is not an object$/],
  [
    'authentication',
    [{}, { adapter: undefined }, { adapter: null }, { adapter: () => adapter }, { adapter: [] }, adapter],
    /^Property authentication\.adapter is not an object$/,
  ],
  ...['getNonce', 'createMessage', 'verify'].flatMap((key) => [
    wrongAdapter(key, [undefined, null, '/nonce', {}, true]),
  ]),
  ...['signOut', 'getSession'].map((key) => wrongAdapter(key, [null, '/session', {}, true])),
  [
    'authentication',
    [null, 'true', 1, {}].map((required) => ({ adapter, required })),
    /^Property authentication\.required is not true or false$/,
  ],
  [
    'authentication',
    [null, true, 'all', {}].map((covers) => ({ adapter, covers })),
    /^Property authentication\.covers is not a function$/,
  ],
  ['names', [null, {}, 'ens'].map((resolve) => ({ resolve })), /^Property names\.resolve is not a function$/],
  ...['baseUrl', 'apiKey', 'header'].map(
    (key) =>
      [
        'names',
        [null, 1, {}].map((value) => ({ [key]: value })),
        new RegExp(`^Property names\\.${key} is not a text$`),
      ] as [string, unknown[], RegExp],
  ),
  ['names', [null, 'true', 1].map((bnb) => ({ bnb })), /^Property names\.bnb is not true or false$/],
  ...[
    ...['locale', 'messages', 'container', 'trapFocus', 'closeOnBack', 'nonce', 'learnMoreUrl', 'disclaimer'],
    ...['theme', 'avatar', 'dialogs'],
  ].map(
    (key) =>
      [key, [null, 'x', {}], new RegExp(`^Property ${key} belongs to WalletKitProvider$`)] as [
        string,
        unknown[],
        RegExp,
      ],
  ),
  ...['appUrl', 'appIcon'].map(
    (key) => [key, [null, 1, {}], new RegExp(`^Property ${key} is not a text$`)] as [string, unknown[], RegExp],
  ),
]

describe.each(wrong)('error: %s', (key, values, message) => {
  test.each(values.map((value) => [value]))('%o', (value) => {
    expect(() => create({ [key]: value })).toThrow(
      expect.objectContaining({ name: 'ConfigurationError', message: expect.stringMatching(message) }),
    )
  })
})

test.each<[string, readonly unknown[], string]>([
  ['name', [undefined, null, '', 1], 'a text'],
  ['iconUrl', [undefined, null, 1], 'a text or a function that loads one'],
  ['iconBackground', [undefined, null], 'a text'],
  ['iconAccent', [null, 1, 'orange', '#12', '#1234567', '#ggg', 'f60', ' #f60'], 'a hex value'],
  [
    'connectors',
    [undefined, null, injectedConnector, [injectedConnector()({} as never, metaMaskWallet)]],
    'a list of connectors',
  ],
  ['rdns', [null, 'io.metamask', [1]], 'a list of texts'],
  ['flags', [null, 'isMetaMask'], 'a list of texts'],
  ['namespaces', [null, 'ethereum'], 'a list of texts'],
  ['downloadUrls', [null, 'https://a.example', { ios: null }], 'an object of texts'],
  ['relayLinks', [null, 'acme:'], 'an object of texts'],
  ['openInWallet', [null, 1], 'a text'],
])('error: %s of a wallet', (key, values, what) => {
  for (const value of values)
    expect(() => create(withWallet({ [key]: value }))).toThrow(
      expect.objectContaining({
        name: 'ConfigurationError',
        message: expect.stringMatching(new RegExp(`^Property ${key} is not ${what} for wallet: `)),
      }),
    )
})

test.each(['#f60', '#F60C', '#f6851b', '#f6851bff'])('the accent colour %s is valid', (iconAccent) => {
  expect(() => create(withWallet({ iconAccent }))).not.toThrow()
})

test('options can be undefined, and storage can be null, as localStorage is in some WebViews', () => {
  const keys = ['projectId', 'relayUrl', 'appUrl', 'appIcon', 'initialChain', 'locale', 'disclaimer']
  const none = Object.fromEntries(keys.map((key) => [key, undefined]))
  expect(() => create({ ...none, storage: null })).not.toThrow()
})

test('property: any configuration works or throws a ConfigurationError', () => {
  const key = fc.constantFrom(...Object.keys(config), ...wrong.map(([key]) => key))
  fc.assert(
    fc.property(key, fc.anything(), (key, value) => {
      try {
        create({ [key]: value }).destroy()
      } catch (error) {
        expect(error).toBeInstanceOf(ConfigurationError)
      }
    }),
  )
})

test.each<[string, unknown]>([
  ['nothing', () => undefined],
  ['another factory', metaMaskWallet.connectors[0] && (() => metaMaskWallet.connectors[0])],
  ['no kind', () => ({ isReady: () => true, connect: async () => {} })],
  ['no connect', () => ({ kind: 'injected', isReady: () => true })],
  ['a connect that is no function', () => ({ kind: 'injected', isReady: () => true, connect: true })],
])('error: a connector factory that returns %s', (_, connector) => {
  expect(() => create(withWallet({ connectors: [connector] }))).toThrow(
    expect.objectContaining({
      name: 'ConfigurationError',
      message: 'No list of connectors was provided for wallet: MetaMask',
    }),
  )
})

test('property: junk anywhere below authentication and names works or throws a ConfigurationError', async () => {
  const part = fc.constantFrom('getNonce', 'createMessage', 'verify', 'signOut', 'getSession')
  const junk = fc.anything()
  const authentication = fc.oneof(
    fc.record({ adapter: junk, required: junk, covers: junk }, { requiredKeys: [] }),
    fc.tuple(part, junk).map(([key, value]) => ({ adapter: { ...adapter, [key]: value } })),
  )
  const names = fc.record({ resolve: junk, baseUrl: junk, apiKey: junk, header: junk, bnb: junk }, { requiredKeys: [] })
  fc.assert(
    fc.property(fc.oneof(fc.record({ authentication }), fc.record({ names })), (changes) => {
      try {
        create(changes).destroy()
      } catch (error) {
        expect(error).toBeInstanceOf(ConfigurationError)
        expect((error as Error).message).toMatch(/^(Property (authentication|names)\b.* is not |Names that end in)/)
      }
    }),
  )
})

test('behavior: an unknown wallet id', async () => {
  await expect(create().connect({ walletId: 'no.body' })).rejects.toMatchObject({
    name: 'WalletNotAvailableError',
    message: 'no.body cannot be reached from this page.',
  })
})

test('error: a wallet id instead of an object: says what is expected', async () => {
  await expect(create().connect('metaMask' as never)).rejects.toThrow('Expected { walletId }')
})

test('behavior: a duplicate wallet id: the first wallet is kept', () => {
  const again = { ...metaMaskWallet, name: 'Again' }
  const kit = create({
    wallets: [
      { groupName: 'Popular', wallets: [metaMaskWallet, again, rainbowWallet] },
      { groupName: 'More', wallets: [again] },
    ],
  })
  expect(kit.getState().wallets.map(({ name, groupName }) => [name, groupName])).toEqual([
    ['MetaMask', 'Popular'],
    ['Rainbow', 'Popular'],
  ])
})

test('on a server the kit is disconnected, without timers or channels', () => {
  const kit = create()
  expect(kit.getState()).toMatchObject({ status: 'disconnected', dialog: { name: 'none' } })
  expect(kit.provider).toBeUndefined()
})

test('the default wallets in order; on a server none is ready, and Safe is not listed', () => {
  const list = create().getState().wallets
  expect(list.map(({ id, groupName, ready }) => [id, groupName, ready])).toEqual([
    ['rainbow', 'Popular', false],
    ['coinbase', 'Popular', false],
    ['metaMask', 'Popular', false],
    ['walletConnect', 'Popular', false],
  ])
})

test('behavior: a relay wallet without a project id is listed, not ready, and its error says why', async () => {
  for (const projectId of [undefined, ''])
    expect(
      create({ projectId })
        .getState()
        .wallets.find(({ id }) => id === 'walletConnect')?.ready,
    ).toBe(false)
  await expect(create().connect({ walletId: 'walletConnect' })).rejects.toMatchObject({
    name: 'ConfigurationError',
    message: 'No projectId was provided.',
  })
})

test('error: a wallet that is neither on the page nor reached over the relay says that it is not there', async () => {
  await expect(create().connect({ walletId: 'metaMask' })).rejects.toMatchObject({
    name: 'WalletNotAvailableError',
    message: 'MetaMask is not on this page. Install or enable it.',
  })
})

test('behavior: announced wallets alone: none is configured', () => {
  const kit = create({ wallets: 'announced' })
  expect(kit.getState().wallets).toEqual([])
})

test('clients read the initial chain by default, and are created once', async () => {
  const kit = create({ initialChain: mainnet })
  expect(kit.getClient().chain?.id).toBe(1)
  expect(kit.getClient({ chainId: 56 })).toBe(kit.getClient({ chainId: 56 }))
  expect(kit.getClient({ chainId: 56 }).batch).toEqual({ multicall: true })
  expect(await kit.getPublicClient({ chainId: 56 })).toBe(await kit.getPublicClient({ chainId: 56 }))
  expect(() => kit.getClient({ chainId: 137 as number as 1 })).toThrow(
    'The chain 137 is not among the chains of this app.',
  )
  await expect(kit.getPublicClient({ chainId: 137 as number as 1 })).rejects.toMatchObject({
    name: 'ConfigurationError',
  })
  await expect(kit.getWalletClient()).rejects.toMatchObject({ name: 'WalletNotAvailableError' })
})

test.each([56, '56', bsc, null, [56]])(
  'error: a client of %j without an object: no other chain is read',
  async (given) => {
    const kit = create()
    expect(() => kit.getClient(given as never)).toThrow('Expected { chainId }')
    await expect(kit.getPublicClient(given as never)).rejects.toThrow('Expected { chainId }')
  },
)
