import { grades, indexSchema } from '@lineage/database'
import {
  type Address,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  parseAbi,
  parseAbiItem,
  zeroAddress,
} from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRandom } from '../../../scripts/lib/createRandom.ts'
import { contract } from './chain.ts'
import { addressOf, testCommunity } from './community.ts'
import families from './contract/Families.json' with { type: 'json' }
import { startProxy } from './proxy.ts'
import { poll } from './reader.ts'
import { type Index, startWorld, type World } from './world.ts'

const transferText = 'event Transfer(address indexed from, address indexed to, uint256 value)'
const transfer = parseAbiItem(transferText)
const abi = parseAbi(['function inviter(address) view returns (address)'])
const { event, member, referrer, ...rest } = testCommunity()
const asked = (id: string, changes: object = {}) => ({
  ...{ ...rest, id, candidates: [{ event: transferText, members: ['from', 'to'] }] },
  ...{ parent: 'function inviter(address) view returns (address)', ...changes },
})
const communities = [
  asked('once'),
  asked('any', { changes: 'any' }),
  asked('slot', { parent: { slot: 0 } }),
  asked('tries', {
    parent: [{ view: 'function up(address) view returns (address[] line)', output: 'line[0]' }, { slot: 0 }],
  }),
]

let world: World
let index: Index

beforeAll(async () => {
  world = await startWorld(communities)
  await bindInTransfer(1, 2)
  await bindInTransfer(2, 3)
  // Named without a referrer.
  await move(4, 5)
})
afterAll(() => world?.stop())

/** Emits a transfer that binds the second address to the first, in one block. */
async function bindInTransfer(from: number, to: number): Promise<void> {
  const { client } = world.chain
  await client.setAutomine(false)
  const sent = [move(from, to), world.chain.setReferrers(contract, [addressOf(to), addressOf(from)])]
  await poll(async () => (await client.getTxpoolStatus()).pending === 2)
  await client.mine({ blocks: 1 })
  await Promise.all(sent)
  await client.setAutomine(true)
}

const move = (from: number, to: number) => world.chain.emit(contract, [[transfer, addressOf(from), addressOf(to), 1n]])

/** Reads the newest referrer of each member, with its block if that is exact, or else its grade and the first block it may be of. */
async function referrers(id: string) {
  const rows = await index.query<{
    member: Address
    other: Address | null
    block: number
    grade: number
    first: number | null
  }>(
    `select distinct on (member) '0x' || encode(member, 'hex') as member, '0x' || encode(other, 'hex') as other, block,
      grade, first_block as first from ${indexSchema}.event
      where source = (select max(id) from ${indexSchema}.source where community = $1)
      order by member, block desc, log_index desc`,
    [id],
  )
  return rows.map(({ member, other, block, grade, first }) => ({
    member,
    other,
    grade: grade === 0 ? block : [grades[grade], first],
  }))
}

test('behavior: the contract tells the referrers of the addresses in a log, at the block of the log', async () => {
  index = await world.createIndex()
  await index.start()
  for (const { id } of communities)
    await expect
      .poll(() => referrers(id))
      .toEqual([
        { member: addressOf(2), other: addressOf(1), grade: 1 },
        { member: addressOf(3), other: addressOf(2), grade: 2 },
      ])
  const tx = await index.events('once')
  expect(tx[0]?.tx).toMatch(/^0x[0-9a-f]{64}$/)
})

/** Mines a block, with which members may be swept, and reads the referrers. */
async function nextReferrers(id: string) {
  await world.chain.client.mine({ blocks: 1 })
  return referrers(id)
}

