import { describe, expect, test, vi } from 'vitest'
import { announceWallet } from '../../testing/announceWallet.ts'
import { createScriptedWallet } from '../../testing/createScriptedWallet.ts'
import { memoryStorage } from '../../testing/memoryStorage.ts'
import { setupKit } from '../../testing/setupKit.ts'

const account = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const other = '0x00000000219ab540356cBB839Cbe05303d7705Fa'
const key = 'walletKit.v1.connection'
const stored = (changes = {}) =>
  JSON.stringify({ walletId: 'a', kind: 'injected', address: account, chainId: 56, ...changes })
const kept = (changes = {}) => memoryStorage({ [key]: stored(changes) })

test('restores the last connection without a prompt', async () => {
  const { kit, createKit, a } = setupKit()
  await kit.connect({ walletId: 'a' })
  kit.destroy()
  a.requests.length = 0
  const next = createKit()
  expect(await next.reconnect()).toEqual({ walletId: 'a', address: account, chainId: 56 })
  expect(next.getState()).toMatchObject({ status: 'connected', isSupportedChain: true })
  expect(a.requests.map(({ method }) => method)).toEqual(['eth_accounts', 'eth_chainId'])
})

test('shows the stored address while reconnecting', () => {
  const { kit } = setupKit({ storage: kept({ chainId: 137 }) })
  void kit.reconnect()
  expect(kit.getState()).toMatchObject({
    status: 'reconnecting',
    address: account,
    chainId: 137,
    isSupportedChain: false,
    walletId: 'a',
  })
})

test('does nothing when nothing is stored', async () => {
  const { kit, a } = setupKit({ a: { authorized: true } })
  expect(await kit.reconnect()).toBeUndefined()
  expect(a.requests).toEqual([])
})

test('concurrent calls share one attempt', async () => {
  const { kit, a } = setupKit({ storage: kept(), a: { authorized: true } })
  const [first, second] = await Promise.all([kit.reconnect(), kit.reconnect()])
  expect(first).toEqual(second)
  expect(a.requests.filter(({ method }) => method === 'eth_accounts')).toHaveLength(1)
})

test('restores the account that is selected now, not the stored one', async () => {
  const { kit } = setupKit({ storage: kept(), a: { authorized: true, accounts: [other] } })
  expect(await kit.reconnect()).toMatchObject({ address: other })
})

test.each([
  ['locked', { authorized: true, locked: true }],
  ['no longer allowed', { authorized: false }],
  ['broken', { authorized: true, behaviours: { eth_accounts: 'throw' } }],
  ['full of nonsense', { authorized: true, behaviours: { eth_accounts: { result: { a: 1 } } } }],
] as const)('behavior: a wallet that is %s: disconnected, with no error', async (_, a) => {
  const { kit } = setupKit({ storage: kept(), a })
  expect(await kit.reconnect()).toBeUndefined()
  expect(kit.getState().status).toBe('disconnected')
  expect(kit.getState().error).toBeUndefined()
  expect(kit.getState().address).toBeUndefined()
})

test('behavior: a wallet that never answers: disconnected after ten seconds', async () => {
  vi.useFakeTimers()
  const { kit } = setupKit({ storage: kept(), a: { behaviours: { eth_accounts: 'hang' } } })
  const restored = kit.reconnect()
  await vi.advanceTimersByTimeAsync(9_900)
  expect(kit.getState().status).toBe('reconnecting')
  await vi.advanceTimersByTimeAsync(200)
  expect(await restored).toBeUndefined()
  expect(kit.getState().status).toBe('disconnected')
  vi.useRealTimers()
})

