import { numberToHex } from 'viem'
import { afterEach, expect, test } from 'vitest'
import { blockAt, hashAt, logAt } from '../test/blocks.ts'
import { type NodeProxy, startProxy } from '../test/proxy.ts'
import { createNodes } from './createNodes.ts'
import { createPonderView } from './createPonderView.ts'

let node: NodeProxy
afterEach(() => node.stop())

const blockTime = 450
const blocksADay = 86_400_000 / blockTime
const startHead = 1_000

/**
 * Returns whether the bloom filter of a block matches an absent event: with about a hundred transactions, one time in
 * twelve.
 */
const matches = (number: number) => number % 12 === 0

async function startNode() {
  let head = startHead
  const headerAt = (number: number) => blockAt(number, { logsBloom: `0x${(matches(number) ? 'f' : '0').repeat(512)}` })
  node = await startProxy('', ({ method, params: [first] }) => {
    const parameter: unknown = first
    if (method === 'eth_chainId') return { result: '0x38' }
    if (method === 'eth_blockNumber') return { result: numberToHex(head) }
    if (method === 'eth_getBlockByNumber')
      return { result: headerAt(parameter === 'latest' ? head : Number(parameter)) }
    const { blockHash } = parameter as { blockHash: string }
    return { result: [logAt(1, 0, { blockHash })] }
  })
  return {
    moveTo(number: number) {
      head = number
    },
  }
}

/**
 * Sends the requests of an indexer that follows the chain for some blocks: Ponder requests the newest block, the
 * blocks in between and logs; the API requests the newest number every second, and three blocks every ten seconds.
 */
async function follow(blocks: number, interval: number) {
  const { moveTo } = await startNode()
  const nodes = createNodes({ urls: [node.url] })
  const { request } = createPonderView(nodes.request, [{ address: '0x01', topic: '0x02' }])
  const getBlock = (block: number | 'latest', whole = true) =>
    request({ method: 'eth_getBlockByNumber', params: [block === 'latest' ? block : numberToHex(block), whole] })
  const receive = async (number: number, block: unknown) => {
    expect(block).toMatchObject({ hash: hashAt(number) })
    if (matches(number)) await request({ method: 'eth_getLogs', params: [{ blockHash: hashAt(number) }] })
  }
  await getBlock('latest')
  for (const list of [node.requests, node.posts]) list.splice(0)
  let known = startHead
  for (let time = interval, second = 0; time <= blocks * blockTime; time += interval) {
    const head = startHead + Math.floor(time / blockTime)
    moveTo(head)
    const newest = await getBlock('latest')
    for (; known + 1 < head; known++) await receive(known + 1, await getBlock(known + 1))
    if (known < head) await receive(++known, newest)
    for (; second * 1_000 < time; second++) {
      await request({ method: 'eth_blockNumber', params: [] })
      if (second % 10 === 0) for (const block of [1, head - 60, head - 30]) await getBlock(block, false)
    }
  }
  const perDay = (count: number) => Math.round((count / blocks) * blocksADay)
  return {
    calls: perDay(node.requests.length),
    requests: perDay(node.posts.length),
    chainIds: node.requests.filter(({ method }) => method === 'eth_chainId').length,
  }
}

test('behavior: at most 250,000 requests a day at the default interval, without asking for the chain again', async () => {
  const { calls, requests, chainIds } = await follow(2_000, 600)
  expect(calls).toBeLessThan(250_000)
  expect(requests).toBeLessThanOrEqual(calls)
  expect(chainIds).toBeLessThan(10)
})

test.each([
  [2_000, 160_000],
  [5_000, 90_000],
])('behavior: an interval of %i ms takes at most %i HTTP requests a day', async (interval, most) => {
  expect((await follow(2_000, interval)).requests).toBeLessThan(most)
})
