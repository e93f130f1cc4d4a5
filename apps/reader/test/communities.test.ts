import { type AbiEvent, type Address, getAddress, numberToHex, parseAbiItem, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Emitted } from './chain.ts'
import { addressOf, testCommunity } from './community.ts'
import { startProxy } from './proxy.ts'
import { poll, type Reader } from './reader.ts'
import { type Index, startWorld, type World } from './world.ts'

const [member, referrer, other, late] = [addressOf(1), addressOf(2), addressOf(3), addressOf(4)] as const
const contractOf = (index: number): Address => numberToHex(0xc0de000 + index, { size: 20 })
const parent = 'function getReferrer(address user) view returns (address)'
const special = (id: string, index: number, more: object = {}) =>
  testCommunity({ id, name: id, address: contractOf(index), ...more })
const swapped = { member: 'referrer', referrer: 'member' }

const communities = {
  agreeing: special('agreeing', 1, { parent }),
  swapped: special('swapped', 2, { parent, ...swapped }),
  differing: special('differing', 3, { parent }),
  unbound: special('unbound', 4, { parent }),
  unreadable: special('unreadable', 5, { event: 'event Bound(address member, address referrer)' }),
  deaf: special('deaf', 6, { parent, ...swapped }),
  misspelt: special('misspelt', 7, { event: 'event Bond(address indexed member, address indexed referrer)' }),
  astray: testCommunity({ id: 'astray', address: numberToHex(0xdead_c0de, { size: 20 }) }),
  unpaid: special('unpaid', 8, {
    rewards: { event: 'event Paid(address user, uint256 amount)', member: 'user', amount: 'amount' },
  }),
  viewless: special('viewless', 9),
  rootFirst: special('root-first', 11, { parent }),
  upside: special('upside', 12, swapped),
  early: special('early', 10, { startBlock: 1_000 }),
}

let world: World
let index: Index
let reader: Reader

beforeAll(async () => {
  world = await startWorld(Object.values(communities))
  const { chain } = world
  const bound = parseAbiItem('event Bound(address indexed member, address indexed referrer)')
  const binds: [Address, Address][] = [
    [referrer, zeroAddress],
    [member, referrer],
    [other, member],
  ]
  const emitted = binds.map((pair): Emitted => [bound, ...pair])
  for (const { id, address } of Object.values(communities)) {
    if (id === 'astray') continue
    await chain.place(address as Address)
    await chain.emit(address as Address, emitted)
  }
  for (const id of ['agreeing', 'swapped', 'differing', 'unbound'] as const)
    await chain.setReferrers(communities[id].address as Address, ...binds)
  await chain.setReferrers(communities.differing.address as Address, [other, referrer])
  // A bind whose event is missing.
  await chain.emit(communities.unbound.address as Address, [[bound, late, addressOf(5)]])
  await chain.setReferrers(communities.unbound.address as Address, [late, addressOf(5)], [addressOf(5), member])
  await chain.emit(communities.unpaid.address as Address, [
    [parseAbiItem('event Paid(address indexed user, uint256 amount)') as AbiEvent, member, 5n],
  ])
  // The first bind names no referrer, and the second one does.
  await chain.emit(communities.rootFirst.address as Address, [[bound, referrer, late]])
  await chain.setReferrers(
    communities.rootFirst.address as Address,
    [member, referrer],
    [other, member],
    [referrer, late],
  )
  const many = Array.from(
    { length: 12 },
    (_, index): Emitted => [bound, addressOf(20 + index), index < 8 ? member : other],
  )
  await chain.emit(communities.upside.address as Address, many)
  await chain.client.setCode({ address: communities.deaf.address as Address, bytecode: '0x5f5ffd' })
  await chain.client.mine({ blocks: 35 })
  index = await world.createIndex()
  reader = await index.start()
  await poll(async () => (await index.report('agreeing'))?.members === 'checked')
})
afterAll(() => world?.stop())

const warningsOf = async (id: string) =>
  (await index.report('agreeing'))?.warnings.filter(({ community }) => community === id)
const checkOf = async (id: string) =>
  (await index.report('agreeing'))?.spotChecks.find(({ community }) => community === id)

test('behavior: events and contract agree', async () => {
  expect(await checkOf('agreeing')).toMatchObject({ checked: 3, differing: 0, unreadable: 0, example: null })
  expect(await warningsOf('agreeing')).toEqual([])
})

test('behavior: a warning names a member whose referrers differ', async () => {
  expect(await checkOf('differing')).toMatchObject({
    differing: 1,
    example: { address: getAddress(other), referrer: getAddress(member), onChain: getAddress(referrer) },
  })
  expect(await warningsOf('differing')).toMatchObject([{ kind: 'referrers_differ' }])
})

