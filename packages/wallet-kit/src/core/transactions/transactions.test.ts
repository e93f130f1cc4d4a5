import fc from 'fast-check'
import { custom } from 'viem'
import { bsc } from 'viem/chains'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { memoryStorage } from '../../testing/memoryStorage.ts'
import { setupKit } from '../../testing/setupKit.ts'

const hash = (n: number) => `0x${n.toString(16).padStart(64, '0')}` as const
const key = 'walletKit.v1.transactions'
const list = '56:0xd8da6bf26964af9d7eed9e03e53415d37aa96045'

type Node = { receipt?: { status: '0x1' | '0x0' }; block: number; away: boolean; silent: boolean }

// The kit loads it on demand, which takes real time.
beforeAll(() => import('./watchTransaction.ts'))
afterEach(() => vi.useRealTimers())

async function connected(stored: unknown = {}) {
  const node: Node = { block: 1, away: false, silent: false }
  const request = async ({ method }: { method: string }) => {
    if (node.away) throw new Error('away')
    if (node.silent) return new Promise(() => {})
    if (method === 'eth_blockNumber') return `0x${node.block.toString(16)}`
    return node.receipt ? { ...node.receipt, blockNumber: '0x1', logs: [] } : null
  }
  const storage = memoryStorage({ [key]: JSON.stringify(stored) })
  const transport = custom({ request }, { retryCount: 0 })
  const setup = setupKit({ storage, chains: [bsc], transports: { 56: transport } })
  await setup.kit.connect({ walletId: 'a' })
  const read = () => JSON.parse(storage.getItem(key) ?? 'null')?.[list]
  return { ...setup, node, read }
}

test('behavior: a transaction of a given connection is stored before a wallet has connected', async () => {
  const storage = memoryStorage()
  const { kit } = setupKit({ storage, chains: [bsc], transports: { 56: custom({ request: async () => null }) } })
  const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
  const connection = { walletId: 'a', address, chainId: 56 } as const
  expect(() => kit.addTransaction({ hash: hash(1), description: 'Joined' })).toThrow('Connect a wallet first.')
  kit.addTransaction({ hash: hash(1), description: 'Joined', connection })
  await expect.poll(() => JSON.parse(storage.getItem(key) ?? 'null')?.[list]).toMatchObject([{ hash: hash(1) }])
})

describe('addTransaction', () => {
  test.each([
    ['Invalid transaction hash', { hash: '0x12', description: 'x' }],
    ['Invalid transaction hash', { hash: `0x${'g'.repeat(64)}`, description: 'x' }],
    ['Invalid transaction hash', { hash: `${hash(1)}0`, description: 'x' }],
    ['Invalid transaction hash', { hash: '', description: 'x' }],
    ['Invalid transaction hash', { hash: 7, description: 'x' }],
    ['Invalid transaction hash', { hash: 'undefined', description: 'x' }],
    ['Invalid transaction hash', { hash: '5f0c-11', description: 'x' }],
    ['Invalid transaction hash', { hash: hash(1).slice(2), description: 'x' }],
    ['Invalid transaction hash', { hash: ` ${hash(1)}`, description: 'x' }],
    ['Invalid transaction hash', { hash: `0x${'ab'.repeat(5_000)}`, description: 'x' }],
    ['Invalid transaction hash', { description: 'x' }],
    ['Transaction must have a description', { hash: hash(1), description: '' }],
    ['Transaction must have a description', { hash: hash(1), description: ' ' }],
    ['Transaction must have a description', { hash: hash(1) }],
    ['Transaction confirmations must be a positive integer', { hash: hash(1), description: 'x', confirmations: 0 }],
    ['Transaction confirmations must be a positive integer', { hash: hash(1), description: 'x', confirmations: 1.5 }],
  ])('%s', async (message, parameters) => {
    const { kit } = await connected()
    expect(() => kit.addTransaction(parameters as never)).toThrow(message)
    expect(kit.getState().transactions).toEqual([])
  })

  test('property: takes only 0x followed by 64 hex characters, or a signature', async () => {
    const { kit } = await connected()
    const isTaken = (value: unknown) =>
      typeof value === 'string' && /^0x([0-9a-f]{64}|([0-9a-f]{2}){65,})$/i.test(value)
    const hex = fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEFg'), maxLength: 140 })
    const given = fc.oneof(
      fc.anything(),
      fc.string(),
      hex,
      hex.map((digits) => `0x${digits}`),
    )
    fc.assert(
      fc.property(given, (value) => {
        fc.pre(!isTaken(value))
        const add = () => kit.addTransaction({ hash: value as `0x${string}`, description: 'x' })
        expect(add).toThrow('Invalid transaction hash')
      }),
    )
    expect(kit.getState().transactions).toEqual([])
  })

  test('error: not connected', () => {
    const { kit } = setupKit()
    expect(() => kit.addTransaction({ hash: hash(1), description: 'x' })).toThrow('Connect a wallet first.')
  })
})

