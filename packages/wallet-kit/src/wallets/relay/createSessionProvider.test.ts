import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import {
  afterEvent,
  afterUpdate,
  createSessionProvider,
  createSessionState,
  getAccounts,
  moveTo,
  parseNamespaces,
} from './createSessionProvider.ts'
import type { RelayClient, RelaySession } from './loadRelayClient.ts'

const a = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const b = '0x00000000219ab540356cBB839Cbe05303d7705Fa'

const namespaces = (...accounts: string[]) => ({
  eip155: { accounts, methods: ['personal_sign', 'wallet_getCallsStatus', 'wallet_switchEthereumChain'] },
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
  const moved = afterEvent(moveTo(state, 56), { params: { event: { name: 'chainChanged', data: 10 } } })
  const updated = namespaces(`eip155:1:${a}`, `eip155:10:${a}`, `eip155:56:${a}`)
  expect(afterUpdate(moved, updated, [1, 56, 10]).chainId).toBe(10)
  expect(afterUpdate(moveTo(state, 56), updated, [1, 56, 10]).chainId).toBe(56)
})

test.each([
  ['switches on request', ['wallet_switchEthereumChain'], [true, true, true]],
  ['does not switch on request', ['personal_sign'], [true, true, false]],
])('says in advance which chains a wallet that %s can be on', (_, methods, expected) => {
  const { canSwitchTo, onUpdate } = setup(`eip155:56:${a}`)
  onUpdate({ eip155: { accounts: [`eip155:56:${a}`, `eip155:1:${a}`], methods } })
  expect([56, 1, 137].map(canSwitchTo)).toEqual(expected)
})

test('behavior: the wallet moves to a chain without approved accounts: stays until it approves one there', () => {
  const { event, onUpdate, getAccounts, getChainId, received } = setup(`eip155:56:${a}`)
  event('chainChanged', 1, 'eip155:1')
  event('accountsChanged', [`eip155:1:${b}`], 'eip155:1')
  expect([getChainId(), getAccounts(), received]).toEqual([56, [a], []])
  onUpdate(namespaces(`eip155:56:${a}`, `eip155:1:${a}`, `eip155:1:${b}`))
  expect([getChainId(), getAccounts(), received]).toEqual([1, [b, a], ['0x1', [b, a]]])
})

test.each<[string, string[], string[]]>([
  ['other accounts on each chain', [`eip155:56:${a}`, `eip155:1:${b}`], [b]],
  ['the same account in other letters', [`eip155:56:${a}`, `eip155:1:${a.toLowerCase()}`], [a.toLowerCase()]],
  ['repeated accounts', [`eip155:56:${a}`, `eip155:1:${b}`, `eip155:1:${b.toLowerCase()}`], [b]],
  ['the selected account last', [`eip155:56:${a}`, `eip155:1:${b}`, `eip155:1:${a}`], [a, b]],
  [
    'accounts of other networks and nonsense',
    [`eip155:56:${a}`, `solana:1:${a}`, 'eip155:1:0x1', `eip155:1:${b}`],
    [b],
  ],
])('switches to the accounts of the chain: %s', async (_, approved, expected) => {
  const { provider, event, getAccounts } = setup(...approved)
  event('accountsChanged', [a])
  await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: '0x1' }] })
  expect(getAccounts()).toEqual(expected)
  expect(await provider.request({ method: 'eth_accounts' })).toEqual(expected)
})

test.each<[string, object, object[]]>([
  ['nothing', {}, []],
  ['an empty list', { eip155: { accounts: [], methods: [] } }, []],
  ['no list', { eip155: { accounts: null, methods: 'x' } }, []],
  ['by chain', { 'eip155:1': { accounts: [`eip155:1:${a}`] }, 'eip155:56': {} }, [[1, [a]]]],
  ['a chain that nobody asked for', namespaces(`eip155:137:${a}`), [[137, [a]]]],
])('namespaces with %s', (_, given, expected) => {
  expect([...parseNamespaces(given).accounts]).toEqual(expected)
})

