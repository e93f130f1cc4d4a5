import { eventKinds, type Grade, grades, indexSchema, openPool } from '@lineage/database'
import * as fc from 'fast-check'
import type { Address, Hash } from 'viem'
import { afterAll, expect, test } from 'vitest'
import { freePort } from '../../../../scripts/vitest/freePort.ts'
import { createDatabase, createTenant } from '../../test/serve.ts'
import {
  addressOf,
  bind,
  createCommunities,
  createTestTables,
  hashOf as hashOfBlock,
  type TestEvent,
  timeOf,
} from '../follow/test/tables.ts'
import {
  createEventTables,
  EventsReplacedError,
  type MemberEventPosition,
  type MemberEventRow,
  memberEventKinds,
  refuseWithoutDatabase,
} from './eventTables.ts'

type Row = { table: (typeof eventKinds)[number]; community: 'one' | 'two'; block: number; logIndex: number } & Pick<
  MemberEventRow,
  'member' | 'referrer'
>

const url = await createDatabase()
const written = await createTestTables(url, createCommunities('one', 'two'))
const pool = openPool({ url })
const tables = createEventTables(pool)
afterAll(async () => {
  await pool.end()
  await written.close()
})

const txOf = ({ block, logIndex }: Row): Hash => hashOfBlock(block * 100 + logIndex)
const hashOf = ({ block }: Row): Hash => hashOfBlock(block)

async function fill(rows: readonly Row[]): Promise<void> {
  for (const id of ['one', 'two'] as const) {
    const events = rows.filter(({ community }) => community === id).map(toEvent)
    await written.step(id, { fork: 0, block: 9, events })
  }
}

function toEvent(row: Row): TestEvent {
  const base = { block: row.block, logIndex: row.logIndex, member: row.member, tx: txOf(row), blockHash: hashOf(row) }
  if (row.table === 'bind') return { ...base, kind: 'bind', referrer: row.referrer, ...knownOf(row) }
  const from = sourceOf(row)
  return { ...base, kind: row.table, amount: amountOf(row), ...(from && { from }) }
}

/** Returns the source of every second reward, which is the address in the field for a referrer. */
const sourceOf = ({ table, block, referrer }: Row) => (table === 'reward' && block % 2 === 0 ? referrer : null)
/** Returns the grade of every third bind. */
const knownOf = ({ table, block, logIndex }: Row) =>
  table === 'bind' && (block + logIndex) % 3 === 0
    ? { grade: grades[1 + (block % 2)] as Grade, firstBlock: 0 }
    : { grade: 'exact' as const, firstBlock: block }
const originOf = (row: Row) => {
  const { grade, firstBlock } = knownOf(row)
  return { grade, between: grade === 'exact' ? null : { from: firstBlock, to: row.block } }
}
const amountOf = ({ block, logIndex }: Row) => 10n ** 60n + BigInt(block * 10 + logIndex)

/** Returns all events of a member, newest first, by checking every row. */
function expectedOf(rows: readonly Row[], member: Address, kinds: readonly string[], block: number) {
  return rows
    .filter((row) => row.community === 'one' && row.block <= block)
    .flatMap((row) => {
      const isOwn = row.member === member
      const kind = isOwn ? row.table : row.table === 'bind' && row.referrer === member ? 'referral' : undefined
      if (kind === undefined || !kinds.includes(kind)) return []
      const { block, logIndex, table } = row
      return {
        kind,
        rank: eventKinds.indexOf(table),
        block,
        logIndex,
        blockHash: hashOf(row),
        timestamp: timeOf(block),
        tx: txOf(row),
        ...originOf(row),
        member: row.member,
        referrer: table === 'bind' ? row.referrer : null,
        amount: table === 'bind' ? null : String(amountOf(row)),
        from: sourceOf(row),
      }
    })
    .sort((left, right) => right.block - left.block || right.logIndex - left.logIndex || right.rank - left.rank)
}

const address = fc.nat(3).map(addressOf)
const rows = fc.uniqueArray(
  fc.record({
    table: fc.constantFrom(...eventKinds),
    community: fc.constantFrom('one', 'one', 'two'),
    block: fc.integer({ min: 1, max: 6 }),
    logIndex: fc.nat(2),
    member: address,
    referrer: fc.oneof({ weight: 5, arbitrary: address }, fc.constant(null)),
  }),
  { maxLength: 30, selector: ({ table, community, block, logIndex }) => `${table} ${community} ${block} ${logIndex}` },
)
const kinds = fc.oneof(
  fc.constant(memberEventKinds),
  fc.constantFrom(...memberEventKinds).map((kind) => [kind]),
)

