import { type ReadonlyDrizzle, sql } from 'ponder'
import type { Address, Hash } from 'viem'
import { type BindRow, type EventRow, lastLog, type Position, type Tables } from './follow.ts'
import { readLines } from './lines.ts'

/** Of one log, in this order. */
const kinds = ['bind', 'reward', 'volume'] as const

type Row = {
  is_ready: number
  tail_count: number
  tail_digest: string
  latest: string | null
  written: string | null
  finalized: string | null
  kind: EventRow['kind'] | null
  community: string
  block: number
  log_index: number
  block_hash: Hash
  timestamp: number
  member: Address
  referrer: Address | null
  amount: string | null
}

/**
 * Reads the tables that the handlers fill, and how far Ponder says it has come.
 *
 * At start Ponder takes back what was not final, and leaves the checkpoint of its last run until the first block of this
 * one: that checkpoint is no news, or what was taken back would be missing from the first answers.
 *
 * @param role A replica (`serve`) comes to tables that another process is filling: their checkpoint is news.
 */
export async function createTables(db: Pick<ReadonlyDrizzle, 'execute'>, role: 'start' | 'serve'): Promise<Tables> {
  const [left] =
    role === 'start' ? await run<{ written: string }>(sql`select xmin::text as written from _ponder_checkpoint`) : []

  return {
    async read(final, applied, limit) {
      const tail = kinds.map(
        (kind) => sql`
          select block_hash from ${sql.identifier(`${kind}_event`)}
          where ${within(final, applied)}`,
      )
      const events = kinds.map(
        (kind) => sql`(
          select ${sql.raw(`'${kind}'`)} as kind, community, block, log_index, block_hash, timestamp, member,
            ${sql.raw(kind === 'bind' ? 'referrer, null as amount' : 'null as referrer, amount::text')}
          from ${sql.identifier(`${kind}_event`)}
          where (block, log_index) > ${at(applied)} order by block, log_index limit ${limit}::int
        )`,
      )
      const union = sql` union all `
      // One statement sees one state of the database: rows and checkpoints that belong together.
      const rows = await run<Row>(sql`
        select (meta.value->>'is_ready')::int as is_ready,
          checkpoint.latest_checkpoint as latest, checkpoint.finalized_checkpoint as finalized,
          checkpoint.xmin::text as written,
          tail.count::int as tail_count, md5(coalesce(tail.hashes, '')) as tail_digest,
          event.kind, event.community, event.block::float8 as block, event.log_index, event.block_hash,
          event.timestamp::float8 as timestamp, event.member, event.referrer, event.amount
        from _ponder_meta meta
        cross join (
          select count(*) as count, string_agg(distinct block_hash collate "C", '' order by block_hash collate "C") as hashes
          from (${sql.join(tail, union)}) rows
        ) tail
        left join _ponder_checkpoint checkpoint on true
        left join (${sql.join(events, union)} order by block, log_index, kind limit ${limit}::int) event on true
        order by event.block, event.log_index, event.kind
      `)
      const first = rows[0]
      const checkpoint =
        first?.latest && first.finalized && (first.written !== left?.written || first.latest === first.finalized)
          ? toCheckpoint(first.latest, first.finalized)
          : undefined
      return {
        checkpoint: checkpoint && { ...checkpoint, backfill: first?.is_ready === 1 ? 'complete' : 'running' },
        tail: { count: first?.tail_count ?? 0, digest: first?.tail_digest ?? '' },
        rows: rows.flatMap((row) => (row.kind === null ? [] : toEventRow(row))),
      }
    },
    async readFinal({ after, upTo }) {
      // One text each: a driver takes longer over the fields of a million rows than the forest over its events.
      const texts = kinds.map(
        (kind) => sql`
          select ${sql.raw(`'${kind}'`)} as kind, community, string_agg(
            concat_ws(',', block, log_index, timestamp, member, ${sql.raw(kind === 'bind' ? 'referrer' : 'amount')}) || ';', ''
            order by block, log_index
          ) as lines
          from ${sql.identifier(`${kind}_event`)}
          where ${within(after, { block: upTo, logIndex: lastLog })} group by community`,
      )
      const rows = await run<{ kind: EventRow['kind']; community: string; lines: string }>(
        sql.join(texts, sql` union all `),
      )
      const of = (id: string) =>
        kinds.flatMap((kind) => rows.filter((row) => row.kind === kind && row.community === id))
      return new Map(rows.map(({ community }) => [community, readLines(of(community))]))
    },
    async findTxs(community, positions) {
      const list = (field: keyof Position) => `{${positions.map((position) => position[field]).join()}}`
      // One text: five hundred rows take the driver longer than the database.
      const [row] = await run<{ txs: string | null }>(sql`
        select string_agg(coalesce(bind.tx, ''), ',' order by asked.number) as txs from unnest(${list('block')}::int8[], ${list('logIndex')}::int[])
          with ordinality asked (block, log_index, number)
        left join bind_event bind
          on bind.block = asked.block and bind.log_index = asked.log_index and bind.community = ${community}
      `)
      return (row?.txs ?? '').split(',').map((tx) => (tx === '' ? null : (tx as Hash)))
    },
    async readBinds(community, { before, block }, limit) {
      const rows = await run<Omit<BindRow, 'logIndex'> & { log_index: number }>(sql`
        select block::float8 as block, log_index, timestamp::float8 as timestamp, tx, member, referrer from bind_event
        where community = ${community} and block <= ${block}::int8
          ${before ? sql`and (block, log_index) < ${at(before)}` : sql``}
        order by bind_event.block desc, bind_event.log_index desc limit ${limit}::int
      `)
      return rows.map(({ log_index: logIndex, ...row }) => ({ ...row, logIndex }))
    },
  }

  async function run<row>(query: Parameters<typeof db.execute>[0]): Promise<row[]> {
    return (await db.execute(query)).rows as row[]
  }
}

function at({ block, logIndex }: Position) {
  return sql`(${block}::int8, ${logIndex}::int)`
}

/** After one position and up to another. Of pairs alone PostgreSQL thinks that they leave most of a table, and reads it all. */
function within(after: Position, upTo: Position) {
  return sql`block between ${after.block}::int8 and ${upTo.block}::int8
    and (block, log_index) > ${at(after)} and (block, log_index) <= ${at(upTo)}`
}

function toEventRow(row: Row): EventRow[] {
  const { community, block, log_index: logIndex, block_hash: blockHash, timestamp, member, referrer, amount } = row
  const base = { community, block, logIndex, blockHash, timestamp, member }
  if (row.kind === 'bind') return referrer === null ? [] : [{ kind: 'bind', ...base, referrer }]
  if (row.kind === null || amount === null) return []
  return [{ kind: row.kind, ...base, amount: BigInt(amount) }]
}

/** Ponder's checkpoints are digits: ten of a time, sixteen of the chain id, sixteen of the block, and more. */
function toCheckpoint(latest: string, finalized: string) {
  const blockOf = (checkpoint: string) => Number(checkpoint.slice(26, 42))
  return { block: blockOf(latest), timestamp: Number(latest.slice(0, 10)), finalizedBlock: blockOf(finalized) }
}
