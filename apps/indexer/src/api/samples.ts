import { type ReadonlyDrizzle, sql } from 'ponder'
import type { Address, Hex } from 'viem'

type Blocks = { from: number; to: number }

/** Rows are read from so many after a block, so that a small community beside a large one costs little. */
const reach = 1_000

/** What is looked at here and there, to be compared with the chain. */
export function createSamples(db: Pick<ReadonlyDrizzle, 'execute'>) {
  return {
    /** The members of the first binds at or after random blocks, and those of the very first. */
    async members(community: string, { from, to }: Blocks, count: number): Promise<Address[]> {
      const starts = Array.from({ length: count }, (_, index) =>
        index < count / 4 ? from : from + Math.floor(Math.random() * Math.max(to - from, 1)),
      )
      const found = starts.map(
        (block, index) => sql`(
          select member from (
            select member, community, block, log_index from bind_event
            where (block, log_index) >= (${block}::int8, 0) order by block, log_index limit ${reach}::int
          ) rows
          where community = ${community} order by block, log_index
          limit 1 offset ${index < count / 4 ? index : 0}::int
        )`,
      )
      const { rows } = await db.execute(sql`select distinct member from (${sql.join(found, sql` union all `)}) members`)
      return (rows as { member: Address }[]).map(({ member }) => member)
    },

    /** Of a log as the node gave it, whether or not it could be read: Ponder keeps them all. */
    async shapeOf(address: Address, topic0: Hex): Promise<{ topics: number; bytes: number } | undefined> {
      const { rows } = await db.execute(sql`
        select num_nonnulls(topic0, topic1, topic2, topic3) as topics, (length(data) - 2) / 2 as bytes
        from ponder_sync.logs where chain_id = 56 and address = ${address.toLowerCase()} and topic0 = ${topic0} limit 1
      `)
      const [row] = rows as { topics: number; bytes: number }[]
      return row && { topics: Number(row.topics), bytes: Number(row.bytes) }
    },
  }
}
