import { zeroAddress } from 'viem'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { type Chain, contract, startChain } from './chain.ts'
import { addressOf, testCommunity } from './community.ts'
import { type Index, startWorld, type World } from './world.ts'

let world: World
let index: Index

beforeEach(async () => {
  world = await startWorld([testCommunity()])
  index = await world.createIndex()
  await bindFirst(world.chain)
})
afterEach(() => world?.stop())

const bindFirst = (chain: Chain) => chain.bind([addressOf(0), zeroAddress], [addressOf(1), addressOf(0)])
const members = async () => (await index.events()).map(({ member }) => member)

/** Waits until the rows of all blocks that can be final were checked again. Earlier, any reorganisation is followed. */
async function expectFinal(): Promise<void> {
  const head = await world.headNumber()
  await expect.poll(() => index.source()).toMatchObject({ block: head, finalized: head - 30 })
}

async function expectReplaced(): Promise<void> {
  await expect
    .poll(() => index.report())
    .toMatchObject({
      replaced: expect.stringContaining('reader reread'),
      warnings: expect.arrayContaining([expect.objectContaining({ kind: 'chain_replaced' })]),
    })
}

test('behavior: a reorganisation of final blocks is reported, also after a restart, until the chain is read again', async () => {
  const { chain } = world
  await chain.client.mine({ blocks: 40 })
  await chain.bind([addressOf(2), addressOf(1)])
  await chain.client.mine({ blocks: 160 })
  const reader = await index.start()
  await expectFinal()
  const before = await members()
  await chain.client.request({ method: 'anvil_rollback', params: [180] } as never)
  await chain.place(contract)
  for (const member of [3, 4, 5]) await chain.bind([addressOf(member), addressOf(0)])
  await chain.client.mine({ blocks: 260 })
  await expectReplaced()
  expect(reader.output()).toContain('reader reread')
  await reader.kill('SIGTERM')
  await chain.client.mine({ blocks: 80 })
  const again = await index.start()
  await expectReplaced()
  expect(await members()).toEqual(before)
  await again.kill('SIGTERM')
  await index.start({ command: 'reread' })
  await expect.poll(() => index.liveBlock()).toBe(await world.headNumber())
  expect(await members()).toEqual([0, 1, 3, 4, 5].map(addressOf))
})

test('behavior: another chain of the same id is never mixed into the rows', async () => {
  const { chain } = world
  await chain.client.mine({ blocks: 50 })
  const reader = await index.start()
  await expectFinal()
  await reader.kill('SIGTERM')
  const other = await startChain({ timestamp: 1_600_000_000 })
  onTestFinished(() => other.stop())
  await bindFirst(other)
  await other.client.mine({ blocks: 200 })
  const ofOther = await index.start({ url: other.url })
  await expectReplaced()
  await ofOther.kill('SIGTERM')
  await chain.bind([addressOf(2), addressOf(0)])
  await index.start()
  await expect.poll(members).toEqual([0, 1, 2].map(addressOf))
  await expect.poll(() => index.report()).toMatchObject({ replaced: null, chain: 'checked' })
})

test('behavior: a reorganisation while no reader runs replaces the rows of blocks that were not final', async () => {
  const { chain } = world
  const fork = await chain.client.snapshot()
  await chain.bind([addressOf(2), addressOf(0)])
  const reader = await index.start()
  await expect.poll(members).toEqual([0, 1, 2].map(addressOf))
  await reader.kill('SIGKILL')
  await chain.client.revert({ id: fork })
  await chain.bind([addressOf(3), addressOf(0)])
  await chain.client.mine({ blocks: 2 })
  await index.start()
  await expect.poll(members).toEqual([0, 1, 3].map(addressOf))
  expect(await index.source()).toMatchObject({ reorgs: 1, rebuilds: 0 })
})
