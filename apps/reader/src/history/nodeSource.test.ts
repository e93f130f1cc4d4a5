import { type Hex, numberToHex } from 'viem'
import { afterEach, describe, expect, test } from 'vitest'
import { blockAt, hashAt, logAt } from '../../test/blocks.ts'
import { type NodeProxy, startProxy } from '../../test/proxy.ts'
import { createRetry } from '../backfill.ts'
import { createNodes } from '../nodes/createNodes.ts'
import { bloomOf, countBlocks } from '../nodes/rpc.ts'
import type { HistoryPart } from './HistorySource.ts'
import { createNodeSource } from './nodeSource.ts'

const started: NodeProxy[] = []
afterEach(async () => {
  for (const node of started.splice(0)) await node.stop()
})

const { address, topics } = logAt(0)
const filter = [{ address, topic: topics[0] as Hex, fromBlock: 0 }]
const head = 100_000

type Script = {
  /** Blocks that have a log. */
  events?: readonly number[]
  /** Largest range that the node serves logs of. */
  range?: number
  error?: string
  /** Largest batch; 0 if the node does not support batches. */
  batch?: number
  /** Parts of a larger batch for which the node returns an error. @default 'the batch' */
  refuses?: 'the batch' | 'the first request' | 'each request' | 'the rest'
  hashOf?: (number: number) => string
  chainId?: string
  /** Whether the node offers go-ethereum's methods for headers. */
  headers?: 'offered' | 'not offered'
}

async function startNode(script: Script = {}): Promise<NodeProxy> {
  const { events = [], range = Number.POSITIVE_INFINITY, error = 'no', batch = 100 } = script
  const refused = { error: { code: -32600, message: 'batch too large' } }
  const node: NodeProxy = await startProxy('', ({ method, params: [first], id }, response) => {
    const parameter: unknown = first
    if ((node.posts.at(-1) ?? 1) > Math.max(batch, 1)) {
      const { refuses = 'the batch' } = script
      if (refuses === 'each request' || (refuses === 'the rest' && Number(id) >= batch)) return refused
      if (refuses !== 'the rest') {
        response.writeHead(400).end(JSON.stringify(refuses === 'the batch' ? refused : [{ ...refused, id }]))
        return 'taken'
      }
    }
    if (method === 'eth_chainId') return { result: script.chainId ?? '0x38' }
    if (method === 'eth_blockNumber') return { result: numberToHex(head) }
    if (method === 'eth_getHeaderByNumber' && script.headers !== 'offered')
      return { error: { code: -32601, message: 'the method eth_getHeaderByNumber does not exist/is not available' } }
    if (method === 'eth_getBlockByNumber' || method === 'eth_getHeaderByNumber') {
      const number = Number(parameter)
      const logsBloom = bloomOf(events.includes(number) ? [logAt(number)] : [])
      return { result: blockAt(number, { hash: (script.hashOf ?? hashAt)(number), logsBloom }) }
    }
    const { fromBlock, toBlock } = parameter as { fromBlock: string; toBlock: string }
    if (Number(toBlock) - Number(fromBlock) >= range) return { error: { code: -32000, message: error } }
    return { result: events.filter((at) => at >= Number(fromBlock) && at <= Number(toBlock)).map((at) => logAt(at)) }
  })
  started.push(node)
  return node
}

/** Reads blocks 1 to `to` and returns the saved parts. */
async function readAll(proxies: NodeProxy[], to: number, state: 'inspected' | 'unknown' = 'unknown') {
  const nodes = createNodes({ urls: proxies.map(({ url }) => url), patience: 2_000 })
  if (state === 'inspected') await nodes.inspect({ block: 1, address })
  for (const proxy of proxies) for (const list of [proxy.requests, proxy.posts]) list.splice(0)
  const parts: HistoryPart[] = []
  const logged: string[] = []
  const retry = createRetry({ log: (message) => logged.push(message), retryAfter: 1 })
  const source = createNodeSource(nodes, retry)
  for (let fromBlock = 1; fromBlock <= to; fromBlock = (parts.at(-1) as HistoryPart).range.toBlock + 1)
    parts.push(await retry(() => source.read({ fromBlock, toBlock: to }, filter)))
  return { parts, logged, logs: parts.flatMap(({ logs }) => logs), blocks: parts.flatMap(({ blocks }) => blocks) }
}

