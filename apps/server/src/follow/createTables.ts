import type { ForestEvent } from '@lineage/forest'
import { type ReadonlyDrizzle, sql } from 'ponder'
import type { Address, Hash } from 'viem'
import { type EventKind, eventKinds, eventTable } from '../../../eventTables.ts'
import { type Checkpoint, type ProgressRow, ponderProgress, readCheckpoint } from '../../../ponderInternals.ts'
import type { EventRow } from './eventRow.ts'
import { parseEvents } from './parseEvents.ts'
import { lastLogIndex, type Position } from './position.ts'
import type { EventText } from './rangeDigest.ts'
import { type MemberEventRow, type MemberEventsRange, readMemberEvents } from './readMemberEvents.ts'
import { type Run, type SQL, tuple, unionAll } from './tableSql.ts'

/** A bind with its transaction. */
export type BindRow = Position & { timestamp: number; tx: Hash; member: Address; referrer: Address | null }

/** A bind with the hash of its block. */
type RecentBind = Omit<BindRow, 'tx'> & { blockHash: Hash }

/** New rows of the tables, all read at one moment. */
export type Changes = {
  checkpoint: Checkpoint | undefined
  /**
   * Rows that were read before and are not final: their number, and the MD5 of their distinct block hashes in order.
   */
  tail: { count: number; digest: string }
  /** New rows, in log order. */
  rows: EventRow[]
}

/** Final events, which can be read once: by community in log order, and as texts. */
export type FinalEvents = { events: ReadonlyMap<string, Iterable<ForestEvent>>; texts: readonly EventText[] }

export type Tables = {
  /**
   * Reads a text that changes when the tables may have changed: Ponder updates its checkpoint together with the rows
   * of each block, and after a reorganisation. It costs much less than `readChanges`, which compares all rows that
   * are not final.
   */
  readMark(): Promise<string>
  /** Reads the newest row of each table through its index. Fails if the end of a table is damaged. */
  probe(): Promise<void>
  /** Reads the checkpoint, compares the rows from `final` to `applied`, and reads at most `limit` rows after `applied`. */
  readChanges(final: Position, applied: Position, limit: number): Promise<Changes>
  /** Reads all events after a position, up to a final block. */
  readFinal(range: { after: Position; upTo: number }): Promise<FinalEvents>
  /** Finds the transactions of binds, in the order of `positions`. */
  findTxs(community: string, positions: readonly Position[]): Promise<(Hash | null)[]>
  /** Reads the newest binds up to a block and before a position, with any status. */
  readBinds(
    community: string,
    range: { block: number; before: Position | undefined },
    limit: number,
  ): Promise<BindRow[]>
  /** Reads the newest events of a member up to a block and before a position, with any status. */
  readMemberEvents(
    of: { community: string; member: Address },
    range: MemberEventsRange,
    limit: number,
  ): Promise<MemberEventRow[]>
  /** Reads the newest binds up to a block, oldest first. */
  readRecentBinds(community: string, block: number, limit: number): Promise<RecentBind[]>
  /** Reads the oldest binds and volumes in a range of blocks, oldest first. */
  readEvents(community: string, range: { after: number; upTo: number }, limit: number): Promise<EventRow[]>
}

/**
 * Creates the reader of the tables that the handlers fill.
 *
 * @param role `serve`: another process fills the tables, so their checkpoint never belongs to an earlier run.
 */
