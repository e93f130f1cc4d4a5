import { type Hex, hexToBytes, keccak256, numberToHex, zeroHash } from 'viem'
import { expect, test } from 'vitest'
import { hashAt, blockAt as headerAt, logAt } from '../test/blocks.ts'
import { createPonderView } from './createPonderView.ts'
import type { RpcRequest } from './rpc/rpcRequest.ts'

const address: Hex = `0x${'c0'.repeat(20)}`
const topic = keccak256('0x01')
const noBloom: Hex = `0x${'0'.repeat(512)}`

/** Returns the bloom filter of values, as defined in the yellow paper. */
function bloomOf(...values: Hex[]): Hex {
  const bits = new Uint8Array(256)
  for (const hash of values.map((value) => hexToBytes(keccak256(value))))
    for (const index of [0, 2, 4]) {
      const bit = (((hash[index] ?? 0) << 8) + (hash[index + 1] ?? 0)) % 2_048
      const at = 255 - Math.floor(bit / 8)
      bits[at] = (bits[at] ?? 0) | (1 << (bit % 8))
    }
  return `0x${Buffer.from(bits).toString('hex')}`
}

const blockAt = (number: number | 'latest'): RpcRequest => ({
  method: 'eth_getBlockByNumber',
  params: [number === 'latest' ? number : numberToHex(number), true],
})
const byHash = (number: number): RpcRequest => ({ method: 'eth_getLogs', params: [{ blockHash: hashAt(number) }] })

/** Creates nodes with a head; `logs` are the logs of every block requested by its hash. */
function openView({ bloom, logs, head = 7 }: { bloom: Hex; logs: object[]; head?: number }) {
  const asked: string[] = []
  const view = createPonderView(
    async ({ method, params: [first] }) => {
      asked.push(method)
      if (method === 'eth_getLogs') return logs
      if (method === 'eth_blockNumber') return '0x63'
      const number = first === 'latest' ? head : Number(first)
      return headerAt(number, { logsBloom: bloom, transactions: ['0xaa', '0xbb'], gasUsed: {} })
    },
    [{ address, topic }],
  )
  return { asked, request: view.request }
}

test('behavior: a block of a range is answered with the transactions of its logs, without another request', async () => {
  const logs = [logAt(5, 3), logAt(5, 9), { ...logAt(5, 9), logIndex: '0xa' }, logAt(6, 1)]
  const { asked, request } = openView({ bloom: bloomOf(address, topic), logs })
  await request({ method: 'eth_getLogs', params: [{ fromBlock: '0x1', toBlock: '0x9' }] })
  expect(await request(blockAt(5))).toMatchObject({
    hash: hashAt(5),
    transactions: [
      { hash: logs[0]?.transactionHash, transactionIndex: '0x3', blockHash: hashAt(5), blockNumber: '0x5' },
      { hash: logs[1]?.transactionHash, transactionIndex: '0x9' },
    ],
  })
  expect(asked).toEqual(['eth_getLogs', 'eth_getBlockByNumber'])
})

test('behavior: a new block whose bloom filter has the event is asked for its logs once', async () => {
  const { asked, request } = openView({ bloom: bloomOf(address, topic), logs: [logAt(7, 2)] })
  for (let times = 0; times < 3; times++)
    expect(await request(blockAt('latest'))).toMatchObject({ transactions: [{ transactionIndex: '0x2' }] })
  expect(await request(byHash(7))).toEqual([logAt(7, 2)])
  expect(asked.filter((method) => method === 'eth_getLogs')).toHaveLength(1)
})

test.each([
  ['is empty', noBloom],
  ['has the contract without the event', bloomOf(address)],
  ['has the event of another contract', bloomOf(topic)],
])('behavior: a new block whose bloom filter %s is not asked for logs', async (_, bloom) => {
  const { asked, request } = openView({ bloom, logs: [logAt(7, 2)] })
  expect(await request(blockAt('latest'))).toMatchObject({ transactions: [], logsBloom: bloom })
  expect(asked).toEqual(['eth_getBlockByNumber'])
})

test('behavior: an empty list of logs, which the bloom filter contradicts, is asked for again', async () => {
  const { asked, request } = openView({ bloom: bloomOf(address, topic), logs: [] })
  await request(blockAt('latest'))
  expect(await request(byHash(7))).toEqual([])
  expect(asked.filter((method) => method === 'eth_getLogs')).toHaveLength(2)
})

test('behavior: fields of a block that nothing reads are left out', async () => {
  const { request } = openView({ bloom: noBloom, logs: [] })
  expect(await request(blockAt('latest'))).toEqual(headerAt(7, { receiptsRoot: zeroHash, transactions: [] }))
})

test('behavior: the newest number is known while the newest block is polled', async () => {
  const { asked, request } = openView({ bloom: noBloom, logs: [] })
  expect(await request({ method: 'eth_blockNumber', params: [] })).toBe('0x63')
  await request(blockAt('latest'))
  expect(await request({ method: 'eth_blockNumber', params: [] })).toBe('0x7')
  expect(asked).toEqual(['eth_blockNumber', 'eth_getBlockByNumber'])
})
