// @vitest-environment node
import { http } from 'viem'
import { bsc, mainnet } from 'viem/chains'
import { expect, test } from 'vitest'
import { defaultWallets } from '../wallets/defaultWallets.ts'
import { metaMask } from '../wallets/definitions/metaMask.ts'
import { rainbow } from '../wallets/definitions/rainbow.ts'
import type { WalletKitConfig } from './config.ts'
import { createWalletKit } from './createWalletKit.ts'

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
    { wallets: [{ groupName: 'Popular', wallets: [{ ...metaMask, iconAccent: 'orange' }] }] },
  ],
  ['No chains were provided', { chains: [] }],
  ['No transport was provided for chain: Ethereum (1)', { transports: { [bsc.id]: http() } }],
  ['The initial chain is not among the chains: 137', { initialChain: 137 }],
])('%s', (message, changes) => {
  expect(() => create(changes)).toThrow(expect.objectContaining({ name: 'ConfigurationError', message }))
})

test('behavior: a wallet id that is given twice: the first is kept', () => {
  const again = { ...metaMask, name: 'Again' }
  const kit = create({
    wallets: [
      { groupName: 'Popular', wallets: [metaMask, again, rainbow] },
      { groupName: 'More', wallets: [again] },
    ],
  })
  expect(kit.getState().wallets.map(({ name, groupName }) => [name, groupName])).toEqual([
    ['MetaMask', 'Popular'],
    ['Rainbow', 'Popular'],
  ])
})

test('a server renders the disconnected kit, and no timer or channel keeps its process', () => {
  const kit = create()
  expect(kit.getState()).toMatchObject({ status: 'disconnected', dialog: { name: 'none' } })
  expect(kit.getInitialState()).toMatchObject({ status: 'disconnected', wallets: [], recentWalletIds: [] })
  expect(kit.provider).toBeUndefined()
})

test('the default wallets in order, none reached from a server, and no Safe outside of Safe', () => {
  const list = create().getState().wallets
  expect(list.map(({ id, groupName, ready }) => [id, groupName, ready])).toEqual([
    ['rainbow', 'Popular', false],
    ['coinbase', 'Popular', false],
    ['metaMask', 'Popular', false],
    ['walletConnect', 'Popular', false],
  ])
})

test('behavior: a relay wallet without a project id', async () => {
  await expect(create().connect({ walletId: 'walletConnect' })).rejects.toMatchObject({
    name: 'ConfigurationError',
    message: 'No projectId was provided.',
  })
})

test('clients: the initial chain unless told otherwise, made once', async () => {
  const kit = create({ initialChain: mainnet })
  expect(kit.getClient().chain?.id).toBe(1)
  expect(kit.getClient(56)).toBe(kit.getClient(56))
  expect(kit.getClient(56).batch).toEqual({ multicall: true })
  expect(await kit.getPublicClient(56)).toBe(await kit.getPublicClient(56))
  expect(() => kit.getClient(137)).toThrow('The chain 137 is not among the chains of this app.')
  await expect(kit.getPublicClient(137)).rejects.toMatchObject({ name: 'ConfigurationError' })
  await expect(kit.getWalletClient()).rejects.toMatchObject({ name: 'WalletNotAvailableError' })
})