export async function createTables(db: Pick<ReadonlyDrizzle, 'execute'>, role: 'start' | 'serve'): Promise<Tables> {
  const run: Run = async <row>(query: SQL) => (await db.execute(query)).rows as row[]
  const [last] = role === 'start' ? await run<ProgressRow>(sql.raw(`select * from ${ponderProgress} progress`)) : []
  const before = last?.written_by ?? null

  return {
    readMark: async () => {
      const [row] = await run<ProgressRow>(sql.raw(`select * from ${ponderProgress} progress`))
      return JSON.stringify(row ?? null)
    },
    async probe() {
      // No index contains `tx`, so the row itself is read.
      for (const kind of eventKinds)
        await run(sql`select tx from ${sql.identifier(eventTable(kind))} order by block desc, log_index desc limit 1`)
    },
    readChanges: (final, applied, limit) => readChanges(run, { final, applied, limit, before }),
    readFinal: (range) => readFinal(run, range),
    findTxs: (community, positions) => findTxs(run, community, positions),
    readBinds: (community, range, limit) => readBinds(run, community, range, limit),
    readMemberEvents: (of, range, limit) => readMemberEvents(run, of, range, limit),
    readRecentBinds: (community, block, limit) => readRecentBinds(run, { community, block, limit }),
    readEvents: (community, range, limit) => readEvents(run, { community, ...range, limit }),
  }
}

type ChangesParameters = { final: Position; applied: Position; limit: number; before: string | null }
type ChangesRow = ProgressRow & { tail_count: number; tail_digest: string } & TableRow
type TableRow = {
  kind: EventKind | null
  community: string
  block: number
  log_index: number
  block_hash: Hash
  timestamp: number
  member: Address
  referrer: Address | null
  amount: string | null
}

async function readChanges(run: Run, { final, applied, limit, before }: ChangesParameters): Promise<Changes> {
  const tail = eventKinds.map(
    (kind) => sql`select block_hash from ${sql.identifier(eventTable(kind))} where ${between(final, applied)}`,
  )
  const events = eventKinds.map(
    (kind) => sql`(
      select ${sql.raw(`'${kind}'`)} as kind, community, block, log_index, block_hash, timestamp, member,
        ${sql.raw(kind === 'bind' ? 'referrer, null as amount' : 'null as referrer, amount::text')}
      from ${sql.identifier(eventTable(kind))}
      where (block, log_index) > ${tuple(applied)} order by block, log_index limit ${limit}::int
    )`,
  )
  // One statement sees one state of the database, so rows and checkpoint match.
  const rows = await run<ChangesRow>(sql`
    select progress.*, tail.count::int as tail_count, md5(coalesce(tail.hashes, '')) as tail_digest,
      event.kind, event.community, event.block::float8 as block, event.log_index, event.block_hash,
      event.timestamp::float8 as timestamp, event.member, event.referrer, event.amount
    from ${sql.raw(ponderProgress)} progress
    cross join (
      select count(*) as count, string_agg(distinct block_hash collate "C", '' order by block_hash collate "C") as hashes
      from (${sql.join(tail, unionAll)}) rows
    ) tail
    left join (${sql.join(events, unionAll)} order by block, log_index, kind limit ${limit}::int) event on true
    order by event.block, event.log_index, event.kind
  `)
  const [first] = rows
  return {
    checkpoint: readCheckpoint(first, before),
    tail: { count: first?.tail_count ?? 0, digest: first?.tail_digest ?? '' },
    rows: rows.flatMap((row) => toEventRow(row) ?? []),
  }
}

async function readFinal(run: Run, { after, upTo }: { after: Position; upTo: number }): Promise<FinalEvents> {
  // One text per kind and community: parsing the fields of a million rows takes a driver longer than the forest takes
  // for its events.
  const texts = eventKinds.map(
    (kind) => sql`
      select ${sql.raw(`'${kind}'`)} as kind, community, count(*)::int as count, string_agg(
        concat_ws(',', block, log_index, timestamp, member, ${sql.raw(kind === 'bind' ? "coalesce(referrer, '-')" : 'amount')}) || ';', ''
        order by block, log_index
      ) as events
      from ${sql.identifier(eventTable(kind))}
      where ${between(after, { block: upTo, logIndex: lastLogIndex })} group by community`,
  )
  const rows = await run<EventText>(sql.join(texts, unionAll))
  const textsOf = (id: string) =>
    eventKinds.flatMap((kind) => rows.filter((row) => row.kind === kind && row.community === id))
  return { events: new Map(rows.map(({ community }) => [community, parseEvents(textsOf(community))])), texts: rows }
}

