import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Batch, Communities, Events, Member, MemberEvents, Metrics, Status } from '@lineage/referral-api'
import * as schemas from '@lineage/referral-api/schemas'
import { type AbiEvent, type Address, getAddress, type Hash, numberToHex, parseAbiItem, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contract, type Emitted } from '../apps/reader/test/chain.ts'
import { addressOf as lowerAddressOf, testAmounts, testCommunity } from '../apps/reader/test/community.ts'
import { type NodeProxy, startProxy } from '../apps/reader/test/proxy.ts'
import { poll, type Reader } from '../apps/reader/test/reader.ts'
import { type Index, startWorld, type World } from '../apps/reader/test/world.ts'
import { createRandom } from './lib/createRandom.ts'
import { type Server, startServer } from './lib/startServer.ts'
import { type Bind, createOracle } from './soak/createOracle.ts'

const addressOf = (index: number): Address => getAddress(lowerAddressOf(index))
const [placeholder, root, first, second, third, other] = [0, 1, 2, 3, 4, 5].map(addressOf) as [
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
]
const ownSentinel = addressOf(99)
const [movingContract, swappedContract, forkedContract, addedContract] = [1, 2, 3, 4].map((index) =>
  numberToHex(0xc0de000 + index, { size: 20 }),
) as [Address, Address, Address, Address]
const parent = 'function referrerOf(address) view returns (address)'
const events = {
  bound: parseAbiItem('event Bound(address indexed member, address indexed referrer)'),
  unbound: parseAbiItem('event Unbound(address indexed member)'),
  volumeAdded: parseAbiItem('event VolumeAdded(address indexed member, uint256 amount)'),
} satisfies Record<string, AbiEvent>
const { address: _, ...volumes } = testAmounts.volumes
const communities = {
  demo: testCommunity({
    ...testAmounts,
    roots: [ownSentinel],
    explorer: 'https://bscscan.com',
  }),
  reversed: testCommunity({
    id: 'reversed',
    startBlock: 2,
    event: 'event Bound(address indexed referrer, address indexed member)',
  }),
  moving: testCommunity({
    id: 'moving',
    address: movingContract,
    rebind: 'last',
    unbind: { event: 'event Unbound(address indexed member)', member: 'member' },
  }),
  swapped: testCommunity({
    id: 'swapped',
    address: swappedContract,
    parent,
    member: 'referrer',
    referrer: 'member',
  }),
  forked: testCommunity({ id: 'forked', address: forkedContract, volumes }),
}
const added = testCommunity({ id: 'added', address: addedContract })

let world: World
let index: Index
let reader: Reader
let server: Server
let nodeOfServer: NodeProxy
let nodeOfReader: NodeProxy
let bindOfFirst: Hash
/** Newest block before the first start. */
let head: number

/** Binds a few members regularly, once each, and others irregularly, in the communities of one contract. */
async function bindDemo({ chain }: World): Promise<void> {
  await chain.addVolume([second, 7n])
  await chain.bind([root, zeroAddress], [other, ownSentinel])
  bindOfFirst = await chain.bind([first, root])
  await chain.bind([second, first], [third, second], [addressOf(6), placeholder])
  await chain.bind([first, first], [second, root], [root, third])
  await chain.addVolume([first, 10n ** 30n], [third, 5n], [first, 1n])
  await chain.payReward([first, 3n], [addressOf(6), 4n])
  for (let index = 100; index < 140; index++) await chain.bind([addressOf(index), first])
}

/** Binds members of the communities that have contracts of their own. */
async function bindOthers({ chain }: World): Promise<void> {
  const three: [Address, Address][] = [
    [root, zeroAddress],
    [first, root],
    [second, first],
  ]
  const binds = three.map((pair): Emitted => [events.bound, ...pair])
  await chain.place(forkedContract)
  for (const address of [movingContract, swappedContract, addedContract]) {
    await chain.place(address)
    await chain.emit(address, binds)
  }
  await chain.emit(movingContract, [
    [events.bound, second, root],
    [events.unbound, first],
    [events.unbound, addressOf(77)],
    [events.bound, third, root],
    [events.bound, third, zeroAddress],
  ])
  await chain.setReferrers(swappedContract, ...three)
}

