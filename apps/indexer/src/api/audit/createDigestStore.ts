import type { RangeDigest } from '../tables/rangeDigest.ts'
import { emptyIfMissing, type RunSql } from '../tables/runSql.ts'

export type DigestStore = {
  /** Loads all ranges in order. */
  load(): Promise<RangeDigest[]>
  /** Saves ranges in order, and removes the ranges after them. */
  save(ranges: readonly RangeDigest[]): Promise<void>
}

/** Creates the store of digests, in a table beside those of Ponder. */
export function createDigestStore(run: RunSql, schema: string): DigestStore {
  const table = `"${schema}".lineage_digest`
  return {
    async load() {
      const { rows } = await run(
        `select from_block::float8 as "from", to_block::float8 as "to", digests from ${table} order by from_block`,
      ).catch(emptyIfMissing)
      return rows as RangeDigest[]
    },
    async save(ranges) {
      await run(`create table if not exists ${table} (from_block int8 primary key, to_block int8, digests jsonb)`)
      // Names of communities are letters, digits and "-".
      const values = ranges.map(({ from, to, digests }) => `(${from}, ${to}, '${JSON.stringify(digests)}'::jsonb)`)
      await run(`insert into ${table} values ${values.join()}
        on conflict (from_block) do update set to_block = excluded.to_block, digests = excluded.digests`)
      await run(`delete from ${table} where from_block > ${ranges.at(-1)?.from ?? 0}`)
    },
  }
}
