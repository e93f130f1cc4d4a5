import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Address, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contract } from './chain.ts'
import { addressOf, testAmounts, testCommunity } from './community.ts'
import type { Reader, StoredEvent } from './reader.ts'
import { type Index, startWorld, type World } from './world.ts'

const [placeholder, root, first, second, third, other] = [0, 1, 2, 3, 4, 5].map(addressOf) as [
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
]
const demo = testCommunity(testAmounts)
const reversed = testCommunity({
  id: 'reversed',
  startBlock: 2,
  event: 'event Bound(address indexed referrer, address indexed member)',
})

let world: World
let index: Index
let reader: Reader

beforeAll(async () => {
  world = await startWorld([demo, reversed])
  const { chain } = world
  await chain.addVolume([second, 7n])
  await chain.bind([root, zeroAddress], [other, root])
  await chain.bind([second, first], [third, second], [addressOf(6), placeholder])
  await chain.payReward([first, 3n], [addressOf(6), 10n ** 30n])
  for (let index = 100; index < 140; index++) await chain.bind([addressOf(index), first])
  index = await world.createIndex()
  reader = await index.start()
})
afterAll(() => world?.stop())

const brief = ({ kind, member, other, amount }: StoredEvent) => [kind, member, other ?? amount]

test('behavior: reads all events, and says up to which block', async () => {
  await expect
    .poll(() => index.sources())
    .toMatchObject([
      { community: 'demo', state: 'live', block: 44, block_time: 1_700_000_044, finalized: 14, reorgs: 0, rebuilds: 0 },
      { community: 'reversed', state: 'live', block: 44, finalized: 14 },
    ])
  const events = await index.events()
  expect(events).toHaveLength(1 + 2 + 3 + 2 + 40)
  expect(events.slice(0, 8)).toMatchObject([
    { block: 1, log_index: 0, kind: 2, time: 1_700_000_001, member: second, other: null, amount: '7' },
    { block: 2, log_index: 0, kind: 0, member: root, other: zeroAddress, amount: null },
    { block: 2, log_index: 1, kind: 0, member: other, other: root },
    { block: 3, log_index: 0, kind: 0, member: second, other: first },
    { block: 3, log_index: 1 },
    { block: 3, log_index: 2 },
    { block: 4, log_index: 0, kind: 1, member: first, amount: '3' },
    { block: 4, log_index: 1, kind: 1, member: addressOf(6), amount: (10n ** 30n).toString() },
  ])
  expect((await index.events('reversed'))[0]).toMatchObject({ block: 2, member: zeroAddress, other: root })
  await expect.poll(() => index.report()).toMatchObject({ headBlock: 44, chain: 'checked', members: 'checked' })
})

test('behavior: a new bind is stored with its transaction', async () => {
  const tx = await world.chain.bind([addressOf(200), third])
  await expect
    .poll(async () => (await index.events()).at(-1), { interval: 10 })
    .toMatchObject({ member: addressOf(200), tx })
})

test('behavior: health, readiness and metrics', async () => {
  expect((await reader.request('/health')).status).toBe(200)
  expect((await reader.request('/ready')).status).toBe(200)
  expect((await reader.request('/other')).status).toBe(404)
  const metrics = await (await reader.request('/metrics')).text()
  expect(metrics).toContain('lineage_reader_community_block{community="demo"} 45')
  expect(metrics).toContain('process_resident_memory_bytes')
})

test('behavior: a reorganisation of a few blocks replaces their rows', async () => {
  const { chain } = world
  const [stays, goes, moves] = [addressOf(300), addressOf(301), addressOf(302)] as const
  await chain.bind([stays, third])
  const fork = await chain.client.snapshot()
  await chain.bind([goes, third])
  await chain.bind([moves, third])
  await chain.addVolume([third, 1_000n])
  await expect.poll(async () => brief((await index.events()).at(-1) as StoredEvent)).toEqual([2, third, '1000'])
  await chain.client.revert({ id: fork })
  await chain.bind([moves, first])
  for (let index = 0; index < 3; index++) await chain.bind([addressOf(303 + index), first])
  await expect
    .poll(async () => (await index.events()).slice(-5).map(brief))
    .toEqual([[0, stays, third], [0, moves, first], ...[303, 304, 305].map((member) => [0, addressOf(member), first])])
  expect(await index.source()).toMatchObject({ rebuilds: 0 })
  expect((await index.source())?.reorgs).toBeGreaterThan(0)
})

