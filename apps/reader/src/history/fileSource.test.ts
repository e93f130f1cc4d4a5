import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer'
import { type Hex, numberToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blockAt, logAt } from '../../test/blocks.ts'
import { columnNames, toCsv, toValues } from '../../test/logFile.ts'
import { createFileSource } from './fileSource.ts'
import type { HistoryLog, HistoryPart, HistorySource, LogFilter } from './HistorySource.ts'

const { address, topics } = logAt(0)
const filter: LogFilter = [{ address, topic: topics[0] as Hex, fromBlock: 0 }]
/** Blocks 10, 13, … of the chain have two logs each. */
const blocks = Array.from({ length: 150 }, (_, index) => 10 + 3 * index)
const chain = blocks.flatMap((number) => [logAt(number, 0), logAt(number, 4)]) as HistoryLog[]
const last = blocks.at(-1) as number
const missing = [{ fromBlock: 1, toBlock: 2_000 }]

const header = (number: number) => {
  const { hash, timestamp } = blockAt(number)
  return { number: blockAt(number).number, hash, timestamp }
}

/** Creates nodes that have the chain. */
function createNodes() {
  const read: number[] = []
  const source: HistorySource = {
    async read(range): Promise<HistoryPart> {
      const isIn = (log: HistoryLog) =>
        Number(log.blockNumber) >= range.fromBlock && Number(log.blockNumber) <= range.toBlock
      const logs = chain.filter(isIn)
      read.push(...logs.map(({ blockNumber }) => Number(blockNumber)))
      return { range, logs, blocks: [...new Set(logs.map(({ blockNumber }) => Number(blockNumber)))].map(header) }
    },
  }
  return { source, read }
}

const toRow = (log: HistoryLog) => toValues(log, header(Number(log.blockNumber)))
const rows = chain.map(toRow)
/** Returns the line of a block's first log in a file of all logs. */
const lineOf = (number: number) => 2 + 2 * blocks.indexOf(number)

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lineage-files-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Opens files with these contents and returns all logs read from blocks 1 to 2,000. */
async function readAll(files: Record<string, string | Buffer>) {
  const path = await mkdtemp(join(folder, 'files-'))
  for (const [name, text] of Object.entries(files)) await writeFile(join(path, name), text)
  const { source: nodes, read } = createNodes()
  const logged: string[] = []
  const log = (message: string) => void logged.push(message)
  const source = await createFileSource({ path, filter, nodes, missing, ask: (request) => request(), log })
  read.splice(0)
  const parts: HistoryPart[] = []
  for (let fromBlock = 1; fromBlock <= 2_000; fromBlock = (parts.at(-1)?.range.toBlock ?? 0) + 1)
    parts.push(await source.read({ fromBlock, toBlock: 2_000 }, filter))
  return { logs: parts.flatMap(({ logs }) => logs), headers: parts.flatMap((part) => part.blocks), read, logged }
}

const withHead = (given: readonly (readonly string[])[], head: readonly string[] = columnNames) =>
  toCsv([head, ...given])

/** Returns the chain's logs as they are written to the tables. */
const expected = chain.map(({ blockNumber, logIndex, data }) => ({ blockNumber, logIndex, data }))

/** Writes the rows with typed columns, like some exporters. */
function toParquet(codec: 'SNAPPY' | 'UNCOMPRESSED'): Buffer {
  const bytes = (texts: string[]) => texts.map((text) => new Uint8Array(Buffer.from(text.slice(2), 'hex')))
  const columnData = columnNames.map((name, at): ColumnSource => {
    const texts = rows.map((row) => row[at] ?? '')
    if (name === 'block_time')
      return { name, data: texts.map((text) => new Date(text.replace(' UTC', 'Z'))), type: 'TIMESTAMP' }
    if (/number|index/.test(name)) return { name, data: texts.map(BigInt), type: 'INT64' }
    if (/topic[123]/.test(name))
      return { name, data: texts.map((text) => text || undefined), type: 'STRING', nullable: true }
    return { name, data: bytes(texts), type: 'BYTE_ARRAY' }
  })
  return Buffer.from(parquetWriteBuffer({ columnData, codec, rowGroupSize: 100 }))
}

const topicsAt = columnNames.indexOf('topic0')
const withTopicList = (row: readonly string[]) => [
  ...row.slice(0, topicsAt),
  `"[${row
    .slice(topicsAt, topicsAt + 4)
    .filter(Boolean)
    .map((topic) => `'${topic}'`)
    .join(', ')}]"`,
  ...row.slice(topicsAt + 4),
]

