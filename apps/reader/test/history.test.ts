import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AbiEvent, numberToHex, parseAbiItem, zeroAddress } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { HistoryLog } from '../history/HistorySource.ts'
import { amountsContract, type Chain, contract, startChain } from './chain.ts'
import { addressOf, testAmounts, testCommunity } from './community.ts'
import { type Database, type DatabaseKind, startDatabases } from './databases.ts'
import { type Indexer, poll, type StartIndexerParameters, startIndexer } from './indexer.ts'
import { columnNames, toCsv, toValues } from './logFile.ts'
import { type NodeProxy, startProxy } from './proxy.ts'

const root = addressOf(0)
/** Later than the other community, in the middle of the history. */
const secondStart = 700
/** A later version: another contract and another order of the arguments. */
const joined = {
  address: amountsContract,
  event: 'event Joined(address indexed by, address member)',
  member: 'member',
  referrer: 'by',
}
const paid = { event: 'event Paid(address member, uint128 amount)', member: 'member', amount: 'amount' }
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
    testCommunity({ id: 'first', ...testAmounts, more: { binds: [joined], rewards: [paid] } }),
    testCommunity({ id: 'second', address: amountsContract, startBlock: secondStart }),
  ]
  await writeFile(config, JSON.stringify({ communities }))
  chain = await startChain()
  node = await startProxy(chain.url)
  await chain.bind([root, zeroAddress])
  for (let index = 1; index <= 40; index++) {
    // Several logs in one transaction, including irregular ones: to oneself, a second one, and a cycle.
    await chain.bind([addressOf(index), addressOf(index >> 1)], [addressOf(index), root], [root, addressOf(index)])
    await chain.addVolume([addressOf(index), BigInt(index) * 10n ** 18n])
    await chain.payReward([root, BigInt(index)], [addressOf(index), 2n ** 255n])
    if (index % 10 === 0) {
      await chain.emit(amountsContract, [
        [parseAbiItem(joined.event) as AbiEvent, addressOf(index), addressOf(index + 60)],
      ])
      await chain.emit(contract, [[parseAbiItem(paid.event) as AbiEvent, addressOf(index), 5n]])
    }
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

type Options = Pick<StartIndexerParameters, 'program' | 'env' | 'role' | 'args'>

async function start(database: Database, options: Options = {}): Promise<Indexer> {
  const indexer = await startIndexer({ config, url: node.url, database, ...options })
  indexers.push(indexer)
  return indexer
}

async function createDatabases(kind: DatabaseKind) {
  const started = await startDatabases(kind)
  databases.push(started)
  return [await started.create(), await started.create(), await started.create()] as const
}

/** Exports all logs of both contracts, like a service does from its own node. */
async function exportLogs(): Promise<string[][]> {
  const params = [{ address: [contract, amountsContract], fromBlock: '0x1', toBlock: 'latest' }] as const
  const logs = (await chain.client.request({ method: 'eth_getLogs', params: [...params] } as never)) as HistoryLog[]
  const rows: string[][] = []
  for (const log of logs) {
    const block = await chain.client.getBlock({ blockNumber: BigInt(log.blockNumber) })
    const timestamp = numberToHex(block.timestamp)
    rows.push(toValues(log, { number: log.blockNumber, hash: log.blockHash, timestamp }))
  }
  return rows
}

async function writeLogs(rows: string[][]): Promise<{ LINEAGE_HISTORY: string }> {
  const path = join(folder, 'logs.csv')
  await writeFile(path, toCsv([columnNames, ...rows]))
  return { LINEAGE_HISTORY: path }
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

function expectHistory(indexer: Indexer): void {
  expect(indexer.output()).toContain('Reading the history of ')
  expect(indexer.output()).toContain('cache contains all required data')
}

/** Expects that a file has the first logs of the chain, with all fields. */
async function expectLogs(path: string): Promise<void> {
  const [head, ...rows] = (await readFile(path, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => line.split(','))
  const sorted = (names: readonly string[], values: readonly string[]) =>
    names.map((name, index) => `${name} ${values[index]}`).toSorted()
  const timeAt = columnNames.indexOf('block_time')
  const withSeconds = (row: string[]) => row.with(timeAt, String(Date.parse(row[timeAt] ?? '') / 1_000))
  const expected = (await exportLogs()).slice(0, rows.length).map((row) => sorted(columnNames, withSeconds(row)))
  expect(rows.length).toBeGreaterThan(200)
  expect(rows.map((row) => sorted(head ?? [], row))).toEqual(expected)
}

async function untilNewest(...started: Indexer[]): Promise<void> {
  const newest = Number(await chain.client.getBlockNumber({ cacheTime: 0 }))
  await poll(async () => Math.min(...(await Promise.all(started.map(blockOf)))) >= newest, 60_000)
}

async function endAll(): Promise<void> {
  for (const indexer of indexers.splice(0)) await indexer.kill('SIGTERM')
}

const blockOf = async (indexer: Indexer) =>
  ((await (await indexer.request('/status')).json()) as { asOf: { block: number } | null }).asOf?.block ?? 0

test.each(['PostgreSQL', 'PGlite'] as const)(
  'behavior: the tables are those of Ponder alone, of the history from nodes or a file, and of new blocks (%s)',
  async (kind) => {
    const [ofProduct, ofPonder, ofFile] = await createDatabases(kind)
    const product = await start(ofProduct)
    const alone = await start(ofPonder, { program: 'bench/ponderAlone.ts' })
    for (const indexer of [product, alone]) await indexer.untilReady()
    expectHistory(product)
    await chain.bind([addressOf(101), root], [addressOf(102), addressOf(101)])
    await chain.payReward([root, 7n])
    await chain.client.mine({ blocks: 3 })
    await untilNewest(product, alone)
    await endAll()

    const LINEAGE_HISTORY = join(folder, `${kind}.csv`)
    const exporter = await start(ofProduct, { role: 'export', args: [LINEAGE_HISTORY] })
    expect(await exporter.exitCode(), exporter.output()).toBe(0)
    expect(exporter.output()).toMatch(/^2\d\d logs up to block \d+ were written to /)
    await expectLogs(LINEAGE_HISTORY)
    const fromFile = await start(ofFile, { env: { LINEAGE_HISTORY } })
    await fromFile.untilReady()
    expectHistory(fromFile)
    expect(fromFile.output()).toMatch(/LINEAGE_HISTORY has 2\d\d logs of blocks \d+ to \d+\. Compared with the nodes: /)
    await untilNewest(fromFile)
    await endAll()
    const rows = await readTables(ofProduct)
    expect(rows.filter((row) => row.includes(`${addressOf(70)},${addressOf(10)}`))).toHaveLength(1)
    expect(rows.filter((row) => /^reward_event .*,5,\)?/.test(row)).length).toBeGreaterThan(3)
    expect(rows.length).toBeGreaterThan(200)
    expect(rows).toEqual(await readTables(ofPonder))
    expect(await readTables(ofFile)).toEqual(rows)
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
  // Requests for the start block, which test whether the node keeps it.
  expect(new Set(ranges.flat())).toEqual(new Set(['0x1']))
})

test('error: a file with a gap ends the start, and nothing is saved', async () => {
  const [database] = await createDatabases('PostgreSQL')
  const rows = await exportLogs()
  const env = await writeLogs(rows.toSpliced(Math.floor(rows.length / 2), 40))
  const indexer = await start(database, { env: { ...env, LINEAGE_LOG: 'json' } })
  expect(await indexer.exitCode()).toBe(1)
  const lines = indexer.output().trim().split('\n')
  const logged = lines.map((line) => JSON.parse(line) as { time: string; level: string; message: string })
  for (const { time } of logged) expect(Date.parse(time)).toBeGreaterThan(Date.now() - 600_000)
  // Includes Ponder's own lines.
  expect(logged.filter(({ level }) => level === 'info').length).toBeGreaterThan(2)
  expect(logged.at(-1)?.level).toBe('error')
  expect(logged.at(-1)?.message).toMatch(
    /The files of LINEAGE_HISTORY cannot be used\. After logs\.csv:\d+, log \d+ of block \d+ is missing/,
  )
  expect(await database.query('select 1 from ponder_sync.logs')).toEqual([])
})

test('error: an export before anything was read', async () => {
  const [database] = await createDatabases('PGlite')
  const exporter = await start(database, { role: 'export', args: [join(folder, 'none.csv')] })
  const directory = database.env.LINEAGE_INDEX_DIR
  expect([await exporter.exitCode(), exporter.output()]).toEqual([1, `There is no index in ${directory}.\n`])
  expect((await readdir(folder)).filter((name) => name.startsWith('none'))).toEqual([])
})