beforeAll(async () => {
  world = await startWorld(Object.values(communities))
  await bindDemo(world)
  await bindOthers(world)
  head = await world.headNumber()
  nodeOfServer = await startProxy(world.chain.url)
  nodeOfReader = await startProxy(world.chain.url)
  index = await world.createIndex()
  reader = await index.start({ url: nodeOfReader.url })
  server = await boot()
})

afterAll(async () => {
  await server?.kill('SIGKILL')
  await nodeOfServer?.stop()
  await nodeOfReader?.stop()
  await world?.stop()
})

const starting: Pick<Status, 'state' | 'reasons'> = { state: 'starting' }

/** Starts a server, and waits until it answers for all communities but those whose binds contradict their contract. */
async function boot(): Promise<Server> {
  const booted = await startServer({ config: world.config, database: index.url, nodes: nodeOfServer.url })
  await poll(async () => {
    const { state, reasons = [] } = await booted.get<Pick<Status, 'state' | 'reasons'>>('/status').catch(() => starting)
    return state === 'ready' && reasons.every(({ community }) => ['swapped', 'reversed'].includes(community as string))
  })
  return booted
}

const card = (address: Address, id = 'demo') => server.get<Member>(`/communities/${id}/members/${address}`)
const statusOf = (address: Address, id = 'demo') => server.statusOf(`/communities/${id}/members/${address}`)
/** Waits until the server has a block of a community. */
const untilBlock = (id: string, block: number) =>
  expect.poll(async () => (await server.get<Metrics>(`/communities/${id}/metrics`)).asOf?.block).toBe(block)

test('behavior: the status, and the communities', async () => {
  const status = await server.get<Status>('/status')
  expect(schemas.status.parse(status)).toEqual(status)
  expect(status).toMatchObject({
    progress: null,
    headBlock: head,
    asOf: { block: head, timestamp: 1_700_000_000 + head, finalizedBlock: head - 30 },
  })
  const listed = async () => (await server.get<Communities>('/communities')).items
  // The first checks of a community end after others are answered.
  await expect.poll(listed).toMatchObject([
    {
      id: 'demo',
      contract: getAddress(contract),
      startBlock: 1,
      members: 6 + 40,
      status: 'ready',
      tokens: { volume: { symbol: 'USDT', decimals: 18 }, reward: { symbol: 'USDT', decimals: 18 } },
      grades: ['exact'],
      explorer: 'https://bscscan.com',
    },
    { id: 'reversed', status: 'withheld', withheld: 'start_late' },
    { id: 'moving', status: 'ready' },
    { id: 'swapped', status: 'withheld', withheld: 'arguments_swapped', parent: { view: parent, output: [0] } },
    { id: 'forked', status: 'ready', members: 0 },
  ])
})

test('behavior: a member, with its volumes, rewards and transaction', async () => {
  expect(await card(first)).toEqual({
    asOf: { block: head, timestamp: 1_700_000_000 + head, finalizedBlock: head - 30 },
    address: first,
    status: 'member',
    referrer: root,
    root,
    depth: 1,
    joinedAt: 1_700_000_003,
    grade: 'exact',
    block: 3,
    logIndex: 0,
    tx: bindOfFirst,
    between: null,
    directs: 41,
    team: 42,
    maxLevel: 2,
    ownVolume: (10n ** 30n + 1n).toString(),
    teamVolume: '12',
    largestLeg: '12',
    otherLegs: '0',
    rewards: '3',
  })
})

test('behavior: a root, a configured sentinel, a placeholder, and arguments in another order', async () => {
  expect(await card(root)).toMatchObject({ status: 'member', referrer: null, depth: 0, maxLevel: 3, block: 2 })
  expect(await card(other)).toMatchObject({ status: 'member', referrer: null, depth: 0 })
  expect(await card(placeholder)).toMatchObject({
    status: 'placeholder',
    joinedAt: null,
    block: null,
    tx: null,
    team: 1,
  })
  expect(await statusOf(ownSentinel)).toBe(404)
  expect(await statusOf(first, 'reversed')).toBe(409)
})

