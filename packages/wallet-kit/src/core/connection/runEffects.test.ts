import { expect, test } from 'vitest'
import type { ScriptedWalletOptions } from '../../testing/createScriptedWallet.ts'
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
  expect(kit.getState()).toMatchObject({ status: 'disconnected', dialog: { name: 'none' } })
  expect(kit.getState().address).toBeUndefined()
  expect(kit.provider).toBeUndefined()
  a.approve()
  expect(kit.getState().status).toBe('disconnected')
  expect(await createKit().reconnect()).toMatchObject({ walletId: 'a' })
})

test('the wallet ends the connection: disconnected, and not restored', async () => {
  const { kit, storage, a } = await connected()
  a.disconnect()
  expect(kit.getState().status).toBe('disconnected')
  expect(storage.getItem('walletKit.v1.connection')).toBeNull()
  expect(a.listenerCount()).toBe(0)
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
