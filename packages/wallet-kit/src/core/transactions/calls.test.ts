import { custom, erc20Abi } from 'viem'
import { bsc } from 'viem/chains'
import { afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Behaviour, ScriptedWallet } from '../../testing/createScriptedWallet.ts'
import { memoryStorage } from '../../testing/memoryStorage.ts'
import { setupKit } from '../../testing/setupKit.ts'
import type { Transaction } from '../state/state.ts'
import type { WalletKit } from '../WalletKit.ts'

const receiver = '0x000000000000000000000000000000000000dEaD'
const hash = (n: number) => `0x${n.toString(16).padStart(64, '0')}` as const
const signature = `0x${'ab'.repeat(65)}` as const
const calls = [
  { to: receiver, value: 1n },
  { to: receiver, data: '0x12' },
] as const
const unsupported = { error: Object.assign(new Error('No such method.'), { code: 4200 }) }

// The kit loads it on demand, which takes real time.
beforeAll(() => import('./watchTransaction.ts'))
afterEach(() => vi.useRealTimers())

async function connected(
  behaviours: Record<string, Behaviour> = {},
  lists: 'supported' | 'unsupported' = 'unsupported',
) {
  const storage = memoryStorage()
  const node = { receipt: { status: '0x1', blockNumber: '0x1', logs: [] } as object | null }
  const request = async ({ method }: { method: string }) =>
    method === 'eth_getTransactionReceipt' ? node.receipt : method === 'eth_blockNumber' ? '0x1' : null
  const setup = setupKit({
    storage,
    a: { behaviours, calls: lists },
    chains: [bsc],
    transports: { 56: custom({ request }) },
  })
  await setup.kit.connect({ walletId: 'a' })
  const heard: Transaction[] = []
  setup.kit.onTransactionSettled((transaction) => heard.push(transaction))
  return { ...setup, node, heard }
}

const first = (kit: WalletKit) => kit.getState().transactions[0]
const becomes = (kit: WalletKit, expected: object) =>
  expect.poll(() => first(kit), { interval: 20 }).toMatchObject(expected)
const asked = (wallet: { requests: { method: string; params?: unknown }[] }, method: string) =>
  wallet.requests.filter((request) => request.method === method)