test('pending, then confirmed', async () => {
  const { kit, node, read } = await connected()
  kit.addTransaction({ hash: hash(1), description: 'Join' })
  expect(kit.getState()).toMatchObject({ hasPendingTransactions: true, transactions: [{ status: 'pending' }] })
  node.receipt = { status: '0x1' }
  await expect.poll(() => kit.getState().transactions[0]?.status).toBe('confirmed')
  expect(kit.getState().hasPendingTransactions).toBe(false)
  expect(read()).toMatchObject([{ hash: hash(1), status: 'confirmed' }])
})

test('behavior: reverted', async () => {
  const { kit, node } = await connected()
  node.receipt = { status: '0x0' }
  kit.addTransaction({ hash: hash(1), description: 'Join' })
  await expect.poll(() => kit.getState().transactions[0]).toMatchObject({ status: 'failed', failureReason: 'reverted' })
})

test('waits for the confirmations, also while the node is unreachable', async () => {
  const { kit, node } = await connected()
  vi.useFakeTimers()
  node.receipt = { status: '0x1' }
  kit.addTransaction({ hash: hash(1), description: 'Join', confirmations: 3 })
  await vi.advanceTimersByTimeAsync(10_000)
  node.away = true
  await vi.advanceTimersByTimeAsync(10_000)
  expect(kit.getState().transactions[0]?.status).toBe('pending')
  Object.assign(node, { away: false, block: 3 })
  await vi.advanceTimersByTimeAsync(10_000)
  expect(kit.getState().transactions[0]?.status).toBe('confirmed')
})

test('behavior: mined, and its confirmations take longer than the time limit', async () => {
  const { kit, node } = await connected()
  vi.useFakeTimers()
  node.receipt = { status: '0x1' }
  kit.addTransaction({ hash: hash(1), description: 'Join', confirmations: 3 })
  await vi.advanceTimersByTimeAsync(400_000)
  expect(kit.getState().transactions[0]?.status).toBe('pending')
  node.block = 3
  await vi.advanceTimersByTimeAsync(10_000)
  expect(kit.getState().transactions[0]?.status).toBe('confirmed')
})

test('behavior: mined while the device slept, whose network comes back after the page', async () => {
  const { kit, node } = await connected()
  vi.useFakeTimers()
  kit.addTransaction({ hash: hash(1), description: 'Join' })
  await vi.advanceTimersByTimeAsync(10_000)
  vi.setSystemTime(Date.now() + 600_000)
  node.away = true
  await vi.advanceTimersByTimeAsync(10_000)
  expect(kit.getState().transactions[0]?.status).toBe('pending')
  Object.assign(node, { away: false, receipt: { status: '0x1' } })
  await vi.advanceTimersByTimeAsync(10_000)
  expect(kit.getState().transactions[0]?.status).toBe('confirmed')
})

test('behavior: no receipt within five minutes after it was added, also across a reload', async () => {
  const createdAt = Date.now() - 299_000
  const { kit } = await connected({ [list]: [{ hash: hash(1), description: 'x', status: 'pending', createdAt }] })
  expect(kit.getState().transactions[0]?.status).toBe('pending')
  await expect.poll(() => kit.getState().transactions[0]).toMatchObject({ status: 'failed', failureReason: 'timeout' })
})

test('a transaction that was mined while the page was closed for longer is confirmed', async () => {
  const setup = await connected()
  setup.node.receipt = { status: '0x1' }
  setup.storage.setItem(
    key,
    JSON.stringify({ [list]: [{ hash: hash(1), description: 'x', status: 'pending', createdAt: 0 }] }),
  )
  await setup.kit.connect({ walletId: 'a' })
  await expect.poll(() => setup.kit.getState().transactions[0]?.status).toBe('confirmed')
})

test('keeps at most ten settled transactions, and every pending one', async () => {
  const settled = Array.from({ length: 12 }, (_, i) => ({
    hash: hash(100 + i),
    description: 'x',
    status: 'confirmed',
    createdAt: 12 - i,
  }))
  const { kit, read } = await connected({ [list]: settled })
  kit.addTransaction({ hash: hash(1), description: 'Join' })
  kit.addTransaction({ hash: hash(1), description: 'Join' })
  expect(read().map((transaction: { hash: string }) => transaction.hash)).toEqual(
    [1, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109].map(hash),
  )
})

