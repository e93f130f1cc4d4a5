import fc from 'fast-check'
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

test('error: a chain id instead of an object: says what is expected', async () => {
  const { kit } = await connected()
  await expect(kit.switchChain(1 as never)).rejects.toThrow('Expected { chainId }')
})

test('the state has the chain that is being switched to', async () => {
  const { kit, a } = await connected({ behaviours: { wallet_switchEthereumChain: 'wait' } })
  const switched = kit.switchChain({ chainId: 1 })
  expect(kit.getState()).toMatchObject({ dialog: { name: 'network' }, switching: { chainId: 1 } })
  await expect.poll(() => a.requests).not.toEqual([])
  a.release()
  await switched
})

test.each<[string, unknown]>([
  ['4902', undefined],
  ['4902 inside data', { code: -32603, message: 'Internal error', data: { originalError: { code: 4902 } } }],
  ['4902 as text', { code: '4902', message: 'unknown' }],
  ['only words', { code: -32603, message: 'Unrecognized chain ID "0x1".' }],
  ['only words, in no error', 'Unrecognized chain ID "0x1".'],
  ['words of Trust in another language', { code: -32603, message: '未识别的链 ID' }],
  ['an invalid chain', { code: -32603, message: 'Invalid chainId.' }],
  ['invalid parameters', { code: -32602, message: 'Expected a known chain' }],
  ['a vague code', { code: -32000, message: 'boom' }],
  ['chain disconnected', { code: 4901, message: 'Chain disconnected' }],
  ['an unsupported chain over the relay', { code: 5100, message: 'Unsupported chains.' }],
  ['words about the chain', new Error('wallet_switchEthereumChain: chain 1 is not supported')],
  ['nothing', undefined],
  ['null', null],
])('behavior: an unknown chain (%s) is added, then selected', async (_, error) => {
  const { kit, a } = await connected({ knownChains: [56] })
  if (_ !== '4902') a.setBehaviour('wallet_switchEthereumChain', { error, times: 1 })
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

test.each<[string, unknown, string]>([
  ['4001', { code: 4001 }, 'UserRejectedError'],
  ['4001 inside other errors', { code: -32603, error: { data: { cause: { code: 4001 } } } }, 'UserRejectedError'],
  ['the name of ethers', { code: 'ACTION_REJECTED', message: 'x' }, 'UserRejectedError'],
  ['5002 of the relay', { code: 5002, message: 'x' }, 'UserRejectedError'],
  ['words only', new Error('用户取消了请求'), 'UserRejectedError'],
  ['an open request', { code: -32603, data: { code: -32002 } }, 'RequestPendingError'],
  ['not authorised', { code: 4100, message: 'Unauthorized' }, 'WalletNotAvailableError'],
  ['an unsupported method', { code: 4200, message: 'x' }, 'ChainError'],
  ['a method not found', { code: -32603, data: { originalError: { code: -32601 } } }, 'ChainError'],
  ['a method not found, in words', 'Method not found', 'ChainError'],
])('behavior: %s: the chain is not added', async (_, error, name) => {
  const { kit, a } = await connected({ behaviours: { wallet_switchEthereumChain: { error } } })
  await expect(kit.switchChain({ chainId: 1 })).rejects.toMatchObject({ name })
  expect(a.requests.map(({ method }) => method)).not.toContain('wallet_addEthereumChain')
})

test('property: every other error offers to add the chain', async () => {
  const others = [4001, 4100, 5000, 5001, 5002, 5003, 5750, -32002, 4200, -32601, -32004, 1001, 5101, 10001]
  const code = fc.oneof(fc.integer(), fc.integer({ min: -32800, max: -32500 })).filter((it) => !others.includes(it))
  const error = fc.record({ code, message: fc.constantFrom('x', '失败', 'Lỗi', 'chain 1 is unknown') })
  const { kit, a } = await connected({ knownChains: [56] })
  await fc.assert(
    fc.asyncProperty(error, async (error) => {
      a.setBehaviour('wallet_switchEthereumChain', { error, times: 1 })
      await kit.switchChain({ chainId: 1 })
      expect(kit.getState().chainId).toBe(1)
      a.setChain(56)
    }),
    { numRuns: 30 },
  )
})

test.each<[string, unknown, object]>([
  ['fails', { code: -32602, message: 'rpcUrls are missing' }, { name: 'ChainError', details: 'rpcUrls are missing' }],
  ['is unsupported', { code: 4200, message: 'No such method' }, { name: 'ChainError', details: 'No such chain' }],
])('behavior: adding the chain %s: says why', async (_, error, expected) => {
  const { kit } = await connected({
    behaviours: {
      wallet_switchEthereumChain: { error: { code: 4902, message: 'No such chain' } },
      wallet_addEthereumChain: { error },
    },
  })
  await expect(kit.switchChain({ chainId: 1 })).rejects.toMatchObject(expected)
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
  await expect(kit.switchChain({ chainId: 1 })).rejects.toMatchObject({
    name: 'WalletNotAvailableError',
    reason: 'notConnected',
  })
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
