import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { createSessionProvider } from './createSessionProvider.ts'
import type { RelayClient, RelaySession } from './loadRelayClient.ts'
import { afterEvent, afterSwitch, afterUpdate, createSessionState } from './sessionState.ts'

const a = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const b = '0x00000000219ab540356cBB839Cbe05303d7705Fa'

const namespaces = (...accounts: string[]) => ({
  eip155: { accounts, methods: ['personal_sign', 'wallet_getCallsStatus'] },
})

function setup(...accounts: string[]) {
  const known: RelaySession = { topic: 't', expiry: 0, namespaces: {} }
  const request = vi.fn(async () => '0x')
  const read = vi.fn(async () => 'node')
  const session = createSessionProvider({
    client: { request, session: { getAll: () => [known] } } as unknown as RelayClient,
    session: { topic: 't', expiry: 0, namespaces: namespaces(...accounts) },
    onChoice: () => {},
    requestTimeout: 1_000,
    chainIds: [56, 1],
    read,
  })
  const received: unknown[] = []
  session.provider.on('accountsChanged', (payload) => received.push(payload))
  session.provider.on('chainChanged', (payload) => received.push(payload))
  const event = (name: string, data: unknown, chainId = 'eip155:56') =>
    session.onEvent({ topic: 't', params: { event: { name, data }, chainId } })
  return { ...session, request, read, received, event, known }
}

test('starts on the app’s first approved chain', () => {
  expect(setup(`eip155:1:${a}`, `eip155:56:${a}`).getChainId()).toBe(56)
  expect(setup(`eip155:137:${a}`, `eip155:1:${a}`).getChainId()).toBe(1)
  expect(setup(`eip155:137:${a}`).getChainId()).toBe(137)
})

test.each([[1], ['1'], ['0x1'], ['eip155:1'], [{ chainId: 1 }]])('a chain reported as %j', (data) => {
  const { event, received } = setup(`eip155:56:${a}`, `eip155:1:${a}`)
  event('chainChanged', data)
  event('chainChanged', data)
  expect(received).toEqual(['0x1'])
})

test('a chain that the wallet left meanwhile is not selected when its accounts are approved', () => {
  const state = createSessionState(namespaces(`eip155:1:${a}`, `eip155:10:${a}`), { chainId: 1 }, [1, 56, 10])
  const moved = afterEvent(afterSwitch(state, 56), { params: { event: { name: 'chainChanged', data: 10 } } })
  const updated = namespaces(`eip155:1:${a}`, `eip155:10:${a}`, `eip155:56:${a}`)
  expect(afterUpdate(moved, updated, [1, 56, 10]).chainId).toBe(10)
  expect(afterUpdate(afterSwitch(state, 56), updated, [1, 56, 10]).chainId).toBe(56)
})

test.each([
  ['switches on request', ['wallet_switchEthereumChain'], [true, true, true]],
  ['does not switch on request', ['personal_sign'], [true, true, false]],
])('says in advance which chains a wallet that %s can be on', (_, methods, expected) => {
  const { canSwitchTo, onUpdate } = setup(`eip155:56:${a}`)
  onUpdate({ eip155: { accounts: [`eip155:56:${a}`, `eip155:1:${a}`], methods } })
  expect([56, 1, 137].map(canSwitchTo)).toEqual(expected)
})

test('keeps the account on a chain without approved accounts', () => {
  const { event, getAccounts, received } = setup(`eip155:56:${a}`)
  event('chainChanged', 137)
  expect(getAccounts()).toEqual([a])
  expect(received).toEqual(['0x89'])
})

test('drops an account that is no longer approved', () => {
  const { event, onUpdate, getAccounts } = setup(`eip155:56:${a}`, `eip155:56:${b}`)
  event('accountsChanged', [`eip155:56:${b}`])
  expect(getAccounts()).toEqual([b, a])
  onUpdate(namespaces(`eip155:56:${a}`))
  expect(getAccounts()).toEqual([a])
})

test('sends requests for a person to the wallet, others to the node', async () => {
  const { provider, request, read } = setup(`eip155:56:${a}`)
  await provider.request({ method: 'personal_sign', params: ['0x', a] })
  await provider.request({ method: 'eth_blockNumber' })
  expect(request).toHaveBeenCalledTimes(1)
  expect(read).toHaveBeenCalledWith(56, { method: 'eth_blockNumber', params: [] })
  await expect(provider.request({ method: 'eth_sendTransaction', params: [{}] as never })).rejects.toMatchObject({
    code: 4200,
  })
  expect(read).toHaveBeenCalledTimes(1)
})

test('property: no event of a wallet makes it throw or lose its account', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.constantFrom('accountsChanged', 'chainChanged'), fc.string()),
      fc.anything(),
      fc.anything(),
      (name, data, update) => {
        const { event, onUpdate, onEvent, getAccounts, getChainId } = setup(`eip155:56:${a}`)
        event(name, data)
        onEvent(data)
        expect(getAccounts().length).toBeGreaterThan(0)
        onUpdate(update)
        expect(Number.isSafeInteger(getChainId())).toBe(true)
      },
    ),
  )
})

test('opens the wallet’s app for what a person answers, not for the status of calls', async () => {
  const { provider, known } = setup(`eip155:56:${a}`)
  await provider.request({ method: 'wallet_getCallsStatus', params: ['0x1'] })
  expect(known.sessionConfig).toEqual({ disableDeepLink: true })
  await provider.request({ method: 'personal_sign', params: ['0x', a] })
  expect(known.sessionConfig).toEqual({})
})