test('behavior: binds to oneself, repeated ones and ones that would close a circle count in the metrics alone', async () => {
  expect(await server.get<Metrics>('/communities/demo/metrics')).toMatchObject({
    members: 46,
    dirty: { self: 1, duplicate: 1, cycle: 1, placeholder: 1 },
    volume: (10n ** 30n + 13n).toString(),
    rewards: '7',
  })
  const { items } = await server.get<MemberEvents>(`/communities/demo/members/${root}/events`)
  expect(items.map(({ address, referrer, status }) => [address, referrer, status])).toContainEqual([
    root,
    third,
    'cycle',
  ])
})

test('behavior: a later bind moves a member where the last one counts, and an unbind removes the referrer', async () => {
  expect(await card(second, 'moving')).toMatchObject({ referrer: root })
  expect(await card(third, 'moving')).toMatchObject({ referrer: null, depth: 0 })
  expect(await card(first, 'moving')).toMatchObject({ referrer: null, depth: 0, status: 'member' })
  expect(await statusOf(addressOf(77), 'moving')).toBe(404)
  const { items } = await server.get<Events>('/communities/moving/events')
  expect(items.find(({ address }) => address === addressOf(77))).toMatchObject({
    referrer: zeroAddress,
    status: 'duplicate',
  })
})

test('error: a community whose arguments are swapped is not answered, and the others are', async () => {
  await expect.poll(() => statusOf(first, 'swapped')).toBe(409)
  const readMessage = async () => {
    const { warnings } = await server.get<Status>('/status')
    return warnings.find(({ kind }) => kind === 'arguments_swapped')?.message
  }
  // Until the first check has ended, the reason is that check.
  await expect.poll(readMessage).toBeDefined()
  const message = await readMessage()
  const reasons = [
    { code: 'community_withheld', community: 'reversed' },
    { code: 'community_withheld', community: 'swapped', message },
  ]
  await expect.poll(async () => (await server.get<Status>('/status')).reasons).toMatchObject(reasons)
  expect(await card(first, 'swapped')).toMatchObject({ status: 409, code: 'withheld', detail: message })
  expect(await server.statusOf('/ready')).toBe(200)
})

let newcomers = 200
test('behavior: a new bind is answered', async () => {
  const newcomer = addressOf(newcomers++)
  await world.chain.bind([newcomer, third])
  await expect.poll(() => statusOf(newcomer), { interval: 20 }).toBe(200)
  expect(await card(root)).toMatchObject({ maxLevel: 4 })
})

/** A block of the community `forked`. */
type MinedBlock = { binds: Bind[]; volume: { member: Address; amount: bigint } }
const people = Array.from({ length: 24 }, (_, index) => addressOf(1_000 + index))
const random = createRandom(25)

/** Mines a block with random binds and a volume. */
async function mine(): Promise<MinedBlock> {
  const pairs = Array.from({ length: 1 + random.below(3) }, () => [random.pick(people), random.pick(people)] as const)
  const [member, amount] = [random.pick(people), BigInt(1 + random.below(1_000))]
  await world.chain.emit(forkedContract, [
    ...pairs.map((pair): Emitted => [events.bound, ...pair]),
    [events.volumeAdded, member, amount],
  ])
  const { number, timestamp } = await world.chain.client.getBlock()
  const at = { block: Number(number), time: Number(timestamp) }
  return { binds: pairs.map(([member, referrer]) => ({ ...at, member, referrer })), volume: { member, amount } }
}

async function readBinds(): Promise<unknown[]> {
  const read: unknown[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const path: string = `/communities/forked/events?limit=50${cursor && `&cursor=${cursor}`}`
    const { items, nextCursor }: Events = await server.get<Events>(path)
    read.push(
      ...items.map(({ block, timestamp: time, address, referrer }) => ({ block, time, member: address, referrer })),
    )
    cursor = nextCursor
  }
  return read
}

