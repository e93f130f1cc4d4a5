import { http } from 'viem'
import { bsc } from 'viem/chains'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { defaultWallets } from '../../wallets/defaultWallets.ts'
import { baseAccount, metaMaskWallet } from '../../wallets/table.ts'
import { createWalletKit } from '../createWalletKit.ts'
import type { WalletKitConfig } from '../state/config.ts'

afterEach(() => vi.unstubAllEnvs())

/** Creates a kit and returns its messages to the developer. */
async function advise(changes: Partial<WalletKitConfig>, environment = 'development') {
  vi.stubEnv('NODE_ENV', environment)
  const info = vi.spyOn(console, 'info').mockReturnValue()
  const kit = createWalletKit({
    appName: 'Test',
    chains: [bsc],
    transports: { [bsc.id]: http() },
    wallets: defaultWallets(),
    ...changes,
  })
  onTestFinished(() => kit.destroy())
  await vi.dynamicImportSettled()
  return info.mock.calls.flat()
}

test('behavior: wallets that lack a project id or an SDK: says once which wallet needs what', async () => {
  expect(await advise({})).toEqual([
    [
      '@lineage/wallet-kit: not every wallet can be used everywhere.',
      'Safe, Rainbow, MetaMask, WalletConnect: cannot be reached over the relay without a projectId (free at https://dashboard.reown.com).',
      "Coinbase Wallet: cannot be reached without its extension, unless you load its SDK: defaultWallets({ loadCoinbase: () => import('@coinbase/wallet-sdk') }), or coinbaseConnector({ load: () => import('@coinbase/wallet-sdk') }) among its connectors.",
    ].join('\n- '),
  ])
})

test('behavior: Base Account, which has no extension: names its own SDK', async () => {
  const wallets = [{ groupName: 'Popular', wallets: [baseAccount] }]
  expect(await advise({ wallets })).toEqual([
    "@lineage/wallet-kit: not every wallet can be used everywhere.\n- Base Account: cannot be reached unless you load its SDK: baseAccountConnector({ load: () => import('@base-org/account') }) as its connector.",
  ])
})

test('behavior: a wallet id is used twice: says which', async () => {
  const wallets = [{ groupName: 'Popular', wallets: [metaMaskWallet, { ...metaMaskWallet, name: 'Again' }] }]
  expect(await advise({ projectId: 'test', wallets })).toEqual([
    '@lineage/wallet-kit: not every wallet can be used everywhere.\n- The wallet id "metaMask" is used again; the first wallet that has it is kept.',
  ])
})

test('behavior: options of another kit: says that they are ignored', async () => {
  const other = { wallets: 'announced', ssr: true, publicClient: {} } as Partial<WalletKitConfig>
  expect(await advise(other)).toEqual([
    '@lineage/wallet-kit: createWalletKit ignores options that it does not have: ssr, publicClient.',
  ])
})

test('behavior: options of names and of sign-in are mistyped: says that they are ignored', async () => {
  const adapter = { getNonce: vi.fn(), createMessage: vi.fn(), verify: vi.fn() }
  const mistyped = { names: { baseURL: '/names' }, authentication: { adapter, require: true } }
  expect(await advise({ wallets: 'announced', ...(mistyped as Partial<WalletKitConfig>) })).toEqual([
    '@lineage/wallet-kit: createWalletKit ignores options that it does not have: names.baseURL (did you mean names.baseUrl?), authentication.require (did you mean authentication.required?).',
  ])
})

test('behavior: nothing is missing: says nothing', async () => {
  const wallets = defaultWallets({ loadCoinbase: () => import('@coinbase/wallet-sdk') })
  expect(await advise({ projectId: 'test', wallets })).toEqual([])
  expect(await advise({ wallets: 'announced' })).toEqual([])
})

test('behavior: in production says nothing', async () => {
  expect(await advise({}, 'production')).toEqual([])
})
