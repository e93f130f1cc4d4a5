import { type Address, numberToHex, zeroAddress } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { addressOf, testAmounts, testCommunity } from './community.ts'
import { lies } from './lies.ts'
import { type Behaviour, type NodeProxy, startProxy } from './proxy.ts'
import { poll, type StoredEvent } from './reader.ts'
import { type Index, startWorld, type World } from './world.ts'

const root = addressOf(0)
const members = 30

let world: World
/** Rows that an honest node leads to, without the blocks that a test adds. */
let expected: StoredEvent[]
const proxies: NodeProxy[] = []

beforeAll(async () => {
  world = await startWorld([testCommunity(testAmounts)])
  const { chain } = world
  await chain.bind([root, zeroAddress])
  for (let index = 1; index <= members; index++) {
    await chain.bind([addressOf(index), root], [addressOf(index + 1_000), addressOf(index)])
    await chain.client.mine({ blocks: 9 })
  }
  const index = await world.createIndex()
  await index.start()
  await poll(async () => (await index.liveBlock()) === (await world.headNumber()))
  expected = await index.events()
  expect(expected).toHaveLength(1 + 2 * members)
  await world.endReaders()
})
afterEach(async () => {
  await world.endReaders()
  for (const proxy of proxies.splice(0)) await proxy.stop()
})
afterAll(() => world?.stop())

async function startNodes(...behaviours: (Behaviour | undefined)[]) {
  for (const behaviour of behaviours) proxies.push(await startProxy(world.chain.url, behaviour))
  return proxies as [NodeProxy, ...NodeProxy[]]
}

const start = (index: Index) => index.start({ url: proxies.map(({ url }) => url).join() })
type Filter = { blockHash?: string }
const breakOff: Behaviour = (_, response) => {
  response.writeHead(503).end('busy')
  return 'taken'
}
const closeConnection: Behaviour = (_, response) => {
  response.destroy()
  return 'taken'
}
const refuse: Behaviour = () => ({ error: { code: -32000, message: 'computer says no' } })
const lack: Behaviour = () => ({ error: { code: -32000, message: 'header not found' } })
const refuseReceipts: Behaviour = ({ method }) =>
  method === 'eth_getBlockReceipts' ? { error: { code: -32601, message: 'the method does not exist' } } : undefined
const warningsOf = async (index: Index) =>
  (await index.report())?.warnings.filter(({ kind }) => kind.startsWith('node_'))
const referrerOf = async (index: Index, member: Address) =>
  (await index.events()).find((event) => event.member === member)?.other
const untilHead = async (index: Index) =>
  expect.poll(async () => (await index.liveBlock()) === (await world.headNumber())).toBe(true)

/** Returns the behaviour of a node that changes the headers of blocks. */
const changeHeaders =
  (change: (header: { number: string; timestamp: string; logsBloom: string }) => object): Behaviour =>
  ({ method }) =>
    ['eth_getBlockByNumber', 'eth_getHeaderByNumber'].includes(method)
      ? { change: ((header: never) => header && { ...(header as object), ...change(header) }) as never }
      : undefined

test.each([
  ['names its limit', 'Maximum allowed number of requested blocks is 10'],
  ['names no limit', 'computer says no'],
])('behavior: reads from a rate-limited node that serves logs of 10 blocks and %s', async (_, message) => {
  let requests = 0
  await startNodes(({ method, params: [filter] }, response) => {
    if (method !== 'eth_chainId' && ++requests % 12 === 0) {
      response.writeHead(429).end()
      return 'taken'
    }
    if (method !== 'eth_getLogs') return undefined
    const { fromBlock, toBlock } = filter as unknown as { fromBlock?: string; toBlock?: string }
    return Number(toBlock) - Number(fromBlock) >= 10 ? { error: { code: -32000, message } } : undefined
  })
  const index = await world.createIndex()
  await start(index)
  await untilHead(index)
  expect((await index.events()).slice(0, expected.length)).toEqual(expected)
  await expect.poll(async () => (await index.source())?.finalized).toBe((await world.headNumber()) - 30)
})