describe('sendCalls', () => {
  test('error: a listener of the app throws after the person has signed', async () => {
    const { kit } = await connected({}, 'supported')
    kit.subscribe((state, before) => {
      if (state.transactions !== before.transactions) throw new Error('A listener failed.')
    })
    await expect(kit.sendCalls({ calls, description: 'Buy' })).resolves.toMatchObject({ method: 'wallet_sendCalls' })
  })

  test('follows the calls under the account that sent them, if the wallet changes to another one', async () => {
    const { kit, a } = await connected({ wallet_sendCalls: 'wait' }, 'supported')
    const { address } = kit.getState()
    const sent = kit.sendCalls({ calls, description: 'Buy' })
    await expect.poll(() => asked(a, 'wallet_sendCalls').length).toBe(1)
    a.setAccounts([receiver])
    await expect.poll(() => kit.getState().address).toBe(receiver)
    a.release()
    const { ids } = await sent
    expect(kit.getState().transactions).toEqual([])
    a.setAccounts([address as `0x${string}`])
    await expect.poll(() => first(kit)).toMatchObject({ callsId: ids[0], description: 'Buy' })
  })

  test('sends one list, follows it, and reports its outcome', async () => {
    const { kit, a, heard } = await connected({ wallet_sendCalls: { result: { id: 'bundle' } } })
    a.setBehaviour('wallet_getCallsStatus', { result: { status: 100 } })
    const sent = await kit.sendCalls({ calls, description: 'Buy', atomic: 'required' })
    expect(sent).toEqual({ method: 'wallet_sendCalls', ids: ['bundle'] })
    expect(asked(a, 'wallet_sendCalls')[0]?.params).toEqual([
      {
        version: '2.0.0',
        from: kit.getState().address,
        chainId: '0x38',
        atomicRequired: true,
        calls: [
          { to: receiver, value: '0x1' },
          { to: receiver, data: '0x12' },
        ],
      },
    ])
    expect(first(kit)).toMatchObject({ callsId: 'bundle', description: 'Buy', status: 'pending' })
    await expect.poll(() => asked(a, 'wallet_getCallsStatus')).not.toEqual([])
    a.setBehaviour('wallet_getCallsStatus', { result: { status: 200, receipts: [{ transactionHash: hash(7) }] } })
    await becomes(kit, { status: 'confirmed', hash: hash(7), callsId: 'bundle' })
    expect(kit.getState().hasPendingTransactions).toBe(false)
    expect(heard).toMatchObject([{ callsId: 'bundle', status: 'confirmed' }])
  })

  test('encodes a call of a contract', async () => {
    const { kit, a } = await connected({ wallet_sendCalls: { result: 'bundle' } })
    await kit.sendCalls({ calls: [{ to: receiver, abi: erc20Abi, functionName: 'approve', args: [receiver, 1n] }] })
    const call = { to: receiver, data: expect.stringMatching(/^0x095ea7b3/) }
    expect(asked(a, 'wallet_sendCalls')[0]?.params).toEqual([expect.objectContaining({ calls: [call] })])
    expect(kit.getState().transactions).toEqual([])
  })

  test('switches to the chain of the calls first', async () => {
    const { kit, a } = setupKit({ a: { calls: 'supported', knownChains: [1, 56] } })
    await kit.connect({ walletId: 'a' })
    await kit.sendCalls({ calls, chainId: 1 })
    expect(kit.getState().chainId).toBe(1)
    expect(asked(a, 'wallet_sendCalls')[0]?.params).toMatchObject([{ chainId: '0x1' }])
  })

  test('error: the wallet leaves the chain of the calls before it is asked', async () => {
    const { kit, a } = setupKit({ a: { calls: 'supported', knownChains: [1, 56] } })
    await kit.connect({ walletId: 'a' })
    kit.subscribe((state) => {
      if (state.chainId === 1 && !state.switching) a.setChain(56)
    })
    await expect(kit.sendCalls({ calls, chainId: 1 })).rejects.toMatchObject({ name: 'ChainError' })
    expect(asked(a, 'wallet_sendCalls')).toEqual([])
  })

  test('error: not connected', async () => {
    const { kit } = setupKit()
    await expect(kit.sendCalls({ calls })).rejects.toMatchObject({ name: 'WalletNotAvailableError' })
    await expect(kit.getCapabilities()).rejects.toMatchObject({ name: 'WalletNotAvailableError' })
  })

  test('error: the person rejects the request, and is not asked again', async () => {
    const { kit, a } = await connected({ wallet_sendCalls: 'reject' })
    await expect(kit.sendCalls({ calls, fallback: 'sequential' })).rejects.toMatchObject({ name: 'UserRejectedError' })
    expect(asked(a, 'eth_sendTransaction')).toEqual([])
  })

  test.each([
    ['Transaction must have a description', { calls, description: ' ' }],
    ['No calls were given.', { calls: [] }],
    // As callers without types may write them. Read as hex, the text would be 16 times as much and more.
    ['No calls were given.', [{ to: receiver }]],
    ['The value of a call must be a bigint.', { calls: [{ to: receiver, value: '1000' }] }],
    ['The value of a call must be a bigint.', { calls: [{ to: receiver, value: 1000 }] }],
    // Without an address, a wallet sends the value to a new contract.
    ['Invalid address', { calls: [{ address: receiver, value: 1n }] }],
    ['Invalid address', { calls: [{ data: '0x12' }] }],
    ['Invalid address', { calls: [{ to: 'alice.eth', data: '0x12' }] }],
    [
      'Invalid address',
      { calls: [{ address: receiver, abi: erc20Abi, functionName: 'approve', args: [receiver, 1n] }] },
    ],
    ['is not among the chains', { calls, chainId: '56' }],
  ])('error: %s: the wallet is not asked', async (message, parameters) => {
    const { kit, a } = await connected()
    await expect(kit.sendCalls(parameters as never)).rejects.toThrow(message)
    expect(asked(a, 'wallet_sendCalls')).toEqual([])
  })

  test('behavior: disconnected before the wallet answers: nothing is thrown', async () => {
    const { kit, a } = await connected({ wallet_sendCalls: 'wait' }, 'supported')
    const sending = kit.sendCalls({ calls, description: 'Buy' })
    await expect.poll(() => asked(a, 'wallet_sendCalls')).toHaveLength(1)
    await kit.disconnect()
    a.release()
    expect(await sending).toMatchObject({ method: 'wallet_sendCalls' })
  })

  test.each([
    ['no fallback', {}],
    ['all or none', { fallback: 'sequential', atomic: 'required' }],
    ['a capability that is needed', { fallback: 'sequential', capabilities: { paymasterService: { url: '' } } }],
  ] as const)('error: the wallet takes no lists: %s', async (_, options) => {
    const { kit, a } = await connected({ wallet_sendCalls: unsupported })
    await expect(kit.sendCalls({ calls, ...options })).rejects.toThrow('cannot send several calls at once')
    expect(asked(a, 'eth_sendTransaction')).toEqual([])
  })

  test.each([
    [-32603, 'Bundler is not available, the calls are queued'],
    [-32603, 'execution reverted: token does not exist'],
    [-32603, 'Signed. Relayer method not found, retrying'],
    [-32000, 'Request failed: header not found'],
    [-32602, 'request params not supported'],
    [undefined, 'Request expired; session not found'],
    [undefined, 'wallet_sendCalls: insufficient funds, token not found'],
  ])('error: %s %s: nothing is sent a second time', async (code, message) => {
    const { kit, a } = await connected({ wallet_sendCalls: { error: { ...(code && { code }), message } } })
    await expect(kit.sendCalls({ calls, fallback: 'sequential' })).rejects.toThrow(message)
    expect(asked(a, 'eth_sendTransaction')).toEqual([])
  })

  test.each([
    ['4200', unsupported],
    ['-32601', { error: { code: -32601, message: 'x' } }],
    ['words alone', { error: new Error('the method wallet_sendCalls does not exist / is not available') }],
    ['5710', { error: { code: 5710, message: 'x' } }],
    ['-32603 and words', { error: { code: -32603, message: 'Method not found' } }],
    ['words of a proxy', { error: new Error('This request method is not supported.') }],
  ])('falls back to one after the other: %s', async (_, behaviour) => {
    const { kit, a, node } = await connected({ wallet_sendCalls: behaviour })
    a.setBehaviour('eth_sendTransaction', { result: hash(1) })
    node.receipt = null
    const sending = kit.sendCalls({ calls, description: 'Buy', fallback: 'sequential' })
    await expect.poll(() => first(kit)).toMatchObject({ hash: hash(1), description: 'Buy (1/2)' })
    a.setBehaviour('eth_sendTransaction', { result: hash(2) })
    node.receipt = { status: '0x1', blockNumber: '0x1', logs: [] }
    expect(await sending).toEqual({ method: 'eth_sendTransaction', ids: [hash(1), hash(2)] })
    expect(first(kit)).toMatchObject({ hash: hash(2), description: 'Buy (2/2)' })
    expect(asked(a, 'eth_sendTransaction')).toHaveLength(2)
  })

  test('behavior: the second call is rejected: the error has the calls that were sent, and the reason', async () => {
    const { kit, a, node } = await connected({
      wallet_sendCalls: unsupported,
      eth_sendTransaction: { result: hash(1) },
    })
    node.receipt = null
    const sending = kit.sendCalls({ calls: [...calls, ...calls], description: 'Buy', fallback: 'sequential' })
    await expect.poll(() => kit.getState().transactions).toHaveLength(1)
    a.setBehaviour('eth_sendTransaction', 'reject')
    node.receipt = { status: '0x1', blockNumber: '0x1', logs: [] }
    const { ids, error } = await sending
    expect({ ids, name: error?.name }).toEqual({ ids: [hash(1)], name: 'UserRejectedError' })
  })

  test('behavior: the first is reverted: the second is not asked for', async () => {
    const { kit, a, node } = await connected({
      wallet_sendCalls: unsupported,
      eth_sendTransaction: { result: hash(1) },
    })
    node.receipt = { status: '0x0', blockNumber: '0x1', logs: [] }
    const { ids, error } = await kit.sendCalls({ calls, fallback: 'sequential' })
    expect({ ids, message: error?.message }).toEqual({ ids: [hash(1)], message: expect.stringContaining('reverted') })
    expect(asked(a, 'eth_sendTransaction')).toHaveLength(1)
  })

  test.each([
    ['network', (a: ScriptedWallet) => a.setChain(1)],
    ['account', (a: ScriptedWallet) => a.setAccounts([receiver])],
  ])('error: the %s changes between two: the second is not asked for', async (_, change) => {
    const { kit, a, node } = await connected({
      wallet_sendCalls: unsupported,
      eth_sendTransaction: { result: hash(1) },
    })
    node.receipt = null
    const sending = kit.sendCalls({ calls, description: 'Buy', fallback: 'sequential' })
    await expect.poll(() => kit.getState().transactions).toHaveLength(1)
    change(a)
    node.receipt = { status: '0x1', blockNumber: '0x1', logs: [] }
    const { ids, error } = await sending
    expect({ ids, message: error?.message }).toEqual({
      ids: [hash(1)],
      message: expect.stringContaining('account or network changed'),
    })
    expect(asked(a, 'eth_sendTransaction').map(({ params }) => params)).toEqual([
      [expect.objectContaining({ chainId: '0x38' })],
    ])
  })

  test('behavior: disconnected between two: ends', async () => {
    const { kit, node } = await connected({ wallet_sendCalls: unsupported, eth_sendTransaction: { result: hash(1) } })
    node.receipt = null
    const sending = kit.sendCalls({ calls, description: 'Buy', fallback: 'sequential' })
    await expect.poll(() => kit.getState().transactions).toHaveLength(1)
    await kit.disconnect()
    expect(await sending).toMatchObject({ ids: [hash(1)], error: { name: 'AbortedError' } })
  })

  test.each([
    ['nothing', null],
    ['an object without an id', {}],
    ['a number', 7],
  ])('behavior: the wallet answers with %s: the calls are shown as waiting there', async (_, result) => {
    const { kit } = await connected({ wallet_sendCalls: { result }, wallet_getCallsStatus: unsupported })
    const { ids } = await kit.sendCalls({ calls, description: 'Buy' })
    expect(ids).toEqual([expect.any(String)])
    await becomes(kit, { status: 'pending', awaiting: 'wallet' })
  })

  test.each([
    ['65 bytes', signature],
    ['an id', '5f0c-11'],
    ['nothing', undefined],
  ])('behavior: a transaction is answered with %s: nothing is thrown', async (_, result) => {
    const { kit } = await connected({
      wallet_sendCalls: unsupported,
      wallet_getCallsStatus: unsupported,
      eth_sendTransaction: { result },
    })
    const { ids } = await kit.sendCalls({ calls: [calls[0]], description: 'Pay', fallback: 'sequential' })
    expect(ids).toEqual([result ?? expect.any(String)])
    await becomes(kit, { callsId: ids[0], status: 'pending', awaiting: 'wallet', description: 'Pay' })
  })
})