test('behavior: where no node takes the hash of a block in a call, no candidate counts as asked, and that is said', async () => {
  const node = await startProxy(world.chain.url, ({ method, params }) =>
    method === 'eth_call' && typeof params[1] === 'object'
      ? { error: { code: -32602, message: 'invalid argument 1: cannot unmarshal object into Go value of type string' } }
      : undefined,
  )
  const other = await world.createIndex()
  const reader = await other.start({ url: node.url })
  await expect
    .poll(() => reader.output())
    .toContain('no node that answers takes the hash of a block in eth_call (EIP-1898)')
  expect(await other.liveBlock('once')).toBeUndefined()
  node.behave()
  await expect.poll(async () => (await other.events('once')).length).toBe(2)
  await reader.kill('SIGKILL')
  await node.stop()
})

test('behavior: a bind that no log names is found by a sweep, at its block', async () => {
  await world.chain.setReferrers(contract, [addressOf(4), addressOf(1)])
  const block = await world.headNumber()
  for (const id of ['once', 'any'])
    await expect
      .poll(() => nextReferrers(id), { interval: 300 })
      .toContainEqual({ member: addressOf(4), other: addressOf(1), grade: block })
})

test('behavior: a silent move counts where the contract may change referrers, and is left out elsewhere', async () => {
  await world.chain.setReferrers(contract, [addressOf(4), addressOf(2)])
  const block = await world.headNumber()
  await expect
    .poll(() => nextReferrers('any'), { interval: 300 })
    .toContainEqual({ member: addressOf(4), other: addressOf(2), grade: block })
  await world.chain.setReferrers(contract, [addressOf(4), zeroAddress])
  const unbound = await world.headNumber()
  await expect
    .poll(() => nextReferrers('any'), { interval: 300 })
    .toContainEqual({ member: addressOf(4), other: null, grade: unbound })
  expect(await referrers('once')).toContainEqual(expect.objectContaining({ member: addressOf(4), other: addressOf(1) }))
})

test('behavior: a reorganisation takes back what was read, and the new blocks are asked about', async () => {
  const { client } = world.chain
  await bindInTransfer(3, 6)
  await expect.poll(() => referrers('once')).toHaveLength(4)
  await client.request({ method: 'anvil_rollback', params: [1] } as never)
  await bindInTransfer(2, 6)
  await client.mine({ blocks: 1 })
  const block = (await world.headNumber()) - 1
  for (const { id } of communities)
    await expect
      .poll(() => referrers(id), { interval: 300 })
      .toContainEqual({ member: addressOf(6), other: addressOf(2), grade: block })
})

test('behavior: without old states a bind has bounds, and its readings are kept when events are read again', async () => {
  const { chain } = world
  await chain.client.mine({ blocks: 300 })
  const head = await world.headNumber()
  // A node that has the states of the newest blocks only.
  const pruned = await startProxy(chain.url, ({ method, params }) => {
    const block = params[method === 'eth_call' || method === 'eth_getCode' ? 1 : 2] as string | undefined
    const isOld = typeof block === 'string' && block.startsWith('0x') && Number(block) < head - 100
    return isOld && ['eth_call', 'eth_getCode', 'eth_getStorageAt'].includes(method)
      ? { error: { code: -32000, message: 'missing trie node' } }
      : undefined
  })
  const other = await world.createIndex()
  await world.endReaders()
  const [before, first] = [index, await other.start({ url: pruned.url })]
  await expect.poll(() => other.liveBlock('once')).toBeDefined()
  index = other
  const found = await referrers('once')
  expect(found).toEqual(
    [2, 3, 6].map(addressOf).map((member) => ({
      member,
      other: expect.any(String),
      grade: ['observed', 1],
    })),
  )
  await first.kill('SIGTERM')
  // Nothing can be read any more: all that is known was kept.
  pruned.behave(({ method }) =>
    ['eth_call', 'eth_getStorageAt'].includes(method)
      ? { error: { code: -32000, message: 'missing trie node' } }
      : undefined,
  )
  await other.start({ url: pruned.url, command: 'reread' })
  await expect.poll(() => other.liveBlock('once')).toBeDefined()
  expect(await referrers('once')).toEqual(found)
  await pruned.stop()
  await world.endReaders()
  index = before
  await index.start()
})

