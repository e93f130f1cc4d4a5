import * as fc from 'fast-check'
import { type Address, type Hash, numberToHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventKinds, eventTable } from '../../../eventTables.ts'
import { openPglite, requireFromPonder } from '../../../openDatabase.ts'
import { createTables, type Tables } from './createTables.ts'
import { type MemberEventPosition, type MemberEventRow, memberEventKinds } from './readMemberEvents.ts'

type Row = { table: (typeof eventKinds)[number]; community: string; block: number; logIndex: number } & Pick<
  MemberEventRow,
  'member' | 'referrer'
>
type Database = Awaited<ReturnType<typeof openPglite>>

const addressOf = (index: number): Address => numberToHex(index + 0xab00, { size: 20 })
const txOf = ({ block, logIndex }: Row): Hash => numberToHex(block * 100 + logIndex, { size: 32 })
const hashOf = ({ block }: Row): Hash => numberToHex(block, { size: 32 })
let database: Database
let tables: Tables

beforeAll(async () => {
  database = await openPglite('memory://')
  const position = `community text, block int8, log_index int, block_hash text, timestamp int8, tx text, member text`
  for (const kind of eventKinds)
    await database.query(`create table ${eventTable(kind)} (${position}, ${columns[kind]})`)
  const { drizzle } = requireFromPonder('drizzle-orm/pglite') as {
    drizzle: (database: Database) => Parameters<typeof createTables>[0]
  }
  tables = await createTables(drizzle(database), 'serve')
})
afterAll(() => database.close())

async function fill(rows: readonly Row[]): Promise<void> {
  for (const kind of eventKinds) {
    await database.query(`truncate ${eventTable(kind)}`)
    const values = rows
      .filter(({ table }) => table === kind)
      .map((row) => {
        const source = kind === 'reward' ? `, ${quoted(sourceOf(row))}` : ''
        const value = kind === 'bind' ? quoted(row.referrer) : `${amountOf(row)}${source}`
        const { community, block, logIndex, member } = row
        return `('${community}', ${block}, ${logIndex}, '${hashOf(row)}', ${block + 1_700_000_000}, '${txOf(row)}', '${member}', ${value})`
      })
    if (values.length > 0) await database.query(`insert into ${eventTable(kind)} values ${values.join()}`)
  }
}

const columns = { bind: 'referrer text', volume: 'amount numeric(78)', reward: 'amount numeric(78), source text' }
/** Returns the source of every second reward, which is the address in the field for a referrer. */
const sourceOf = ({ table, block, referrer }: Row) => (table === 'reward' && block % 2 === 0 ? referrer : null)
const quoted = (text: string | null) => (text ? `'${text}'` : 'null')
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
        timestamp: block + 1_700_000_000,
        tx: txOf(row),
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

test('property: the pages of a member hold all its events up to a block, once each and newest first', async () => {
  const limits = fc.integer({ min: 1, max: 4 })
  await fc.assert(
    fc.asyncProperty(rows, kinds, limits, fc.integer({ min: 3, max: 6 }), async (all, kinds, limit, block) => {
      await fill(all)
      const member = addressOf(0)
      const found: MemberEventRow[] = []
      for (let before: MemberEventPosition | undefined; ; before = found.at(-1)) {
        const page = await tables.readMemberEvents({ community: 'one', member }, { kinds, block, before }, limit)
        found.push(...page)
        if (page.length < limit) break
      }
      expect(found).toEqual(expectedOf(all, member, kinds, block))
    }),
    { numRuns: 60 },
  )
})
