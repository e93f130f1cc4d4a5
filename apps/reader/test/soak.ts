import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Status } from '@lineage/referral-api'
import { type Address, numberToHex } from 'viem'
import { createRandom } from '../../../scripts/lib/createRandom.ts'
import type { ConfigInput } from '../config/index.ts'
import { eventKinds, eventTable } from '../eventTables.ts'
import { amountsContract, contract, startChain } from './chain.ts'
import { addressOf, testAmounts, testCommunity } from './community.ts'
import { type Database, type DatabaseKind, startDatabases } from './databases.ts'
import { type Indexer, poll, startIndexer } from './indexer.ts'
import { startProxy } from './proxy.ts'

export type SoakParameters = {
  kind: DatabaseKind
  /** Number of kills with SIGKILL. */
  kills: number
  /** Seed of the random numbers. It repeats a run, as far as timing allows. */
  seed: number
  log?: (message: string) => void
}

export type Soaked = {
  kills: number
  reorgs: number
  outages: number
  blocks: number
  /** Hashes of the indexer that was killed, and of one that indexed the same chain undisturbed. */
  hashes: Record<'killed' | 'fresh', { tables: string; forest: string }>
  rows: number
  /** Number of logs on the chain that should be indexed. */
  logs: number
}

const config: ConfigInput = {
  communities: [testCommunity({ id: 'soak', rebind: 'last', ...testAmounts })],
}
const addresses = Array.from({ length: 120 }, (_, index) => addressOf(index))
const deepest = 30

/**
 * Kills the indexer repeatedly while blocks are mined and reorganised (1 to 30 deep) and nodes stop, return and lag.
 * Then compares its tables and responses with those of an undisturbed indexer.
 *
 * @throws {Error} If an indexer ends by itself, with its output.
 * @example await runSoak({ kind: 'PGlite', kills: 50, seed: 1 })
 */