describe('addCalls', () => {
  test('survives a reload', async () => {
    const { kit, createKit, a } = await connected({ wallet_getCallsStatus: { result: { status: 100 } } })
    kit.addCalls({ id: 'bundle', description: 'Buy' })
    kit.destroy()
    const reloaded = createKit()
    const heard: Transaction[] = []
    reloaded.onTransactionSettled((transaction) => heard.push(transaction))
    await reloaded.reconnect()
    expect(first(reloaded)).toMatchObject({ callsId: 'bundle', status: 'pending' })
    a.setBehaviour('wallet_getCallsStatus', { result: { status: 500 } })
    await becomes(reloaded, { status: 'failed', failureReason: 'reverted' })
    expect(heard).toHaveLength(1)
  })

  test('two tabs: each shows the calls, and reports their end once', async () => {
    onTestFinished(() => localStorage.clear())
    const { createKit, a } = await connected({ wallet_getCallsStatus: { result: { status: 100 } } })
    const [kit, other] = [createKit({ storage: undefined }), createKit({ storage: undefined })]
    await kit.connect({ walletId: 'a' })
    await other.connect({ walletId: 'a' })
    const heard: string[] = []
    kit.onTransactionSettled(({ callsId }) => heard.push(`here: ${callsId}`))
    other.onTransactionSettled(({ callsId }) => heard.push(`there: ${callsId}`))
    kit.addCalls({ id: 'bundle', description: 'Buy' })
    await becomes(other, { callsId: 'bundle', status: 'pending' })
    a.setBehaviour('wallet_getCallsStatus', { result: { status: 200 } })
    for (const tab of [kit, other]) await becomes(tab, { callsId: 'bundle', status: 'confirmed' })
    await expect.poll(() => heard.toSorted()).toEqual(['here: bundle', 'there: bundle'])
  })

  test('is asked only of the wallet that took it', async () => {
    const { kit, a, b } = await connected({ wallet_getCallsStatus: { result: { status: 100 } } })
    const { address = '0x' } = kit.getState()
    kit.addCalls({ id: 'bundle', description: 'Buy' })
    b.setAccounts([address as `0x${string}`])
    await kit.connect({ walletId: 'b' })
    expect(kit.getState().transactions).toHaveLength(1)
    const before = asked(a, 'wallet_getCallsStatus').length
    await kit.connect({ walletId: 'a' })
    await expect.poll(() => asked(a, 'wallet_getCallsStatus').length).toBeGreaterThan(before)
    expect(asked(b, 'wallet_getCallsStatus')).toEqual([])
  })

  test('behavior: another wallet with the same account: changes nothing for a day, then fails', async () => {
    const { kit, b } = await connected({ wallet_getCallsStatus: { result: { status: 100 } } })
    const { address = '0x' } = kit.getState()
    b.setAccounts([address])
    kit.addCalls({ id: 'bundle', description: 'Buy' })
    await kit.connect({ walletId: 'b' })
    const added = first(kit)
    vi.useFakeTimers()
    await vi.advanceTimersByTimeAsync(23 * 3_600_000)
    expect(first(kit)).toEqual(added)
    await vi.advanceTimersByTimeAsync(2 * 3_600_000)
    expect(first(kit)).toMatchObject({ status: 'failed', failureReason: 'timeout' })
    expect(asked(b, 'wallet_getCallsStatus')).toEqual([])
  })

  test('two tabs, one with another wallet: does not overwrite what the other tab wrote', async () => {
    onTestFinished(() => {
      localStorage.clear()
      vi.unstubAllGlobals()
    })
    // Pages that started at different times do not follow each other's connections.
    class BetweenPages extends BroadcastChannel {
      override postMessage(message: string) {
        if (!message.startsWith('connected')) super.postMessage(message)
      }
    }
    vi.stubGlobal('BroadcastChannel', BetweenPages)
    const { createKit, a, b } = await connected({ wallet_getCallsStatus: 'hang' })
    const [kit, other] = [createKit({ storage: undefined }), createKit({ storage: undefined })]
    const { address } = await kit.connect({ walletId: 'a' })
    b.setAccounts([address])
    await other.connect({ walletId: 'b' })
    vi.useFakeTimers()
    kit.addCalls({ id: 'bundle', description: 'Buy' })
    await becomes(other, { callsId: 'bundle' })
    const written: unknown[] = []
    other.subscribe(({ transactions: [one] }) => written.push(one?.awaiting))
    await vi.advanceTimersByTimeAsync(80_000)
    await becomes(other, { awaiting: 'wallet' })
    a.setBehaviour('wallet_getCallsStatus', { result: { status: 100 } })
    await vi.advanceTimersByTimeAsync(120_000)
    a.setBehaviour('wallet_getCallsStatus', { result: { status: 200 } })
    await vi.advanceTimersByTimeAsync(20_000)
    await becomes(other, { status: 'confirmed' })
    expect(written).toEqual(['wallet', undefined, undefined])
  })

  test('behavior: the wallet cannot say: waits there for a day, then fails', async () => {
    const { kit, a } = await connected({ wallet_getCallsStatus: { error: { code: 5730, message: 'unknown' } } })
    vi.useFakeTimers()
    kit.addCalls({ id: 'bundle', description: 'Buy' })
    await vi.advanceTimersByTimeAsync(1_000)
    expect(first(kit)).toMatchObject({ awaiting: 'wallet' })
    await vi.advanceTimersByTimeAsync(23 * 3_600_000)
    expect(first(kit)?.status).toBe('pending')
    // Now the wallet knows the calls.
    a.setBehaviour('wallet_getCallsStatus', { result: { status: 100 } })
    await vi.advanceTimersByTimeAsync(16_000)
    expect(first(kit)).not.toHaveProperty('awaiting')
    a.setBehaviour('wallet_getCallsStatus', { error: { code: 5730, message: 'unknown' } })
    await vi.advanceTimersByTimeAsync(2 * 3_600_000)
    expect(first(kit)).toMatchObject({ status: 'failed', failureReason: 'timeout' })
  })

  test('behavior: the wallet does not answer: asked again', async () => {
    const { kit, a } = await connected({ wallet_getCallsStatus: 'throw' })
    kit.addCalls({ id: 'bundle', description: 'Buy' })
    await expect.poll(() => asked(a, 'wallet_getCallsStatus').length).toBeGreaterThan(1)
    expect(first(kit)).not.toHaveProperty('awaiting')
    a.setBehaviour('wallet_getCallsStatus', { result: { status: 400 } })
    await becomes(kit, { status: 'failed', failureReason: 'dropped' })
  })

  test.each([
    ['fails', { error: { code: -32603, message: 'Internal error' } }],
    ['does not answer', 'hang'],
  ] as const)('behavior: the wallet %s for a day: waits there, then fails', async (_, behaviour) => {
    const { kit, a } = await connected({ wallet_getCallsStatus: behaviour })
    vi.useFakeTimers()
    kit.addCalls({ id: 'bundle', description: 'Buy' })
    await vi.advanceTimersByTimeAsync(80_000)
    expect(first(kit)).toMatchObject({ status: 'pending', awaiting: 'wallet' })
    await vi.advanceTimersByTimeAsync(23 * 3_600_000)
    expect(first(kit)?.status).toBe('pending')
    expect(asked(a, 'wallet_getCallsStatus').length).toBeLessThan((24 * 3_600) / 15)
    await vi.advanceTimersByTimeAsync(2 * 3_600_000)
    expect(first(kit)).toMatchObject({ status: 'failed', failureReason: 'timeout' })
    expect(kit.getState().hasPendingTransactions).toBe(false)
  })

  test('behavior: opened after a day: asks the wallet again before it fails', async () => {
    const { kit, createKit, a } = await connected({ wallet_getCallsStatus: 'hang' })
    kit.addCalls({ id: 'bundle', description: 'Buy' })
    kit.destroy()
    vi.useFakeTimers({ now: Date.now() + 25 * 3_600_000 })
    a.setBehaviour('wallet_getCallsStatus', { error: new Error('The wallet is starting.'), times: 2 })
    const reloaded = createKit()
    await reloaded.reconnect()
    await vi.advanceTimersByTimeAsync(5_000)
    expect(first(reloaded)?.status).toBe('pending')
    a.setBehaviour('wallet_getCallsStatus', { result: { status: 200 } })
    await vi.advanceTimersByTimeAsync(20_000)
    expect(first(reloaded)).toMatchObject({ status: 'confirmed' })
  })

  test.each([
    ['-32004', { code: -32004, message: 'x' }],
    ['-32603 and words', { code: -32603, message: 'Method not found' }],
    ['words of a proxy', new Error('This request method is not supported.')],
  ])('behavior: the wallet has no method for the status (%s): waits there', async (_, error) => {
    const { kit } = await connected({ wallet_getCallsStatus: { error } })
    kit.addCalls({ id: 'bundle', description: 'Buy' })
    await becomes(kit, { status: 'pending', awaiting: 'wallet' })
  })

  test('added twice: listed once', async () => {
    const { kit } = await connected({ wallet_getCallsStatus: 'hang' })
    for (const id of ['x', 'X', 'x']) kit.addCalls({ id, description: 'Buy' })
    expect(kit.getState().transactions.map(({ callsId }) => callsId)).toEqual(['X', 'x'])
  })

  test.each([
    ['Invalid id of calls', { id: '', description: 'x' }],
    ['Invalid id of calls', { id: 7, description: 'x' }],
    ['Transaction must have a description', { id: 'x', description: ' ' }],
  ])('error: %s', async (message, parameters) => {
    const { kit } = await connected()
    expect(() => kit.addCalls(parameters as never)).toThrow(message)
  })

  test('a signature instead of a hash: followed as calls', async () => {
    const { kit } = await connected({ wallet_getCallsStatus: unsupported })
    kit.addTransaction({ hash: signature, description: 'Pay' })
    await becomes(kit, { callsId: signature, status: 'pending', awaiting: 'wallet' })
  })
})