describe('files that are right', () => {
  test.each<[string, () => Record<string, string | Buffer>]>([
    ['one CSV', () => ({ 'logs.csv': withHead(rows) })],
    ['Parquet without compression', () => ({ 'logs.parquet': toParquet('UNCOMPRESSED') })],
    ['Parquet with Snappy', () => ({ 'logs.parquet': toParquet('SNAPPY') })],
    [
      'three that overlap, in any order of names, beside another file',
      () => ({
        'c.csv': withHead(rows.slice(0, 100)),
        'a.csv': withHead(rows.slice(80, 210)),
        'b.CSV': withHead(rows.slice(205)),
        'notes.txt': 'exported in June',
      }),
    ],
    [
      'the topics as a list, and the names of others',
      () => ({
        'logs.csv': withHead(rows.map(withTopicList), [
          ...['block_timestamp', 'block_number', 'block_hash', 'address', 'topics', 'data'],
          ...['transaction_hash', 'log_index', 'transaction_index'],
        ]),
      }),
    ],
    [
      'zero as explorers write it',
      () => ({ 'logs.csv': withHead(rows.map((row) => row.map((value) => (value === '0' ? '0x' : value)))) }),
    ],
    [
      'other events and more columns beside ours',
      () => ({
        'logs.csv': withHead(
          chain.flatMap((log) => [
            [...toRow(log), 'x'],
            [
              ...toRow({ ...log, logIndex: numberToHex(Number(log.logIndex) + 1), address: `0x${'ee'.repeat(20)}` }),
              'y',
            ],
          ]),
          [...columnNames, 'tx_from'],
        ).replaceAll(/\n/g, '\r\n'),
      }),
    ],
  ])('behavior: %s', async (_, files) => {
    const { logs, headers, read, logged } = await readAll(files())
    expect(logs.map(({ blockNumber, logIndex, data }) => ({ blockNumber, logIndex, data }))).toEqual(expected)
    expect(logs.map(({ topics: found, transactionHash }) => [found, transactionHash])).toEqual(
      chain.map((log) => [log.topics, log.transactionHash]),
    )
    expect(headers).toEqual(blocks.map(header))
    // The first and the last block of a file may be cut off.
    expect(new Set(read)).toEqual(new Set([10, last]))
    const [found, ...names] = logged.toReversed()
    expect(found).toMatch(/has 300 logs of blocks 11 to 456\. Compared with the nodes: \d+ /)
    const listed = 'LINEAGE_HISTORY reads a.csv, b.CSV, c.csv; it ignores notes.txt.'
    expect(names).toEqual('notes.txt' in files() ? [listed] : [])
  })
})

/** Changes one value of the file. */
const change = (number: number, column: string, value: string) =>
  withHead(rows.map((row, at) => (at === lineOf(number) - 2 ? row.with(columnNames.indexOf(column), value) : row)))
const zeros: Hex = `0x${'0'.repeat(64)}`