export async function runSoak({ kind, kills, seed, log = () => {} }: SoakParameters): Promise<Soaked> {
  const { next: random } = createRandom(seed)
  const below = (limit: number) => Math.floor(random() * limit)
  const anyAddress = () => addresses[below(addresses.length)] as Address
  const counts = { reorgs: 0, outages: 0 }

  const folder = await mkdtemp(join(tmpdir(), 'lineage-soak-'))
  const configFile = join(folder, 'config.json')
  await writeFile(configFile, JSON.stringify(config))
  const databases = await startDatabases(kind)
  const chain = await startChain()
  const proxies = [await startProxy(chain.url), await startProxy(chain.url)]
  const down = new Set<(typeof proxies)[number]>()
  const url = proxies.map((proxy) => proxy.url).join(',')
  let indexer: Indexer | undefined

  const headNumber = async () => Number(await chain.client.getBlockNumber({ cacheTime: 0 }))

  async function mine(): Promise<void> {
    const kind = below(8)
    if (kind === 0) await chain.addVolume([anyAddress(), BigInt(below(1_000))], [anyAddress(), BigInt(below(1_000))])
    else if (kind === 1) await chain.payReward([anyAddress(), BigInt(below(1_000))])
    else if (kind === 2) await chain.client.mine({ blocks: 1 })
    else
      await chain.bind(
        ...Array.from({ length: 1 + below(4) }, () => [anyAddress(), anyAddress()] as [Address, Address]),
      )
  }

  async function reorganise(): Promise<void> {
    const depth = Math.min(1 + below(deepest), (await headNumber()) - 1)
    if (depth < 1) return
    counts.reorgs++
    await chain.client.request({ method: 'anvil_rollback', params: [depth] } as never)
    await chain.client.request({ method: 'anvil_dropAllTransactions', params: [] } as never)
    // After a deep rollback, anvil loses code that was set.
    for (const address of [contract, amountsContract]) await chain.place(address)
    for (let block = 0; block <= depth; block++) await mine()
  }

  async function disturb(): Promise<void> {
    const proxy = proxies[below(proxies.length)]
    if (!proxy) return
    if (down.delete(proxy)) return proxy.listen()
    counts.outages++
    const lag = 1 + below(60)
    const head = await headNumber()
    const behind = numberToHex(Math.max(head - lag, 0))
    if (below(2) === 0) {
      down.add(proxy)
      return proxy.stop()
    }
    // The node stops at an older block, like one under maintenance.
    proxy.behave(({ method, params: [first] }) => {
      if (method === 'eth_blockNumber') return { result: behind }
      return method === 'eth_getBlockByNumber' && (first as unknown) === 'latest'
        ? { instead: [behind, true] }
        : undefined
    })
  }

  async function heal(): Promise<void> {
    for (const proxy of proxies) {
      proxy.behave(() => undefined)
      if (down.delete(proxy)) await proxy.listen()
    }
  }

  async function act(): Promise<void> {
    const kind = below(40)
    if (kind < 2) await reorganise()
    else if (kind === 2) await disturb()
    else if (kind < 5) await heal()
    else await mine()
  }

  const boot = (database: Database) => startIndexer({ config: configFile, url, database })

  /** Indexes the chain to its head, and hashes the tables and responses. */
  async function finish(database: Database): Promise<{ tables: string; forest: string; rows: number }> {
    indexer = await boot(database)
    await indexer.untilReady()
    const head = await headNumber()
    const reader = indexer
    await poll(async () => {
      const { asOf } = (await (await reader.request('/status')).json()) as Status
      return asOf?.block === head
    }, 120_000)
    const forest = await dumpForest(reader)
    await reader.kill('SIGTERM')
    const lines = await dumpTables(database)
    return { tables: hashOf(lines), forest: hashOf(forest), rows: lines.length }
  }

  try {
    const database = await databases.create()
    await chain.bind(...addresses.slice(1, 40).map((member) => [member, addresses[0]] as [Address, Address]))
    for (let block = 0; block < 40; block++) await mine()

    for (let kill = 1; kill <= kills; kill++) {
      indexer = await boot(database)
      const victim = indexer
      let ended = false
      void victim.exitCode().then(() => {
        ended = true
      })
      // Kill half of them during their start, and half once they are ready.
      const dies = below(2) === 0 ? 300 + below(6_000) : 'ready'
      const start = performance.now()
      const isReady = async () => (await victim.request('/ready').catch(() => undefined))?.ok === true
      while (!ended) {
        const lived = performance.now() - start
        if (dies === 'ready' ? lived > 20_000 || (await isReady()) : lived > dies) break
        await act()
        await delay(below(300))
      }
      const wasReady = await isReady()
      if (dies === 'ready') for (let acts = below(30); acts > 0 && !ended; acts--) await act()
      if (ended) throw new Error(`Before kill ${kill}, the indexer ended by itself:\n${victim.output()}`)
      await victim.kill('SIGKILL')
      log(
        `${kill}/${kills}: killed after ${((performance.now() - start) / 1_000).toFixed(1)} s (${wasReady ? 'ready' : 'starting'}), block ${await headNumber()}, ${counts.reorgs} reorgs, ${counts.outages} outages`,
      )
      for (let acts = below(4); acts > 0; acts--) await act()
    }

    await heal()
    await mine()
    const killed = await finish(database)
    const fresh = await finish(await databases.create())
    const logs = await chain.client.getLogs({ address: [contract, amountsContract], fromBlock: 1n, toBlock: 'latest' })
    return {
      kills,
      ...counts,
      blocks: await headNumber(),
      hashes: {
        killed: { tables: killed.tables, forest: killed.forest },
        fresh: { tables: fresh.tables, forest: fresh.forest },
      },
      rows: fresh.rows,
      logs: logs.length,
    }
  } finally {
    await indexer?.kill('SIGKILL')
    await heal()
    await Promise.all(proxies.map((proxy) => proxy.stop()))
    await chain.stop()
    await databases.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Dumps the tables, one line per row in log order. */
async function dumpTables(database: Database): Promise<string[]> {
  const [{ schema } = { schema: '' }] = await database.query<{ schema: string }>(
    `select table_schema as schema from information_schema.tables where table_name = 'bind_event'`,
  )
  const lines: string[] = []
  for (const table of eventKinds.map(eventTable))
    for (const { row } of await database.query<{ row: object }>(
      `select to_jsonb(t) as row from "${schema}".${table} t order by block, log_index, community`,
    ))
      lines.push(`${table} ${JSON.stringify(row)}`)
  return lines
}

/** Dumps the lookups of every address. */
async function dumpForest(indexer: Indexer): Promise<string[]> {
  const paths = [
    '/metrics',
    ...addresses.flatMap((address) =>
      ['', '/levels', '/referrals?level=all&limit=200', '/referrers?limit=200'].map(
        (rest) => `/members/${address}${rest}`,
      ),
    ),
  ]
  const lines: string[] = []
  for (const path of paths) {
    const answer = (await (await indexer.request(`/communities/soak${path}`)).json()) as object
    lines.push(`${path} ${JSON.stringify({ ...answer, asOf: null, nextCursor: null })}`)
  }
  return lines
}

function hashOf(lines: readonly string[]): string {
  return createHash('sha256').update(lines.join('\n')).digest('hex')
}
