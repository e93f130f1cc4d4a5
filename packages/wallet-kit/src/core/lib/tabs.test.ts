import { afterEach, describe, expect, test, vi } from 'vitest'
import { memoryStorage } from '../../testing/memoryStorage.ts'
import { setupKit } from '../../testing/setupKit.ts'
import type { WalletKitConfig } from '../state/config.ts'
import { toConnection } from '../state/state.ts'

afterEach(() => {
  localStorage.clear()
  vi.unstubAllGlobals()
})

test('disconnect in one tab disconnects the others', async () => {
  const { createKit } = setupKit()
  const [here, there] = [createKit({ storage: undefined }), createKit({ storage: undefined })]
  await here.connect({ walletId: 'a' })
  await there.reconnect()
  expect(there.getState().status).toBe('connected')
  await here.disconnect()
  await expect.poll(() => there.getState().status).toBe('disconnected')
})

test('disconnect in one tab stops another one from reconnecting', async () => {
  const { createKit, a } = setupKit()
  const here = createKit({ storage: undefined })
  await here.connect({ walletId: 'a' })
  a.setBehaviour('eth_accounts', 'wait')
  const there = createKit({ storage: undefined })
  const restored = there.reconnect()
  await here.disconnect()
  await expect.poll(() => there.getState().status).toBe('disconnected')
  a.release()
  expect(await restored).toBeUndefined()
})

describe('kits of one page', () => {
  const setup = (change: Partial<WalletKitConfig> = {}) => {
    const { createKit, ...wallets } = setupKit()
    const create = () => createKit({ storage: undefined, ...change })
    return { ...wallets, createKit, here: create(), there: create() }
  }

  test('behavior: a connection in one shows in the other, and an account that the wallet then chooses', async () => {
    const { here, there, a } = setup()
    const connection = await here.connect({ walletId: 'a' })
    await expect.poll(() => toConnection(there.getState())).toEqual(connection)
    expect(there.getState().dialog.name).toBe('none')
    a.setChain(1)
    await expect.poll(() => there.getState().chainId).toBe(1)
  })

  test('behavior: a connection with another wallet replaces that of the other', async () => {
    const { here, there } = setup()
    await here.connect({ walletId: 'a' })
    await expect.poll(() => there.getState().walletId).toBe('a')
    const connection = await there.connect({ walletId: 'b' })
    await expect.poll(() => toConnection(here.getState())).toEqual(connection)
    expect(toConnection(there.getState())).toEqual(connection)
  })

  test('behavior: a kit where a person is asked goes on, and the last answer counts in both', async () => {
    const { here, there, b } = setup()
    b.setBehaviour('eth_requestAccounts', 'wait')
    const asked = there.connect({ walletId: 'b' })
    await expect.poll(() => b.requests.length).toBeGreaterThan(0)
    await here.connect({ walletId: 'a' })
    expect(there.getState()).toMatchObject({ status: 'connecting', walletId: 'b' })
    b.release()
    const connection = await asked
    await expect.poll(() => toConnection(here.getState())).toEqual(connection)
  })

  test.each([
    ['with another id', { id: 'other' }],
    ['with a storage of its own', { storage: memoryStorage() }],
  ])('behavior: a kit %s keeps its state', async (_, change) => {
    const { here, there, createKit } = setup()
    const other = createKit({ storage: undefined, ...change })
    await here.connect({ walletId: 'a' })
    await expect.poll(() => there.getState().status).toBe('connected')
    expect(other.getState().status).toBe('disconnected')
  })
})

class Forbidden {
  constructor() {
    throw new DOMException('The operation is insecure.', 'SecurityError')
  }
}

test.each([
  ['is missing', undefined],
  ['throws', Forbidden],
])('behavior: BroadcastChannel %s: a kit connects and disconnects', async (_, channel) => {
  vi.stubGlobal('BroadcastChannel', channel)
  const { createKit } = setupKit()
  const kit = createKit({ storage: undefined })
  await kit.connect({ walletId: 'a' })
  expect(kit.getState().status).toBe('connected')
  await kit.disconnect()
  expect(kit.getState().status).toBe('disconnected')
  kit.destroy()
})

test('behavior: unknown messages on the channel are ignored', async () => {
  const { createKit } = setupKit()
  const kit = createKit({ storage: undefined })
  await kit.connect({ walletId: 'a' })
  const channel = new BroadcastChannel('walletKit.v1')
  for (const nonsense of [null, 'constructor', { type: 'disconnected' }]) channel.postMessage(nonsense)
  channel.postMessage('disconnected')
  await expect.poll(() => kit.getState().status).toBe('disconnected')
  channel.close()
})

test('behavior: disconnect after destroy does not reject', async () => {
  const { createKit } = setupKit()
  const kit = createKit({ storage: undefined })
  await kit.connect({ walletId: 'a' })
  kit.destroy()
  await expect(kit.disconnect()).resolves.toBeUndefined()
  expect(kit.getState().status).toBe('disconnected')
})
