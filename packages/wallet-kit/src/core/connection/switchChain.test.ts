import { expect, test, vi } from 'vitest'
import type { ScriptedWalletOptions } from '../../testing/createScriptedWallet.ts'
import { setupKit } from '../../testing/setupKit.ts'

async function connected(a: ScriptedWalletOptions = {}) {
  const setup = setupKit({ a: { knownChains: [1, 56], ...a } })
  await setup.kit.connect({ walletId: 'a' })
  setup.kit.openNetworkDialog()
  setup.a.requests.length = 0
  return setup
}

test('switches the wallet to the chain and closes the dialog', async () => {
  const { kit } = await connected()
  const switched = kit.switchChain({ chainId: 1 })
  await switched
  expect(kit.getState()).toMatchObject({ chainId: 1, dialog: { name: 'none' } })
})

test('the state has the chain that is being switched to', async () => {
  const { kit, a } = await connected({ behaviours: { wallet_switchEthereumChain: 'wait' } })
  const switched = kit.switchChain({ chainId: 1 })
  expect(kit.getState()).toMatchObject({ dialog: { name: 'network' }, switching: { chainId: 1 } })
  await expect.poll(() => a.requests).not.toEqual([])
  a.release()
  await switched
})

test.each([
  ['4902', undefined],
  ['4902 inside data', { code: -32603, message: 'Internal error', data: { originalError: { code: 4902 } } }],
  ['4902 as text', { code: '4902', message: 'unknown' }],
  [
    'only words',
    { code: -32603, message: 'Unrecognized chain ID "0x1". Try adding the chain using wallet_addEthereumChain' },
  ],
])('behavior: an unknown chain (%s) is added, then selected', async (_, error) => {
  const { kit, a } = await connected({ knownChains: [56] })
  if (error) a.setBehaviour('wallet_switchEthereumChain', { error, times: 1 })
  await kit.switchChain({ chainId: 1 })
  expect(kit.getState().chainId).toBe(1)
  expect(a.requests.find(({ method }) => method === 'wallet_addEthereumChain')?.params).toEqual([
    expect.objectContaining({ chainId: '0x1', chainName: 'Ethereum', rpcUrls: expect.any(Array) }),
  ])
})

test.each([
  ['the person rejects', 'reject', 'UserRejectedError'],
  ['the wallet cannot', { error: { code: 4200, message: 'Unsupported' } }, 'ChainError'],
  ['the wallet fails', { error: { code: -32000, message: 'boom' } }, 'ChainError'],
  ['the wallet throws', 'throw', 'ChainError'],
  ['a request is open already', 'alreadyOpen', 'RequestPendingError'],
] as const)('behavior: %s: shown in the dialog, which stays open', async (_, behaviour, name) => {
  const { kit } = await connected({ behaviours: { wallet_switchEthereumChain: behaviour } })
  await expect(kit.switchChain({ chainId: 1 })).rejects.toMatchObject({ name })
  expect(kit.getState()).toMatchObject({ chainId: 56, dialog: { name: 'network', error: { name } } })
  expect(kit.getState().dialog).not.toHaveProperty('switching')
})

test('behavior: the person rejects adding the chain', async () => {
  const { kit } = await connected({ knownChains: [56], behaviours: { wallet_addEthereumChain: 'reject' } })
  await expect(kit.switchChain({ chainId: 1 })).rejects.toMatchObject({ name: 'UserRejectedError' })
})

test('behavior: the wallet agrees but does not switch', async () => {
  vi.useFakeTimers()
  const { kit } = await connected({ behaviours: { wallet_switchEthereumChain: { result: null } } })
  const switched = expect(kit.switchChain({ chainId: 1 })).rejects.toMatchObject({ name: 'ChainError' })
  await vi.advanceTimersByTimeAsync(6_000)
  await switched
  expect(kit.getState().chainId).toBe(56)
  vi.useRealTimers()
})

test('behavior: the wallet switches but never answers', async () => {
  const { kit, a } = await connected({ behaviours: { wallet_switchEthereumChain: 'hang' } })
  const switched = kit.switchChain({ chainId: 1 })
  a.setChain(1)
  await switched
  expect(kit.getState().dialog).toEqual({ name: 'none' })
})

test('behavior: the wallet switches without an event', async () => {
  const { kit } = await connected({ listeners: 'none' })
  await kit.switchChain({ chainId: 1 })
  expect(kit.getState().chainId).toBe(1)
})

test('behavior: the wallet is disconnected before it answers', async () => {
  const { kit } = await connected({ behaviours: { wallet_switchEthereumChain: 'hang' } })
  const switched = kit.switchChain({ chainId: 1 })
  await kit.disconnect()
  await expect(switched).rejects.toMatchObject({ name: 'AbortedError' })
})

test('behavior: an earlier request fails late: the dialog shows the later one', async () => {
  const { kit, a } = await connected({
    knownChains: [56],
    behaviours: { wallet_switchEthereumChain: 'wait', wallet_addEthereumChain: 'reject' },
  })
  const first = kit.switchChain({ chainId: 1 })
  await expect.poll(() => a.requests).not.toEqual([])
  a.setBehaviour('wallet_switchEthereumChain', 'hang')
  kit.switchChain({ chainId: 56 }).catch(() => {})
  a.release()
  await expect(first).rejects.toMatchObject({ name: 'UserRejectedError' })
  expect(kit.getState().dialog).toEqual({ name: 'network' })
  expect(kit.getState().switching).toEqual({ chainId: 56 })
})

test('behavior: not connected, and a chain that the app does not support', async () => {
  const { kit } = setupKit()
  await expect(kit.switchChain({ chainId: 1 })).rejects.toMatchObject({ name: 'WalletNotAvailableError' })
  await kit.connect({ walletId: 'a' })
  await expect(kit.switchChain({ chainId: 137 })).rejects.toMatchObject({ name: 'ConfigurationError' })
})

test.each(['wallet_switchEthereumChain', 'eth_chainId'])(
  'behavior: the kit is destroyed while %s is pending: the promise rejects and the chain does not change',
  async (method) => {
    const { kit, a } = setupKit({ a: { knownChains: [1, 56], listeners: 'none' } })
    await kit.connect({ walletId: 'a' })
    a.setBehaviour(method, 'hang')
    const switched = kit.switchChain({ chainId: 1 })
    kit.destroy()
    await expect(switched).rejects.toMatchObject({ name: 'AbortedError' })
    expect(kit.getState().chainId).toBe(56)
  },
)