test('behavior: two configurations of a community each store a member that only the other has asked about before', async () => {
  const { chain } = world
  const joinedText = 'event Joined(address indexed who)'
  const both = await world.createIndex()
  const start = async (community: ReturnType<typeof asked>) => {
    await world.configure([community])
    await both.start()
    await expect.poll(() => both.liveBlock('once')).toBeDefined()
  }
  const holders = () =>
    both.query(
      `select source.id from ${indexSchema}.source join ${indexSchema}.event on source = source.id
        where member = decode($1, 'hex') order by source.id`,
      [addressOf(45).slice(2)],
    )
  await start(asked('once', { candidates: [{ event: joinedText, members: ['who'] }] }))
  await bindInTransfer(1, 45)
  const bound = await world.headNumber()
  await expect.poll(() => both.liveBlock('once')).toBeGreaterThanOrEqual(bound)
  await start(asked('once'))
  await expect.poll(holders).toEqual([{ id: 2 }])
  await chain.emit(contract, [[parseAbiItem(joinedText), addressOf(45)]])
  await expect.poll(holders).toEqual([{ id: 1 }, { id: 2 }])
  // As if copied from the other one before a reorganisation.
  await both.query(
    `insert into ${indexSchema}.reading (source, member, parent, block, block_hash, after_block, seen, position)
      select 2, decode($1, 'hex'), decode($2, 'hex'), $3::bigint, decode('00', 'hex'), $3::bigint - 1, $3::bigint, 0`,
    [addressOf(46).slice(2), addressOf(9).slice(2), (await world.headNumber()) + 1],
  )
  await bindInTransfer(3, 46)
  const parents = () =>
    both.query(
      `select '0x' || encode(other, 'hex') as other from ${indexSchema}.event
        where source = 2 and member = decode($1, 'hex')`,
      [addressOf(46).slice(2)],
    )
  await expect.poll(parents).toEqual([{ other: addressOf(3) }])
  await world.configure(communities)
  await world.endReaders()
  await index.start()
})

test('property: after random actions, reorganisations and kill -9, each referrer is that of the contract', async () => {
  const { chain } = world
  const random = createRandom(7).next
  const pick = () => 1 + Math.floor(random() * 40)
  for (let step = 0; step < 120; step++) {
    const action = random()
    if (action < 0.4) await bindInTransfer(pick(), 50 + step)
    else if (action < 0.7) await move(pick(), pick())
    else if (action < 0.9)
      await chain.setReferrers(contract, [addressOf(50 + Math.floor(random() * step)), addressOf(pick())])
    else if (action < 0.95)
      await chain.client.request({ method: 'anvil_rollback', params: [1 + Math.floor(random() * 6)] } as never)
    else {
      await world.endReaders('SIGKILL')
      await index.start()
    }
  }
  await expect.poll(differences, { interval: 500 }).toEqual([])

  /** Returns the members of the community of moves whose stored referrer is not that of the contract. */
  async function differences() {
    await chain.client.mine({ blocks: 1 })
    const stored = new Map((await referrers('any')).map(({ member, other }) => [member, other]))
    const members = Array.from({ length: 180 }, (_, index) => addressOf(index))
    const named = await index.query<{ member: Address }>(
      `select distinct '0x' || encode(member, 'hex') as member from ${indexSchema}.reading`,
    )
    const candidates = new Set(named.map(({ member }) => member))
    const found: [member: Address, stored: Address | null, onChain: Address][] = []
    for (const member of members.filter((one) => candidates.has(one))) {
      const onChain = (
        await chain.client.readContract({ address: contract, abi, functionName: 'inviter', args: [member] })
      ).toLowerCase() as Address
      if ((stored.get(member) ?? zeroAddress) !== (onChain === member ? zeroAddress : onChain))
        found.push([member, stored.get(member) ?? null, onChain])
    }
    return found
  }
})