test('behavior: a bind whose event was lost is found by its referrer in the contract', async () => {
  expect(await checkOf('unbound')).toMatchObject({
    differing: 1,
    example: { address: getAddress(addressOf(5)), referrer: null, onChain: getAddress(member) },
  })
})

test('error: a community whose member and referrer are swapped is withheld', async () => {
  const [warning] = (await warningsOf('swapped')) ?? []
  expect(warning).toMatchObject({ kind: 'arguments_swapped', message: expect.stringContaining('seem to be swapped') })
  expect((await index.report('agreeing'))?.withheld).toContainEqual({ community: 'swapped', message: warning?.message })
  expect(reader.output()).toContain('member and referrer seem to be swapped')
})

test.each([
  ['unreadable', 'events_unreadable', 'Bound events do not have the configured arguments'],
  ['unpaid', 'events_unreadable', 'Paid events do not have the configured arguments'],
  ['misspelt', 'events_absent', 'has emitted no Bond event since block 1'],
  ['astray', 'events_absent', 'there is no contract at 0x00000000000000000000000000000000'],
])('error: community %s: %s', async (id, kind, words) => {
  expect((await warningsOf(id))?.[0]).toMatchObject({ kind, message: expect.stringContaining(words) })
  expect(reader.output()).toContain(words)
})

test('error: a community whose first block does not exist yet', async () => {
  const message = expect.stringContaining('startBlock 1000 is above the newest block')
  expect(await warningsOf('early')).toMatchObject([{ kind: 'events_absent', message }])
})

test('error: a view that cannot be read', async () => {
  expect(await checkOf('deaf')).toMatchObject({ checked: 0 })
  expect(await warningsOf('deaf')).toMatchObject([
    { kind: 'parent_view_unreadable', message: expect.stringContaining('nothing for') },
    { kind: 'order_unconfirmed', message: expect.stringContaining('"referrer" is the member') },
  ])
})

test('behavior: a first bind to the zero address is not the one that counts', async () => {
  expect(await checkOf('root-first')).toMatchObject({ differing: 0 })
})

test('error: a community without a view whose binds contradict each other is withheld', async () => {
  expect(await index.source('upside')).toMatchObject({ withheld: expect.stringContaining('seem to be swapped') })
})

test('behavior: the order of a community without a view is not confirmed', async () => {
  expect(await warningsOf('viewless')).toMatchObject([{ kind: 'order_unconfirmed' }])
})

test('error: what was found stays with its source while a reader starts that cannot check anything', async () => {
  const swapped = { checked: true, withheld: expect.stringContaining('seem to be swapped'), replaced: null }
  expect(await index.source('swapped')).toMatchObject(swapped)
  expect(await index.source('agreeing')).toMatchObject({ checked: true, withheld: null })
  await reader.kill('SIGKILL')
  await index.query(`update lineage_1.source set replaced = 'Another chain.' where community = 'agreeing'`)
  const before = (await index.source('agreeing'))?.writer
  const next = await index.start({ url: 'http://127.0.0.1:9' })
  await poll(async () => (await index.source('agreeing'))?.writer !== before)
  await expect.poll(() => index.report('agreeing')).toMatchObject({ withheld: [], replaced: null })
  expect(await index.source('swapped')).toMatchObject(swapped)
  expect(await index.source('agreeing')).toMatchObject({ checked: true, replaced: 'Another chain.' })
  await next.kill('SIGKILL')
  await index.start()
  await expect.poll(() => index.source('agreeing')).toMatchObject({ replaced: null })
  expect(await index.source('swapped')).toMatchObject(swapped)
})

test('behavior: a reader that catches up compares nothing in states that its node no longer has', async () => {
  await world.endReaders()
  await world.chain.client.mine({ blocks: 400 })
  const head = await world.headNumber()
  const node = await startProxy(world.chain.url, ({ method, params: [, block] }) =>
    method === 'eth_call' && Number(block) < head - 100
      ? { error: { code: -32000, message: 'missing trie node' } }
      : undefined,
  )
  reader = await index.start({ url: node.url })
  await expect.poll(() => index.liveBlock('agreeing')).toBe(head)
  const stateOf = async () =>
    (await index.report('agreeing'))?.checks.find(({ community }) => community === 'agreeing')?.state
  await expect.poll(stateOf).toBe('passed')
  expect(reader.output()).not.toContain('Community "agreeing": the contract\'s view returned nothing')
  await world.endReaders()
  await node.stop()
})