describe('late injection', () => {
  const late = { walletId: 'test.late', rdns: 'test.late' }

  test('behavior: injected within three seconds: restored', async () => {
    vi.useFakeTimers()
    const { kit } = setupKit({ storage: kept(late) })
    const restored = kit.reconnect()
    await vi.advanceTimersByTimeAsync(2_000)
    const { provider } = createScriptedWallet({ authorized: true })
    const uninstall = announceWallet({ info: { name: 'Late', rdns: 'test.late' }, provider })
    await vi.advanceTimersByTimeAsync(200)
    vi.useRealTimers()
    expect(await restored).toMatchObject({ walletId: 'test.late' })
    uninstall()
  })

  test('behavior: never injected: disconnected after three seconds', async () => {
    vi.useFakeTimers()
    const { kit } = setupKit({ storage: kept(late) })
    const restored = kit.reconnect()
    await vi.advanceTimersByTimeAsync(3_100)
    expect(await restored).toBeUndefined()
    expect(kit.getState().status).toBe('disconnected')
    vi.useRealTimers()
  })

  test('behavior: the person picks another wallet before: that one is connected', async () => {
    vi.useFakeTimers()
    const { kit } = setupKit({ storage: kept(late) })
    const restored = kit.reconnect()
    void kit.openConnectDialog()
    kit.dispatch({ type: 'pick', walletId: 'b' })
    await vi.advanceTimersByTimeAsync(5_000)
    vi.useRealTimers()
    await expect.poll(() => kit.getState()).toMatchObject({ status: 'connected', walletId: 'b' })
    await restored
    expect(kit.getState().walletId).toBe('b')
  })
})

test('a wallet that got a definition since is found by its rdns', async () => {
  const { kit } = setupKit({ storage: kept({ walletId: 'test.a', rdns: 'test.a' }), a: { authorized: true } })
  expect(await kit.reconnect()).toMatchObject({ walletId: 'a' })
})

describe('two providers of one rdns', () => {
  test('behavior: neither is restored silently', async () => {
    const { kit, createKit, a } = setupKit({ a: { authorized: true } })
    const { provider } = createScriptedWallet({ authorized: true })
    const uninstall = announceWallet({ info: { name: 'Wallet A', rdns: 'test.a', uuid: 'twin' }, provider })
    for (const walletId of ['a', 'test.a#twin']) {
      await kit.connect({ walletId })
      const next = createKit()
      expect(await next.reconnect()).toBeUndefined()
    }
    uninstall()
    expect(a.requests.some(({ method }) => method === 'eth_accounts')).toBe(false)
  })

  test('behavior: the second one was installed since: neither is restored', async () => {
    const { provider } = createScriptedWallet({ authorized: true })
    const uninstall = announceWallet({ info: { name: 'Wallet A', rdns: 'test.a' }, provider })
    const { kit, a } = setupKit({ storage: kept(), a: { authorized: true } })
    expect(await kit.reconnect()).toBeUndefined()
    uninstall()
    expect(a.requests).toEqual([])
  })

  test('behavior: the second one appears while connected to the first: not stored', async () => {
    const { kit, storage } = setupKit()
    await kit.connect({ walletId: 'a' })
    expect(storage.getItem(key)).not.toBeNull()
    const { provider } = createScriptedWallet()
    announceWallet({ info: { name: 'Wallet A', rdns: 'test.a' }, provider })()
    expect(storage.getItem(key)).toBeNull()
  })
})

test.each([
  ['null', 'null'],
  ['no JSON', '{'],
  ['a list', '[]'],
  ['an address that is none', stored({ address: 'javascript:alert(1)' })],
  ['a chain that is none', stored({ chainId: 'NaN' })],
])('behavior: storage holds %s', async (_, text) => {
  const { kit } = setupKit({
    storage: memoryStorage({ [key]: text, 'walletKit.v1.recentWallets': text, 'walletKit.v1.transactions': text }),
    a: { authorized: true },
  })
  expect(await kit.reconnect()).toBeUndefined()
  expect(await kit.connect({ walletId: 'a' })).toMatchObject({ walletId: 'a' })
  expect(kit.getState().transactions).toEqual([])
})
