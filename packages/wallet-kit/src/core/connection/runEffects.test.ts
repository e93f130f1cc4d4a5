import { describe, expect, test, vi } from 'vitest'
import { createScriptedAuthentication } from '../../testing/createScriptedAuthentication.ts'
import type { ScriptedWallet, ScriptedWalletOptions } from '../../testing/createScriptedWallet.ts'
import { setupKit } from '../../testing/setupKit.ts'

const account = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const other = '0x00000000219ab540356cBB839Cbe05303d7705Fa'

async function connected(a: ScriptedWalletOptions = {}) {
  const setup = setupKit({ a })
  await setup.kit.connect({ walletId: 'a' })
  return setup
}

test('accountsChanged changes the address, also the stored one', async () => {
  const { kit, a, storage } = await connected()
  a.setAccounts([other.toLowerCase() as `0x${string}`, account])
  expect(kit.getState()).toMatchObject({ status: 'connected', address: other })
  expect(storage.getItem('walletKit.v1.connection')).toContain(other)
})

test.each(['0x1', '1', 1, 1n, { chainId: '0x1' }])('chainChanged with %s', async (payload) => {
  const { kit, a } = await connected()
  a.emit('chainChanged', payload)
  expect(kit.getState()).toMatchObject({ chainId: 1, isSupportedChain: true })
})

test('chainChanged to a chain that the app does not support', async () => {
  const { kit, a } = await connected()
  a.setChain(137)
  expect(kit.getState()).toMatchObject({ chainId: 137, isSupportedChain: false })
})

test.each([['loading'], [undefined], [null], [{}], [[]]])(
  'behavior: chainChanged with %s: the chain is read from the wallet',
  async (payload) => {
    const { kit, a } = await connected()
    a.setBehaviour('eth_chainId', { result: '0x1' })
    a.emit('chainChanged', payload)
    await expect.poll(() => kit.getState().chainId).toBe(1)
  },
)

test.each([['nonsense'], [undefined], [{}], [['nonsense']]])(
  'behavior: accountsChanged with %s: the accounts are read from the wallet',
  async (payload) => {
    const { kit, a } = await connected()
    a.setBehaviour('eth_accounts', { result: [other] })
    a.emit('accountsChanged', payload)
    await expect.poll(() => kit.getState().address).toBe(other)
  },
)

test('behavior: an answer older than the latest event is dropped', async () => {
  const { kit, a } = await connected()
  a.setBehaviour('eth_chainId', 'wait')
  a.emit('chainChanged', 'loading')
  a.emit('chainChanged', '0x1')
  a.release()
  await new Promise((resolve) => setTimeout(resolve))
  expect(kit.getState().chainId).toBe(1)
})

test('the wallet is locked: disconnected, and restored once it is unlocked', async () => {
  const { kit, createKit, a } = await connected()
  a.lock()
  await expect.poll(() => kit.getState()).toMatchObject({ status: 'disconnected', dialog: { name: 'none' } })
  expect(kit.getState().address).toBeUndefined()
  expect(kit.provider).toBeUndefined()
  const next = createKit()
  expect(await next.reconnect()).toBeUndefined()
  a.setAccounts([other])
  a.approve()
  for (const { getState } of [kit, next])
    await expect.poll(getState).toMatchObject({ status: 'connected', walletId: 'a', address: other })
})

test('the wallet ends the connection: disconnected, and not restored', async () => {
  const { kit, storage, a } = await connected()
  a.disconnect()
  await expect.poll(() => kit.getState().status).toBe('disconnected')
  a.approve()
  expect(storage.getItem('walletKit.v1.connection')).toBeNull()
  expect(a.listenerCount()).toBe(0)
  expect(kit.getState().status).toBe('disconnected')
})

test('behavior: a wallet that disconnects leaves the connection that another tab has stored since', async () => {
  const { kit, a, storage } = await connected()
  const stored = JSON.stringify({ walletId: 'b', address: other, chainId: 56, kind: 'injected', rdns: 'test.b' })
  storage.setItem('walletKit.v1.connection', stored)
  a.disconnect()
  await expect.poll(() => kit.getState().status).toBe('disconnected')
  expect(storage.getItem('walletKit.v1.connection')).toBe(stored)
})

