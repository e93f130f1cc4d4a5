import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Member, Status } from '@lineage/referral-api'
import * as schemas from '@lineage/referral-api/schemas'
import { type Address, getAddress, numberToHex, zeroAddress } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Chain, contract, startChain } from './chain.ts'
import { type Database, startDatabases } from './databases.ts'
import { type Indexer, startIndexer } from './indexer.ts'
import { type NodeProxy, startProxy } from './proxy.ts'

const addressOf = (index: number): Address => numberToHex(index + 0xabc000, { size: 20 })
const root = addressOf(0)
const members = 30

let folder: string
let chain: Chain
let databases: Awaited<ReturnType<typeof startDatabases>>
const proxies: NodeProxy[] = []
const indexers: Indexer[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lineage-nodes-'))
  const community = {
    id: 'demo',
    name: 'Demo',
    chainId: 56,
    address: contract,
    startBlock: 1,
    event: 'event Bound(address indexed member, address indexed referrer)',
    member: 'member',
    referrer: 'referrer',
  }
  await writeFile(join(folder, 'config.json'), JSON.stringify({ communities: [community] }))
  // The quicker one to make anew for each test.
  databases = await startDatabases('PostgreSQL')
  chain = await startChain()
  await chain.bind([root, zeroAddress])
  for (let index = 1; index <= members; index++) {
    await chain.bind([addressOf(index), root])
    await chain.client.mine({ blocks: 9 })
  }
})

afterEach(async () => {
  for (const indexer of indexers.splice(0)) await indexer.kill('SIGKILL')
  for (const proxy of proxies.splice(0)) await proxy.stop()
})

afterAll(async () => {
  await chain?.stop()
  await databases?.stop()
  await rm(folder, { recursive: true, force: true })
})

async function nodes(...behaviours: Parameters<typeof startProxy>[1][]) {
  for (const behaviour of behaviours) proxies.push(await startProxy(chain.url, behaviour))
  return proxies as [NodeProxy, ...NodeProxy[]]
}

async function boot(database?: Database): Promise<Indexer> {
  database ??= await databases.create()
  const url = proxies.map((proxy) => proxy.url).join(',')
  const indexer = await startIndexer({ config: join(folder, 'config.json'), url, database })
  indexers.push(indexer)
  return indexer
}

const card = async (indexer: Indexer, address: Address) =>
  (await (await indexer.request(`/communities/demo/members/${address}`)).json()) as Member
const statusOf = async (indexer: Indexer) => {
  const response = await indexer.request('/status').catch(() => undefined)
  return response && ((await response.json()) as Status)
}

test.each([
  ['says how many', 'Maximum allowed number of requested blocks is 10'],
  ['says it in words nobody has heard', 'computer says no'],
])('behavior: a node that answers logs of 10 blocks at once, is asked too often, and %s', async (_, message) => {
  let answered = 0
  await nodes(({ method, params: [filter] }, response) => {
    if (method !== 'eth_chainId' && ++answered % 12 === 0) {
      response.writeHead(429).end()
      return 'taken'
    }
    if (method !== 'eth_getLogs') return undefined
    const { fromBlock, toBlock } = filter as unknown as { fromBlock?: string; toBlock?: string }
    return Number(toBlock) - Number(fromBlock) >= 10 ? { error: { code: -32000, message } } : undefined
  })
  const indexer = await boot()
  await indexer.untilReady()
  expect(await card(indexer, root)).toMatchObject({ directs: members, team: members })
})

test('behavior: nodes that come, go and stand still: nothing is lost, nothing taken back', async () => {
  const [first, second] = await nodes(undefined, undefined)
  const indexer = await boot()
  await indexer.untilReady()
  const blocks: number[] = []
  const bindAndSee = async (index: number) => {
    await chain.bind([addressOf(index), root])
    await expect
      .poll(
        async () => {
          blocks.push((await statusOf(indexer))?.asOf?.block ?? 0)
          return (await card(indexer, addressOf(index))).referrer
        },
        { timeout: 60_000 },
      )
      .toBe(getAddress(root))
  }
  await bindAndSee(101)
  await first.stop()
  await bindAndSee(102)
  await expect
    .poll(async () => (await statusOf(indexer))?.warnings, { timeout: 60_000 })
    .toMatchObject([{ kind: 'node_silent', node: first.host }])
  await first.listen()
  // Far behind, on another branch for all one can tell from it: a chain reorganised beyond what is final, were it true.
  const behind = numberToHex(5)
  first.behave(({ method }) => {
    if (method === 'eth_blockNumber') return { result: behind }
    return method === 'eth_getBlockByNumber' ? { instead: [behind, true] } : undefined
  })
  await second?.stop()
  await expect
    .poll(async () => (await statusOf(indexer))?.warnings.map(({ kind }) => kind), { timeout: 60_000 })
    .toContain('node_behind')
  await second?.listen()
  await bindAndSee(103)
  expect(indexer.output()).not.toContain('unrecoverable')
  expect(blocks).toEqual(blocks.toSorted((left, right) => left - right))
  expect(schemas.status.parse(await statusOf(indexer))).toBeTruthy()
})