/** The state of source 1, which is the first community. */
const stateAt = (block: number) => ({ source: 1, asOf: { block } })

test('property: the pages of a member hold all its events up to a block, once each and newest first', async () => {
  const limits = fc.integer({ min: 1, max: 4 })
  await fc.assert(
    fc.asyncProperty(rows, kinds, limits, fc.integer({ min: 3, max: 6 }), async (all, kinds, limit, block) => {
      await fill(all)
      const member = addressOf(0)
      const found: MemberEventRow[] = []
      for (let before: MemberEventPosition | undefined; ; before = found.at(-1)) {
        const page = await tables.readMemberEvents({ ...stateAt(block), member }, { kinds, before }, limit)
        found.push(...page)
        if (page.length < limit) break
      }
      expect(found).toEqual(expectedOf(all, member, kinds, block))
    }),
    { numRuns: 60 },
  )
})

test('property: the pages of all binds, the events of a range and the transactions match the rows', async () => {
  await fc.assert(
    fc.asyncProperty(rows, fc.integer({ min: 1, max: 6 }), async (all, block) => {
      await fill(all)
      const own = all
        .filter((row) => row.community === 'one')
        .sort((left, right) => left.block - right.block || left.logIndex - right.logIndex)
      const binds = own.filter((row) => row.table === 'bind' && row.block <= block)
      const found = await tables.readBinds(stateAt(block), undefined, 100)
      expect(found.map(({ tx }) => tx)).toEqual(binds.map(txOf).reverse())
      expect(
        await tables.findTxs({ source: 1, replaced: '0-first.0.0' }, [{ block: 9, logIndex: 99 }, ...binds]),
      ).toEqual([null, ...binds.map(txOf)])
      const events = await tables.readEvents(stateAt(9), { after: 2, upTo: block }, 100)
      const ranged = own
        .filter(({ table }) => table === 'bind' || table === 'volume')
        .filter((row) => row.block > 2 && row.block <= block)
      expect(events.map(({ block, logIndex }) => `${block}-${logIndex}`)).toEqual(
        ranged.map(({ block, logIndex }) => `${block}-${logIndex}`),
      )
    }),
    { numRuns: 30 },
  )
})

test('events at positions are found by the index in a table that was not analyzed', async () => {
  const database = await createDatabase()
  const own = await createTestTables(database, createCommunities('one'))
  const connections = openPool({ url: database })
  try {
    await connections.query(`alter table ${indexSchema}.event_1 set (autovacuum_enabled = off)`)
    await own.step('one', { block: 3_000, events: Array.from({ length: 3_000 }, (_, at) => bind(at + 1, at, 0)) })
    const positions = Array.from({ length: 300 }, (_, at) => ({ block: at * 7 + 1, logIndex: 0 }))
    const plans: string[] = []
    const explained = createEventTables({
      async query(text: string, values: unknown[]) {
        const { rows } = await connections.query(`explain (analyze, format json) ${text}`, values)
        plans.push(JSON.stringify(rows))
        return connections.query(text, values)
      },
    } as Pick<typeof pool, 'query'>)
    const state = { source: 1, asOf: { block: 3_000 }, replaced: '0-first.0.0' }
    expect(await explained.findTxs(state, positions)).toHaveLength(positions.length)
    const binds = await explained.readBindsAt(state, positions)
    expect(binds).toHaveLength(positions.length)
    await explained.readBindsBefore(state, binds, 2)
    expect(plans).toHaveLength(3)
    for (const plan of plans) expect(plan).not.toContain('Rows Removed by Join Filter')
  } finally {
    await connections.end()
    await own.close()
  }
})

test('a page of the events in a period reads those of the page only', async () => {
  const database = await createDatabase()
  const own = await createTestTables(database, createCommunities('one'))
  const connections = openPool({ url: database })
  try {
    await own.step('one', { block: 20_000, events: Array.from({ length: 20_000 }, (_, at) => bind(at + 1, at, 0)) })
    await connections.query(`analyze ${indexSchema}.event_1`)
    const read: number[] = []
    const explained = createEventTables({
      async query(text: string, values: unknown[]) {
        const { rows } = await connections.query(`explain (analyze, buffers, format json) ${text}`, values)
        const { Plan: plan } = rows[0]['QUERY PLAN'][0]
        read.push(plan['Shared Hit Blocks'] + plan['Shared Read Blocks'])
        return connections.query(text, values)
      },
    } as Pick<typeof pool, 'query'>)
    const state = { source: 1, asOf: { block: 20_000 }, replaced: '0-first.0.0' }
    for (const order of ['asc', 'desc'] as const) {
      const range = { from: 1, to: 20_000, at: { block: 10_000, logIndex: 0 }, order }
      const [first] = await explained.readBindsIn(state, range, 10)
      expect(first?.block).toBe(order === 'asc' ? 10_001 : 9_999)
    }
    for (const blocks of read) expect(blocks).toBeLessThan(25)
  } finally {
    await connections.end()
    await own.close()
  }
})

