import { type Address, type Hex, numberToHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Chain, startChain } from '../../test/chain.ts'
import { addressOf } from '../../test/community.ts'
import type { HistoryLog } from '../history/HistorySource.ts'
import { createHashChecks, hashHeader, proveLogs } from './proofs.ts'
import { toHeader } from './rpc.ts'

type Block = Record<string, Hex> & { transactions: Hex[] }
type Receipt = { status: Hex; cumulativeGasUsed: Hex; logs: HistoryLog[] }

let chain: Chain
let block: Block
let receipts: Receipt[]
let logs: HistoryLog[]
const ask = <result>(method: string, ...params: unknown[]) =>
  chain.client.request({ method, params } as never) as Promise<result>

beforeAll(async () => {
  chain = await startChain()
  const [sender] = (await chain.client.getAddresses()) as [Address]
  await chain.client.setAutomine(false)
  // More transactions than fit the first levels of the tree.
  for (let at = 0; at < 140; at++)
    await ask('eth_sendTransaction', {
      ...{ from: sender, to: addressOf(at), nonce: numberToHex(at), gas: '0x7530' },
      gasPrice: '0x77359400',
    })
  await chain.client.mine({ blocks: 1 })
  await chain.client.setAutomine(true)
  await chain.bind([addressOf(1), addressOf(0)], [addressOf(2), addressOf(1)])
  block = await ask<Block>('eth_getBlockByNumber', 'latest', false)
  receipts = await ask<Receipt[]>('eth_getBlockReceipts', 'latest')
  logs = await ask<HistoryLog[]>('eth_getLogs', { blockHash: block.hash })
})
afterAll(() => chain?.stop())

test('behavior: the hash of a header is that of its fields', async () => {
  for (const number of ['0x0', '0x1', 'latest'])
    expect(hashHeader(await ask<Block>('eth_getBlockByNumber', number, false))).toMatch(
      (await ask<Block>('eth_getBlockByNumber', number, false)).hash as string,
    )
})

test.each<[string, object]>([
  ['time', { timestamp: '0x77777777' }],
  ['bloom filter', { logsBloom: `0x${'ff'.repeat(256)}` }],
  ['parent', { parentHash: `0x${'01'.repeat(32)}` }],
  ['number', { number: '0x77' }],
  ['limit of gas, which has no digits,', { gasLimit: '0x' }],
  ['hash', { hash: `0x${'01'.repeat(32)}` }],
])('error: a header with another %s than its hash is false', (_, changes) => {
  const checks = createHashChecks()
  expect(checks.check({ ...block, ...changes })).toBe('unknown')
  expect(checks.check(block)).toBe('right')
  expect(checks.check({ ...block, ...changes })).toBe('false')
})

test.each<[string, object]>([
  ['an unknown field', { newRoot: `0x${'01'.repeat(32)}` }],
  ['a field less', { requestsHash: undefined }],
  ['a missing field', { nonce: undefined }],
])('behavior: a header with %s cannot be checked', (_, changes) => {
  const checks = createHashChecks()
  expect(checks.check(block)).toBe('right')
  expect(checks.check({ ...block, ...changes, hash: `0x${'01'.repeat(32)}` })).toBe('unknown')
})

test('behavior: receipts prove the logs of a block', async () => {
  expect(proveLogs(toHeader(block), receipts)).toMatchObject(
    logs.map(({ topics, data, logIndex }) => ({ topics, data, logIndex })),
  )
  expect(logs).toHaveLength(2)
  const many = await ask<Block>('eth_getBlockByNumber', '0x1', false)
  expect(many.transactions).toHaveLength(140)
  expect(proveLogs(toHeader(many), await ask('eth_getBlockReceipts', '0x1'))).toEqual([])
  await chain.client.mine({ blocks: 1 })
  expect(proveLogs(toHeader(await ask('eth_getBlockByNumber', 'latest', false)), [])).toEqual([])
})

test.each<[string, (receipt: Receipt) => unknown]>([
  ['without a log', (receipt) => [{ ...receipt, logs: receipt.logs.slice(1) }]],
  [
    'with other topics',
    (receipt) => [{ ...receipt, logs: receipt.logs.map((log) => ({ ...log, topics: log.topics.toReversed() })) }],
  ],
  ['with other data', (receipt) => [{ ...receipt, logs: receipt.logs.map((log) => ({ ...log, data: '0x01' })) }]],
  [
    'with capital letters in a topic',
    (receipt) => [
      {
        ...receipt,
        logs: receipt.logs.map((log) => ({
          ...log,
          topics: log.topics.map((one) => `0x${one.slice(2).toUpperCase()}`),
        })),
      },
    ],
  ],
  [
    'without the hash of a transaction',
    (receipt) => [{ ...receipt, logs: receipt.logs.map((log) => ({ ...log, transactionHash: null })) }],
  ],
  ['in another order', (receipt) => [{ ...receipt, logs: receipt.logs.toReversed() }]],
  ['missing', () => []],
  ['that are no list', () => null],
  ['that are malformed', () => [{ logs: 'none' }]],
])('error: receipts %s prove nothing', (_, change) => {
  expect(proveLogs(toHeader(block), change(receipts[0] as Receipt))).toBeUndefined()
})