test.each<[title: string, fail: Behaviour, share: (count: number) => boolean]>([
  ['breaks off every third', breakOff, (count) => count % 3 === 0],
  ['refuses every second', refuse, (count) => count % 2 === 0],
  ['refuses half, at random,', refuse, () => Math.random() < 0.5],
  ['lacks the data for every third', lack, (count) => count % 3 === 0],
])('behavior: reads from a lone node that %s request for logs', async (_, fail, share) => {
  let count = 0
  const [only] = await startNodes((call, response) =>
    call.method === 'eth_getLogs' && share(++count) ? fail(call, response) : undefined,
  )
  const index = await world.createIndex()
  await start(index)
  await untilHead(index)
  expect((await index.events()).slice(0, expected.length)).toEqual(expected)
  expect(only.requests.filter(({ method }) => method === 'eth_getLogs').length).toBeLessThan(1_000)
})

test.each<[title: string, fail: Behaviour, share: (count: number) => boolean]>([
  ['breaks off every third', breakOff, (count) => count % 3 === 0],
  ['refuses every third', refuse, (count) => count % 3 === 0],
  ['closes the connection for half, at random,', closeConnection, () => Math.random() < 0.5],
])(
  'behavior: reads from a lone node that %s request of any kind, and says so in place of calling it silent',
  async (_, fail, share) => {
    let count = 0
    await startNodes((call, response) => (share(++count) ? fail(call, response) : undefined))
    const index = await world.createIndex()
    await start(index)
    await untilHead(index)
    expect((await index.events()).slice(0, expected.length)).toEqual(expected)
    expect((await warningsOf(index))?.map(({ kind }) => kind)).toEqual(['node_failing'])
  },
)

test.each<[title: string, fail: Behaviour]>([
  ['fails', breakOff],
  ['refuses', refuse],
  ['lacks', () => ({ result: null })],
])('behavior: a lone node that %s all blocks but the newest gets few requests until it has them', async (_, fail) => {
  const [only] = await startNodes(undefined)
  const index = await world.createIndex()
  await start(index)
  await untilHead(index)
  const isBlock = ({ method }: { method: string }) => method === 'eth_getBlockByNumber'
  only.behave((call, response) =>
    isBlock(call) && (call.params[0] as unknown) !== 'latest' ? fail(call, response) : undefined,
  )
  await world.chain.client.mine({ blocks: 45 })
  only.requests.splice(0)
  only.posts.splice(0)
  const looks = () => only.requests.filter(({ params }) => (params[0] as unknown) === 'latest').length
  await expect.poll(looks).toBeGreaterThan(1)
  expect(only.posts.length).toBeLessThan(20 * looks())
  only.behave()
  await untilHead(index)
})

test('behavior: blocks are stored up to the one whose logs no node returns', async () => {
  const [only] = await startNodes(undefined)
  const index = await world.createIndex()
  await start(index)
  await untilHead(index)
  only.behave(() => 'taken')
  await world.chain.bind([addressOf(121), root])
  const first = await world.headNumber()
  for (const member of [122, 123, 124]) await world.chain.bind([addressOf(member), root])
  const { hash } = await world.chain.client.getBlock({ blockNumber: BigInt(first) })
  only.behave((call, response) => {
    const isOther = call.method === 'eth_getLogs' && (call.params[0] as unknown as Filter).blockHash !== hash
    return isOther || call.method === 'eth_getBlockReceipts' ? lack(call, response) : undefined
  })
  await expect.poll(() => referrerOf(index, addressOf(121))).toBe(root)
  expect((await index.source())?.block).toBe(first)
  only.behave()
  await expect.poll(() => referrerOf(index, addressOf(124))).toBe(root)
})

test.each([
  ['the only node cuts', ['cuts lists of logs after ten']],
  ['two nodes cut differently', ['cuts lists of logs after ten', 'cuts lists of logs before the last two']],
])('behavior: the whole history is read although %s long lists of logs without an error', async (_, names) => {
  await startNodes(...names.map((name) => lies[name]?.()))
  const index = await world.createIndex()
  await start(index)
  await untilHead(index)
  expect((await index.events()).slice(0, expected.length)).toEqual(expected)
})

