import { setTimeout as delay } from 'node:timers/promises'
import { type Address, numberToHex } from 'viem'
import { createRandom } from '../../../scripts/lib/createRandom.ts'
import { amountsContract, contract } from './chain.ts'
import { addressOf, testAmounts, testCommunity } from './community.ts'
import { type NodeProxy, startProxy } from './proxy.ts'
import { poll } from './reader.ts'
import { type Index, startWorld, type World } from './world.ts'

export type SoakParameters = {
  /** Number of kills with SIGKILL. */
  kills: number
  /** Seed of the random numbers. It repeats a run, as far as timing allows. */
  seed: number
  log?: (message: string) => void
}

export type Soaked = {
  reorgs: number
  outages: number
  lies: number
  blocks: number
  /** Rows of the readers that were killed, and of one that read the same chain undisturbed. */
  rows: Record<'killed' | 'fresh', string[]>
  /** Number of logs on the chain that should be stored. */
  logs: number
}

type Random = ReturnType<typeof createRandom>['next']

const addresses = Array.from({ length: 120 }, (_, index) => addressOf(index))
const deepest = 30

/**
 * Kills readers repeatedly, two of them at a time, while blocks are mined and reorganised (1 to 30 deep) and nodes stop,
 * return, lag, and leave logs out. Then compares the rows with those of an undisturbed reader.
 *
 * @throws {Error} if a reader ends by itself, with its output
 */
export async function runSoak({ kills, seed, log = () => {} }: SoakParameters): Promise<Soaked> {
  const { next: random } = createRandom(seed)
  const below = (limit: number) => Math.floor(random() * limit)
  const world = await startWorld([testCommunity({ id: 'soak', rebind: 'last', ...testAmounts })])
  const proxies = [await startProxy(world.chain.url), await startProxy(world.chain.url)]
  const url = proxies.map((proxy) => proxy.url).join()
  const nodes = createFaults(world, proxies, random)
  const chain = createMiner(world, random)
  try {
    const index = await world.createIndex()
    for (let block = 0; block < 60; block++) await chain.mine()
    for (let kill = 1; kill <= kills; kill++) {
      const victim = await index.start({ url })
      const isReady = async () => (await victim.request('/ready').catch(() => undefined))?.ok === true
      // Half of them are killed during their start.
      const lifetime = below(2) === 0 ? 500 + below(6_000) : 20_000
      const startedAt = performance.now()
      while (performance.now() - startedAt < lifetime && (lifetime < 20_000 || !(await isReady()))) {
        await act(chain, nodes, below)
        await delay(below(300))
      }
      for (let acts = below(30); acts > 0 && lifetime === 20_000; acts--) await act(chain, nodes, below)
      if (victim.hasEnded()) throw new Error(`Before kill ${kill}, the reader ended by itself:\n${victim.output()}`)
      await victim.kill('SIGKILL')
      log(
        `${kill}/${kills}: block ${await world.headNumber()}, ${JSON.stringify({ ...chain.counts, ...nodes.counts })}`,
      )
    }
    await nodes.heal()
    await chain.mine()
    const killed = await finish(world, index, url)
    const fresh = await finish(world, await world.createIndex(), url)
    const params = { address: [contract, amountsContract], fromBlock: 1n, toBlock: 'latest' } as const
    const logs = await world.chain.client.getLogs({ ...params, address: [...params.address] })
    const counts = { ...chain.counts, ...nodes.counts }
    return { ...counts, blocks: await world.headNumber(), rows: { killed, fresh }, logs: logs.length }
  } finally {
    await nodes.heal()
    await world.endReaders()
    for (const proxy of proxies) await proxy.stop()
    await world.stop()
  }
}

type Miner = ReturnType<typeof createMiner>
type Faults = ReturnType<typeof createFaults>

async function act(chain: Miner, nodes: Faults, below: (limit: number) => number): Promise<void> {
  const kind = below(40)
  if (kind < 2) await chain.reorganise()
  else if (kind === 2) await nodes.disturb()
  else if (kind < 5) await nodes.heal()
  else await chain.mine()
}

function createMiner({ chain, headNumber }: World, random: Random) {
  const below = (limit: number) => Math.floor(random() * limit)
  const anyAddress = () => addresses[below(addresses.length)] as Address
  const anyAmount = (): [Address, bigint] => [anyAddress(), BigInt(below(1_000))]
  const counts = { reorgs: 0 }

  async function mine(): Promise<void> {
    const kind = below(8)
    if (kind === 0) await chain.addVolume(anyAmount(), anyAmount())
    else if (kind === 1) await chain.payReward(anyAmount())
    else if (kind === 2) await chain.client.mine({ blocks: 1 })
    else
      await chain.bind(
        ...Array.from({ length: 1 + below(4) }, () => [anyAddress(), anyAddress()] as [Address, Address]),
      )
  }

  return {
    counts,
    mine,
    async reorganise(): Promise<void> {
      const depth = Math.min(1 + below(deepest), (await headNumber()) - 1)
      if (depth < 1) return
      counts.reorgs++
      await chain.client.request({ method: 'anvil_rollback', params: [depth] } as never)
      await chain.client.request({ method: 'anvil_dropAllTransactions', params: [] } as never)
      // After a deep rollback, anvil loses code that was set.
      for (const address of [contract, amountsContract]) await chain.place(address)
      for (let block = 0; block <= depth; block++) await mine()
    },
  }
}

function createFaults({ headNumber }: World, proxies: readonly NodeProxy[], random: Random) {
  const below = (limit: number) => Math.floor(random() * limit)
  const down = new Set<NodeProxy>()
  const counts = { outages: 0, lies: 0 }

  return {
    counts,
    async disturb(): Promise<void> {
      const proxy = proxies[below(proxies.length)] as NodeProxy
      if (down.delete(proxy)) return proxy.listen()
      const kind = below(3)
      if (kind === 0) {
        counts.outages++
        down.add(proxy)
        return proxy.stop()
      }
      if (kind === 1) {
        counts.lies++
        // The node leaves logs of a block out.
        return proxy.behave(({ method, params: [filter] }) =>
          method === 'eth_getLogs' && 'blockHash' in (filter as unknown as object)
            ? { change: (logs: readonly unknown[]) => logs.slice(1) }
            : undefined,
        )
      }
      counts.outages++
      // The node stops at an older block, like one under maintenance.
      const behind = numberToHex(Math.max((await headNumber()) - 1 - below(60), 0))
      proxy.behave(({ method, params: [first] }) => {
        if (method === 'eth_blockNumber') return { result: behind }
        return method === 'eth_getBlockByNumber' && (first as unknown) === 'latest'
          ? { instead: [behind, true] }
          : undefined
      })
    },
    async heal(): Promise<void> {
      for (const proxy of proxies) {
        proxy.behave(() => undefined)
        if (down.delete(proxy)) await proxy.listen()
      }
    },
  }
}

/** Reads the chain to its head, and returns all rows in order. */
async function finish(world: World, index: Index, url: string): Promise<string[]> {
  const reader = await index.start({ url })
  const head = await world.headNumber()
  await poll(async () => (await index.liveBlock('soak')) === head)
  await poll(async () => (await index.source('soak'))?.finalized === head - 30)
  await reader.kill('SIGTERM')
  const rows = await index.query<{ row: string }>(
    `select (to_jsonb(event) - 'source')::text as row from lineage_1.event order by block, log_index, kind`,
  )
  return rows.map(({ row }) => row)
}
