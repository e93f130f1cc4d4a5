import { createTestClient, createWalletClient, custom, type Hash, http, publicActions, walletActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { bsc } from 'viem/chains'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { runAnvil } from '../../../../../scripts/vitest/runAnvil.ts'
import { memoryStorage } from '../../testing/memoryStorage.ts'
import { setupKit } from '../../testing/setupKit.ts'
import type { KeyValueStorage } from '../lib/storage.ts'
import type { Transaction } from '../state/state.ts'
import type { WalletKit } from '../WalletKit.ts'

// The second account of anvil, with the key that its documentation prints.
const privateKey = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d'
const account = privateKeyToAccount(privateKey)
const receiver = '0x000000000000000000000000000000000000dEaD'
const key = 'walletKit.v1.transactions'

let chain: Awaited<ReturnType<typeof runAnvil>>
let node: ReturnType<typeof createNode>
let snapshot: Hash

const createNode = (rpcUrl: string) =>
  createTestClient({ account, chain: bsc, mode: 'anvil', transport: http(rpcUrl) })
    .extend(publicActions)
    .extend(walletActions)

beforeAll(async () => {
  chain = await runAnvil()
  node = createNode(chain.url)
})
afterAll(() => chain.stop())
beforeEach(async () => {
  snapshot = await node.snapshot()
  await node.setAutomine(false)
})
afterEach(async () => {
  vi.useRealTimers()
  await node.request({ method: 'anvil_dropAllTransactions' } as never)
  await node.revert({ id: snapshot })
})

const minute = 60_000
/** Sets the clock without fake timers. */
const setClock = (later: number) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + later })
}

/** Creates a kit on the chain. Another kit with the same storage acts as the page after a reload. */
async function openPage({ storage = memoryStorage() as KeyValueStorage, ...config } = {}) {
  const wire = { isAway: false, asked: [] as string[], answers: {} as Record<string, () => unknown> }
  const { request } = http(chain.url, { retryCount: 0 })({ chain: bsc })
  const transport = custom(
    {
      request: async (question: { method: string; params?: unknown }) => {
        wire.asked.push(question.method)
        if (wire.isAway) throw new Error('The node is away.')
        const own = wire.answers[question.method]
        return own ? own() : request(question as never)
      },
    },
    { retryCount: 0 },
  )
  const { kit, createKit, a } = setupKit({
    a: { privateKey, rpcUrl: chain.url },
    storage,
    chains: [bsc],
    transports: { 56: transport },
    ...config,
  })
  const heard: Transaction[] = []
  kit.onTransactionSettled((transaction) => heard.push(transaction))
  await kit.connect({ walletId: 'a' })
  return { kit, createKit, a, wire, storage, heard }
}

const send = (parameters: object = {}) =>
  node.sendTransaction({ to: receiver, value: 1n, gas: 50_000n, gasPrice: 3_000_000_000n, ...parameters } as never)

/** Signs a payment, which can be sent several times. */
const signPayment = async () => {
  const wallet = createWalletClient({ account, chain: bsc, transport: http(chain.url) })
  const request = await node.prepareTransactionRequest({ account, to: receiver, value: 1n, gas: 50_000n } as never)
  return wallet.signTransaction(request as never)
}

/** Sends the same nonce with a higher fee, like wallets do to speed up or cancel. */
const replace = async (hash: Hash, parameters: object = {}) => {
  const { nonce } = await node.getTransaction({ hash })
  return send({ nonce, gasPrice: 9_000_000_000n, ...parameters })
}

const first = (kit: WalletKit) => kit.getState().transactions[0]
const becomes = (kit: WalletKit, expected: object) =>
  expect.poll(() => first(kit), { interval: 20 }).toMatchObject(expected)
/** Waits until the kit knows the nonce, which it needs to find replacements. */
const seen = (kit: WalletKit) => becomes(kit, { sent: { call: expect.any(String) } })
/** Waits until the node was read again without a change. */
const asksAgain = (wire: { asked: string[] }, method = 'eth_getTransactionReceipt') => {
  const count = () => wire.asked.filter((asked) => asked === method).length
  const before = count()
  return expect.poll(count, { interval: 20 }).toBeGreaterThan(before + 1)
}