test('behavior: started while its nodes lag behind what the index holds for final, it waits, and says so', async () => {
  const [first, second] = await nodes(undefined, undefined)
  const database = await databases.create()
  const before = await boot(database)
  await before.untilReady()
  const known = (await statusOf(before))?.asOf?.block ?? 0
  await before.kill('SIGTERM')
  const lagAt = (block: number) => {
    const behind = numberToHex(block)
    for (const proxy of [first, second])
      proxy?.behave(({ method, params: [asked] }) => {
        if (method === 'eth_blockNumber') return { result: behind }
        return method === 'eth_getBlockByNumber' && (asked as unknown) === 'latest'
          ? { instead: [behind, asked] }
          : undefined
      })
  }
  lagAt(known - 1)

  const indexer = await boot(database)
  await expect
    .poll(() => statusOf(indexer), { timeout: 60_000 })
    .toMatchObject({
      state: 'starting',
      warnings: [
        { kind: 'node_behind', node: first.host },
        { kind: 'node_behind', node: second?.host },
      ],
      note: expect.stringContaining(`${first.host} is 1 blocks behind`),
    })
  expect(indexer.output()).toContain('No node can be read from.')
  // One is enough.
  second?.behave(() => undefined)
  await indexer.untilReady()
  expect(indexer.output()).toContain('A node can be read from now.')
  expect(await statusOf(indexer)).toMatchObject({
    asOf: { block: known },
    warnings: [{ kind: 'node_behind', node: first.host }],
  })
  expect((await card(indexer, root)).directs).toBeGreaterThanOrEqual(members)
})

test('error: a node of another chain is refused', async () => {
  await nodes(undefined, ({ method }) => (method === 'eth_chainId' ? { result: '0x1' } : undefined))
  const indexer = await boot()
  expect(await indexer.exitCode()).toBe(1)
  expect(indexer.output()).toContain(
    `${proxies[1]?.host} is a node of chain 1, not of BNB Smart Chain (56): it is not read from.`,
  )
  expect(indexer.output()).not.toContain('secret-key')
})

test('error: no node has logs: said, and waited for', async () => {
  const [only] = await nodes(({ method }) =>
    method === 'eth_getLogs' ? { error: { code: -32005, message: 'limit exceeded' } } : undefined,
  )
  const indexer = await boot()
  await expect
    .poll(() => statusOf(indexer), { timeout: 60_000 })
    .toMatchObject({
      state: 'starting',
      warnings: [{ kind: 'node_without_logs', node: only.host }],
      note: `${only.host} has eth_getLogs off, or on for single blocks only: use another node.`,
    })
  expect(schemas.status.parse(await statusOf(indexer))).toBeTruthy()
  const lookup = await indexer.request('/communities')
  expect(schemas.problem.parse(await lookup.json())).toMatchObject({ status: 503, code: 'indexing' })
  expect(indexer.output()).toContain(
    `${only.host} has eth_getLogs off, or on for single blocks only: use another node.`,
  )
  only.behave(() => undefined)
  await indexer.untilReady()
  expect((await statusOf(indexer))?.warnings).toEqual([])
  expect(await card(indexer, root)).toMatchObject({ status: 'member' })
})

test('behavior: a node that does not keep the first block is named', async () => {
  const [pruned] = await nodes(({ method, params: [first] }) => {
    const block = method === 'eth_getLogs' ? (first as unknown as { fromBlock?: string }).fromBlock : first
    if (!['eth_getLogs', 'eth_getBlockByNumber'].includes(method) || typeof block !== 'string') return undefined
    return Number(block) < 200 ? { error: { code: -32000, message: 'history has been pruned' } } : undefined
  }, undefined)
  const indexer = await boot()
  await indexer.untilReady()
  expect((await statusOf(indexer))?.warnings).toMatchObject([{ kind: 'node_without_history', node: pruned.host }])
  expect((await card(indexer, root)).directs).toBeGreaterThanOrEqual(members)
})

test('error: addresses that are none', async () => {
  const database = await databases.create()
  for (const [url, words] of [
    ['', 'LINEAGE_RPC_URLS is not set'],
    ['ftp://x', 'address 1 is not one of http or https'],
  ] as const) {
    const indexer = await startIndexer({ config: join(folder, 'config.json'), url, database })
    expect(await indexer.exitCode()).toBe(1)
    expect(indexer.output()).toContain(words)
  }
})
