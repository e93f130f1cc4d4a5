import { randomUUID } from 'node:crypto'
import { type Community, parseConfig, sourceIdentity } from '@lineage/communities'
import {
  changeChannel,
  createIndexTables,
  eventKinds,
  type Grade,
  grades,
  indexSchema,
  openPool,
  type ReaderReport,
  runTransaction,
  type SourceRow,
} from '@lineage/database'
import type { AmountKind } from '@lineage/referral-api/amounts'
import { type Address, type Hash, numberToHex } from 'viem'
import type { EventRow } from '../events.ts'

export const addressOf = (index: number): Address => numberToHex(index + 0xab_cdef, { size: 20 })
export const hashOf = (block: number, fork = 0): Hash => numberToHex(block * 1_000 + fork, { size: 32 })
export const timeOf = (block: number): number => 1_700_000_000 + block

/** Returns communities with one event for binds. */
export const createCommunities = (...ids: string[]): readonly Community[] =>
  parseConfig({
    communities: ids.map((id) => ({
      id,
      name: id.replace(/^./, (letter) => letter.toUpperCase()),
      chainId: 56,
      address: '0x000000000000000000000000000000000000beef',
      startBlock: 1,
      event: 'event Bound(address member, address referrer)',
      member: 'member',
      referrer: 'referrer',
      tokens: { volume: { symbol: 'USDT', decimals: 18 } },
    })),
  }).communities

/** An event without what the tables add. `tx` is that of the block by default. */
export type TestEvent = Pick<EventRow, 'block' | 'logIndex' | 'member'> &
  Partial<Pick<EventRow, 'timestamp' | 'blockHash'>> & { tx?: Hash } & (
    | { kind: 'bind'; referrer: Address | null; grade?: Grade; firstBlock?: number }
    | { kind: AmountKind; amount: bigint; from?: Address }
  )

export const bind = (block: number, member: number, referrer: number | null, logIndex = 0): TestEvent => ({
  kind: 'bind',
  block,
  logIndex,
  member: addressOf(member),
  referrer: referrer === null ? null : addressOf(referrer),
})

/** A change of a source, written in one transaction like a reader's. */
export type TestStep = {
  /** Events of this block and later ones are deleted first. */
  fork?: number
  events?: readonly TestEvent[]
  block: number
  time?: number
  finalized?: number
  state?: 'backfill' | 'live'
  reorgs?: number
  rebuilds?: number
  /** Final blocks whose events were replaced, or count otherwise now, with the log indexes of those that are new. */
  healed?: { block: number; added: number[] }[]
  /** Name of the source, for tables that are made again. */
  name?: string
  /** Name of the timeline that the step begins, as that of a reader which has started. */
  timeline?: string
}

/** Report of a reader without faults. */
export const goodReport: ReaderReport = {
  headBlock: null,
  nodes: 'usable',
  chain: 'checked',
  replaced: null,
  members: 'checked',
  withheld: [],
  checks: [],
  warnings: [],
  spotChecks: [],
  progress: null,
  note: null,
}

