import { parseConfig } from '@lineage/communities'
import { numberToHex } from 'viem'
import { afterEach, expect, test } from 'vitest'
import { blockAt, hashAt } from '../../test/blocks.ts'
import { amountsContract as contract } from '../../test/chain.ts'
import { testCommunity } from '../../test/community.ts'
import { type NodeProxy, startProxy } from '../../test/proxy.ts'
import { createDecoder } from '../decode.ts'
import { advanceGroup, type Group } from '../follow.ts'
import { createNodeSource } from '../history/nodeSource.ts'
import { recheckGroup } from '../recheck.ts'
import { createNodes } from './createNodes.ts'
import { bloomOf, toHeader } from './rpc.ts'

let node: NodeProxy
afterEach(() => node.stop())

const blockTime = 450
const blocksADay = 86_400_000 / blockTime
const startHead = 1_000

const [community] = parseConfig({ communities: [testCommunity()] }).communities
const decoder = createDecoder(community as NonNullable<typeof community>)

/**
 * Returns whether the bloom filter of a block matches an absent event: with about a hundred transactions, one time in
 * twelve.
 */
const matches = (number: number) => number % 12 === 0

const { address = '0x', topic = '0x' } = decoder.filter[0] ?? {}

/** Returns two logs that together have the bits of the community's event. */
const strangersAt = (number: number) =>
  [
    { address, topics: [hashAt(1)] },
    { address: contract, topics: [topic] },
  ].map((log, index) => ({
    ...{ ...log, blockNumber: numberToHex(number), blockHash: hashAt(number), transactionHash: hashAt(number) },
    ...{ transactionIndex: '0x0', logIndex: numberToHex(index), data: '0x' as const },
  }))

async function startNode() {
  let head = startHead
  const headerAt = (number: number) =>
    blockAt(number, { logsBloom: bloomOf(matches(number) ? strangersAt(number) : []) })
  node = await startProxy('', ({ method, params: [first] }) => {
    const parameter: unknown = first
    if (method === 'eth_chainId') return { result: '0x38' }
    if (method === 'eth_blockNumber') return { result: numberToHex(head) }
    if (method === 'eth_getBlockByNumber')
      return { result: headerAt(parameter === 'latest' ? head : Number(parameter)) }
    const { blockHash } = parameter as { blockHash?: string }
    const number = Array.from({ length: 100 }, (_, back) => head - back).find((one) => hashAt(one) === blockHash)
    return { result: number === undefined ? [] : strangersAt(number) }
  })
  return {
    moveTo(number: number) {
      head = number
    },
  }
}

/** Counts the requests of a reader that follows the chain for some blocks. */
async function follow(blocks: number, interval: number) {
  const { moveTo } = await startNode()
  const nodes = createNodes({ urls: [node.url] })
  const row = { id: 1, start_block: 1, state: 'live', block: startHead, finalized: startHead - 30, unreadable: 0 }
  const group = {
    sources: [{ community, decoder, row, target: 0 }],
    known: [toHeader(blockAt(startHead))],
    checkedTo: startHead - 20,
    readFrom: new Map(),
  } as unknown as Group
  const tables = {
    write: async () => {},
    loadRows: async () => [],
    compareTime: async () => ({ before: null, isLaterThanNext: false }),
    takeBackReadings: async () => {},
  }
  const readings = {
    current: async () => [],
    firstIn: async () => [],
    above: async () => [],
    lineAt: async () => [],
    positions: async () => [],
    oldest: async () => [],
  }
  const asked = { readings, states: 'recent' as const, sweepInterval: 1_000 }
  const others = createNodeSource({ openHistory: nodes.openSecond, nodeOf: nodes.nodeOf })
  await nodes.newest()
  for (const list of [node.requests, node.posts]) list.splice(0)
  for (let time = interval; time <= blocks * blockTime; time += interval) {
    moveTo(startHead + Math.floor(time / blockTime))
    const newest = await nodes.newest()
    await advanceGroup({ group, newest, nodes, tables, ...asked, log: () => {} })
    expect(group.known.at(-1)?.number).toBe(newest.number)
    await recheckGroup({ group, others, nodes, tables, readings, log: () => {}, onWrong: () => {} })
  }
  expect(group.checkedTo).toBeGreaterThan(startHead + blocks - 50)
  const perDay = (count: number) => Math.round((count / blocks) * blocksADay)
  return {
    calls: perDay(node.requests.length),
    requests: perDay(node.posts.length),
    chainIds: node.requests.filter(({ method }) => method === 'eth_chainId').length,
  }
}

test('behavior: at most 250,000 requests a day at the default interval, and few for the chain', async () => {
  const { calls, requests, chainIds } = await follow(1_000, 600)
  expect(calls).toBeLessThan(240_000)
  expect(requests).toBeLessThanOrEqual(calls)
  expect(chainIds).toBeLessThan(10)
})

test.each([
  [2_000, 160_000],
  [5_000, 90_000],
])('behavior: an interval of %i ms takes at most %i HTTP requests a day', async (interval, most) => {
  expect((await follow(1_000, interval)).requests).toBeLessThan(most)
})