/** Compares the answers about everyone with those of an oracle that knows the blocks of the chain. */
async function compareAll(chain: readonly MinedBlock[]): Promise<void> {
  const binds = chain.flatMap((block) => block.binds)
  const oracle = createOracle()
  oracle.add(...binds)
  const block = await world.headNumber()
  await untilBlock('forked', block)
  const response = await server.request('/communities/forked/members/batch', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ addresses: people }),
  })
  const { items } = (await response.json()) as Batch
  const answered = items.map(({ card }) => {
    if (!card) return undefined
    const { referrer, joinedAt, depth, directs, team, ownVolume } = card
    return { referrer, joinedAt, depth, directs, team, ownVolume }
  })
  const volumeOf = (address: Address) =>
    chain.reduce((sum, { volume: { member, amount } }) => (member === address ? sum + amount : sum), 0n)
  const expected = people.map((address) => {
    const found = oracle.find(address, block)
    return found && { ...found, ownVolume: String(volumeOf(address)) }
  })
  expect(answered).toEqual(expected)
  expect(await readBinds()).toEqual(binds.toReversed())
}

test('behavior: after reorganisations of 1 to 25 blocks, some with a killed reader, the answers are those of the new chain', async () => {
  let kept: MinedBlock[] = []
  for (const [round, depth] of [1, 2, 5, 12, 25, 1, 25].entries()) {
    kept.push(await mine())
    const fork = await world.chain.client.snapshot()
    const gone: MinedBlock[] = []
    for (let count = 0; count < depth; count++) gone.push(await mine())
    await compareAll([...kept, ...gone])
    const isKilled = round % 2 === 1
    if (isKilled) await reader.kill('SIGKILL')
    await world.chain.client.revert({ id: fork })
    const come: MinedBlock[] = []
    for (let count = 0; count <= depth; count++) come.push(await mine())
    if (isKilled) reader = await index.start({ url: nodeOfReader.url })
    kept = [...kept, ...come]
    await compareAll(kept)
  }
  expect(await index.source('forked')).toMatchObject({ rebuilds: 0 })
  expect(await card(first)).toMatchObject({ directs: 41, block: 3, tx: bindOfFirst })
})

/** Returns the ranges of several blocks whose logs were requested, with the addresses of the contracts. */
function readRanges(requests: NodeProxy['requests']) {
  return requests
    .filter(({ method }) => method === 'eth_getLogs')
    .map(({ params }) => params as unknown as [{ address: string | string[]; fromBlock?: string; toBlock?: string }])
    .map(([{ address, fromBlock, toBlock }]) => ({
      address: String(address),
      from: Number(fromBlock),
      to: Number(toBlock),
    }))
    .filter(({ from, to }) => to > from)
}

test('behavior: of a configuration with one more community only that one is read, and the answers of the others stay', async () => {
  // The reader checks the logs of the newest blocks again at each start.
  await world.chain.client.mine({ blocks: 400 })
  const block = await world.headNumber()
  await untilBlock('demo', block)
  // A server that is slow to read the transaction leaves it out.
  await expect.poll(() => card(first)).toMatchObject({ tx: bindOfFirst })
  const { asOf, ...before } = await card(first)
  await reader.kill('SIGTERM')
  await world.configure([...Object.values(communities), added])
  nodeOfReader.requests.length = 0
  reader = await index.start({ url: nodeOfReader.url })
  await expect.poll(() => index.liveBlock('added')).toBe(block)
  await world.chain.client.mine({ blocks: 1 })
  await server.kill('SIGTERM')
  server = await boot()
  const ranges = readRanges(nodeOfReader.requests)
  expect(ranges.filter(({ address, from }) => from <= head && address !== addedContract)).toEqual([])
  expect(ranges.find(({ address }) => address === addedContract)).toMatchObject({ from: 1 })
  expect(await card(second, 'added')).toMatchObject({ referrer: first, depth: 2 })
  await expect
    .poll(() => card(first))
    .toEqual({
      ...before,
      tx: bindOfFirst,
      asOf: { ...asOf, block: block + 1, timestamp: expect.any(Number), finalizedBlock: block - 29 },
    })
})

test('error: a server refuses a wrong configuration, and names the field', async () => {
  const config = join(world.folder, 'wrong.json')
  writeFileSync(config, JSON.stringify({ communities: [{ ...communities.demo, member: 'user' }] }))
  const refused = await startServer({ config, database: index.url, nodes: world.chain.url })
  expect(await refused.exitCode()).toBe(1)
  expect(refused.output()).toContain('communities[0].member: there is no argument "user": Bound has member, referrer')
})

test('behavior: a server asks no node for its answers', () => {
  expect(nodeOfServer.requests).toEqual([])
})
