import { parseEventLogs, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { amountsContract, contract, events } from './chain.ts'
import { addressOf, testAmounts, testCommunity } from './community.ts'
import { lies } from './lies.ts'
import { type NodeProxy, startProxy } from './proxy.ts'
import { poll } from './reader.ts'
import { type Index, startWorld, type World } from './world.ts'

const honest = () => undefined

let world: World
/** Number of lies that are tried at once, each by nodes of its own. */
const lanes = 4
type Setup = { index: Index; nodes: NodeProxy[]; lane: number }
/** For each lane an index of a lone node that lies, and one of two nodes, of which the first one lies. */
let setups: Setup[]

beforeAll(async () => {
  world = await startWorld([testCommunity(testAmounts)])
  await world.chain.bind([addressOf(0), zeroAddress])
  await world.chain.client.mine({ blocks: 60 })
  setups = await Promise.all(
    Array.from({ length: 2 * lanes }, async (_, at): Promise<Setup> => {
      const count = 1 + (at % 2)
      const nodes = await Promise.all(Array.from({ length: count }, () => startProxy(world.chain.url)))
      const index = await world.createIndex()
      await index.start({ url: nodes.map(({ url }) => url).join() })
      return { index, nodes, lane: at >> 1 }
    }),
  )
  await poll(areAtHead)
})
afterAll(async () => {
  await world?.stop()
  for (const { nodes } of setups ?? []) for (const node of nodes) await node.stop()
})

const isAtHead = async ({ index }: Setup) => (await index.liveBlock()) === (await world.headNumber())
const areAtHead = async () => (await Promise.all(setups.map(isAtHead))).every(Boolean)

/** Reads the events from the chain, as `readIndex` returns those of an index. */
async function readChain() {
  const { client } = world.chain
  const logs = await client.getLogs({ address: [contract, amountsContract], fromBlock: 0n })
  const times = new Map<bigint, number>()
  for (const { blockNumber } of logs)
    if (!times.has(blockNumber)) times.set(blockNumber, Number((await client.getBlock({ blockNumber })).timestamp))
  return parseEventLogs({ abi: Object.values(events), logs }).map(({ args, ...log }) => ({
    ...{ block: Number(log.blockNumber), log_index: log.logIndex, time: times.get(log.blockNumber) },
    ...{ tx: log.transactionHash, member: args.member.toLowerCase() },
    ...('referrer' in args ? { other: args.referrer.toLowerCase() } : { amount: String(args.amount) }),
  }))
}

const names = Object.keys(lies)
const rounds = Array.from({ length: Math.ceil(names.length / lanes) }, (_, at) =>
  names.slice(at * lanes, (at + 1) * lanes),
)

test.each(rounds.map((round, at) => [round.join('; '), round, 2 * at + 1] as const))(
  'behavior: what a node does changes nothing for long: %s',
  async (_, round, first) => {
    for (const { nodes, lane } of setups) nodes[0]?.behave(lies[round[lane] ?? '']?.() ?? honest)
    const [member, next] = [addressOf(first), addressOf(first + 1)]
    await world.chain.bind([member, addressOf(0)], [next, member], [next, addressOf(0)])
    await world.chain.addVolume([member, 7n], [next, 8n])
    // The blocks are read a second time while the node lies.
    await world.chain.client.mine({ blocks: 28 })
    const isSaid = async ({ index }: Setup) =>
      ((await index.report())?.warnings ?? []).some(({ node }) => node !== null)
    for (const setup of setups)
      await expect.poll(async () => (await isAtHead(setup)) || (await isSaid(setup))).toBe(true)
    for (const { nodes } of setups) nodes[0]?.behave(honest)
    await world.chain.client.mine({ blocks: 28 })
    const expected = await readChain()
    for (const { index, lane } of setups) {
      await expect.poll(async () => (await index.source())?.finalized).toBe((await world.headNumber()) - 30)
      await expect.poll(() => index.events(), { message: round[lane] }).toMatchObject(expected)
      expect(await index.events()).toHaveLength(expected.length)
    }
  },
)

test.each([
  ['returns times ten minutes back', 'chain_replaced'],
  ['returns times ten minutes ahead', 'blocks_unconfirmed'],
] as const)(
  'behavior: a reader that starts while its lone node %s keeps the times that it has, and says: %s',
  async (lie, said) => {
    // The readers of the tests above would read all these blocks too.
    await world.endReaders()
    // Those before the last 256 final blocks are not checked again at a start.
    for (const blocks of [300, 10, 10, 60]) {
      await world.chain.addVolume([addressOf(0), BigInt(blocks)])
      await world.chain.client.mine({ blocks })
    }
    const node = await startProxy(world.chain.url)
    const index = await world.createIndex()
    const reader = await index.start({ url: node.url })
    const isFinal = async () => (await index.source())?.finalized === (await world.headNumber()) - 30
    await poll(isFinal)
    await reader.kill('SIGKILL')
    // Another reader has not seen how the chain's headers are hashed.
    node.behave(lies[lie]?.() ?? honest)
    await index.start({ url: node.url })
    const before = await index.events()
    const kinds = async () => (await index.report())?.warnings.map(({ kind }) => kind)
    await expect.poll(kinds).toEqual(expect.arrayContaining([said]))
    expect(await index.events()).toEqual(before)
    node.behave(honest)
    const expected = await readChain()
    await expect.poll(() => index.events()).toMatchObject(expected)
    await node.stop()
  },
)
