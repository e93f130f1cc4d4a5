import { custom } from 'viem'
import { bsc, mainnet } from 'viem/chains'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createWalletKit } from '../core/createWalletKit.ts'
import { injectedConnector } from '../core/wallets/injected.ts'
import { announceWallet } from '../testing/announceWallet.ts'
import { createScriptedWallet, type ScriptedWalletOptions } from '../testing/createScriptedWallet.ts'
import { memoryStorage } from '../testing/memoryStorage.ts'
import { baseAccountConnector, coinbaseConnector } from './coinbase.ts'
import { baseAccount, coinbaseWallet } from './table.ts'

const node = custom({ request: async () => null })

/** Sets up a scripted wallet instead of the SDK, which can also end the connection. */
function setup(options: ScriptedWalletOptions = {}) {
  const wallet = createScriptedWallet(options)
  const disconnect = vi.fn(async () => {})
  const createCoinbaseWalletSDK = vi.fn(() => ({ getProvider: () => ({ ...wallet.provider, disconnect }) }))
  const load = vi.fn(async () => ({ createCoinbaseWalletSDK }))
  const storage = memoryStorage()
  const createKit = () => {
    const kit = createWalletKit({
      appName: 'Test',
      chains: [bsc, mainnet],
      transports: { [bsc.id]: node, [mainnet.id]: node },
      wallets: [
        {
          groupName: 'Popular',
          wallets: [{ ...coinbaseWallet, connectors: [injectedConnector(), coinbaseConnector({ load })] }],
        },
      ],
      storage,
    })
    onTestFinished(() => kit.destroy())
    return kit
  }
  return { wallet, disconnect, createCoinbaseWalletSDK, load, storage, createKit }
}

test('without the extension: ready through the SDK, which is not loaded yet', () => {
  const { createKit, load } = setup()
  const kit = createKit()
  void kit.openConnectDialog()
  expect(kit.getState().wallets[0]).toMatchObject({ id: 'coinbase', installed: false, ready: true, kind: 'coinbase' })
  expect(load).not.toHaveBeenCalled()
})

test('behavior: without an SDK and the extension: not ready, and the error says that it is not there', async () => {
  const kit = createWalletKit({
    appName: 'Test',
    chains: [bsc],
    transports: { [bsc.id]: node },
    wallets: [{ groupName: 'Popular', wallets: [coinbaseWallet, baseAccount] }],
  })
  onTestFinished(() => kit.destroy())
  expect(kit.getState().wallets.map(({ id, ready }) => [id, ready])).toEqual([
    ['coinbase', false],
    ['baseAccount', false],
  ])
  await expect(kit.connect({ walletId: 'coinbase' })).rejects.toMatchObject({
    message: 'Coinbase Wallet is not on this page. Install or enable it.',
  })
  await expect(kit.connect({ walletId: 'baseAccount' })).rejects.toMatchObject({
    name: 'ConfigurationError',
    message: 'Base Account needs @base-org/account, which is not loaded.',
  })
})

test('Base Account: its SDK is loaded when picked, with telemetry off', async () => {
  const wallet = createScriptedWallet()
  const createBaseAccountSDK = vi.fn(() => ({ getProvider: () => wallet.provider }))
  const load = vi.fn(async () => ({ createBaseAccountSDK }))
  const kit = createWalletKit({
    appName: 'Test',
    chains: [bsc],
    transports: { [bsc.id]: node },
    wallets: [{ groupName: 'More', wallets: [{ ...baseAccount, connectors: [baseAccountConnector({ load })] }] }],
    storage: memoryStorage(),
  })
  onTestFinished(() => kit.destroy())
  expect(kit.getState().wallets).toMatchObject([{ id: 'baseAccount', ready: true }])
  expect(load).not.toHaveBeenCalled()
  expect(await kit.connect({ walletId: 'baseAccount' })).toMatchObject({ walletId: 'baseAccount' })
  expect(createBaseAccountSDK.mock.calls).toEqual([
    [{ appName: 'Test', appLogoUrl: null, appChainIds: [56], preference: { telemetry: false } }],
  ])
})

