import { afterEach, expect, test, vi } from 'vitest'
import { setupKit } from '../testing/setupKit.ts'

afterEach(() => {
  localStorage.clear()
  vi.unstubAllGlobals()
})

test('disconnect in one tab disconnects every other', async () => {
  const { createKit } = setupKit()
  const [here, there] = [createKit({ storage: undefined }), createKit({ storage: undefined })]
  await here.connect({ walletId: 'a' })
  await there.reconnect()
  expect(there.getState().status).toBe('connected')
  await here.disconnect()
  await vi.waitFor(() => expect(there.getState().status).toBe('disconnected'))
})

test('a tab that is still reconnecting stops', async () => {
  const { createKit, a } = setupKit()
  const [here, there] = [createKit({ storage: undefined }), createKit({ storage: undefined })]
  await here.connect({ walletId: 'a' })
  a.setBehaviour('eth_accounts', 'wait')
  const restored = there.reconnect()
  await here.disconnect()
  await vi.waitFor(() => expect(there.getState().status).toBe('disconnected'))
  a.release()
  expect(await restored).toBeUndefined()
})

class Forbidden {
  constructor() {
    throw new DOMException('The operation is insecure.', 'SecurityError')
  }
}

test.each([
  ['there is none', undefined],
  ['it is forbidden', Forbidden],
])('behavior: BroadcastChannel: %s: the change of localStorage is the news', async (_, channel) => {
  vi.stubGlobal('BroadcastChannel', channel)
  const { createKit } = setupKit()
  const kit = createKit({ storage: undefined })
  await kit.connect({ walletId: 'a' })
  const key = 'walletKit.v1.connection'
  window.dispatchEvent(new StorageEvent('storage', { key, newValue: '{}' }))
  expect(kit.getState().status).toBe('connected')
  window.dispatchEvent(new StorageEvent('storage', { key, newValue: null }))
  expect(kit.getState().status).toBe('disconnected')
})

test('behavior: nonsense on the channel', async () => {
  const { createKit } = setupKit()
  const kit = createKit({ storage: undefined })
  await kit.connect({ walletId: 'a' })
  const channel = new BroadcastChannel('walletKit.v1')
  for (const nonsense of [null, 'constructor', { type: 'disconnected' }]) channel.postMessage(nonsense)
  channel.postMessage('disconnected')
  await vi.waitFor(() => expect(kit.getState().status).toBe('disconnected'))
  channel.close()
})