describe('files that are wrong', () => {
  test('error: a file between two others is missing', async () => {
    const files = { 'a.csv': withHead(rows.slice(0, 100)), 'c.csv': withHead(rows.slice(200)) }
    await expect(readAll(files)).rejects.toThrow(
      /^(After a\.csv:101|Before c\.csv:2), log 0 of block 1[67]\d is missing/,
    )
  })

  // The chain is short enough to compare all of it.
  test.each<[string, string, string]>([
    [
      'a log is missing',
      withHead(rows.toSpliced(lineOf(205) - 2, 1)),
      `After logs.csv:${lineOf(205) - 1}, log 0 of block 205 is missing`,
    ],
    [
      'a month is missing',
      withHead(rows.filter((_, at) => at < 100 || at > 160)),
      'After logs.csv:101, log 0 of block 160 is missing',
    ],
    [
      'a log that the chain does not have',
      withHead(rows.toSpliced(lineOf(205), 0, toRow({ ...logAt(206), address } as HistoryLog))),
      `logs.csv:${lineOf(205) + 2}: the nodes have no such log in block 206.`,
    ],
    [
      'another amount',
      change(205, 'data', zeros),
      `logs.csv:${lineOf(205)}: the nodes have another data of block 205.`,
    ],
    [
      'another transaction',
      change(205, 'tx_hash', zeros),
      `logs.csv:${lineOf(205)}: the nodes have another transactionHash of block 205.`,
    ],
    [
      'another block',
      change(205, 'block_hash', zeros),
      `logs.csv:${lineOf(205) + 1} contradicts logs.csv:${lineOf(205)}: block 205 has another hash or time.`,
    ],
    [
      'another time',
      withHead(rows.map((row) => (row[1] === '205' ? row.with(0, '2024-02-29 00:00:00') : row))),
      `logs.csv:${lineOf(205)}: the nodes have another time of block 205.`,
    ],
    [
      'a log twice, with different contents',
      withHead(rows.toSpliced(lineOf(205) - 1, 0, (rows[lineOf(205) - 2] ?? []).with(8, '0x'))),
      `logs.csv:${lineOf(205) + 1} contradicts logs.csv:${lineOf(205)}: log 0 of block 205 is another one.`,
    ],
    [
      'newest first',
      withHead(rows.toReversed()),
      `logs.csv:3 is log 0 of block ${last}, after log 4 of block ${last}: sort the file by block_number, then by index.`,
    ],
    [
      'a number that is none',
      change(205, 'block_number', '2.1e2'),
      `logs.csv:${lineOf(205)} has no valid block_number.`,
    ],
    ['a position that no column holds', change(205, 'index', '3000000000'), 'has no valid index.'],
    ['no time zone but ours', change(205, 'block_time', '2026-06-01 12:00:00 CET'), 'has no valid block_time.'],
    ['a gap in the topics', change(205, 'topic0', ''), 'has no valid topic0 to topic3.'],
    ['a missing column', withHead(rows, columnNames.with(2, 'hash')), 'logs.csv has no column block_hash.'],
    [
      'other contracts only',
      withHead(rows.map((row) => row.with(3, `0x${'ee'.repeat(20)}`))),
      'has 300 logs, but none of the contracts and events of the configuration.',
    ],
    ['no row', withHead([]), 'has 0 logs'],
  ])('error: %s', async (_, text, message) => {
    await expect(readAll({ 'logs.csv': text })).rejects.toMatchObject({
      name: 'HistoryFileError',
      message: expect.stringContaining(message),
    })
  })

  test.each([
    ['is no Parquet', (file: Buffer) => Buffer.from(`PAR1${file.toString('latin1', 4, 400)}`)],
    ['was cut off', (file: Buffer) => file.subarray(0, file.length - 100)],
    ['is damaged', (file: Buffer) => Buffer.from(file).fill(0xff, 200, 2_000)],
  ])('error: a Parquet file that %s', async (_, damage) => {
    await expect(readAll({ 'logs.parquet': damage(toParquet('SNAPPY')) })).rejects.toMatchObject({
      name: 'HistoryFileError',
      message: expect.stringContaining('logs.parquet'),
    })
  })

  test('error: a missing path, a folder without files of logs, a file of another kind', async () => {
    const { source: nodes } = createNodes()
    const open = (path: string) =>
      createFileSource({ path, filter, nodes, missing, ask: (request) => request(), log: () => undefined })
    await mkdir(join(folder, 'empty'))
    await writeFile(join(folder, 'logs.json'), '[]')
    await expect(open(join(folder, 'nowhere.csv'))).rejects.toThrow('nowhere.csv cannot be read (ENOENT).')
    await expect(open(join(folder, 'empty'))).rejects.toThrow('has no file that ends in .csv or .parquet.')
    await expect(open(join(folder, 'logs.json'))).rejects.toThrow('logs.json is neither .csv nor .parquet.')
    await writeFile(join(folder, 'empty', 'logs.csv.gz'), '')
    await expect(open(join(folder, 'empty'))).rejects.toThrow('logs.csv.gz is compressed: unpack it first.')
  })
})

test('error: a file that is written to while it is read', async () => {
  const path = join(folder, 'growing.csv')
  await writeFile(path, withHead(rows))
  const { source: nodes } = createNodes()
  const source = await createFileSource({
    path,
    filter,
    nodes,
    missing,
    ask: (request) => request(),
    log: () => undefined,
  })
  await writeFile(path, withHead([...rows, ...rows.slice(-1)]))
  await expect(source.read({ fromBlock: 20, toBlock: 40 }, filter)).rejects.toThrow(
    'growing.csv was changed while it was read.',
  )
})

test('behavior: blocks that were read already are not compared, and need no file', async () => {
  const path = join(folder, 'old.csv')
  await writeFile(path, withHead(rows))
  const { source: nodes, read } = createNodes()
  const logged: string[] = []
  const range = { fromBlock: 5_000, toBlock: 9_000 }
  const log = (message: string) => void logged.push(message)
  const source = await createFileSource({ path, filter, nodes, missing: [range], ask: (request) => request(), log })
  expect(source).toBe(nodes)
  expect([read, logged]).toEqual([[], ['LINEAGE_HISTORY has no block that was not read yet: unset it.']])
})