test('behavior: a first node that changes logs is named, also when only receipts prove it', async () => {
  const [first] = await startNodes(undefined, undefined)
  const index = await world.createIndex()
  await start(index)
  await untilHead(index)
  first.behave(lies['returns no logs by hash']?.())
  await world.chain.bind([addressOf(101), root])
  const node = `node 1 (${first.host})`
  await expect
    .poll(() => warningsOf(index))
    .toMatchObject([{ kind: 'node_silent', node, message: expect.stringContaining('logs of') }])
  first.behave(lies['swaps topics']?.())
  await world.chain.bind([addressOf(102), root])
  const block = await world.headNumber()
  await world.chain.client.mine({ blocks: 30 })
  await expect
    .poll(() => warningsOf(index))
    .toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'node_wrong', node, message: expect.stringMatching(` ${block}: `) }),
      ]),
    )
  expect(await referrerOf(index, addressOf(102))).toBe(root)
})

test.each([
  ['of a lone node without receipts', ['swaps topics, without receipts'], /node 1 \(.* does not prove them/],
  ['of a lone node with false receipts', ['swaps topics, in receipts too'], /node 1 \(.* does not prove them/],
  [
    'of two nodes that contradict each other',
    ['swaps topics, without receipts', 'none'],
    /node 1 \(.* and node 2 \(.* contradict each other/,
  ],
])('behavior: events %s that nothing proves are said with their blocks, and healed later', async (_, names, reason) => {
  const nodes = await startNodes(...names.map(() => undefined))
  const index = await world.createIndex()
  await start(index)
  await untilHead(index)
  for (const [at, name] of names.entries()) nodes[at]?.behave(lies[name]?.() ?? refuseReceipts)
  const member = addressOf(200 + (await world.headNumber()))
  await world.chain.bind([member, root])
  const block = await world.headNumber()
  await world.chain.client.mine({ blocks: 40 })
  const isSaid = async () =>
    (await index.report())?.warnings.filter(
      ({ kind, blocks, message }) =>
        kind === 'blocks_unconfirmed' && blocks && blocks.from <= block && blocks.to >= block && reason.test(message),
    )
  await expect.poll(isSaid).toHaveLength(1)
  for (const node of nodes) node.behave(() => undefined)
  await expect.poll(() => referrerOf(index, member)).toBe(root)
  await expect.poll(isSaid).toEqual([])
})

test('behavior: waits for the whole events while the only node cuts off their topics', async () => {
  const [node] = await startNodes(undefined)
  const index = await world.createIndex()
  await start(index)
  await untilHead(index)
  node.behave(lies['cuts topics off']?.())
  await world.chain.bind([addressOf(103), root])
  await expect
    .poll(() => warningsOf(index))
    .toMatchObject([{ kind: 'node_silent', message: expect.stringContaining('do not match its bloom filter') }])
  node.behave(() => undefined)
  await expect.poll(() => referrerOf(index, addressOf(103))).toBe(root)
})

test.each([
  ['the only node', 1],
  ['the first of two nodes', 2],
])('behavior: a false time of %s is refused', async (_, count) => {
  const [node] = await startNodes(...Array.from({ length: count }, () => undefined))
  const index = await world.createIndex()
  await start(index)
  await untilHead(index)
  const lie = (seconds: number) =>
    changeHeaders(({ timestamp }) => ({ timestamp: numberToHex(Number(timestamp) + seconds) }))
  // A block from the year 2096 is refused.
  node.behave(lie(70 * 365 * 86_400))
  await world.chain.bind([addressOf(105 + count), root])
  await expect.poll(() => warningsOf(index)).toMatchObject([{ message: expect.stringContaining('future') }])
  // Its hash shows that a block is some minutes late. Of two nodes, the second one is asked by now.
  node.behave(lie(600))
  await world.chain.bind([addressOf(109 + count), root])
  if (count === 2) await untilHead(index)
  else await expect.poll(() => warningsOf(index)).toMatchObject([{ message: expect.stringContaining('hash') }])
  node.behave()
  await world.chain.bind([addressOf(107 + count), root])
  await world.chain.client.mine({ blocks: 30 })
  await untilHead(index)
  const block = async (member: Address) => {
    const event = (await index.events()).find((one) => one.member === member)
    const { timestamp } = await world.chain.client.getBlock({ blockNumber: BigInt(event?.block ?? 0) })
    return event?.time === Number(timestamp)
  }
  await expect.poll(() => block(addressOf(105 + count))).toBe(true)
  expect(await block(addressOf(107 + count))).toBe(true)
})

test('behavior: loses nothing and takes nothing back while nodes stop, start and stand still', async () => {
  const [first, second] = await startNodes(undefined, undefined)
  const index = await world.createIndex()
  const reader = await start(index)
  await untilHead(index)
  const blocks: number[] = []
  const bindAndAwait = async (member: number) => {
    await world.chain.bind([addressOf(member), root])
    await expect
      .poll(async () => {
        blocks.push((await index.source())?.block ?? 0)
        return referrerOf(index, addressOf(member))
      })
      .toBe(root)
  }
  await bindAndAwait(111)
  await first.stop()
  await bindAndAwait(112)
  await expect.poll(() => warningsOf(index)).toMatchObject([{ kind: 'node_silent', node: `node 1 (${first.host})` }])
  await first.listen()
  // Far behind, with an unknown hash: if it were true, the chain would be reorganised beyond its finality.
  const behind = numberToHex(5)
  first.behave(({ method, params: [tag] }) => {
    if (method === 'eth_blockNumber') return { result: behind }
    return method === 'eth_getBlockByNumber' && tag === 'latest' ? { instead: [behind, true] } : undefined
  })
  await second?.stop()
  await expect.poll(async () => (await warningsOf(index))?.map(({ kind }) => kind)).toContain('node_behind')
  await second?.listen()
  await bindAndAwait(113)
  expect(blocks).toEqual(blocks.toSorted((left, right) => left - right))
  expect(reader.hasEnded()).toBe(false)
  expect(await index.source()).toMatchObject({ reorgs: 0, rebuilds: 0 })
})

test('behavior: a first node that is cut off is named, while the second one is read from', async () => {
  const [first] = await startNodes(undefined, undefined)
  const index = await world.createIndex()
  await start(index)
  await untilHead(index)
  first.behave(() => 'taken')
  await expect
    .poll(() => warningsOf(index))
    .toMatchObject([
      { kind: 'node_silent', node: `node 1 (${first.host})`, message: expect.stringContaining('no response in time') },
    ])
  await world.chain.bind([addressOf(114), root])
  await expect.poll(() => referrerOf(index, addressOf(114))).toBe(root)
})

test('behavior: waits, and reports why, while all nodes are below the final block of the index', async () => {
  const [first, second] = await startNodes(undefined, undefined)
  const index = await world.createIndex()
  const before = await start(index)
  await untilHead(index)
  const known = await world.headNumber()
  await expect.poll(async () => (await index.source())?.finalized).toBe(known - 30)
  await before.kill('SIGTERM')
  const behind = numberToHex(known - 1)
  for (const proxy of proxies)
    proxy.behave(({ method, params: [tag] }) => {
      if (method === 'eth_blockNumber') return { result: behind }
      return method === 'eth_getBlockByNumber' && (tag as unknown) === 'latest' ? { instead: [behind, tag] } : undefined
    })
  const reader = await start(index)
  await expect
    .poll(() => warningsOf(index))
    .toMatchObject([
      { kind: 'node_behind', message: `node 1 (${first.host}) is 1 blocks behind the newest known block.` },
      { kind: 'node_behind', node: `node 2 (${second?.host})` },
    ])
  await expect.poll(() => reader.output()).toContain('No node can be used yet.')
  second?.behave(() => undefined)
  await expect.poll(() => reader.output()).toContain('A node is usable now.')
  await expect.poll(() => warningsOf(index)).toMatchObject([{ node: `node 1 (${first.host})` }])
})

test('error: exits for a node of another chain', async () => {
  await startNodes(undefined, ({ method }) => (method === 'eth_chainId' ? { result: '0x1' } : undefined))
  const reader = await start(await world.createIndex())
  expect(await reader.exitCode()).toBe(1)
  expect(reader.output()).toContain(
    `node 2 (${proxies[1]?.host}) is a node of chain 1, not of BNB Smart Chain (56). It is not used.`,
  )
  expect(reader.output()).not.toContain('secret-key')
})

test('behavior: waits, and reports why, while no node has logs', async () => {
  const [only] = await startNodes(({ method }) =>
    method === 'eth_getLogs' ? { error: { code: -32005, message: 'limit exceeded' } } : undefined,
  )
  const index = await world.createIndex()
  const reader = await start(index)
  const message = `node 1 (${only.host}) does not serve eth_getLogs for ranges of blocks. Use another node.`
  await expect.poll(() => warningsOf(index)).toMatchObject([{ kind: 'node_without_logs', message }])
  expect(reader.output()).toContain(message)
  only.behave(() => undefined)
  await untilHead(index)
  await expect.poll(() => warningsOf(index)).toEqual([])
})

test('behavior: a lone node that refuses logs without an address is followed by the receipts of blocks', async () => {
  const [only] = await startNodes(({ method, params: [filter] }) =>
    method === 'eth_getLogs' && !(filter as unknown as { address?: string }).address
      ? { error: { code: -32701, message: 'Please specify an address in your request' } }
      : undefined,
  )
  const index = await world.createIndex()
  await start(index)
  await untilHead(index)
  await world.chain.bind([addressOf(115), root])
  await expect.poll(() => referrerOf(index, addressOf(115))).toBe(root)
  expect((await index.events()).slice(0, expected.length)).toEqual(expected)
  expect(await warningsOf(index)).toEqual([])
  const blocks = Number(await world.chain.client.getBlockNumber())
  expect(only.requests.length).toBeLessThan(2 * blocks)
})

test('behavior: reports a node that does not keep the first block', async () => {
  const [pruned] = await startNodes(({ method, params: [first] }) => {
    const block = method === 'eth_getLogs' ? (first as unknown as { fromBlock?: string }).fromBlock : first
    if (!['eth_getLogs', 'eth_getBlockByNumber'].includes(method) || typeof block !== 'string') return undefined
    return Number(block) < 200 ? { error: { code: -32000, message: 'history has been pruned' } } : undefined
  }, undefined)
  const index = await world.createIndex()
  await start(index)
  await untilHead(index)
  await expect
    .poll(() => warningsOf(index))
    .toMatchObject([{ kind: 'node_without_history', node: `node 1 (${pruned.host})` }])
  expect((await index.events()).slice(0, expected.length)).toEqual(expected)
})

test('behavior: a URL with user and password works, and nothing of it is shown', async () => {
  const authorization = `Basic ${Buffer.from('some-user:p@ss-word').toString('base64')}`
  const [only] = await startNodes((_, response) => {
    if (response.req.headers.authorization === authorization) return undefined
    return { error: { code: -32000, message: `Unauthorized: ${response.req.headers.authorization} ${only.url}` } }
  })
  const url = only.url.replace('//', '//some-user:p%40ss-word@')
  const index = await world.createIndex()
  const reader = await index.start({ url })
  await untilHead(index)
  only.behave(() => ({ error: { code: -32000, message: `invalid API key in ${url}` } }))
  await expect.poll(() => warningsOf(index)).toMatchObject([{ kind: 'node_silent', node: `node 1 (${only.host})` }])
  const shown = `${JSON.stringify(await index.report())}${reader.output()}`
  for (const secret of ['some-user', 'ss-word', 'secret-key', authorization]) expect(shown).not.toContain(secret)
})