describe('a wallet without an account for a moment', () => {
  const none = (a: ScriptedWallet) => a.emit('accountsChanged', [])
  const leave = (reason?: unknown) => (a: ScriptedWallet) => a.emit('disconnect', reason)
  const choose = (a: ScriptedWallet) => a.setAccounts([other])
  const pass = () => vi.advanceTimersByTimeAsync(400)

  test.each<[string, ((a: ScriptedWallet) => unknown)[], string]>([
    ['no account, then another one at once', [none, choose], other],
    ['no account, then another one later', [none, pass, choose], other],
    ['no account again and again, then another one', [none, pass, none, pass, none, choose], other],
    ['no account, then the same one', [none, pass, (a) => a.emit('accountsChanged', [account.toLowerCase()])], account],
    ['no account, although it has one', [none], account],
    ['no account, then nonsense', [none, (a) => a.emit('accountsChanged', 'nonsense')], account],
    ['a disconnect, although it has an account', [leave()], account],
    ['a disconnect with a reason', [leave({ code: 4900 })], account],
    ['a disconnect, then a connect', [leave(), pass, (a) => a.emit('connect', { chainId: '0x38' })], account],
    ['a disconnect, then another account', [leave({ code: 1011 }), pass, choose], other],
    ['no account and a disconnect, then another account', [none, leave(), pass, choose], other],
    ['a disconnect and no account, then another account', [leave(), none, choose], other],
    ['other accounts in a burst', [choose, none, leave(), choose, none, choose], other],
  ])('behavior: it reports %s: the connection stays', async (_, events, address) => {
    vi.useFakeTimers()
    const { kit, a, storage } = await connected()
    const seen = new Set<string>()
    kit.subscribe(({ status }) => seen.add(status))
    for (const event of events) await event(a)
    await vi.advanceTimersByTimeAsync(3_000)
    vi.useRealTimers()
    expect([...seen, 'connected']).toEqual(Array(seen.size + 1).fill('connected'))
    expect(kit.getState()).toMatchObject({ status: 'connected', address, chainId: 56 })
    expect(storage.getItem('walletKit.v1.connection')).toContain(address)
  })

  test('behavior: it reports a connect with another chain after a disconnect', async () => {
    const { kit, a } = await connected()
    leave()(a)
    a.emit('connect', { chainId: '0x1' })
    expect(kit.getState()).toMatchObject({ status: 'connected', chainId: 1 })
  })

  test.each<[string, ScriptedWalletOptions['behaviours']]>([
    ['does not answer then', { eth_accounts: 'hang' }],
    ['fails then', { eth_accounts: 'throw' }],
  ])('behavior: it reports no account and %s: disconnected within seconds', async (_, behaviours) => {
    vi.useFakeTimers()
    const { kit, a } = await connected({ behaviours })
    none(a)
    await vi.advanceTimersByTimeAsync(3_000)
    vi.useRealTimers()
    expect(kit.getState().status).toBe('disconnected')
  })

  test.each([
    ['the same account', (a: ScriptedWallet) => a.setAccounts([account]), 'connected', 0],
    ['another account', choose, 'unauthenticated', 1],
  ] as const)('behavior: it reports no account, then %s: the session is only for its account', async (...row) => {
    const [, change, status, ended] = row
    let signedOut = 0
    const session = { address: account, chainId: 56, expiresAt: Date.now() + 3_600_000 } as const
    const adapter = {
      ...createScriptedAuthentication(),
      getSession: async () => session,
      signOut: async () => void signedOut++,
    }
    const { kit, a } = setupKit({ authentication: { adapter, required: true } })
    await kit.connect({ walletId: 'a' })
    none(a)
    change(a)
    await expect.poll(() => kit.getState().status).toBe(status)
    await expect.poll(() => signedOut).toBe(ended)
    expect(kit.getState().session).toEqual(ended ? undefined : session)
  })

  test.each<[string, unknown]>([
    ['the same list', [account]],
    ['the same account in other letters', [account.toLowerCase()]],
    ['the same account twice', [account, account]],
    ['the same account first', [account, other]],
  ])('behavior: it reports %s: nothing changes', async (_, list) => {
    const { kit, a } = await connected()
    const before = kit.getState()
    a.emit('accountsChanged', list)
    expect(kit.getState()).toBe(before)
  })
})

test('behavior: the wallet only lost its node (1013): the connection stays', async () => {
  const { kit, a } = await connected()
  a.emit('disconnect', { code: 1013, message: 'Disconnected from chain. Attempting to connect.' })
  await expect.poll(() => a.requests.at(-1)?.method).toBe('eth_accounts')
  await new Promise((resolve) => setTimeout(resolve))
  expect(kit.getState().status).toBe('connected')
})

test('disconnect forgets the connection, removes the listeners and sends no request', async () => {
  const { kit, a, storage } = await connected()
  const asked = a.requests.length
  await kit.disconnect()
  expect(kit.getState()).toMatchObject({ status: 'disconnected', recentWalletIds: ['a'] })
  expect(storage.getItem('walletKit.v1.connection')).toBeNull()
  expect(a.listenerCount()).toBe(0)
  expect(a.requests.length).toBe(asked)
})

test('disconnect with revoke revokes the permission', async () => {
  const { kit, a } = await connected()
  await kit.disconnect({ revoke: true })
  expect(a.requests.at(-1)).toEqual({ method: 'wallet_revokePermissions', params: [{ eth_accounts: {} }] })
})

test('behavior: connect right after disconnect with revoke: the permission is revoked first', async () => {
  const { kit, a } = await connected()
  const asked = a.requests.length
  void kit.disconnect({ revoke: true })
  await kit.connect({ walletId: 'a' })
  const methods = a.requests.slice(asked).map(({ method }) => method)
  expect(methods.slice(0, 2)).toEqual(['wallet_revokePermissions', 'eth_requestAccounts'])
})

test('behavior: a wallet that cannot revoke', async () => {
  const { kit } = await connected({ behaviours: { wallet_revokePermissions: 'throw' } })
  await kit.disconnect({ revoke: true })
  expect(kit.getState().status).toBe('disconnected')
})

test('destroy removes all listeners', async () => {
  const { kit, a } = await connected()
  kit.destroy()
  expect(a.listenerCount()).toBe(0)
  a.setChain(1)
  expect(kit.getState().chainId).toBe(56)
})