const count = (node: NodeProxy, method: string) => node.requests.filter((one) => one.method === method).length

describe('logs', () => {
  const events = [1, 2, 4_999, 5_000, 5_001, 30_000, 49_999, 50_000]

  test.each([
    ['no cap', {}, 16],
    ['5,000 blocks a range, and names it', { range: 5_000, error: 'exceed maximum block range: 5000' }, 20],
    ['5,000 blocks a range, and does not name it', { range: 5_000 }, 24],
    ['1,700 blocks a range, and names a wrong number', { range: 1_700, error: 'limited to 10 results' }, 60],
  ] as const)('behavior: finds all logs on a node with %s', async (_, script, most) => {
    const node = await startNode({ ...script, events })
    const { parts, logs, blocks } = await readAll([node], 50_000)
    expect(logs.map(({ blockNumber }) => Number(blockNumber)).toSorted((left, right) => left - right)).toEqual(events)
    expect(blocks).toHaveLength(events.length)
    // The parts have no gap.
    expect(parts.reduce((sum, { range }) => sum + countBlocks(range), 0)).toBe(50_000)
    // Each empty range is requested twice, because there is one node, and each other one again in two parts.
    expect(count(node, 'eth_getLogs')).toBeLessThanOrEqual(3 * most)
  })

  const first = (all: object[]) => all.slice(0, 3)
  const last = (all: object[]) => all.slice(-3)
  const ends = (all: object[]) => (all.length > 3 ? [all[0], ...all.slice(-2)] : all)
  const some = (all: object[]) => all.filter((_, index) => index % 3 !== 1)
  test.each<[string, ((all: object[]) => unknown)[]]>([
    ['the only node cuts lists after three', [first]],
    ['the only node cuts lists before the last three', [last]],
    ['the only node leaves the middle of lists out', [ends]],
    ['the first of two nodes cuts lists', [first, (all) => all]],
    ['the second of two nodes cuts lists', [(all) => all, last]],
    ['both nodes cut lists', [first, first]],
    ['two nodes cut lists differently', [first, last]],
    ['the first of two nodes leaves some out', [some, (all) => all]],
  ])('behavior: all logs are found while %s', async (_, changes) => {
    const many = Array.from({ length: 200 }, (_, index) => 100 + 37 * index)
    const nodes = await Promise.all(changes.map(() => startNode({ events: many })))
    for (const [index, node] of nodes.entries()) {
      const behave = node.behaviour()
      node.behave((rpc, response) => {
        const answer = behave(rpc, response)
        return rpc.method === 'eth_getLogs'
          ? { result: changes[index]?.((answer as { result: object[] }).result) }
          : answer
      })
    }
    const { logs } = await readAll(nodes, 10_000, 'inspected')
    expect(logs.map(({ blockNumber }) => Number(blockNumber)).toSorted((left, right) => left - right)).toEqual(many)
  })

  test('behavior: an empty range is asked once of each of two nodes, and the chain once for many answers', async () => {
    const nodes = [await startNode(), await startNode()]
    await readAll(nodes, 100_000, 'inspected')
    for (const node of nodes) {
      const ranges = node.requests.flatMap(({ method, params: [range] }) =>
        method === 'eth_getLogs' ? [JSON.stringify(range)] : [],
      )
      expect(ranges.length).toBeGreaterThan(5)
      expect(new Set(ranges).size).toBe(ranges.length)
      expect(count(node, 'eth_chainId')).toBeLessThan(ranges.length / 2)
    }
  })

  test.each([
    ['logs', 'eth_getLogs', (it: object[]) => it.map((log) => ({ ...log, data: { length: 2 } }))],
    ['headers', 'eth_getBlockByNumber', (it: object) => ({ ...it, timestamp: 'yesterday' })],
  ])('behavior: malformed %s of a node are not saved, and the next node is asked', async (_, method, damage) => {
    const nodes = [await startNode({ events }), await startNode({ events })]
    const behave = nodes[0]?.behaviour()
    nodes[0]?.behave((rpc, response) => {
      const answer = behave?.(rpc, response)
      return rpc.method === method ? { result: damage((answer as { result: never }).result) } : answer
    })
    const { logs, blocks } = await readAll(nodes, 50_000)
    expect(logs).toHaveLength(events.length)
    expect(logs.every(({ data }) => typeof data === 'string')).toBe(true)
    expect(blocks.map(({ number }) => Number(number)).toSorted((left, right) => left - right)).toEqual(events)
    expect(blocks.every(({ timestamp }) => Number(timestamp) > 0)).toBe(true)
  })

  test.each([
    ['refuses every second of the', { code: -32000, message: 'computer says no' }, 2],
    ['lacks the data for two of three', { code: -32000, message: 'header not found' }, 3],
  ] as const)('behavior: all logs are found while the only node %s requests for logs', async (_, error, every) => {
    const node = await startNode({ events })
    const behave = node.behaviour()
    node.behave((rpc, response) =>
      rpc.method === 'eth_getLogs' && count(node, 'eth_getLogs') % every > 0 ? { error } : behave(rpc, response),
    )
    const { parts, logs } = await readAll([node], 50_000)
    expect(logs.map(({ blockNumber }) => Number(blockNumber)).toSorted((left, right) => left - right)).toEqual(events)
    expect(parts.reduce((sum, { range }) => sum + countBlocks(range), 0)).toBe(50_000)
  })

  test('behavior: a range on which the only node times out is asked for once, and soon a much smaller one', async () => {
    const node = await startNode({ events: [1, 900, 1_999] })
    const behave = node.behaviour()
    const wide: number[] = []
    node.behave((rpc, response) => {
      const { fromBlock, toBlock } = (rpc.params[0] ?? {}) as { fromBlock?: string; toBlock?: string }
      const blocks = Number(toBlock) - Number(fromBlock) + 1
      if (rpc.method !== 'eth_getLogs' || blocks <= 300) return behave(rpc, response)
      wide.push(blocks)
      return 'taken'
    })
    const { logs } = await readAll([node], 2_000)
    expect(logs).toHaveLength(3)
    expect(wide).toEqual([2_000])
  })

  test('behavior: no answer is saved after a node changed to another chain', async () => {
    const script: Script = { events: [7], chainId: '0x38' }
    const first = await startNode(script)
    const second = await startNode({ events: [9] })
    const behave = first.behaviour()
    first.behave((rpc, response) => {
      const answer = behave(rpc, response)
      if (rpc.method === 'eth_getLogs') script.chainId = '0x61'
      return answer
    })
    const { logs, logged } = await readAll([first, second], 1_000)
    expect(logs).toMatchObject([{ blockHash: hashAt(9) }])
    expect(logged).toMatchObject([expect.stringContaining('is a node of chain 97')])
  })
})