/** Creates the tables of the index in a database, and writes to them like a reader. */
export async function createTestTables(url: string, communities: readonly Community[]) {
  const pool = openPool({ url, max: 2 })
  await createIndexTables(pool)
  const reader = randomUUID()
  const ids = new Map<string, number>()
  for (const community of communities) {
    const { rows } = await pool.query<{ id: number }>(
      `insert into ${indexSchema}.source (community, identity, start_block, block, finalized, writer, checked, timelines)
      values ($1, $2, $3::int8, $3::int8 - 1, 0, $4, true, '{0-first}') returning id`,
      [community.id, sourceIdentity(community), community.startBlock, reader],
    )
    const id = rows[0]?.id ?? 0
    ids.set(community.id, id)
    await pool.query(`create table ${indexSchema}.event_${id} partition of ${indexSchema}.event for values in (${id})`)
  }

  const tables = {
    pool,
    reader,
    /** Writes a reader's report, `age` seconds old. */
    async report(change: Partial<ReaderReport> = {}, age = 0): Promise<void> {
      await pool.query(
        `insert into ${indexSchema}.reader (id, at, report) values ($1, now() - make_interval(secs => $3), $2)
        on conflict (id) do update set at = excluded.at, report = excluded.report`,
        [reader, JSON.stringify({ ...goodReport, ...change }), age],
      )
    },
    /** Stores what a reader's checks have found in a community. */
    async check(
      community: string,
      found: Partial<Pick<SourceRow, 'checked' | 'withheld' | 'replaced'>>,
    ): Promise<void> {
      const { checked = true, withheld = null, replaced = null } = found
      await pool.query(`update ${indexSchema}.source set checked = $2, withheld = $3, replaced = $4 where id = $1`, [
        ...[ids.get(community), checked, withheld, replaced],
      ])
    },
    /** Writes a step of a community. Without `finalized`, blocks are final at a depth of thirty. */
    async step(community: string, { fork, events = [], block, ...change }: TestStep): Promise<void> {
      const id = ids.get(community) ?? 0
      const { time = timeOf(block), finalized = Math.max(block - 30, 0), state = 'live' } = change
      const client = await pool.connect()
      try {
        await client.query('begin')
        if (fork !== undefined)
          await client.query(`delete from ${indexSchema}.event where source = $1 and block >= $2`, [id, fork])
        await client.query(insert, [id, ...toColumns(events)])
        await client.query(
          `update ${indexSchema}.source set block = $2, block_time = $3, finalized = $4, state = $5,
            reorgs = reorgs + $6, rebuilds = rebuilds + $7, name = coalesce($8, name), step = step + 1,
            timelines = array_remove(timelines || (step + 1 || '-' || $9), null) where id = $1`,
          [
            ...[id, block, time, finalized, state, change.reorgs ?? 0, change.rebuilds ?? 0, change.name],
            change.timeline,
          ],
        )
        for (const one of change.healed ?? [])
          await client.query(
            `insert into ${indexSchema}.healed select id, rebuilds, $2, $3 from ${indexSchema}.source where id = $1`,
            [id, one.block, one.added],
          )
        await client.query(`notify ${changeChannel}`)
        await client.query('commit')
      } finally {
        client.release()
      }
    },
    /** Saves a community's tables, and returns a function that restores them, as a failover that loses changes does. */
    async save(community: string): Promise<() => Promise<void>> {
      const id = ids.get(community)
      const readAll = async (table: string, column: string) => {
        // As text, because amounts exceed the numbers of JavaScript.
        const { rows } = await pool.query(
          `select coalesce(json_agg(one), '[]')::text as all from ${indexSchema}.${table} one where ${column} = $1`,
          [id],
        )
        return rows[0].all
      }
      const [sources, events] = [await readAll('source', 'id'), await readAll('event', 'source')]
      return async () => {
        await runTransaction(pool, async (client) => {
          await client.query(`delete from ${indexSchema}.event where source = $1`, [id])
          await client.query(
            `insert into ${indexSchema}.event select * from json_populate_recordset(null::${indexSchema}.event, $1)`,
            [events],
          )
          await client.query(
            `update ${indexSchema}.source set (block, block_time, finalized, state, reorgs, rebuilds, step, timelines) =
              (select block, block_time, finalized, state, reorgs, rebuilds, step, timelines
              from json_populate_recordset(null::${indexSchema}.source, $2)) where id = $1`,
            [id, sources],
          )
        })
      }
    },
    close: () => pool.end(),
  }
  await tables.report()
  return tables
}

export type TestTables = Awaited<ReturnType<typeof createTestTables>>

const insert = `insert into ${indexSchema}.event
  (source, block, log_index, kind, time, block_hash, tx, tx_index, member, other, amount, grade, first_block)
  select $1, * from unnest($2::int8[], $3::int[], $4::int2[], $5::int8[], $6::bytea[], $7::bytea[], $8::int[],
    $9::bytea[], $10::bytea[], $11::numeric[], $12::int2[], $13::int8[])`

const toBytes = (hex: Hash | Address) => Buffer.from(hex.slice(2), 'hex')

function toColumns(events: readonly TestEvent[]): unknown[] {
  const rows = events.map((event) => {
    const { kind, block, logIndex, timestamp = timeOf(block), blockHash = hashOf(block), tx = blockHash } = event
    const other = event.kind === 'bind' ? event.referrer : event.from
    return [
      ...[
        block,
        logIndex,
        eventKinds.indexOf(kind),
        timestamp,
        toBytes(blockHash),
        toBytes(tx),
        0,
        toBytes(event.member),
      ],
      other ? toBytes(other) : null,
      event.kind === 'bind' ? null : event.amount.toString(),
      event.kind === 'bind' && event.grade ? grades.indexOf(event.grade) : null,
      event.kind === 'bind' ? (event.firstBlock ?? null) : null,
    ]
  })
  return Array.from({ length: 12 }, (_, column) => rows.map((row) => row[column]))
}
