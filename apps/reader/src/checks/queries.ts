import { sentinels } from '@lineage/communities'
import { type EventKind, eventKinds, indexSchema as schema } from '@lineage/database'
import type { Pool } from 'pg'
import type { Address } from 'viem'
import type { Source } from '../follow.ts'
import type { Shares } from './finding.ts'

export type CheckQueries = ReturnType<typeof createCheckQueries>

/** Creates the queries by which checks find members in the tables. */
export function createCheckQueries(pool: Pick<Pool, 'query'>) {
  async function sample({ row }: Source, count: number, select: string): Promise<Address[]> {
    const blocks = row.block - row.start_block
    const starts = Array.from({ length: count }, (_, index) =>
      // A quarter are the very first ones.
      index < count / 4 ? row.start_block : row.start_block + Math.floor(Math.random() * Math.max(blocks, 1)),
    )
    const skipped = starts.map((_, index) => (index < count / 4 ? index : 0))
    const { rows } = await pool.query<{ address: Address }>(
      `select distinct '0x' || encode(address, 'hex') as address
        from unnest($2::bigint[], $3::integer[]) start (block, skipped), lateral (${select}) found`,
      [row.id, starts, skipped],
    )
    return rows.map(({ address }) => address)
  }

  /** Returns the condition, order and limit that select the bind which counts for the member in `place`. */
  function thatCounts({ community }: Source, place: string): string {
    const isFirst = community.rebind === 'first'
    const order = isFirst ? 'asc' : 'desc'
    // A first bind to the zero address is not the one that counts.
    const named = isFirst ? `coalesce(other, '\\x${'00'.repeat(20)}') = '\\x${'00'.repeat(20)}', ` : ''
    return `source = $1 and kind = 0 and member = ${place} and member is distinct from other
      order by ${named}block ${order}, log_index ${order} limit 1`
  }

  return {
    /** Samples at most `count` members, each of the first bind after a random block. */
    sampleMembers: (source: Source, count: number) =>
      sample(
        source,
        count,
        `select member as address from ${schema}.event where source = $1 and kind = 0 and block >= start.block
          order by block, log_index offset start.skipped limit 1`,
      ),

    /** Samples at most `count` referrers that have no bind themselves. */
    sampleUnbound: (source: Source, count: number) =>
      sample(
        source,
        count,
        `select other as address from (
            select other, block, log_index from ${schema}.event
              where source = $1 and kind = 0 and block >= start.block order by block, log_index limit 200
          ) bind where not exists (
            select from ${schema}.event own where source = $1 and kind = 0 and own.member = bind.other
          ) and other is not null order by block, log_index offset start.skipped limit 1`,
      ),

    /** Lists at most `count` addresses for which the contract gave no referrer, those that were not asked for the longest. */
    async sampleOpen({ row }: Source, count: number): Promise<Address[]> {
      const { rows } = await pool.query<{ address: Address }>(
        `select '0x' || encode(member, 'hex') as address from ${schema}.reading
          where source = $1 and seen is not null and parent is null order by seen limit $2`,
        [row.id, count],
      )
      return rows.map(({ address }) => address)
    },

    /** Counts the different binds, members and referrers of the first binds, and the referrers without a bind. */
    async readShares({ row, community }: Source): Promise<Shares> {
      const noReferrers = [...sentinels, ...community.roots].map((address) => address.slice(2))
      const { rows } = await pool.query<Shares>(
        `with bind as (
            select distinct member, other from (
              select member, other from ${schema}.event where source = $1 and kind = 0 order by block, log_index limit 20000
            ) first where other is not null and other <> member
              and other not in (select decode(hex, 'hex') from unnest($2::text[]) hex)
          ), referrer as (select distinct other from bind)
          select (select count(*)::int from bind) as pairs, (select count(distinct member)::int from bind) as members,
            (select count(*)::int from referrer) as referrers,
            (select count(*)::int from referrer where not exists (
              select from ${schema}.event own where source = $1 and kind = 0 and own.member = referrer.other
            )) as unbound`,
        [row.id, noReferrers],
      )
      return rows[0] as Shares
    },

    /** Reads the referrer of a member according to the events; `undefined` without any bind. */
    async readReferrer(source: Source, member: Address): Promise<Address | null | undefined> {
      const { rows } = await pool.query<{ other: Address | null }>(
        `select '0x' || encode(other, 'hex') as other from ${schema}.event
          where ${thatCounts(source, `decode($2, 'hex')`)}`,
        [source.row.id, member.slice(2)],
      )
      return rows[0]?.other
    },

    /** Tells whether the binds that count lead from a member back to it: then the contract has refused one of them. */
    async isInLoop(source: Source, member: Address): Promise<boolean> {
      const { rowCount } = await pool.query(
        `with recursive line (member) as (
            (select other from ${schema}.event where ${thatCounts(source, `decode($2, 'hex')`)})
            union
            select bind.other from line, lateral (
              select other from ${schema}.event where ${thatCounts(source, 'line.member')}
            ) bind
          ) select from line where member = decode($2, 'hex') limit 1`,
        [source.row.id, member.slice(2)],
      )
      return rowCount === 1
    },

    /** Lists kinds of events that the tables have. Whether there are amounts counts only if logs are unreadable. */
    async listKinds({ row, community: { amounts } }: Source): Promise<EventKind[]> {
      // No index has the kinds of amounts: without any, all events of the source are read.
      const asked = eventKinds.filter((kind) => kind === 'bind' || (row.unreadable > 0 && amounts[kind].length > 0))
      const exists = asked.map(
        (kind) =>
          `exists (select from ${schema}.event where source = $1 and kind = ${eventKinds.indexOf(kind)}) as ${kind}`,
      )
      const { rows } = await pool.query<Record<EventKind, boolean>>(`select ${exists.join()}`, [row.id])
      return asked.filter((kind) => rows[0]?.[kind])
    },
  }
}
