import { type ReadonlyDrizzle, sql } from 'ponder'
import type { Address, Hex } from 'viem'
import { ponderLogs } from '../../../ponderInternals.ts'

type Blocks = { from: number; to: number }

/** Number of rows read after each random block. The limit keeps a small community cheap beside a large one. */
const rowsPerBlock = 1_000

/** Creates the queries that read samples for the spot checks. */
export function createSpotCheckQueries(db: Pick<ReadonlyDrizzle, 'execute'>) {
  return {
    /** Samples members: those of the first binds at or after random blocks, a quarter of them of the very first binds. */
    async sampleMembers(community: string, { from, to }: Blocks, count: number): Promise<Address[]> {
      const starts = Array.from({ length: count }, (_, index) =>
        index < count / 4 ? from : from + Math.floor(Math.random() * Math.max(to - from, 1)),
      )
      const found = starts.map(
        (block, index) => sql`(
          select member from (
            select member, community, block, log_index from bind_event
            where (block, log_index) >= (${block}::int8, 0) order by block, log_index limit ${rowsPerBlock}::int
          ) rows
          where community = ${community} order by block, log_index
          limit 1 offset ${index < count / 4 ? index : 0}::int
        )`,
      )
      const { rows } = await db.execute(sql`select distinct member from (${sql.join(found, sql` union all `)}) members`)
      return (rows as { member: Address }[]).map(({ member }) => member)
    },

    /** Counts the topics and data bytes of any one log with this event's topic; `undefined` if there is none. */
    async readLogShape(address: Address, topic0: Hex): Promise<{ topics: number; bytes: number } | undefined> {
      const { rows } = await db.execute(sql`
        select topics, bytes from ${sql.raw(ponderLogs)} logs
        where address = ${address.toLowerCase()} and topic0 = ${topic0} limit 1
      `)
      const [row] = rows as { topics: number; bytes: number }[]
      return row && { topics: Number(row.topics), bytes: Number(row.bytes) }
    },
  }
}
