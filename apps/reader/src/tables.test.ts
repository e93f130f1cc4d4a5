import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { type Community, parseConfig } from '@lineage/communities'
import { createIndexTables, hasStepsOf, indexSchema, openPool } from '@lineage/database'
import { startTestPostgres, type TestPostgres } from '@lineage/database/testing'
import pg, { type Pool } from 'pg'
import { numberToHex } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { addressOf, testCommunity } from '../test/community.ts'
import { createReadings, type Reading, type ReadingStep, takeBackReadings, writeReadings } from './asked/readings.ts'
import type { EventRow } from './decode.ts'
import { createTables, LostSourceError, type SourceStep, type Tables } from './tables.ts'

const community = (id: string) => parseConfig({ communities: [testCommunity({ id })] }).communities[0] as Community

const rowAt = (block: number): EventRow => ({
  ...{ block, logIndex: 0, kind: 0, time: block, blockHash: numberToHex(block, { size: 32 }) },
  ...{ tx: numberToHex(block, { size: 32 }), txIndex: 0, member: numberToHex(block, { size: 20 }) },
  ...{ other: null, amount: null, raw: null, asked: null },
})

/** Returns a step that stores a row in each block up to the tip, in place of the rows from `replaced` on. */
const stepTo = (id: number, tip: number, changes: Partial<SourceStep> & { rows: EventRow[] }): SourceStep => ({
  ...{ id, tip: { number: tip, time: tip }, finalized: 0, state: 'live' },
  ...changes,
})

let postgres: TestPostgres
let url: string
let pool: Pool
let tables: Tables
let id: number
const writer = randomUUID()

beforeAll(async () => {
  postgres = await startTestPostgres()
})
beforeEach(async () => {
  url = await postgres.createDatabase()
  pool = openPool({ url })
  await createIndexTables(pool)
  tables = createTables(pool, writer)
  id = (await tables.openSource(community('demo'))).id
  await tables.takeSource(id)
  return () => pool.end()
})
afterAll(() => postgres.stop())

const blocks = async () => (await tables.loadRows(id, { from: 0, to: 1_000 })).map(({ block }) => block)

/** Begins a transaction of another process. */
async function beginElsewhere() {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('begin')
  return client
}

