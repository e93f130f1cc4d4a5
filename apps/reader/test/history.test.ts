import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type AbiEvent, numberToHex, parseAbiItem, zeroAddress } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { HistoryLog } from '../src/history/HistorySource.ts'
import { amountsContract, contract } from './chain.ts'
import { addressOf, testAmounts, testCommunity } from './community.ts'
import { columnNames, toCsv, toValues } from './logFile.ts'
import { type NodeProxy, startProxy } from './proxy.ts'
import { poll } from './reader.ts'
import { type Index, startWorld, type World } from './world.ts'

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
const paid = {
  event: 'event Paid(address member, string note, uint128 amount)',
  member: 'member',
  amount: 'amount',
}

let world: World
let node: NodeProxy

beforeAll(async () => {
  world = await startWorld([
    testCommunity({ id: 'first', ...testAmounts, more: { binds: [joined], rewards: [paid] } }),
    testCommunity({ id: 'second', address: amountsContract, startBlock: secondStart }),
  ])
  const { chain } = world
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
      await chain.emit(contract, [[parseAbiItem(paid.event) as AbiEvent, addressOf(index), 'for lunch', 5n]])
    }
    await chain.client.mine({ blocks: 30 })
  }
})
afterEach(() => world.endReaders())
afterAll(async () => {
  await node?.stop()
  await world?.stop()
})

const untilHead = async (index: Index) => {
  for (const community of ['first', 'second'])
    await poll(async () => (await index.liveBlock(community)) === (await world.headNumber()))
}

/** Returns every column of the rows as text; ids of sources may differ. */
const readRows = (index: Index) =>
  index.query<{ row: string }>(
    `select community || ' ' || (to_jsonb(event) - 'source')::text as row
      from lineage_1.event join lineage_1.source on id = source order by community, event.block, log_index, kind`,
  )

/** Exports all logs of both contracts, like a service does from its own node. */
async function exportLogs(): Promise<string[][]> {
  const { client } = world.chain
  const params = [{ address: [contract, amountsContract], fromBlock: '0x1', toBlock: 'latest' }] as const
  const logs = (await client.request({ method: 'eth_getLogs', params: [...params] } as never)) as HistoryLog[]
  const rows: string[][] = []
  for (const log of logs) {
    const block = await client.getBlock({ blockNumber: BigInt(log.blockNumber) })
    const timestamp = numberToHex(block.timestamp)
    rows.push(toValues(log, { number: log.blockNumber, hash: log.blockHash, timestamp }))
  }
  return rows
}