test('error: rows of another fork than that of the state', async () => {
  await fill([])
  const state = { ...stateAt(9), replaced: '0-first.0.0' }
  expect(await tables.readBinds(state, undefined, 1)).toEqual([])
  const positions = [{ block: 1, logIndex: 0 }]
  expect(await tables.findTxs(state, positions)).toEqual([null])
  await written.step('one', { block: 9, reorgs: 1 })
  await expect(tables.readBinds(state, undefined, 1)).rejects.toThrow(EventsReplacedError)
  await expect(tables.findTxs(state, positions)).rejects.toThrow(EventsReplacedError)
})

test('error: rows of tables that were restored to an earlier state than that of the lookup', async () => {
  const database = await createDatabase()
  const own = await createTestTables(database, createCommunities('one'))
  const connections = openPool({ url: database })
  const restored = createEventTables(connections)
  try {
    await own.step('one', { block: 8 })
    const restore = await own.save('one')
    await own.step('one', { block: 9, events: [bind(9, 1, 0)] })
    const state = { ...stateAt(9), replaced: '0-first.0.0' }
    const positions = [{ block: 9, logIndex: 0 }]
    const readBoth = () =>
      Promise.allSettled([restored.readBinds(state, undefined, 1), restored.findTxs(state, positions)])
    const isRefused = { status: 'rejected', reason: expect.any(EventsReplacedError) }
    expect(await readBoth()).toMatchObject([{ value: [{ block: 9 }] }, { value: [expect.any(String)] }])
    await restore()
    expect(await readBoth()).toMatchObject([isRefused, isRefused])
    await own.step('one', { block: 9, timeline: 'second' })
    expect(await readBoth()).toMatchObject([isRefused, isRefused])
  } finally {
    await connections.end()
    await own.close()
  }
})

const user = (name: string) => url.replace(/\/\/.*@/, `//${name}@`)

test.each([
  ['wrong password', async () => user('postgres:wr0ng'), 'the database refuses the user or its password'],
  ['missing database', async () => `${url}_missing`, 'the database of that name does not exist'],
  ['missing right', () => createTenant(url), 'the database refuses a right to the user'],
  ['no free connection', () => createTenant(url).then(close), 'the database has no connection left'],
  ['no TLS', async () => `${url}?sslmode=verify-full`, 'no trusted TLS connection to the database can be opened'],
  ['unknown host', async () => 'postgres://me:wr0ng@nowhere.invalid/one', 'the host of the database is not found'],
  [
    'no server',
    async () => `postgres://me:wr0ng@127.0.0.1:${await freePort()}/one`,
    'no database listens at its address',
  ],
  ['no answer', async () => url, 'the database does not respond'],
])('error: events cannot be listed, and the answer says why: %s', async (what, urlOf, reason) => {
  const wrong = openPool({ url: await urlOf(), timeout: 3_000 })
  const text = what === 'no answer' ? 'select pg_sleep(9)' : `select from ${indexSchema}.event`
  await expect(wrong.query(text).catch(refuseWithoutDatabase)).rejects.toMatchObject({
    code: 'unavailable',
    message: `Events cannot be listed, because ${reason}. Try again later.`,
  })
  await wrong.end()
})

test.each([
  ['slow', undefined, 32, 'Too many statements wait for the database. Try again in 1 s.'],
  ['silent', 'unreachable', 1, 'Events cannot be listed, because the database does not respond. Try again later.'],
] as const)('behavior: while the database is %s, statements beyond a limit are refused at once', async (...given) => {
  const [, fault, limit, message] = given
  const locker = await pool.connect()
  await locker.query(`begin; lock table ${indexSchema}.event`)
  const { readBinds } = createEventTables(pool, () => fault)
  const read = () => readBinds({ source: 1, asOf: { block: 9 } }, undefined, 1)
  const reads = Array.from({ length: 40 }, read)
  const answered = Promise.allSettled(reads)
  try {
    for (const one of reads.slice(limit)) await expect(one).rejects.toMatchObject({ code: 'unavailable', message })
  } finally {
    await locker.query('rollback')
    locker.release()
  }
  expect((await answered).filter(({ status }) => status === 'fulfilled')).toHaveLength(limit)
  await read()
})

/** Allows a role no connection. */
async function close(of: string): Promise<string> {
  await pool.query(`alter role ${new URL(of).username} connection limit 0`)
  return of
}