/** Views that answer wrongly, each with the warnings of its community. */
const hostile: [id: string, kind: string, warnings: string[]][] = [
  ['reverts', 'reverts', ['events_absent']],
  ['loops', 'loops', ['events_absent']],
  ['garbage', 'garbage', ['events_absent']],
  ['huge', 'huge', ['events_absent']],
  ['cycles', 'cycles', ['referrers_mostly_differ']],
  ['clock', 'clock', ['referrers_mostly_differ']],
  ['gas', 'gas', ['referrers_mostly_differ']],
  ['owner', 'owner', ['referrers_mostly_differ']],
  ['rooted', 'owner', []],
  ['destroyed', 'honest', []],
]

/** Deploys the contracts, which all accounts but the first join in one block, each below the account of half its number. */
async function deployHostile() {
  const { client } = world.chain
  const accounts = (await client.getAddresses()).map((one) => one.toLowerCase() as Address)
  const owner = accounts[0] as Address
  const { abi, bytecode } = families.contracts.Hostile
  const nonces = new Map<Address, number>()
  async function send(account: Address, to: Address | undefined, data: Hex): Promise<Address> {
    const nonce = nonces.get(account) ?? (await client.getTransactionCount({ address: account, blockTag: 'latest' }))
    nonces.set(account, nonce + 1)
    await client.sendTransaction({ account, to, data, nonce, chain: null, gas: 2_000_000n })
    return getContractAddress({ from: account, nonce: BigInt(nonce) })
  }
  await client.setAutomine(false)
  const deployed = new Map<string, Address>()
  for (const [id, kind] of hostile)
    deployed.set(id, await send(owner, undefined, encodeDeployData({ abi, bytecode: bytecode as Hex, args: [kind] })))
  await client.mine({ blocks: 1 })
  const binds = accounts
    .slice(1)
    .map((account, index) => [account, accounts[Math.floor(index / 2)] as Address] as const)
  for (const address of deployed.values())
    for (const [account, above] of binds)
      await send(account, address, encodeFunctionData({ abi, functionName: 'join', args: [above] }))
  await client.mine({ blocks: 1 })
  await client.setAutomine(true)
  return { owner, deployed, binds: binds.toSorted() }
}

test('error: what hostile views return is not served, and does not stop the reader', async () => {
  const { owner, deployed, binds } = await deployHostile()
  await world.endReaders()
  await world.configure(
    [...deployed].map(([id, address]) => ({
      ...asked(id, { candidates: [{ event: 'event Joined(address user)', members: ['user'] }], address }),
      ...{ parent: 'function referrerOf(address) view returns (address)', roots: id === 'rooted' ? [owner] : [] },
    })),
  )
  const other = await world.createIndex()
  const reader = await other.start()
  const warningsOf = async () => {
    const warnings = (await other.report('rooted'))?.warnings ?? []
    return hostile.map(([id]) => [id, warnings.filter(({ community }) => community === id).map(({ kind }) => kind)])
  }
  await expect.poll(warningsOf, { interval: 300 }).toEqual(hostile.map(([id, , warnings]) => [id, warnings]))
  const withheld = (await other.report('rooted'))?.withheld.map(({ community }) => community)
  expect(withheld?.toSorted()).toEqual(['clock', 'cycles', 'gas', 'owner'])

  const bindsOf = async (id: string) => (await other.events(id)).map((row) => [row.member, row.other]).toSorted()
  expect(await bindsOf('rooted')).toEqual(binds)
  await world.chain.client.setCode({ address: deployed.get('destroyed') as Address, bytecode: '0x' })
  await world.chain.client.mine({ blocks: 3 })
  await expect.poll(() => other.liveBlock('destroyed')).toBe(await world.headNumber())
  expect(await bindsOf('destroyed')).toEqual(binds)
  expect(reader.hasEnded()).toBe(false)
})
