import { type Grade, grades, type SourceRow, indexSchema as schema, withoutLog } from '@lineage/database'
import type { Pool, PoolClient } from 'pg'
import type { Address, Hex } from 'viem'
import { finality } from '../nodes/rpc.ts'

/** A referrer that a contract returned for a member, or that it returned none. */
export type Reading = {
  member: Address
  parent: Address | null
  /** First block at which the contract returned it; the block before the start for a member never asked for. */
  block: number
  /** `null` for a member never asked for. */
  blockHash: Hex | null
  /** Unix seconds. */
  time: number
  /** Last block at which it returned another referrer, or none. */
  after: number
  grade: Grade
  /** Place of its row in the block: that of the log that names the member, or one behind all logs. */
  position: number | null
}

/** The newest reading of a member. `seen`: the newest block at which the contract returned it. */
export type CurrentReading = Reading & { seen: number }

/** The referrer of a member as of a block. `next`: the block at which it got another one. */
export type PastReading = Pick<Reading, 'member' | 'parent'> & { next: number | null }

/** Changes of the readings of one source, in one transaction. */
export type ReadingStep = {
  /** Members that were never asked for, unless they are known. */
  named: readonly Address[]
  /** Readings that replace the current ones of their members. */
  changed: readonly Reading[]
  /** Members whose current reading was confirmed at a block. */
  confirmed: readonly { member: Address; block: number }[]
  /** The block before the first one of the community. */
  start: number
  /** Newest block at which the contract was asked, if it may still be replaced. */
  tip?: { number: number; hash: Hex } | undefined
}

/** Number of the newest blocks at which a contract was asked that are kept. */
const keptBlocks = 320

export type Readings = ReturnType<typeof createReadings>

const columns = `'0x' || encode(member, 'hex') as member, '0x' || encode(parent, 'hex') as parent, block,
  '0x' || encode(block_hash, 'hex') as "blockHash", time, after_block as after, seen, position,
  (array['${grades.join("','")}'])[grade + 1] as grade`
const toBytes = (name: string) => `decode(substr(${name}, 3), 'hex')`

/** Creates the queries of the readings. They are written by the transaction that writes the events. */
export function createReadings(pool: Pick<Pool, 'query'>) {
  const select = async (condition: string, values: unknown[]): Promise<CurrentReading[]> =>
    (await pool.query(`select ${columns} from ${schema}.reading where ${condition}`, values)).rows
  return {
    /** Reads the newest readings of members. */
    current: (source: number, members: readonly Address[]): Promise<CurrentReading[]> =>
      select(`source = $1 and seen is not null and member in (select ${toBytes('hex')} from unnest($2::text[]) hex)`, [
        source,
        members,
      ]),

    /** Reads the newest readings of members, of their referrers, and so on. */
    above: (source: number, members: readonly Address[]): Promise<CurrentReading[]> =>
      select(
        `source = $1 and seen is not null and member in (
          with recursive line (member) as (
            select ${toBytes('hex')} from unnest($2::text[]) hex
            union
            select parent from line join ${schema}.reading on source = $1 and seen is not null
              and reading.member = line.member where parent is not null
          ) select member from line)`,
        [source, members],
      ),

    /** Reads the referrers of a member and of those above it as of a block, each with the block of the member's next move. */
    async lineAt(source: number, member: Address, block: number): Promise<PastReading[]> {
      const parentOf = (name: string) =>
        `(select parent from ${schema}.reading where source = $1 and reading.member = ${name} and block <= $3
          order by block desc limit 1)`
      const { rows } = await pool.query(
        `with recursive line (member, parent) as (
            select hex, ${parentOf('hex')} from ${toBytes('$2::text')} hex
            union
            select parent, ${parentOf('line.parent')} from line where parent is not null
          ) select '0x' || encode(member, 'hex') as member, '0x' || encode(parent, 'hex') as parent,
              (select min(block) from ${schema}.reading
                where source = $1 and reading.member = line.member and block > $3) as next
            from line`,
        [source, member, block],
      )
      return rows
    },

    /** Reads the positions in blocks that readings have. */
    async positions(source: number, blocks: readonly number[]): Promise<{ block: number; position: number }[]> {
      const { rows } = await pool.query(
        `select block, position from ${schema}.reading where source = $1 and block = any($2) and position is not null`,
        [source, blocks],
      )
      return rows
    },

    /** Reads the newest blocks that readings are of, the newest first. */
    async blocks(source: number): Promise<{ number: number; hash: Hex }[]> {
      const { rows } = await pool.query(
        `select number, '0x' || encode(hash, 'hex') as hash from (
            select number, hash from ${schema}.reading_block where source = $1
            union
            (select distinct block, block_hash from ${schema}.reading
              where source = $1 and block_hash is not null order by block desc limit $2)
          ) found order by number desc limit $2`,
        [source, keptBlocks],
      )
      return rows
    },

    /** Reads the referrers that were first returned in a range of blocks, in order. */
    firstIn: (source: number, { from, to }: { from: number; to: number }): Promise<CurrentReading[]> =>
      select('source = $1 and block between $2 and $3 and block_hash is not null order by block, member', [
        source,
        from,
        to,
      ]),

    /** Reads the members that were not asked for the longest, up to a block. `once`: only those without a referrer. */
    oldest(
      source: number,
      { changes, upTo, limit }: { changes: 'once' | 'any'; upTo: number; limit: number },
    ): Promise<CurrentReading[]> {
      const open = changes === 'once' ? 'and parent is null' : ''
      return select(`source = $1 and seen <= $2 ${open} order by seen limit $3`, [source, upTo, limit])
    },
  }
}