test('behavior: after a kill and a restart there are the same rows, and what was mined in between', async () => {
  const before = await index.events()
  await reader.kill('SIGKILL')
  await world.chain.bind([addressOf(400), other])
  reader = await index.start()
  await expect.poll(() => index.liveBlock()).toBe(await world.headNumber())
  expect((await index.events()).slice(0, -1)).toEqual(before)
  expect((await index.events()).at(-1)).toMatchObject({ member: addressOf(400) })
})

test('behavior: a changed community is read beside the old rows, and only that one', async () => {
  await reader.kill('SIGTERM')
  const [demoBefore, reversedBefore] = await index.sources()
  await world.configure([demo, { ...reversed, member: 'referrer', referrer: 'member' }])
  reader = await index.start()
  await expect.poll(async () => (await index.sources()).map(({ state }) => state)).toEqual(['live', 'live', 'live'])
  const sources = await index.sources()
  expect(sources.map(({ id }) => id)).toEqual([demoBefore?.id, reversedBefore?.id, expect.any(Number)])
  expect(sources[1]).toEqual(reversedBefore)
  expect((await index.events('reversed'))[0]).toMatchObject({ member: root, other: zeroAddress })
})

test('behavior: prune deletes what no configured community needs, and nothing that a reader fills', async () => {
  const pruned = await index.start({ command: 'prune' })
  expect([await pruned.exitCode(), pruned.output()]).toEqual([0, expect.stringContaining('"reversed" up to block')])
  expect((await index.sources()).map(({ community }) => community)).toEqual(['demo', 'reversed'])
  const again = await index.start({ command: 'prune' })
  expect([await again.exitCode(), again.output()]).toEqual([0, 'There is nothing but the configured communities.\n'])
  const other = join(world.folder, 'other.json')
  await writeFile(other, JSON.stringify({ communities: [testCommunity({ id: 'new' })] }))
  const used = await index.start({ command: 'prune', config: other })
  expect([await used.exitCode(), used.output()]).toEqual([0, expect.stringContaining('stays: a reader fills it')])
  expect(await index.sources()).toHaveLength(2)
})

test('behavior: reread reads one community anew once its reader has ended', async () => {
  const refused = await index.start({ command: 'reread', args: ['demo'] })
  expect([await refused.exitCode(), refused.output()]).toEqual([75, expect.stringContaining('Another reader writes')])
  const before = await index.events()
  const [demoBefore, reversedBefore] = await index.sources()
  await reader.kill('SIGTERM')
  reader = await index.start({ command: 'reread', args: ['demo'] })
  const ids = async () => (await index.sources()).map(({ id }) => id)
  await expect.poll(ids).toEqual([reversedBefore?.id, expect.any(Number)])
  expect(await ids()).not.toContain(demoBefore?.id)
  await expect.poll(() => index.liveBlock()).toBe(await world.headNumber())
  expect(await index.events()).toEqual(before)
})

test.each([
  ['an unknown command', { command: 'serve' as never }, 'Unknown command "serve"'],
  ['reread of an unknown community', { command: 'reread', args: ['none'] }, 'There is no community "none"'],
] as const)('error: %s', async (_, options, words) => {
  const refused = await index.start(options)
  expect(await refused.exitCode()).toBe(1)
  expect(refused.output()).toContain(words)
})

test('error: a wrong configuration is refused with the field', async () => {
  const config = join(world.folder, 'wrong.json')
  await writeFile(config, JSON.stringify({ communities: [{ ...demo, member: 'user', address: contract }] }))
  const refused = await index.start({ config })
  expect(await refused.exitCode()).toBe(1)
  expect(refused.output()).toContain('communities[0].member: there is no argument "user": Bound has member, referrer')
})