describe('getCapabilities', () => {
  test('a chain as text, as callers without types may give it, is decimal', async () => {
    const { kit, a } = await connected()
    await kit.getCapabilities({ chainId: '56' as never })
    expect(asked(a, 'wallet_getCapabilities')[0]?.params).toEqual([kit.getState().address, ['0x38']])
  })

  test('error: a chain without an object: no other chain is asked', async () => {
    const { kit, a } = await connected()
    await expect(kit.getCapabilities(1 as never)).rejects.toThrow('Expected { chainId }')
    expect(asked(a, 'wallet_getCapabilities')).toEqual([])
  })

  test('of the wallet’s chain, or another one', async () => {
    const result = { '0x38': { atomic: { status: 'supported' } }, '0x1': { atomic: { status: 'ready' } } }
    const { kit, a } = await connected({ wallet_getCapabilities: { result } })
    expect(await kit.getCapabilities()).toEqual({ atomic: { status: 'supported' } })
    expect(asked(a, 'wallet_getCapabilities')[0]?.params).toEqual([kit.getState().address, ['0x38']])
  })

  test.each([
    ['4200', unsupported.error],
    ['-32004', { code: -32004, message: 'x' }],
    ['words alone', new Error('the method wallet_getCapabilities does not exist / is not available')],
    ['-32603 and words', { code: -32603, message: 'Method not found' }],
    ['words of a proxy', new Error('This request method is not supported.')],
  ])('behavior: a wallet without the method has none: %s', async (_, error) => {
    const { kit } = await connected({ wallet_getCapabilities: { error } })
    expect(await kit.getCapabilities()).toEqual({})
  })

  test.each(['away', 'Request failed: header not found'])('error: the wallet fails: %s', async (details) => {
    const { kit } = await connected({ wallet_getCapabilities: { error: new Error(details) } })
    await expect(kit.getCapabilities()).rejects.toMatchObject({ name: 'WalletKitError', details })
  })
})