/** Changes the readings of one source. Returns how many members were named for the first time. */
export async function writeReadings(
  client: Pick<PoolClient, 'query'>,
  source: number,
  step: ReadingStep,
): Promise<number> {
  const { named, changed, confirmed, start, tip } = step
  let added = 0
  if (named.length > 0) {
    const inserted = await client.query(
      `insert into ${schema}.reading (source, member, block, after_block, seen)
        select $1::integer, ${toBytes('hex')}, $3::bigint, $3::bigint, $3::bigint from unnest($2::text[]) hex
        where not exists (select from ${schema}.reading where source = $1 and member = ${toBytes('hex')})
        on conflict do nothing`,
      [source, named, start],
    )
    added = inserted.rowCount ?? 0
  }
  if (changed.length > 0) {
    const column = (name: keyof Reading) => changed.map((reading) => reading[name])
    // A member may have moved more than once.
    const newest = new Map(changed.map((reading) => [reading.member, reading]))
    const seen = changed.map((reading) => (newest.get(reading.member) === reading ? reading.block : null))
    await client.query(
      `update ${schema}.reading set seen = null
        where source = $1 and seen is not null and member in (select ${toBytes('hex')} from unnest($2::text[]) hex)`,
      [source, column('member')],
    )
    await client.query(
      `insert into ${schema}.reading (source, member, block, block_hash, time, parent, after_block, seen, position, grade)
        select $1::integer, ${toBytes('member')}, block, ${toBytes('hash')}, time, ${toBytes('parent')}, after, seen, position, grade
        from unnest($2::text[], $3::bigint[], $4::text[], $5::bigint[], $6::text[], $7::bigint[], $8::integer[], $9::bigint[],
          $10::smallint[]) reading (member, block, hash, time, parent, after, position, seen, grade)
        on conflict (source, member, block) do update set block_hash = excluded.block_hash, time = excluded.time,
          parent = excluded.parent, after_block = excluded.after_block, seen = excluded.seen, position = excluded.position,
          grade = excluded.grade`,
      [
        ...[source, column('member'), column('block'), column('blockHash')],
        ...[column('time'), column('parent'), column('after'), column('position'), seen],
        changed.map(({ grade }) => grades.indexOf(grade)),
      ],
    )
  }
  if (confirmed.length > 0)
    await client.query(
      `update ${schema}.reading set seen = greatest(seen, found.block)
        from unnest($2::text[], $3::bigint[]) found (hex, block)
        where source = $1 and member = ${toBytes('hex')} and seen is not null`,
      [source, confirmed.map(({ member }) => member), confirmed.map(({ block }) => block)],
    )
  if (tip) {
    await client.query(
      `insert into ${schema}.reading_block (source, number, hash) values ($1, $2, ${toBytes('$3::text')})
        on conflict (source, number) do update set hash = excluded.hash`,
      [source, tip.number, tip.hash],
    )
    await client.query(`delete from ${schema}.reading_block where source = $1 and number <= $2`, [
      source,
      tip.number - keptBlocks,
    ])
  }
  return added
}

/** Another source of a view. `final`: its newest final block; its readings of later blocks may be of another fork. */
type Giver = { source: number; deleted: boolean; final: number | null }

/**
 * Gives a source that has no readings yet those of other sources of its view: all of the one that has asked last, and from
 * the others those of further members. The readings of deleted sources move, those of others are copied.
 */
export async function adoptReadings(client: PoolClient, row: SourceRow, view: string): Promise<void> {
  const own = `select from ${schema}.reading_view where source = $1`
  if ((await client.query(own, [row.id])).rowCount) return
  await client.query('select pg_advisory_xact_lock(4361)')
  if ((await client.query(own, [row.id])).rowCount) return
  const { rows: givers } = await client.query<Giver>(
    `select other.source, source.id is null as deleted, tip.number - ${finality} as final
      from ${schema}.reading_view other left join ${schema}.source on source.id = other.source,
        lateral (select max(seen) as seen from ${schema}.reading where reading.source = other.source) newest,
        lateral (select max(number) as number from ${schema}.reading_block where source = other.source) tip
      where other.view = $1 order by newest.seen desc nulls last, other.source desc`,
    [view],
  )
  await client.query(`insert into ${schema}.reading_view (source, view) values ($1, $2)`, [row.id, view])
  for (const [index, giver] of givers.entries()) await copyReadings(client, row.id, giver, index === 0)
  if (row.block >= row.start_block) await forgetUnstored(client, row)
}

