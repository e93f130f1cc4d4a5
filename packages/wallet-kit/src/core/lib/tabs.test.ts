import { afterEach, expect, test, vi } from 'vitest'
import { setupKit } from '../../testing/setupKit.ts'

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
  const [here, there] = [createKit({ storage: undefined }), createKit({ storage: undefined })]
  await here.connect({ walletId: 'a' })
  a.setBehaviour('eth_accounts', 'wait')
  const restored = there.reconnect()
  await here.disconnect()
  await expect.poll(() => there.getState().status).toBe('disconnected')
  a.release()
  expect(await restored).toBeUndefined()
})

class Forbidden {
  constructor() {
    throw new DOMException('The operation is insecure.', 'SecurityError')
  }
}

test.each([
  ['is missing', undefined],
  ['throws', Forbidden],
])('behavior: BroadcastChannel %s: the storage event is used', async (_, channel) => {
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