describe('on a chain', () => {
  test('pending, then confirmed; reported once', async () => {
    const { kit, heard } = await openPage()
    const hash = await send()
    kit.addTransaction({ hash, description: 'Pay' })
    await seen(kit)
    expect(kit.getState().hasPendingTransactions).toBe(true)
    await node.mine({ blocks: 1 })
    await becomes(kit, { hash, status: 'confirmed', settledAt: expect.any(Number) })
    expect(kit.getState().hasPendingTransactions).toBe(false)
    expect(heard).toMatchObject([{ hash, status: 'confirmed', description: 'Pay' }])
  })

  test('behavior: reverted', async () => {
    const { kit, heard } = await openPage()
    // PUSH0 PUSH0 REVERT
    await node.setCode({ address: receiver, bytecode: '0x5f5ffd' })
    kit.addTransaction({ hash: await send(), description: 'Pay' })
    await node.mine({ blocks: 1 })
    await becomes(kit, { status: 'failed', failureReason: 'reverted' })
    expect(heard).toHaveLength(1)
  })

  test('waits for the confirmations', async () => {
    const { kit, wire } = await openPage()
    kit.addTransaction({ hash: await send(), description: 'Pay', confirmations: 3 })
    await node.mine({ blocks: 2 })
    await asksAgain(wire)
    expect(first(kit)?.status).toBe('pending')
    await node.mine({ blocks: 1 })
    await becomes(kit, { status: 'confirmed' })
  })

  test('behavior: sped up: watched by its new hash, and still the same transaction', async () => {
    const { kit, heard } = await openPage()
    const hash = await send()
    kit.addTransaction({ hash, description: 'Pay' })
    await seen(kit)
    const faster = await replace(hash)
    await node.mine({ blocks: 1 })
    await becomes(kit, { hash: faster, originalHash: hash, status: 'confirmed' })
    expect(heard).toMatchObject([{ hash: faster, originalHash: hash }])
    kit.addTransaction({ hash, description: 'Pay' })
    kit.addTransaction({ hash: faster, description: 'Pay' })
    expect(kit.getState().transactions).toHaveLength(1)
  })

  test('behavior: sped up while the page was closed, and many blocks ago', async () => {
    const page = await openPage()
    const hash = await send()
    page.kit.addTransaction({ hash, description: 'Pay' })
    await seen(page.kit)
    page.kit.destroy()
    const faster = await replace(hash)
    await node.mine({ blocks: 1 })
    await node.mine({ blocks: 45 })
    const { kit, heard } = await openPage({ storage: page.storage })
    await becomes(kit, { hash: faster, originalHash: hash, status: 'confirmed' })
    expect(heard).toHaveLength(1)
  })

  test('behavior: sped up, and reverted', async () => {
    const { kit } = await openPage()
    const hash = await send()
    kit.addTransaction({ hash, description: 'Pay' })
    await seen(kit)
    await node.setCode({ address: receiver, bytecode: '0x5f5ffd' })
    const faster = await replace(hash)
    await node.mine({ blocks: 1 })
    await becomes(kit, { hash: faster, status: 'failed', failureReason: 'reverted' })
  })

  test('behavior: cancelled in the wallet', async () => {
    const { kit, heard } = await openPage()
    const hash = await send()
    kit.addTransaction({ hash, description: 'Pay' })
    await seen(kit)
    await replace(hash, { to: account.address, value: 0n })
    await node.mine({ blocks: 1 })
    await becomes(kit, { hash, status: 'failed', failureReason: 'cancelled' })
    expect(heard).toMatchObject([{ failureReason: 'cancelled' }])
  })

  test.each([
    ['to somebody else', { to: '0x00000000219ab540356cBB839Cbe05303d7705Fa' }],
    ['of another value', { value: 2n }],
    ['to oneself, with data', { to: account.address, value: 0n, data: '0x12' }],
  ])('behavior: replaced by another transaction %s', async (_, parameters) => {
    const { kit } = await openPage()
    const hash = await send()
    kit.addTransaction({ hash, description: 'Pay' })
    await seen(kit)
    await replace(hash, parameters)
    await node.mine({ blocks: 1 })
    await becomes(kit, { hash, status: 'failed', failureReason: 'dropped' })
  })

  test('behavior: its nonce was used without a transaction', async () => {
    const { kit } = await openPage()
    const hash = await send()
    kit.addTransaction({ hash, description: 'Pay' })
    await seen(kit)
    await node.dropTransaction({ hash })
    await node.mine({ blocks: 1 })
    await node.setNonce({ address: account.address, nonce: (await node.getTransactionCount(account)) + 1 })
    await node.mine({ blocks: 1 })
    await becomes(kit, { status: 'failed', failureReason: 'dropped' })
  })

  test('behavior: dropped by the node: pending until the time limit, since another node may know it', async () => {
    const { kit, wire, heard } = await openPage()
    const hash = await send()
    kit.addTransaction({ hash, description: 'Pay' })
    await seen(kit)
    await node.dropTransaction({ hash })
    await asksAgain(wire)
    expect(first(kit)?.status).toBe('pending')
    setClock(5 * minute)
    await becomes(kit, { status: 'failed', failureReason: 'dropped' })
    expect(heard).toHaveLength(1)
  })

  test('behavior: dropped by the node, sent again, and mined', async () => {
    const { kit, wire } = await openPage()
    const serializedTransaction = await signPayment()
    const hash = await node.sendRawTransaction({ serializedTransaction })
    kit.addTransaction({ hash, description: 'Pay' })
    await seen(kit)
    await node.dropTransaction({ hash })
    await asksAgain(wire)
    await node.sendRawTransaction({ serializedTransaction })
    await node.mine({ blocks: 1 })
    await becomes(kit, { hash, status: 'confirmed' })
  })

  test('behavior: its block is reorganised: pending again, then in another block', async () => {
    const { kit, wire, heard } = await openPage()
    const serializedTransaction = await signPayment()
    await node.mine({ blocks: 2 })
    const hash = await node.sendRawTransaction({ serializedTransaction })
    kit.addTransaction({ hash, description: 'Pay', confirmations: 3 })
    await seen(kit)
    await node.mine({ blocks: 2 })
    await node.getTransactionReceipt({ hash })
    await asksAgain(wire)
    await node.request({ method: 'anvil_reorg', params: [2, []] } as never)
    await node.dropTransaction({ hash }).catch(() => {})
    await node.mine({ blocks: 2 })
    await expect(node.getTransactionReceipt({ hash })).rejects.toThrow()
    await asksAgain(wire)
    expect(first(kit)).toMatchObject({ hash, status: 'pending' })
    await node.sendRawTransaction({ serializedTransaction })
    await node.mine({ blocks: 3 })
    await becomes(kit, { hash, status: 'confirmed' })
    expect(heard).toHaveLength(1)
  })

  test('behavior: its replacement is reorganised, and the first transaction is mined', async () => {
    const { kit, heard } = await openPage()
    const serializedTransaction = await signPayment()
    const hash = await node.sendRawTransaction({ serializedTransaction })
    kit.addTransaction({ hash, description: 'Pay', confirmations: 3 })
    await seen(kit)
    const faster = await replace(hash)
    await node.mine({ blocks: 1 })
    await becomes(kit, { hash: faster, originalHash: hash, status: 'pending' })
    await node.request({ method: 'anvil_reorg', params: [1, []] } as never)
    await node.dropTransaction({ hash: faster }).catch(() => {})
    await node.sendRawTransaction({ serializedTransaction })
    await node.mine({ blocks: 3 })
    await becomes(kit, { hash, status: 'confirmed' })
    expect(heard).toHaveLength(1)
  })

  test('behavior: the node is unreachable for a while', async () => {
    const { kit, wire } = await openPage()
    kit.addTransaction({ hash: await send(), description: 'Pay' })
    await seen(kit)
    wire.isAway = true
    await node.mine({ blocks: 1 })
    await asksAgain(wire)
    expect(first(kit)?.status).toBe('pending')
    wire.isAway = false
    await becomes(kit, { status: 'confirmed' })
  })

  test('behavior: the node has no old state and the nonce is used: dropped after the time limit', async () => {
    const { kit, wire } = await openPage()
    const hash = await send()
    kit.addTransaction({ hash, description: 'Pay' })
    await seen(kit)
    await replace(hash)
    await node.mine({ blocks: 1 })
    wire.answers.eth_getTransactionCount = () => '0xffff'
    wire.answers.eth_getBlockByNumber = () => Promise.reject(new Error('missing trie node'))
    await asksAgain(wire, 'eth_getBlockByNumber')
    expect(first(kit)?.status).toBe('pending')
    setClock(5 * minute)
    await becomes(kit, { status: 'failed', failureReason: 'dropped' })
  })

  test('behavior: no receipt within five minutes after it was added, also across a reload', async () => {
    const page = await openPage()
    page.kit.addTransaction({ hash: await send(), description: 'Pay' })
    await seen(page.kit)
    page.kit.destroy()
    setClock(4 * minute)
    const { kit, wire, heard } = await openPage({ storage: page.storage })
    await asksAgain(wire)
    expect(first(kit)?.status).toBe('pending')
    setClock(minute)
    await becomes(kit, { status: 'failed', failureReason: 'timeout' })
    expect(heard).toHaveLength(1)
  })

  test('behavior: mined while the page was closed for longer: confirmed, and reported', async () => {
    const page = await openPage()
    page.kit.addTransaction({ hash: await send(), description: 'Pay' })
    page.kit.destroy()
    await node.mine({ blocks: 1 })
    setClock(60 * minute)
    const { kit, heard } = await openPage({ storage: page.storage })
    await becomes(kit, { status: 'confirmed' })
    expect(heard).toHaveLength(1)
  })

  test('behavior: a hash that no node knows, such as that of a Safe over the relay: timeout', async () => {
    const { kit, wire } = await openPage()
    kit.addTransaction({ hash: `0x${'5'.repeat(64)}`, description: 'Pay' })
    await asksAgain(wire)
    setClock(5 * minute)
    await becomes(kit, { status: 'failed', failureReason: 'timeout' })
  })

  test('behavior: sent by a bundler: its nonces are ignored', async () => {
    const { kit, wire } = await openPage()
    const bundler = privateKeyToAccount(`0x${'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'}`)
    const hash = await send({ account: bundler })
    kit.addTransaction({ hash, description: 'Pay' })
    await asksAgain(wire)
    expect(first(kit)).not.toHaveProperty('sent')
    await node.mine({ blocks: 1 })
    await becomes(kit, { status: 'confirmed' })
  })

  describe('calls sent one after the other', () => {
    const calls = [
      { to: receiver, value: 1n },
      { to: receiver, value: 2n },
    ] as const

    /** Sends the calls, and waits until the kit knows the nonce of the first. */
    async function sendFirst() {
      const { kit, a, wire } = await openPage()
      const sending = kit.sendCalls({ calls, fallback: 'sequential' })
      await asksAgain(wire, 'eth_getTransactionCount')
      const nonce = await node.getTransactionCount(account)
      const replaceFirst = (parameters: object) => send({ nonce, gasPrice: 9_000_000_000n, ...parameters })
      const sent = () => a.requests.filter(({ method }) => method === 'eth_sendTransaction').length
      expect(sent()).toBe(1)
      return { sending, replaceFirst, sent }
    }

    test('behavior: the first is sped up: the second is asked for', async () => {
      const { sending, replaceFirst, sent } = await sendFirst()
      await replaceFirst({ value: 1n })
      await node.mine({ blocks: 1 })
      const { ids, error } = await sending
      expect([ids.length, error, sent()]).toEqual([2, undefined, 2])
    })

    test.each([
      ['cancelled', { to: account.address, value: 0n }, 'was cancelled in the wallet'],
      ['replaced', { value: 7n }, 'was replaced or dropped'],
    ] as const)('behavior: the first is %s: the second is not asked for', async (_, parameters, message) => {
      const { sending, replaceFirst, sent } = await sendFirst()
      await replaceFirst(parameters)
      await node.mine({ blocks: 1 })
      const { ids, error } = await sending
      expect([ids.length, error?.shortMessage, sent()]).toEqual([1, expect.stringContaining(message), 1])
    })

    test('behavior: the first is in no block for five minutes: the second is not asked for', async () => {
      const { sending, sent } = await sendFirst()
      setClock(5 * minute)
      const { ids, error } = await sending
      expect([ids.length, error?.shortMessage, sent()]).toEqual([1, expect.stringContaining('five minutes'), 1])
    })
  })

  test('two tabs: each reports it once, and shows transactions of the other', async () => {
    onTestFinished(() => localStorage.clear())
    const { createKit } = await openPage()
    const [kit, other] = [createKit({ storage: undefined }), createKit({ storage: undefined })]
    await kit.connect({ walletId: 'a' })
    await other.connect({ walletId: 'a' })
    const heard: string[] = []
    kit.onTransactionSettled(() => heard.push('here'))
    other.onTransactionSettled(() => heard.push('there'))
    kit.addTransaction({ hash: await send(), description: 'Pay' })
    await expect.poll(() => other.getState().hasPendingTransactions).toBe(true)
    await node.mine({ blocks: 1 })
    await expect.poll(() => heard.toSorted()).toEqual(['here', 'there'])
    await becomes(kit, { status: 'confirmed' })
    await becomes(other, { status: 'confirmed' })
    expect(JSON.parse(localStorage.getItem(key) ?? '')).toMatchObject({
      [`56:${account.address.toLowerCase()}`]: [{ status: 'confirmed' }],
    })
    expect(heard).toHaveLength(2)
  })

  test('two kits on a storage without change events', async () => {
    const { kit, createKit, heard } = await openPage()
    kit.addTransaction({ hash: await send(), description: 'Pay' })
    const other = createKit()
    const there: Transaction[] = []
    other.onTransactionSettled((transaction) => there.push(transaction))
    await other.connect({ walletId: 'a' })
    await node.mine({ blocks: 1 })
    await expect.poll(() => [heard.length, there.length]).toEqual([1, 1])
  })
})