test('attack: very many accounts on one chain, in many namespaces, are read at once', () => {
  // Time that grew with their square would be longer than the limit of a test.
  const accounts = Array.from({ length: 50_000 }, (_, index) => `0x${index.toString(16).padStart(40, '0')}` as const)
  const given = Array.from({ length: 50 }, (_, index) => [
    `eip155:${index + 1}`,
    { accounts: accounts.slice(index * 1_000, (index + 1) * 1_000).map((account) => `eip155:56:${account}`) },
  ])
  expect([...parseNamespaces(Object.fromEntries(given)).accounts]).toEqual([[56, accounts]])
})

test.each<[string, unknown[]]>([
  ['personal_sign', ['0x00', b]],
  ['eth_sendTransaction', [{ from: b, to: a }]],
  ['eth_sendTransaction', [{ from: a, to: a, chainId: '0x1' }]],
  ['eth_signTypedData_v4', [b, '{}']],
  ['wallet_sendCalls', [{ from: a, chainId: '0x1', calls: [] }]],
  ['wallet_getCapabilities', [b, ['0x38']]],
])('error: %s for an account that is not approved on the chain (%j)', async (method, params) => {
  const { provider, onUpdate, request } = setup()
  const methods = ['personal_sign', 'eth_sendTransaction', 'eth_signTypedData_v4', 'wallet_sendCalls']
  const accounts = [`eip155:56:${a}`, `eip155:1:${b}`]
  onUpdate({ eip155: { accounts, methods: [...methods, 'wallet_getCapabilities'] } })
  await expect(provider.request({ method, params } as never)).rejects.toMatchObject({ code: 4100 })
  expect(request).not.toHaveBeenCalled()
})

test('answers no capabilities of a chain on which the account is not approved', async () => {
  const { provider, onUpdate, request } = setup()
  onUpdate({ eip155: { accounts: [`eip155:56:${a}`, `eip155:1:${b}`], methods: ['wallet_getCapabilities'] } })
  const read = (chains: string[]) =>
    provider.request({ method: 'wallet_getCapabilities', params: [a, chains] } as never)
  expect(await read(['0x1'])).toEqual({})
  expect(request).not.toHaveBeenCalled()
  expect(await read(['0x1', '0x38'])).toBe('0x')
})

test('sends calls and transactions on the chain that they name', async () => {
  const { provider, onUpdate, request } = setup()
  const methods = ['eth_sendTransaction', 'wallet_sendCalls', 'wallet_addEthereumChain']
  onUpdate({ eip155: { accounts: [`eip155:56:${a}`, `eip155:1:${b}`], methods } })
  const from = b.toLowerCase()
  for (const method of methods)
    await provider.request({ method, params: [{ from, chainId: '0x1' }] } as never).catch(() => {})
  expect(request.mock.calls.map(([it]: unknown[]) => (it as { chainId: string }).chainId)).toEqual([
    'eip155:1',
    'eip155:1',
    'eip155:56',
  ])
})

test('property: shows only accounts that are approved on the chain, on a chain that has some', () => {
  const account = fc.tuple(fc.constantFrom(1, 56, 137), fc.constantFrom(a, b, a.toLowerCase()))
  const approved = fc.array(
    account.map(([chainId, address]) => `eip155:${chainId}:${address}`),
    { maxLength: 5 },
  )
  const step = fc.oneof(
    fc.record({ update: approved }),
    fc.record({ name: fc.constant('chainChanged'), data: fc.constantFrom(1, 56, 137) }),
    fc.record({ name: fc.constant('accountsChanged'), data: fc.constantFrom([a], [b], [`eip155:1:${b}`]) }),
  )
  fc.assert(
    fc.property(approved, fc.array(step), (first, steps) => {
      let state = createSessionState(namespaces(...first), {}, [56, 1])
      for (const step of steps) {
        state =
          'update' in step
            ? afterUpdate(state, namespaces(...step.update), [56, 1])
            : afterEvent(state, { params: { event: step, chainId: 'eip155:1' } })
        const accounts = getAccounts(state)
        expect(state.grant.accounts.get(state.chainId) ?? []).toEqual(expect.arrayContaining([...accounts]))
        expect(accounts.length > 0).toBe(state.grant.accounts.size > 0)
      }
    }),
  )
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
