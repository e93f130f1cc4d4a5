import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { memoryStorage } from '../../testing/memoryStorage.ts'
import { setupKit } from '../../testing/setupKit.ts'
import { parseRecentWallets, parseStoredConnection } from '../connection/runEffects.ts'
import { createStorage, type KeyValueStorage } from './storage.ts'

const asIs = (value: unknown) => value
const fail = () => {
  throw new DOMException('The operation is insecure.', 'SecurityError')
}
const broken: [string, KeyValueStorage][] = [
  ['throws', { getItem: fail, setItem: fail, removeItem: fail }],
  ['is full', { ...memoryStorage(), setItem: fail }],
  ['keeps nothing', { getItem: () => null, setItem: () => {}, removeItem: () => {} }],
]

describe.each(broken)('a storage that %s', (_, storage) => {
  test('reads what was written, until it is removed', () => {
    const guarded = createStorage(storage)
    guarded.write('recentWallets', ['a'])
    expect(guarded.read('recentWallets', asIs)).toEqual(['a'])
    guarded.remove('recentWallets')
    expect(guarded.read('recentWallets', asIs)).toBeUndefined()
  })

  test('the kit works', async () => {
    const { kit } = setupKit({ storage })
    await kit.connect({ walletId: 'a' })
    expect(kit.getState()).toMatchObject({ status: 'connected', recentWalletIds: ['a'] })
    await kit.disconnect()
  })
})

test('behavior: localStorage is null, as in some WebViews', () => {
  vi.spyOn(window, 'localStorage', 'get').mockReturnValue(null as never)
  const storage = createStorage(undefined)
  storage.write('recentWallets', ['a'])
  expect(storage.read('recentWallets', asIs)).toEqual(['a'])
})

test('behavior: localStorage throws when accessed', () => {
  vi.spyOn(window, 'localStorage', 'get').mockImplementation(fail)
  const storage = createStorage(undefined)
  storage.write('recentWallets', ['a'])
  expect(storage.read('recentWallets', asIs)).toEqual(['a'])
})

test('keys contain the version of the format', () => {
  const storage = memoryStorage()
  createStorage(storage).write('recentWallets', ['a'])
  expect(storage.getItem('walletKit.v1.recentWallets')).toBe('["a"]')
})

test('at most three recent wallets, the latest first', async () => {
  const { kit, createKit } = setupKit({ storage: memoryStorage({ 'walletKit.v1.recentWallets': '["x","y","z","q"]' }) })
  expect(kit.getState().recentWalletIds).toEqual(['x', 'y', 'z'])
  await kit.connect({ walletId: 'a' })
  expect(kit.getState().recentWalletIds).toEqual(['a', 'x', 'y'])
  expect(
    createKit()
      .getState()
      .wallets.find(({ id }) => id === 'a'),
  ).toMatchObject({ recent: true })
})

test('property: no stored value breaks a parser', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const recent = parseRecentWallets(value)
      expect(recent === undefined || recent.every((id) => typeof id === 'string')).toBe(true)
      const connection = parseStoredConnection(value)
      expect(connection === undefined || typeof connection.address === 'string').toBe(true)
    }),
  )
})