test('picked: the SDK is loaded once, with telemetry off', async () => {
  const { createKit, createCoinbaseWalletSDK, load } = setup()
  const kit = createKit()
  expect(await kit.connect({ walletId: 'coinbase' })).toMatchObject({ walletId: 'coinbase', chainId: 56 })
  await kit.connect({ walletId: 'coinbase' })
  expect(load).toHaveBeenCalledTimes(1)
  expect(createCoinbaseWalletSDK.mock.calls).toEqual([
    [
      {
        appName: 'Test',
        appLogoUrl: null,
        appChainIds: [56, 1],
        preference: { options: 'all', telemetry: false },
      },
    ],
  ])
})

test('its extension announces itself: that is asked, and no SDK is loaded', async () => {
  const { createKit, load } = setup()
  const extension = createScriptedWallet()
  onTestFinished(
    announceWallet({ info: { name: 'Coinbase Wallet', rdns: 'com.coinbase.wallet' }, provider: extension.provider }),
  )
  const kit = createKit()
  expect(kit.getState().wallets[0]).toMatchObject({ id: 'coinbase', installed: true, kind: 'injected' })
  await kit.connect({ walletId: 'coinbase' })
  expect(kit.provider).toBe(extension.provider)
  expect(load).not.toHaveBeenCalled()
})

test('restored without a prompt on the next page; nothing is loaded for another wallet', async () => {
  const { createKit, wallet, load } = setup()
  expect(await createKit().reconnect()).toBeUndefined()
  expect(load).not.toHaveBeenCalled()
  await createKit().connect({ walletId: 'coinbase' })
  wallet.requests.length = 0
  expect(await createKit().reconnect()).toMatchObject({ walletId: 'coinbase' })
  expect(wallet.requests.map(({ method }) => method)).toEqual(['eth_accounts', 'eth_chainId'])
})

test('disconnect: calls the SDK', async () => {
  const { createKit, disconnect } = setup()
  const kit = createKit()
  await kit.connect({ walletId: 'coinbase' })
  await kit.disconnect()
  await expect.poll(() => disconnect).toHaveBeenCalledTimes(1)
})

test('behavior: user rejected request', async () => {
  const { createKit } = setup({ behaviours: { eth_requestAccounts: 'reject' } })
  await expect(createKit().connect({ walletId: 'coinbase' })).rejects.toMatchObject({ name: 'UserRejectedError' })
})

describe('an SDK that does not come', () => {
  test('behavior: the failure is reported, and the next try loads it again', async () => {
    const { createKit, load } = setup()
    load.mockRejectedValueOnce(new Error('Failed to fetch dynamically imported module'))
    const kit = createKit()
    await expect(kit.connect({ walletId: 'coinbase' })).rejects.toThrow('Failed to fetch')
    expect(await kit.connect({ walletId: 'coinbase' })).toMatchObject({ walletId: 'coinbase' })
  })

  test('behavior: closed while it is being loaded: a later connection is given back', async () => {
    const { createKit, disconnect, load, createCoinbaseWalletSDK } = setup()
    let arrive = () => {}
    load.mockImplementationOnce(
      () =>
        new Promise((resolve) => {
          arrive = () => resolve({ createCoinbaseWalletSDK })
        }),
    )
    const kit = createKit()
    const opened = kit.openConnectDialog()
    kit.dispatch({ type: 'pick', walletId: 'coinbase' })
    await expect.poll(() => load).toHaveBeenCalled()
    kit.closeDialog()
    expect(await opened).toBeUndefined()
    arrive()
    await expect.poll(() => disconnect).toHaveBeenCalled()
    expect(kit.getState().status).toBe('disconnected')
  })
})