/** Expects that a file has the first logs of the chain, with all fields. */
async function expectLogs(path: string): Promise<void> {
  const [head, ...rows] = (await readFile(path, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => line.split(','))
  const timeAt = columnNames.indexOf('block_time')
  const withSeconds = (row: string[]) => row.with(timeAt, String(Date.parse(row[timeAt] ?? '') / 1_000))
  expect(head).toEqual(columnNames)
  expect(rows.length).toBeGreaterThan(200)
  expect(rows).toEqual((await exportLogs()).slice(0, rows.length).map(withSeconds))
}

test('behavior: rows of ranges, of an exported file and of single blocks are the same', async () => {
  const [ofRanges, ofFile] = [await world.createIndex(), await world.createIndex()]
  const reader = await ofRanges.start({ url: node.url })
  await untilHead(ofRanges)
  expect(reader.output()).toContain('Reading the history of ')
  await world.chain.bind([addressOf(101), root], [addressOf(102), addressOf(101)])
  await world.chain.payReward([root, 7n])
  await world.chain.client.mine({ blocks: 3 })
  await untilHead(ofRanges)
  expect(node.requests.filter(({ params }) => params[1] === true)).toEqual([])

  const LINEAGE_HISTORY = join(world.folder, 'exported.csv')
  const exporter = await ofRanges.start({ command: 'export', args: [LINEAGE_HISTORY] })
  expect(await exporter.exitCode(), exporter.output()).toBe(0)
  expect(exporter.output()).toMatch(/^2\d\d logs up to block \d+ were written to /)
  await expectLogs(LINEAGE_HISTORY)
  const again = await ofRanges.start({ command: 'export', args: [LINEAGE_HISTORY] })
  expect([await again.exitCode(), again.output()]).toEqual([1, expect.stringContaining('cannot be written (EEXIST)')])

  const fromFile = await ofFile.start({ url: node.url, env: { LINEAGE_HISTORY } })
  await untilHead(ofFile)
  expect(fromFile.output()).toMatch(/LINEAGE_HISTORY has 2\d\d logs of blocks \d+ to \d+\. Compared with the nodes: /)
  const rows = await readRows(ofRanges)
  expect(rows.filter(({ row }) => row.includes(addressOf(70).slice(2)))).toHaveLength(1)
  expect(rows.filter(({ row }) => row.includes('"amount": 5,')).length).toBeGreaterThan(3)
  expect(rows.length).toBeGreaterThan(200)
  expect(await readRows(ofFile)).toEqual(rows)
})

test('behavior: nothing is read twice after a kill', async () => {
  const index = await world.createIndex()
  const first = await index.start({ url: node.url })
  await untilHead(index)
  // The next reader checks 256 blocks before the last final one again.
  const readFinal = () => index.query<{ block: number }>('select min(finalized)::int as block from lineage_1.source')
  await poll(async () => Number((await readFinal())[0]?.block) > 900 + 256)
  const before = await readRows(index)
  await first.kill('SIGKILL')
  node.requests.splice(0)
  const second = await index.start({ url: node.url })
  const heads = () => node.requests.filter(({ params }) => (params[0] as unknown) === 'latest').length
  await poll(async () => heads() > 3)
  expect(second.output()).not.toContain('Reading the history of ')
  const ranges = node.requests.flatMap(({ method, params: [filter] }) => {
    const { fromBlock } = (filter ?? {}) as unknown as { fromBlock?: string }
    return method === 'eth_getLogs' && Number(fromBlock) < 900 ? [fromBlock] : []
  })
  // Requests for the start block, which test whether the node keeps it.
  expect(new Set(ranges)).toEqual(new Set(['0x1']))
  expect(await readRows(index)).toEqual(before)
})

test('behavior: a reader that has read the history says that LINEAGE_HISTORY, here a wrong one, is not needed', async () => {
  const index = await world.createIndex()
  const first = await index.start({ url: node.url })
  await untilHead(index)
  await first.kill('SIGKILL')
  const second = await index.start({ url: node.url, env: { LINEAGE_HISTORY: join(world.folder, 'missing') } })
  const told = 'LINEAGE_HISTORY is not needed: fewer than 1,000 blocks are missing. Unset it.'
  await expect.poll(() => second.output()).toContain(told)
})

test('error: a file with a gap ends the start, and nothing is stored', async () => {
  const index = await world.createIndex()
  const rows = await exportLogs()
  const LINEAGE_HISTORY = join(world.folder, 'logs.csv')
  await writeFile(LINEAGE_HISTORY, toCsv([columnNames, ...rows.toSpliced(Math.floor(rows.length / 2), 40)]))
  const reader = await index.start({ url: node.url, env: { LINEAGE_HISTORY, LINEAGE_LOG: 'json' } })
  expect(await reader.exitCode()).toBe(1)
  const lines = reader.output().trim().split('\n')
  const logged = lines.map((line) => JSON.parse(line) as { time: string; level: string; message: string })
  expect(logged.filter(({ level }) => level === 'info').length).toBeGreaterThan(1)
  expect(logged.at(-1)).toMatchObject({ level: 'error' })
  expect(logged.at(-1)?.message).toMatch(
    /The files of LINEAGE_HISTORY cannot be used\. After logs\.csv:\d+, log \d+ of block \d+ is missing/,
  )
  expect(await index.query('select 1 from lineage_1.event')).toEqual([])
})

test('error: an export before anything was read', async () => {
  const index = await world.createIndex()
  const exporter = await index.start({ command: 'export', args: [join(world.folder, 'none.csv')] })
  expect([await exporter.exitCode(), exporter.output()]).toEqual([1, expect.stringContaining('has no events')])
  expect((await readdir(world.folder)).filter((name) => name.startsWith('none'))).toEqual([])
})
