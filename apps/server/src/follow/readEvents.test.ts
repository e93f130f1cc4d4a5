import { eventKinds, openPool } from '@lineage/database'
import { amountKinds } from '@lineage/referral-api/amounts'
import * as fc from 'fast-check'
import { numberToHex } from 'viem'
import { afterAll, expect, test } from 'vitest'
import { createDatabase } from '../../test/serve.ts'
import { connect } from './connection.ts'
import { copyEvents, EventParser } from './readEvents.ts'
import { createCommunities, createTestTables, hashOf, type TestEvent, timeOf } from './test/tables.ts'

const url = await createDatabase()
const tables = await createTestTables(url, createCommunities('demo'))
const connection = await connect({ url })
afterAll(async () => {
  connection.close()
  await tables.close()
})

const address = fc.bigInt(0n, 2n ** 160n - 1n).map((number) => numberToHex(number, { size: 20 }))
const position = { block: fc.integer({ min: 1, max: 2 ** 40 }), logIndex: fc.nat(5), member: address }
const amount = fc.oneof(
  fc.bigInt(0n, 2n ** 256n - 1n),
  fc.nat(77).map((power) => 10n ** BigInt(power)),
  fc.nat(30_000).map(BigInt),
)
const event = fc.oneof(
  fc
    .record({
      kind: fc.constant('bind' as const),
      ...position,
      referrer: fc.oneof(address, fc.constant(null)),
      known: fc.constantFrom(
        {},
        { grade: 'exact' as const },
        { grade: 'between' as const, firstBlock: 2 },
        { grade: 'observed' as const, firstBlock: 1 },
      ),
    })
    .map(({ known, ...bind }): TestEvent => ({ ...bind, ...known })),
  fc.record({ kind: fc.constantFrom(...amountKinds), ...position, amount }),
)
const events = fc.uniqueArray(event, { maxLength: 30, selector: (one) => `${one.kind} ${one.block} ${one.logIndex}` })

const inOrder = (all: readonly TestEvent[]) =>
  all.toSorted(
    (left, right) =>
      left.block - right.block ||
      left.logIndex - right.logIndex ||
      eventKinds.indexOf(left.kind) - eventKinds.indexOf(right.kind),
  )
const toBigInt = (words: Iterable<number>) => [...words].reduce((sum, word) => sum * 2n ** 32n + BigInt(word), 0n)
const toAddress = (words: string | Uint32Array) => numberToHex(toBigInt(words as Uint32Array), { size: 20 })

/** Reads the output of a statement at once. */
async function copy(text: string): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of connection.copy(text)) pieces.push(piece)
  return Buffer.concat(pieces)
}

test('behavior: PostgreSQL ends the connection of a server that is cut off or paused in a transaction', async () => {
  const rows = await connection.query<{ limit: string; idle: string }>(
    `select current_setting('idle_in_transaction_session_timeout') as limit,
      current_setting('tcp_keepalives_idle') as idle`,
  )
  expect(rows).toEqual([{ limit: '10s', idle: '5' }])
})

test('property: events are parsed in the order of their logs, however the output is cut into pieces', async () => {
  await fc.assert(
    fc.asyncProperty(events, fc.integer({ min: 1, max: 400 }), async (all, size) => {
      await tables.step('demo', { fork: 0, events: all, block: 2 ** 41 })
      const bytes = await copy(copyEvents({ source: 1, after: { block: 0 }, upTo: 2 ** 41 }))
      const parser = new EventParser()
      const found: unknown[] = []
      const rows: unknown[] = []
      for (let at = 0; at < bytes.length; at += size)
        for (const one of parser.parse(bytes.subarray(at, at + size))) {
          rows.push(parser.row())
          const base = { ...one, member: toAddress(one.member) }
          if (one.kind === 'bind') found.push({ ...base, referrer: one.referrer && toAddress(one.referrer) })
          else found.push({ ...base, amount: toBigInt((one.amount as Uint32Array).toReversed()) })
        }
      parser.end()
      const expected = inOrder(all).map((one) => {
        const known = one.kind === 'bind' && { grade: one.grade ?? 'exact', firstBlock: one.firstBlock ?? one.block }
        return { ...one, ...known, timestamp: timeOf(one.block) }
      })
      expect(found).toEqual(expected)
      expect(rows).toEqual(expected.map((one) => ({ ...one, blockHash: hashOf(one.block) })))
    }),
    { numRuns: 60 },
  )
})

test('behavior: reads after a position, and at most so many', async () => {
  const base = { member: numberToHex(1, { size: 20 }), referrer: null }
  const all = [0, 1, 2].map((logIndex): TestEvent => ({ ...base, kind: 'bind', block: 5, logIndex }))
  await tables.step('demo', { fork: 0, events: all, block: 9 })
  const read = async (range: Partial<Parameters<typeof copyEvents>[0]>) => {
    const parser = new EventParser()
    const bytes = await copy(copyEvents({ source: 1, after: { block: 0 }, upTo: 9, ...range }))
    return Array.from(parser.parse(bytes), ({ logIndex }) => logIndex)
  }
  expect(await read({ limit: 2 })).toEqual([0, 1])
  expect(await read({ after: { block: 5, logIndex: 0, kind: 0 } })).toEqual([1, 2])
  expect(await read({ after: { block: 5 } })).toEqual([])
  expect(await read({ upTo: 4 })).toEqual([])
})

test.each([
  ['an address cut short', 'member', "'\\x00'::bytea"],
  ['a negative amount', 'amount', '-5'],
  ['a fraction', 'amount', '1.5'],
  ['more than 256 bits', 'amount', '2 ^ 256::numeric'],
  ['no amount', 'amount', 'null'],
])('error: an event with %s', async (_, column, value) => {
  const pool = openPool({ url })
  const volume = { kind: 'volume', block: 5, logIndex: 0, member: numberToHex(1, { size: 20 }), amount: 1n } as const
  await tables.step('demo', { fork: 0, events: [volume], block: 9 })
  await pool.query(`update lineage_1.event set ${column} = ${value}`)
  const bytes = await copy(copyEvents({ source: 1, after: { block: 0 }, upTo: 9 }))
  expect(() => [...new EventParser().parse(bytes)]).toThrow()
  await pool.end()
})

test('error: an output that ends within an event', async () => {
  const volume = { kind: 'volume', block: 5, logIndex: 0, member: numberToHex(1, { size: 20 }), amount: 1n } as const
  await tables.step('demo', { fork: 0, events: [volume], block: 9 })
  const bytes = await copy(copyEvents({ source: 1, after: { block: 0 }, upTo: 9 }))
  const parser = new EventParser()
  expect([...parser.parse(bytes.subarray(0, -10))]).toEqual([])
  expect(() => parser.end()).toThrow('incomplete')
})

test('error: a connection whose database says nothing ends', async () => {
  const silent = await connect({ url, patience: 100 })
  await expect(silent.query('select pg_sleep(2)')).rejects.toThrow('query read timeout')
  await expect(silent.query('select 1')).rejects.toThrow()
})