async function findTxs(run: Run, community: string, positions: readonly Position[]): Promise<(Hash | null)[]> {
  const list = (field: keyof Position) => `{${positions.map((position) => position[field]).join()}}`
  // One text: the driver takes longer for five hundred rows than the database.
  const [row] = await run<{ txs: string | null }>(sql`
    select string_agg(coalesce(bind.tx, ''), ',' order by asked.number) as txs
    from unnest(${list('block')}::int8[], ${list('logIndex')}::int[]) with ordinality asked (block, log_index, number)
    left join bind_event bind
      on bind.block = asked.block and bind.log_index = asked.log_index and bind.community = ${community}
  `)
  return (row?.txs ?? '').split(',').map((tx) => (tx === '' ? null : (tx as Hash)))
}

async function readBinds(
  run: Run,
  community: string,
  { before, block }: { before: Position | undefined; block: number },
  limit: number,
): Promise<BindRow[]> {
  const rows = await run<Omit<BindRow, 'logIndex'> & { log_index: number }>(sql`
    select block::float8 as block, log_index, timestamp::float8 as timestamp, tx, member, referrer from bind_event
    where community = ${community} and block <= ${block}::int8
      ${before ? sql`and (block, log_index) < ${tuple(before)}` : sql``}
    order by bind_event.block desc, bind_event.log_index desc limit ${limit}::int
  `)
  return rows.map(({ log_index: logIndex, ...row }) => ({ ...row, logIndex }))
}

type RecentParameters = { community: string; block: number; limit: number }

async function readRecentBinds(run: Run, { community, block, limit }: RecentParameters): Promise<RecentBind[]> {
  const rows = await run<Omit<RecentBind, 'logIndex' | 'blockHash'> & { log_index: number; block_hash: Hash }>(sql`
    select block::float8 as block, log_index, block_hash, timestamp::float8 as timestamp, member, referrer from bind_event
    where community = ${community} and block <= ${block}::int8
    order by bind_event.block desc, bind_event.log_index desc limit ${limit}::int
  `)
  return rows
    .map(({ log_index: logIndex, block_hash: blockHash, ...row }) => ({ ...row, logIndex, blockHash }))
    .reverse()
}

async function readEvents(
  run: Run,
  { community, after, upTo, limit }: { community: string; after: number; upTo: number; limit: number },
): Promise<EventRow[]> {
  const events = (['bind', 'volume'] as const).map(
    (kind) => sql`(
      select ${sql.raw(`'${kind}'`)} as kind, community, block, log_index, block_hash, timestamp, member,
        ${sql.raw(kind === 'bind' ? 'referrer, null as amount' : 'null as referrer, amount::text')}
      from ${sql.identifier(eventTable(kind))}
      where community = ${community} and block > ${after}::int8 and block <= ${upTo}::int8
      order by block, log_index limit ${limit}::int
    )`,
  )
  const rows = await run<TableRow>(sql`
    select kind, community, block::float8 as block, log_index, block_hash, timestamp::float8 as timestamp, member, referrer, amount
    from (${sql.join(events, unionAll)}) event order by event.block, event.log_index, kind limit ${limit}::int
  `)
  return rows.flatMap((row) => toEventRow(row) ?? [])
}

/**
 * Returns the condition for rows after one position and up to another. With tuples alone, PostgreSQL expects most of
 * the table to match, and scans all of it.
 */
function between(after: Position, upTo: Position): SQL {
  return sql`block between ${after.block}::int8 and ${upTo.block}::int8
    and (block, log_index) > ${tuple(after)} and (block, log_index) <= ${tuple(upTo)}`
}

function toEventRow(row: TableRow): EventRow | undefined {
  const {
    kind,
    community,
    block,
    log_index: logIndex,
    block_hash: blockHash,
    timestamp,
    member,
    referrer,
    amount,
  } = row
  const base = { community, block, logIndex, blockHash, timestamp, member }
  if (kind === 'bind') return { kind, ...base, referrer }
  return kind === null || amount === null ? undefined : { kind, ...base, amount: BigInt(amount) }
}
