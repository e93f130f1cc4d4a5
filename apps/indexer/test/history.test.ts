import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zeroAddress } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Chain, feeds, startChain } from './chain.ts'
import { addressOf, testCommunity, testFeeds } from './community.ts'
import { type Database, type DatabaseKind, startDatabases } from './databases.ts'
import { type Indexer, poll, startIndexer } from './indexer.ts'
import { type NodeProxy, startProxy } from './proxy.ts'

const root = addressOf(0)
/** Later than the other community, in the middle of the history. */
const secondStart = 700
const tables = ['bind_event', 'volume_event', 'reward_event'] as const

let folder: string
let config: string
let chain: Chain
let node: NodeProxy
const indexers: Indexer[] = []
const databases: Awaited<ReturnType<typeof startDatabases>>[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lineage-history-'))
  config = join(folder, 'config.json')
  const communities = [
    testCommunity({ id: 'first', ...testFeeds }),
    testCommunity({ id: 'second', address: feeds, startBlock: secondStart }),
  ]
  await writeFile(config, JSON.stringify({ communities }))
  chain = await startChain()
  node = await startProxy(chain.url)
  await chain.bind([root, zeroAddress])
  for (let index = 1; index <= 40; index++) {
    // Several logs of one transaction, and dirty ones: to oneself, a second one, and a cycle.
    await chain.bind([addressOf(index), addressOf(index >> 1)], [addressOf(index), root], [root, addressOf(index)])
    await chain.addVolume([addressOf(index), BigInt(index) * 10n ** 18n])
    await chain.payReward([root, BigInt(index)], [addressOf(index), 2n ** 255n])
    await chain.client.mine({ blocks: 30 })
  }
})

afterEach(async () => {
  for (const indexer of indexers.splice(0)) await indexer.kill('SIGKILL')
  for (const one of databases.splice(0)) await one.stop()
})

afterAll(async () => {
  await node?.stop()
  await chain?.stop()
  await rm(folder, { recursive: true, force: true })
})

async function start(database: Database, program?: string): Promise<Indexer> {
  const indexer = await startIndexer({ config, url: node.url, database, ...(program && { program }) })
  indexers.push(indexer)
  return indexer
}

async function createDatabases(kind: DatabaseKind) {
  const started = await startDatabases(kind)
  databases.push(started)
  return [await started.create(), await started.create()] as const
}

/** Reads every column of the tables, as text. */
async function readTables(database: Database): Promise<string[]> {
  const [found] = await database.query<{ schema: string }>(
    `select table_schema as schema from information_schema.tables
      where table_name = 'bind_event' and table_schema like 'lineage_%'`,
  )
  const rows: string[] = []
  for (const table of tables) {
    const text = `select '${table} ' || one::text as row from "${found?.schema}".${table} one order by 1`
    rows.push(...(await database.query<{ row: string }>(text)).map(({ row }) => row))
  }
  return rows
}

const blockOf = async (indexer: Indexer) =>
  ((await (await indexer.request('/status')).json()) as { asOf: { block: number } | null }).asOf?.block ?? 0

test.each(['PostgreSQL', 'PGlite'] as const)(
  'behavior: the tables are those of Ponder alone, of the history and of new blocks (%s)',
  async (kind) => {
    const [ofProduct, ofPonder] = await createDatabases(kind)
    const product = await start(ofProduct)
    const alone = await start(ofPonder, 'bench/ponderAlone.ts')
    await product.untilReady()
    await alone.untilReady()
    expect(product.output()).toContain('Reading the history of ')
    expect(product.output()).toContain('cache contains all required data')
    await chain.bind([addressOf(101), root], [addressOf(102), addressOf(101)])
    await chain.payReward([root, 7n])
    const newest = Number(await chain.client.getBlockNumber({ cacheTime: 0 }))
    await poll(async () => Math.min(await blockOf(product), await blockOf(alone)) >= newest, 60_000)
    for (const indexer of indexers.splice(0)) await indexer.kill('SIGTERM')
    const rows = await readTables(ofProduct)
    expect(rows.length).toBeGreaterThan(200)
    expect(rows).toEqual(await readTables(ofPonder))
  },
)

test('behavior: no block is requested with its transactions, and nothing is read twice after a restart', async () => {
  const [database] = await createDatabases('PostgreSQL')
  node.requests.splice(0)
  const first = await start(database)
  await first.untilReady()
  expect(node.requests.length).toBeGreaterThan(0)
  expect(node.requests.filter(({ params }) => params[1] === true)).toEqual([])
  await first.kill('SIGKILL')
  node.requests.splice(0)
  const second = await start(database)
  await second.untilReady()
  expect(second.output()).not.toContain('Reading the history of ')
  const ranges = node.requests.flatMap(({ method, params: [filter] }) => {
    const { fromBlock, toBlock } = (filter ?? {}) as unknown as { fromBlock?: string; toBlock?: string }
    return method === 'eth_getLogs' && Number(fromBlock) < 1_000 ? [[fromBlock, toBlock]] : []
  })
  // Those of the start block, which find out what the node keeps.
  expect(new Set(ranges.flat())).toEqual(new Set(['0x1']))
})