/** Copies readings in parts, each of which takes few seconds even of millions. */
async function copyReadings(client: PoolClient, id: number, { source, deleted, final }: Giver, isFirst: boolean) {
  if (isFirst)
    await client.query(
      `insert into ${schema}.reading_block (source, number, hash)
        select $1::integer, number, hash from ${schema}.reading_block where source = $2`,
      [id, source],
    )
  const isInPart = `source = $1 and member between decode($2, 'hex') and decode($3, 'hex')`
  for (const digit of '0123456789abcdef') {
    const part = [source, `${digit}0`, `${digit}f${'ff'.repeat(20)}`]
    await client.query(
      // The nodes' blocks are compared with those of the first one only.
      `insert into ${schema}.reading
          (source, member, block, block_hash, time, parent, after_block, grade, seen, position)
        select $4::integer, member, block, block_hash, time, parent, after_block, grade, least(seen, $5::bigint),
          case when $6 or position is null then position else row_number() over (partition by block order by position)
            + (select greatest(max(own.position), ${withoutLog}) from ${schema}.reading own
              where own.source = $4 and own.block = found.block) end
        from ${schema}.reading found where ${isInPart}
          and not exists (select from ${schema}.reading own where own.source = $4 and own.member = found.member)
          and not exists (select from ${schema}.reading late
            where late.source = $1 and late.member = found.member and late.block > $5)`,
      [...part, id, isFirst ? null : final, isFirst],
    )
    if (deleted) await client.query(`delete from ${schema}.reading where ${isInPart}`, part)
  }
  if (!deleted) return
  for (const table of ['reading_block', 'reading_view'])
    await client.query(`delete from ${schema}.${table} where source = $1`, [source])
}

/** Makes a sweep ask again about members that have readings in blocks which the source has read, but no row of them. */
async function forgetUnstored(client: PoolClient, { id, block, start_block }: SourceRow): Promise<void> {
  await client.query(
    `with gone as (
        delete from ${schema}.reading where source = $1 and member in (
          select member from ${schema}.reading found where source = $1 and block_hash is not null and block <= $2
            and not exists (select from ${schema}.event
              where source = $1 and kind = 0 and event.member = found.member and event.block = found.block))
        returning member
      ) insert into ${schema}.reading (source, member, block, after_block, seen)
        select distinct $1::integer, member, $3::bigint, $3::bigint, $3::bigint from gone`,
    [id, block, start_block - 1],
  )
}

/**
 * Takes back what was read at blocks that were replaced. The readings before count again, as seen at their own block only: a member
 * that can move may have had another referrer between that block and the first replaced one.
 */
export async function takeBackReadings(client: Pick<PoolClient, 'query'>, source: number, from: number): Promise<void> {
  await client.query(`delete from ${schema}.reading_block where source = $1 and number >= $2`, [source, from])
  await client.query(`update ${schema}.reading set seen = block where source = $1 and seen >= $2 and block < $2`, [
    source,
    from,
  ])
  await client.query(
    `with gone as (
        delete from ${schema}.reading where source = $1 and block >= $2 and block_hash is not null returning member
      )
      update ${schema}.reading kept set seen = block where source = $1 and member in (select member from gone)
        and block = (
          select max(block) from ${schema}.reading before
          where source = $1 and before.member = kept.member and before.block < $2
        )`,
    [source, from],
  )
}

/**
 * Returns the first block whose readings are of another chain than that of the nodes; `undefined` if there are none. A block
 * that both chains have proves all blocks below it.
 */
export async function findReplaced(
  readings: Pick<Readings, 'blocks'>,
  source: number,
  { newest, headers }: { newest: number; headers: (numbers: readonly number[]) => Promise<readonly { hash: Hex }[]> },
): Promise<number | undefined> {
  const blocks = await readings.blocks(source)
  const isSame = async ({ number, hash }: { number: number; hash: Hex }) =>
    number <= newest && (await headers([number]))[0]?.hash === hash
  let [replaced, same] = [-1, blocks.length]
  // The newest one decides it mostly.
  for (let at = 0; replaced + 1 < same; at = Math.floor((replaced + same) / 2))
    if (await isSame(blocks[at] as (typeof blocks)[number])) same = at
    else replaced = at
  return replaced < 0 ? undefined : (blocks[same]?.number ?? -1) + 1
}
