import type { SpotCheck } from '@lineage/referral-api'
import { knownItems, spotCheck, warning } from '@lineage/referral-api/schemas'
import * as z from 'zod'
import { emptyIfMissing, type RunSql } from './runSql.ts'

const report = z.object({
  /** Newest block that the nodes have reported. */
  headBlock: z.int().nullable(),
  nodes: z.enum(['usable', 'unusable']),
  /** Whether the chain of the nodes was compared with the chain of the index. */
  chain: z.enum(['unchecked', 'checked']),
  /** Reason why nothing is served. */
  replaced: z.string().nullable(),
  /** Whether the first members were compared with the contract. */
  members: z.enum(['unchecked', 'checked']),
  /** Communities that must not be served, each with the reason. */
  withheld: z.array(z.object({ community: z.string(), message: z.string() })),
  warnings: knownItems(warning),
  spotChecks: z.array(spotCheck),
})

/** State of the nodes and the contracts. The writer observes it; replicas read it from the writer's report. */
export type NodesWatch = Omit<z.output<typeof report>, 'spotChecks'> & { spotChecks: SpotCheck[] }

export type ReportStore = {
  save(report: NodesWatch): Promise<void>
  /** Loads the report and its age in seconds; `undefined` before the first report. */
  load(): Promise<{ report: NodesWatch; age: number } | undefined>
}

/** Creates the store of the report: one row in a table beside those of Ponder. */
export function createReportStore(run: RunSql, schema: string): ReportStore {
  const table = `"${schema}".lineage_report`
  let state: 'unknown' | 'created' = 'unknown'
  return {
    async save(newest) {
      if (state === 'unknown') {
        await run(
          `create table if not exists ${table} (id int primary key, at timestamptz not null, report jsonb not null)`,
        )
        state = 'created'
      }
      const text = JSON.stringify(newest).replaceAll("'", "''")
      await run(
        `insert into ${table} values (1, now(), '${text}') on conflict (id) do update set at = now(), report = excluded.report`,
      )
    },
    async load() {
      // Uses only the database's clock, because the clocks of two machines may differ.
      const query = `select report, extract(epoch from now() - at)::float8 as age from ${table}`
      const [row] = (await run(query).catch(emptyIfMissing)).rows as { report: unknown; age: number }[]
      return row && { report: report.parse(row.report) as NodesWatch, age: row.age }
    },
  }
}
