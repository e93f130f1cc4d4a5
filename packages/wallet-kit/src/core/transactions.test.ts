import { custom } from 'viem'
import { bsc } from 'viem/chains'
import { describe, expect, test, vi } from 'vitest'
import { memoryStorage } from '../testing/memoryStorage.ts'
import { setupKit } from '../testing/setupKit.ts'

const hash = (n: number) => `0x${n.toString(16).padStart(64, '0')}` as const
const key = 'walletKit.v1.transactions'
const list = '56:0xd8da6bf26964af9d7eed9e03e53415d37aa96045'

type Node = { receipt?: { status: '0x1' | '0x0' }; block: number; away: boolean }

async function connected(stored: unknown = {}) {
  const node: Node = { block: 1, away: false }
  const request = async ({ method }: { method: string }) => {
    if (node.away) throw new Error('away')
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

describe('what may be added', () => {
  test.each([
    ['Invalid transaction hash', { hash: '0x12', description: 'x' }],
    ['Invalid transaction hash', { hash: `0x${'g'.repeat(64)}`, description: 'x' }],
    ['Transaction must have a description', { hash: hash(1), description: '' }],
    ['Transaction must have a description', { hash: hash(1), description: ' ' }],
    ['Transaction must have a description', { hash: hash(1) }],
    [
      'Transaction confirmations must be an integer of at least 1',
      { hash: hash(1), description: 'x', confirmations: 0 },
    ],
    [
      'Transaction confirmations must be an integer of at least 1',
      { hash: hash(1), description: 'x', confirmations: 1.5 },
    ],
  ])('%s', async (message, parameters) => {
    const { kit } = await connected()
    expect(() => kit.addTransaction(parameters as never)).toThrow(message)
    expect(kit.getState().transactions).toEqual([])
  })

  test('nothing while disconnected', () => {
    const { kit } = setupKit()
    expect(() => kit.addTransaction({ hash: hash(1), description: 'x' })).toThrow('Connect a wallet first.')
  })
})

test('pending, then confirmed', async () => {
  const { kit, node, read } = await connected()
  kit.addTransaction({ hash: hash(1), description: 'Join' })
  expect(kit.getState()).toMatchObject({ hasPendingTransactions: true, transactions: [{ status: 'pending' }] })
  node.receipt = { status: '0x1' }
  await vi.waitFor(() => expect(kit.getState().transactions[0]?.status).toBe('confirmed'), { timeout: 3_000 })
  expect(kit.getState().hasPendingTransactions).toBe(false)
  expect(read()).toMatchObject([{ hash: hash(1), status: 'confirmed' }])
})

test('behavior: reverted', async () => {
  const { kit, node } = await connected()
  node.receipt = { status: '0x0' }
  kit.addTransaction({ hash: hash(1), description: 'Join' })
  await vi.waitFor(() =>
    expect(kit.getState().transactions[0]).toMatchObject({ status: 'failed', failureReason: 'reverted' }),
  )
})

test('waits for as many confirmations as were asked for, also while the node is away', async () => {
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
  vi.useRealTimers()
})

test('behavior: no receipt within five minutes of its sending, also across a reload', async () => {
  const createdAt = Date.now() - 299_000
  const { kit } = await connected({ [list]: [{ hash: hash(1), description: 'x', status: 'pending', createdAt }] })
  expect(kit.getState().transactions[0]?.status).toBe('pending')
  await vi.waitFor(
    () => expect(kit.getState().transactions[0]).toMatchObject({ status: 'failed', failureReason: 'timeout' }),
    { timeout: 8_000 },
  )
}, 10_000)

test('a transaction that was mined while the page was closed for longer is confirmed', async () => {
  const setup = await connected()
  setup.node.receipt = { status: '0x1' }
  setup.storage.setItem(
    key,
    JSON.stringify({ [list]: [{ hash: hash(1), description: 'x', status: 'pending', createdAt: 0 }] }),
  )
  await setup.kit.connect({ walletId: 'a' })
  await vi.waitFor(() => expect(setup.kit.getState().transactions[0]?.status).toBe('confirmed'))
})

test('at most ten settled are kept, and every pending one', async () => {
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

test('another account or chain has its own', async () => {
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