/** Forwards connections to a server, until one has sent so many bytes: then nothing passes any more. */
async function startSilentLine(target: string, limit: number) {
  const server = createServer((near) => {
    const far = connect(Number(new URL(target).port), '127.0.0.1')
    let sent = 0
    near.on('data', (data) => {
      sent += data.length
      if (sent < limit) far.write(data)
    })
    far.on('data', (data) => void (sent < limit && near.write(data)))
    near.on('error', () => undefined).on('close', () => far.destroy())
    far.on('error', () => undefined).on('close', () => near.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const through = new URL(target)
  through.port = String((server.address() as AddressInfo).port)
  return { url: through.href, close: () => server.close() }
}

test('the events of a source are analyzed once, if PostgreSQL has not done it', async () => {
  const readTimes = async () => {
    const { rows } = await pool.query('select analyze_count from pg_stat_all_tables where relname = $1', [
      `event_${id}`,
    ])
    return Number(rows[0]?.analyze_count)
  }
  const rows = Array.from({ length: 100 }, (_, index) => rowAt(index + 1))
  await tables.write([stepTo(id, 100, { rows })], [])
  expect(await readTimes()).toBe(0)
  await tables.analyzeNew(id)
  await tables.analyzeNew(id)
  expect(await readTimes()).toBe(1)
  await tables.analyzeNew(id + 1)
})

test('error: a line that falls silent while rows are copied fails the transaction, and nothing else', async () => {
  const line = await startSilentLine(url, 300_000)
  const cut = openPool({ url: line.url, timeout: 3_000 })
  const rows = Array.from({ length: 20_000 }, (_, index) => rowAt(index + 1))
  const writing = createTables(cut, writer)
  await writing.reloadSource(id)
  await expect(writing.write([stepTo(id, 20_000, { rows })])).rejects.toThrow()
  await cut.end()
  line.close()
  expect(await blocks()).toEqual([])
})

test('error: a transaction that is committed late makes the next one fail, instead of mixing two forks', async () => {
  const rows = [1, 2, 3, 4, 5].map(rowAt)
  await tables.write([stepTo(id, 5, { rows })])
  const late = await beginElsewhere()
  await late.query('update lineage_1.source set block = 6, reorgs = reorgs + 1, step = step + 1 where id = $1', [id])
  await late.query(
    `insert into lineage_1.event select source, 6, log_index, kind, time, block_hash, tx, tx_index, member from lineage_1.event where block = 5`,
  )
  await tables.reloadSource(id)
  const next = stepTo(id, 7, { rows: [3, 4, 5, 7].map(rowAt), replaced: { from: 3, to: 5 }, reread: 'stored' })
  const written = tables.write([next])
  written.catch(() => undefined)
  const waiting = 'select 1 from pg_locks where not granted'
  await expect.poll(async () => (await pool.query(waiting)).rowCount).toBeGreaterThan(0)
  await late.query('commit')
  await expect(written).rejects.toThrow(/changed/)
  await expect(written).rejects.not.toBeInstanceOf(LostSourceError)
  expect(await blocks()).toEqual([1, 2, 3, 4, 5, 6])
  await tables.reloadSource(id)
  await tables.write([{ ...next, replaced: { from: 3, to: 6 } }])
  expect(await blocks()).toEqual([1, 2, 3, 4, 5, 7])
})

test('error: a step on tables that were restored is refused, and the next one begins a timeline', async () => {
  const sourceOf = () => tables.reloadSource(id)
  await tables.write([stepTo(id, 1, { rows: [rowAt(1)] })])
  const restored = await sourceOf()
  await tables.write([stepTo(id, 2, { rows: [rowAt(2)] })])
  const lost = await sourceOf()
  expect([hasStepsOf(lost, restored), hasStepsOf(restored, lost)]).toEqual([true, false])
  const restore = () =>
    pool.query('update lineage_1.source set block = 1, step = $2, timelines = $3 where id = $1', [
      ...[id, restored.step, restored.timelines],
    ])
  await restore()
  await expect(tables.write([stepTo(id, 3, { rows: [rowAt(3)] })])).rejects.toThrow(/restore/)
  expect(await blocks()).toEqual([1, 2])
  await sourceOf()
  await tables.write([stepTo(id, 2, { rows: [] })])
  await tables.write([stepTo(id, 3, { rows: [rowAt(3)] })])
  const now = await sourceOf()
  expect([hasStepsOf(now, restored), hasStepsOf(now, lost)]).toEqual([true, false])
  expect(now.timelines?.length).toBe((restored.timelines?.length ?? 0) + 1)
})

test('behavior: tables of an earlier version get timelines, one for each source', async () => {
  const other = await tables.openSource(community('other'))
  await pool.query('alter table lineage_1.source drop column step, drop column timelines')
  await createIndexTables(pool)
  const [first, second] = await tables.listSources()
  expect([first, second]).toMatchObject([{ step: 0, timelines: [expect.stringMatching(/^0-/)] }, { id: other.id }])
  expect(first?.timelines).not.toEqual(second?.timelines)
  await tables.takeSource(id)
  await tables.write([stepTo(id, 1, { rows: [rowAt(1)] })])
})

test('behavior: a server that reads while tables of an earlier version get their columns still finds each source', async () => {
  await pool.query('alter table lineage_1.source drop column step, drop column timelines')
  const server = await pool.connect()
  await server.query('begin isolation level repeatable read read only')
  await server.query('select 1')
  await createIndexTables(pool)
  const found = await server.query('select id from lineage_1.source')
  await server.query('commit')
  server.release()
  expect(found.rows).toEqual([{ id }])
})

test('error: after a step that failed, the next one begins a timeline, because a server may have seen it', async () => {
  await tables.write([stepTo(id, 1, { rows: [rowAt(1)] })])
  await expect(tables.write([stepTo(id, 2, { rows: [rowAt(1)] })])).rejects.toThrow(/duplicate key/)
  await tables.write([stepTo(id, 2, { rows: [rowAt(2)] })])
  const { step, timelines } = await tables.reloadSource(id)
  expect([step, timelines?.length, timelines?.at(-1)]).toEqual([2, 3, expect.stringMatching(/^2-/)])
})

test('behavior: a final block that is replaced is noted, with the logs that were missing or other ones', async () => {
  const later = { ...rowAt(5), member: rowAt(4).member }
  await tables.write([stepTo(id, 5, { rows: [rowAt(3), rowAt(4), later], finalized: 5 })])
  const [first, second, third] = [0, 1, 2].map((logIndex) => ({ ...rowAt(4), logIndex }))
  if (!first || !second || !third) throw new Error('There are no rows.')
  const heal = async (...rows: EventRow[]) =>
    tables.write([stepTo(id, 5, { rows, finalized: 5, replaced: { from: 4, to: 4 }, reread: 'final' })])
  await heal(first, second)
  await heal(first, { ...second, member: numberToHex(9, { size: 20 }) }, third)
  await heal(first)
  // A contract returned a referrer that it had before.
  await tables.write([stepTo(id, 7, { rows: [2, 7].map(rowAt), finalized: 6, reread: 'final' })])
  const { rows } = await pool.query('select source, number, block, added from lineage_1.healed order by number, block')
  // Later binds of the same member may count since, or no longer.
  expect(rows).toEqual([
    { source: id, number: 1, block: 4, added: [1] },
    { source: id, number: 1, block: 5, added: [] },
    { source: id, number: 2, block: 4, added: [0, 1, 2] },
    { source: id, number: 2, block: 5, added: [0] },
    { source: id, number: 3, block: 4, added: [0] },
    { source: id, number: 3, block: 5, added: [0] },
    { source: id, number: 4, block: 2, added: [0] },
  ])
  expect(await blocks()).toEqual([2, 3, 4, 5, 7])
  await tables.removeSource(id)
  expect((await pool.query('select from lineage_1.healed')).rowCount).toBe(0)
})

test('error: a step of a source that another reader has taken is refused', async () => {
  await createTables(pool, randomUUID()).takeSource(id)
  await expect(tables.write([stepTo(id, 1, { rows: [rowAt(1)] })])).rejects.toBeInstanceOf(LostSourceError)
})

test('behavior: a source is deleted while another one is read for long, and no lookup waits for it', async () => {
  const other = (await tables.openSource(community('other'))).id
  const long = await beginElsewhere()
  await long.query('select count(*) from lineage_1.event')
  let state = 'waiting'
  const removed = tables.removeSource(other).then(() => {
    state = 'removed'
  })
  const asksForLock = `select 1 from pg_locks where relation = 'lineage_1.event'::regclass and not granted`
  await expect.poll(async () => (await pool.query(asksForLock)).rowCount, { interval: 5 }).toBe(1)
  await pool.query('select count(*) from lineage_1.event where source = $1', [id])
  expect(state).toBe('waiting')
  await long.query('commit')
  await removed
  expect((await tables.listSources()).map((source) => source.id)).toEqual([id])
  expect((await pool.query('select to_regclass($1) as name', [`lineage_1.event_${other}`])).rows).toEqual([
    { name: null },
  ])
})

const { event, member, referrer, ...rest } = testCommunity()
/** Returns a configuration of one community whose contract is asked about the addresses in an event. */
const askedBy = (name: string) =>
  parseConfig({
    communities: [
      {
        ...{ ...rest, candidates: [{ event: `event ${name}(address who)`, members: ['who'] }] },
        parent: 'function inviter(address) view returns (address)',
      },
    ],
  }).communities[0] as Community

async function openAsked(name: string): Promise<number> {
  const { id: source } = await tables.openSource(askedBy(name))
  await tables.takeSource(source)
  return source
}

/** Stores that the contract returned referrers of members first at a block each, up to block 100. */
async function storeReadings(
  source: number,
  found: readonly (readonly [member: number, block: number])[],
  rows: EventRow[] = [],
  confirmed: ReadingStep['confirmed'] = [],
) {
  const changed = found.map(
    ([index, block], position): Reading => ({
      ...{ member: addressOf(index), parent: addressOf(1), block, blockHash: numberToHex(block, { size: 32 }) },
      ...{ time: block, after: block - 1, grade: 'exact', position },
    }),
  )
  const tip = { number: 100, hash: numberToHex(100, { size: 32 }) }
  const named = changed.map((reading) => reading.member)
  await tables.write([stepTo(source, 100, { rows, readings: { named, changed, confirmed, start: 0, tip } })])
}

const readingsOf = async (source: number) =>
  (await createReadings(pool).firstIn(source, { from: 0, to: 1_000 })).map((one) => [
    Number(one.member) - 0xabc000,
    one.block,
  ])

test('behavior: of a replaced block, the reading before counts as seen in its own block only', async () => {
  const source = await openAsked('First')
  const { current } = createReadings(pool)
  const seenOf = async (index: number) =>
    (await current(source, [addressOf(index)])).map((one) => [one.block, one.seen])
  const seen = async () => [...(await seenOf(2)), ...(await seenOf(3))]
  await storeReadings(source, [
    [2, 10],
    [3, 20],
  ])
  // Member 2 may have had a third referrer before it moved in block 90. Member 3 may have moved in a replaced block and back.
  await storeReadings(source, [[2, 90]], [], [{ member: addressOf(3), block: 95 }])
  expect(await seen()).toEqual([
    [90, 90],
    [20, 95],
  ])
  await tables.takeBackReadings(source, 80)
  expect(await seen()).toEqual([
    [10, 10],
    [20, 20],
  ])
})

test('behavior: a source takes back its own readings only', async () => {
  const [first, second] = [await openAsked('First'), await openAsked('Second')]
  for (const source of [first, second])
    await storeReadings(source, [
      [2, 10],
      [3, 90],
    ])
  await tables.takeBackReadings(first, 80)
  expect(await readingsOf(first)).toEqual([[2, 10]])
  expect(await readingsOf(second)).toEqual([
    [2, 10],
    [3, 90],
  ])
})

test('behavior: a new source has the readings of the others of its view, and those of a deleted one stay until then', async () => {
  const [first, second] = [await openAsked('First'), await openAsked('Second')]
  await storeReadings(first, [
    [7, 20],
    [2, 10],
    [8, 20],
    [9, 90],
  ])
  await storeReadings(second, [
    [4, 20],
    [2, 20],
    [6, 95],
  ])
  await tables.removeSource(first)
  expect(await readingsOf(first)).toHaveLength(4)
  const third = await openAsked('Third')
  // Readings of blocks that were not final for the first source may be of another fork.
  expect(await readingsOf(third)).toEqual([
    [2, 20],
    [4, 20],
    [7, 20],
    [8, 20],
    [6, 95],
  ])
  const positions = (await createReadings(pool).positions(third, [20])).map(({ position }) => position)
  expect(new Set(positions).size).toBe(4)
  expect([await readingsOf(first), (await readingsOf(second)).length]).toEqual([[], 3])
  await tables.removeSource(third)
  const again = await openAsked('Third')
  expect((await readingsOf(again)).length).toBe(5)
  expect(await createReadings(pool).blocks(again)).toContainEqual({ number: 100, hash: numberToHex(100, { size: 32 }) })
})

test('behavior: readings that sources had together become those of each, and members without a row are asked again', async () => {
  const source = await openAsked('First')
  await storeReadings(
    source,
    [
      [2, 10],
      [3, 20],
      [4, 200],
    ],
    [{ ...rowAt(10), member: addressOf(2) }],
  )
  await pool.query(`
    alter table lineage_1.reading add column view text;
    alter table lineage_1.reading_block add column view text;
    update lineage_1.reading set view = (select view from lineage_1.reading_view);
    update lineage_1.reading_block set view = (select view from lineage_1.reading_view);
    delete from lineage_1.reading_view;
    alter table lineage_1.reading drop column source, add primary key (view, member, block);
    alter table lineage_1.reading_block drop column source, add primary key (view, number)`)
  await createIndexTables(pool)
  await openAsked('First')
  expect(await readingsOf(source)).toEqual([
    [2, 10],
    [4, 200],
  ])
  const open = await createReadings(pool).oldest(source, { changes: 'once', upTo: 100, limit: 10 })
  expect(open).toMatchObject([{ member: addressOf(3), parent: null, seen: 0 }])
  expect(await readingsOf(await openAsked('Second'))).toEqual([
    [2, 10],
    [4, 200],
  ])
})

test('behavior: the line above a member is that of a block, with the next move of each', async () => {
  const source = await openAsked('First')
  const move = (member: number, parent: number | null, block: number): Reading => ({
    ...{ member: addressOf(member), parent: parent === null ? null : addressOf(parent), block },
    ...{ blockHash: numberToHex(block, { size: 32 }), time: block, after: block - 1, grade: 'exact', position: 0 },
  })
  for (const changed of [[move(2, 3, 10), move(3, 4, 10)], [move(3, 5, 20)], [move(2, null, 30)]])
    await tables.write([
      stepTo(source, 100, {
        rows: [],
        readings: { named: [addressOf(2), addressOf(3)], changed, confirmed: [], start: 0, tip: undefined },
      }),
    ])
  const { lineAt } = createReadings(pool)
  const lineOf = async (block: number) =>
    (await lineAt(source, addressOf(2), block)).map(({ member, parent, next }) => [
      ...[Number(member) - 0xabc000, parent && Number(parent) - 0xabc000, next],
    ])
  expect(await lineOf(10)).toEqual([
    [2, 3, 30],
    [3, 4, 20],
    [4, null, null],
  ])
  expect(await lineOf(25)).toEqual([
    [2, 3, 30],
    [3, 5, null],
    [5, null, null],
  ])
  expect(await lineOf(30)).toEqual([[2, null, null]])
})

test('behavior: no statement about the readings of a few members or blocks reads the table of all', async () => {
  await pool.query(`
    insert into ${indexSchema}.reading (source, member, block, block_hash, parent, after_block, seen, position)
      select 1, decode(lpad(to_hex(i), 40, '0'), 'hex'), i / 10, decode(lpad(to_hex(i / 10), 64, '0'), 'hex'),
        decode(lpad(to_hex(nullif(i / 4, 0)), 40, '0'), 'hex'), i / 10 - 1, i / 10, i % 10 from generate_series(1, 50000) i;
    analyze ${indexSchema}.reading`)
  const plans: string[] = []
  const explained = {
    async query(text: string, values: unknown[]) {
      const { rows } = await pool.query(`explain ${text}`, values)
      plans.push(`${text}\n${rows.map((row) => row['QUERY PLAN']).join('\n')}`)
      return { rows: [] }
    },
  } as never
  const members = [addressOf(40_000), addressOf(50_000)]
  const readings = createReadings(explained)
  await readings.current(1, members)
  await readings.above(1, members)
  await readings.lineAt(1, addressOf(40_000), 3_000)
  await readings.positions(1, [3_000, 4_000])
  await readings.blocks(1)
  await readings.firstIn(1, { from: 4_000, to: 4_001 })
  for (const changes of ['once', 'any'] as const) await readings.oldest(1, { changes, upTo: 4_000, limit: 10 })
  const moved = members.map(
    (member): Reading => ({
      ...{ member, parent: addressOf(1), block: 5_001, blockHash: numberToHex(5_001, { size: 32 }) },
      ...{ time: 5_001, after: 5_000, grade: 'exact', position: null },
    }),
  )
  const confirmed = members.map((member) => ({ member, block: 5_001 }))
  await writeReadings(explained, 1, { named: members, changed: moved, confirmed, start: 0 })
  await takeBackReadings(explained, 1, 4_999)
  expect(plans.length).toBeGreaterThan(12)
  expect(plans.filter((plan) => plan.includes('Seq Scan on reading'))).toEqual([])
})