test('keeps those that settled last: the eleventh removes the oldest', async () => {
  const settled = Array.from({ length: 10 }, (_, i) => ({
    hash: hash(100 + i),
    description: 'x',
    status: 'confirmed',
    createdAt: 1_000 - i,
  }))
  const pending = { hash: hash(1), description: 'x', status: 'pending', createdAt: Date.now() - 1_000 }
  const { kit, node, read } = await connected({ [list]: [...settled, pending] })
  const onSettled = vi.fn()
  kit.onTransactionSettled(onSettled)
  node.receipt = { status: '0x1' }
  await expect.poll(() => onSettled.mock.calls.length).toBe(1)
  expect(read().map((transaction: { hash: string }) => transaction.hash)).toEqual(
    [100, 101, 102, 103, 104, 105, 106, 107, 108, 1].map(hash),
  )
})

describe('onTransactionSettled', () => {
  test('calls each listener with the account, until it is removed', async () => {
    const { kit, node } = await connected()
    const [one, two, stopped] = [vi.fn(), vi.fn(), vi.fn()]
    kit.onTransactionSettled(one)
    kit.onTransactionSettled(two)
    kit.onTransactionSettled(stopped)()
    node.receipt = { status: '0x1' }
    kit.addTransaction({ hash: hash(1), description: 'Join' })
    await expect.poll(() => two).toHaveBeenCalledOnce()
    expect(one.mock.calls).toEqual([
      [
        expect.objectContaining({ hash: hash(1), status: 'confirmed' }),
        { address: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', chainId: 56 },
      ],
    ])
    expect(stopped).not.toHaveBeenCalled()
  })

  test('does not report a cleared transaction, nor one that had settled before', async () => {
    const confirmed = { hash: hash(2), description: 'x', status: 'confirmed', createdAt: 1 }
    const { kit, node, storage } = await connected({ [list]: [confirmed] })
    const onSettled = vi.fn()
    kit.onTransactionSettled(onSettled)
    kit.addTransaction({ hash: hash(1), description: 'Join' })
    kit.clearTransactions()
    node.receipt = { status: '0x1' }
    kit.addTransaction({ hash: hash(3), description: 'Join' })
    await expect.poll(() => onSettled).toHaveBeenCalled()
    expect(onSettled.mock.calls.map(([transaction]) => transaction.hash)).toEqual([hash(3)])
    expect(storage.getItem(key)).not.toContain(hash(1))
  })

  test('reports also while another account is connected', async () => {
    const { kit, node, a } = await connected()
    const onSettled = vi.fn()
    kit.onTransactionSettled(onSettled)
    kit.addTransaction({ hash: hash(1), description: 'Join' })
    a.setAccounts(['0x00000000219ab540356cBB839Cbe05303d7705Fa'])
    node.receipt = { status: '0x1' }
    await expect.poll(() => onSettled.mock.calls.length).toBe(1)
    expect(kit.getState().transactions).toEqual([])
  })
})

test('behavior: a node that never answers', async () => {
  const { kit, node } = await connected()
  node.silent = true
  vi.useFakeTimers()
  kit.addTransaction({ hash: hash(1), description: 'Join' })
  await vi.advanceTimersByTimeAsync(290_000)
  expect(kit.getState().transactions[0]?.status).toBe('pending')
  await vi.advanceTimersByTimeAsync(70_000)
  expect(kit.getState().transactions[0]).toMatchObject({ status: 'failed', failureReason: 'timeout' })
})

test('behavior: on a chain that the app does not read: timeout', async () => {
  const { kit, a } = await connected()
  a.setChain(137)
  vi.useFakeTimers()
  kit.addTransaction({ hash: hash(1), description: 'Join' })
  await vi.advanceTimersByTimeAsync(301_000)
  expect(kit.getState().transactions[0]).toMatchObject({ status: 'failed', failureReason: 'timeout' })
})

test('behavior: another tab sees the execution by a Safe after days: five minutes from then', async () => {
  vi.useFakeTimers()
  const sent = { hash: hash(1), description: 'x', status: 'pending', createdAt: Date.now() - 3 * 86_400_000 }
  const { kit, storage } = await connected({ [list]: [{ ...sent, awaiting: 'owners' }] })
  await vi.advanceTimersByTimeAsync(20_000)
  storage.setItem(key, JSON.stringify({ [list]: [{ ...sent, executedAt: Date.now() }] }))
  await vi.advanceTimersByTimeAsync(280_000)
  expect(kit.getState().transactions[0]?.status).toBe('pending')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(kit.getState().transactions[0]).toMatchObject({ status: 'failed', failureReason: 'timeout' })
})

test('behavior: the clock was set back', async () => {
  vi.useFakeTimers({ now: 1_000_000 })
  const pending = { hash: hash(1), description: 'x', status: 'pending', createdAt: 9_000_000_000 }
  const { kit } = await connected({ [list]: [pending] })
  await vi.advanceTimersByTimeAsync(303_000)
  expect(kit.getState().transactions[0]).toMatchObject({ status: 'failed', failureReason: 'timeout' })
})

test.each([
  ['waits for the node', true],
  ['waits for its interval', false],
])('destroy leaves no timer while it %s', async (_, silent) => {
  const { kit, node } = await connected()
  node.silent = silent
  vi.useFakeTimers()
  kit.addTransaction({ hash: hash(1), description: 'Join' })
  await vi.advanceTimersByTimeAsync(500)
  expect(vi.getTimerCount()).toBeGreaterThan(0)
  kit.destroy()
  await Promise.resolve()
  expect(vi.getTimerCount()).toBe(0)
})

test('another account or chain has its own transactions', async () => {
  const { kit, a } = await connected()
  kit.addTransaction({ hash: hash(1), description: 'Join' })
  a.setChain(1)
  expect(kit.getState()).toMatchObject({ transactions: [], hasPendingTransactions: false })
  a.setChain(56)
  expect(kit.getState().transactions).toHaveLength(1)
  kit.clearTransactions()
  expect(kit.getState().transactions).toEqual([])
})

test.each([
  ['null'],
  ['[]'],
  [{ [list]: null }],
  [{ [list]: [null, 1, { hash: 'x' }, { hash: hash(1), status: 'odd' }] }],
])('behavior: storage holds %j', async (stored) => {
  const { kit } = await connected(stored)
  expect(kit.getState().transactions).toEqual([])
  kit.addTransaction({ hash: hash(1), description: 'Join' })
  expect(kit.getState().transactions).toHaveLength(1)
})

const hashes = fc.constantFrom(hash(1), hash(2), hash(3).toUpperCase().replace('X', 'x'), '0x12', null)
const nearly = fc.record(
  {
    hash: hashes,
    originalHash: fc.oneof(hashes, fc.anything()),
    description: fc.oneof(fc.string(), fc.anything()),
    confirmations: fc.oneof(fc.integer(), fc.anything()),
    status: fc.oneof(fc.constantFrom('pending', 'confirmed', 'failed'), fc.anything()),
    awaiting: fc.oneof(fc.constantFrom('owners', 'execution', 'constructor'), fc.anything()),
    executedAt: fc.oneof(fc.nat(), fc.anything()),
    failureReason: fc.oneof(fc.constantFrom('reverted', 'constructor', '__proto__'), fc.anything()),
    sent: fc.oneof(fc.record({ nonce: fc.anything(), call: hashes }), fc.anything()),
    createdAt: fc.oneof(fc.nat(), fc.maxSafeNat(), fc.double(), fc.anything()),
    settledAt: fc.oneof(fc.nat(), fc.maxSafeNat(), fc.anything()),
  },
  { requiredKeys: [] },
)
const stored = fc.oneof(
  fc.anything(),
  fc.record({ [list]: fc.oneof(fc.array(nearly, { maxLength: 40 }), fc.anything()) }),
)

test('property: any stored value gives a valid list', async () => {
  await fc.assert(
    fc.asyncProperty(stored, async (content) => {
      const { kit } = await connected(
        JSON.parse(JSON.stringify(content, (_, it) => (typeof it === 'bigint' ? 1 : it)) ?? '0'),
      )
      kit.addTransaction({ hash: hash(9), description: 'Join' })
      const { transactions, hasPendingTransactions } = kit.getState()
      const ids = transactions.map(({ hash, originalHash = hash, callsId = originalHash }) =>
        `${callsId}`.toLowerCase(),
      )
      expect(new Set(ids).size).toBe(ids.length)
      expect(ids).toContain(hash(9))
      expect(transactions.filter(({ status }) => status !== 'pending').length).toBeLessThanOrEqual(10)
      expect(hasPendingTransactions).toBe(true)
      for (const transaction of transactions) {
        const {
          hash,
          callsId,
          status,
          awaiting,
          failureReason,
          confirmations = 1,
          createdAt,
          settledAt = 0,
        } = transaction
        expect(status === 'pending' ? [undefined, 'owners', 'execution', 'wallet'] : [undefined]).toContain(awaiting)
        expect(hash ?? callsId).toMatch(hash ? /^0x[0-9a-fA-F]{64}$/ : /\S/)
        expect(['pending', 'confirmed', 'failed']).toContain(status)
        expect([undefined, 'reverted', 'timeout', 'cancelled', 'dropped']).toContain(failureReason)
        expect(Number.isSafeInteger(confirmations) && confirmations >= 1).toBe(true)
        for (const time of [createdAt, settledAt]) expect(() => new Date(time).toISOString()).not.toThrow()
      }
      kit.destroy()
    }),
  )
})