test.each([null, '56', 56])(
  'behavior: a node that returns %j as its chain id does not hold back another one',
  async (chainId) => {
    const first = await startNode({ events: [9] })
    const behave = first.behaviour()
    first.behave((rpc, response) => (rpc.method === 'eth_chainId' ? { result: chainId } : behave(rpc, response)))
    const { logs, logged } = await readAll([first, await startNode({ events: [7] })], 1_000)
    expect(logs).toMatchObject([{ blockHash: hashAt(7) }])
    expect(logged).toEqual([])
  },
)

test('behavior: a chain id that is refused as one request too many is asked for again, and no blocks are', async () => {
  const node = await startNode({ events: [7] })
  const behave = node.behaviour()
  node.behave((rpc, response) =>
    rpc.method === 'eth_chainId' && count(node, 'eth_chainId') % 2 === 0
      ? { error: { code: 429, message: 'too many requests' } }
      : behave(rpc, response),
  )
  const { logs, logged } = await readAll([node], 1_000)
  expect([logs, logged]).toMatchObject([[{ blockHash: hashAt(7) }], []])
  expect(logged).toEqual([])
})

describe('headers', () => {
  const events = Array.from({ length: 1_000 }, (_, index) => 3 * index + 1)

  test.each([
    [100, 'the batch', 30],
    [10, 'the batch', 170],
    [10, 'the first request', 170],
    [10, 'each request', 170],
    [10, 'the rest', 170],
    [1, 'the batch', 1_100],
    [0, 'the batch', 1_100],
  ] as const)(
    'behavior: batches of %i, or an error for %s, take at most %i requests for 1,000 blocks',
    async (batch, refuses, most) => {
      const node = await startNode({ events, batch, refuses })
      const { blocks } = await readAll([node], 3_000)
      expect(new Set(blocks.map(({ number }) => Number(number)))).toEqual(new Set(events))
      expect(node.posts.length).toBeLessThanOrEqual(most)
    },
  )

  test('behavior: a block that a node refuses in a batch is taken from the next one, and the batches stay large', async () => {
    const [first, second] = [await startNode({ events }), await startNode({ events })]
    const behave = first.behaviour()
    first.behave((rpc, response) =>
      rpc.method === 'eth_getBlockByNumber' && Number(rpc.params[0]) === 301
        ? { error: { code: -32000, message: 'the block is bad' } }
        : behave(rpc, response),
    )
    const { blocks } = await readAll([first, second], 3_000)
    expect(new Set(blocks.map(({ number }) => Number(number)))).toEqual(new Set(events))
    expect(first.posts.length).toBeLessThanOrEqual(31)
    expect(second.requests.filter(({ method }) => method === 'eth_getBlockByNumber')).toHaveLength(1)
  })

  test('behavior: a node that refuses the number of requests in a batch gets smaller ones, and does not rest', async () => {
    const node = await startNode({ events: events.slice(0, 10) })
    const behave = node.behaviour()
    node.behave((rpc, response) => {
      if (node.posts.at(-1) === 1) return behave(rpc, response)
      const error = { code: -32005, message: 'Number of requests in batch exceeds max batch size' }
      response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error }))
      return 'taken'
    })
    expect((await readAll([node], 100)).blocks).toHaveLength(10)
    expect(node.posts.filter((size) => size > 1)).toEqual([10, 5, 2])
  })

  test('behavior: a node that offers headers is asked for them, and for blocks once it does not any more', async () => {
    const script: Script = { events, headers: 'offered' }
    const node = await startNode(script)
    const behave = node.behaviour()
    expect((await readAll([node], 3_000, 'inspected')).blocks).toHaveLength(1_000)
    expect([count(node, 'eth_getHeaderByNumber'), count(node, 'eth_getBlockByNumber')]).toEqual([1_000, 0])
    node.behave((rpc, response) => {
      // Another node answers at the URL after the inspection.
      if (rpc.method === 'eth_getLogs' && JSON.stringify(rpc.params).includes('topics')) script.headers = 'not offered'
      return behave(rpc, response)
    })
    expect((await readAll([node], 3_000, 'inspected')).blocks).toHaveLength(1_000)
    expect(count(node, 'eth_getBlockByNumber')).toBe(1_000)
  })

  test('behavior: waits for a node that refuses many requests', async () => {
    const node = await startNode({ events })
    const behave = node.behaviour()
    const seen = new Set<object>()
    node.behave((rpc, response) => {
      const isNew = !seen.has(response)
      seen.add(response)
      // Fail every third HTTP request.
      if (!isNew || seen.size % 3 > 0) return behave(rpc, response)
      response.writeHead(429).end()
      return 'taken'
    })
    expect((await readAll([node], 3_000)).blocks).toHaveLength(1_000)
  })

  test('behavior: logs of another block than the nodes have are not saved, until they agree', async () => {
    const script: Script = { events: [7], hashOf: () => hashAt(7, 'fork') }
    const node = await startNode(script)
    const behave = node.behaviour()
    node.behave((rpc, response) => {
      const answer = behave(rpc, response)
      if (rpc.method === 'eth_getBlockByNumber') delete script.hashOf
      return answer
    })
    const { logs, blocks, logged } = await readAll([node], 1_000)
    expect([logs, blocks]).toMatchObject([[{ blockHash: hashAt(7) }], [{ hash: hashAt(7) }]])
    expect(logged).toMatchObject([expect.stringContaining('logs of another block 7')])
  })
})
