import type { Warning } from '@lineage/referral-api'
import type { NodesWatch, ReportStore } from '../tables/createReportStore.ts'

/**
 * Seconds without a report after which the indexer that reads the chain counts as silent; it reports every two
 * seconds.
 */
const silentAfter = 10

const nothing: NodesWatch = {
  headBlock: null,
  nodes: 'usable',
  chain: 'unchecked',
  replaced: null,
  members: 'unchecked',
  withheld: [],
  warnings: [],
  spotChecks: [],
}

/**
 * Follows the report of the indexer that reads the chain, so that a replica sends no requests to nodes. The last
 * report stays valid while that indexer is away; the age of the newest block then shows that the index is not
 * current.
 */
export function followReport(store: Pick<ReportStore, 'load'>) {
  let newest = nothing
  return {
    report: (): NodesWatch => newest,
    /** Loads the report. Returns the newest block of the nodes; 0 before the first report, when nothing is served. */
    async loadHeadBlock(): Promise<number> {
      const loaded = await store.load()
      if (loaded) newest = { ...loaded.report, warnings: [...loaded.report.warnings, ...describeSilence(loaded.age)] }
      return newest.headBlock ?? 0
    },
  }
}

function describeSilence(age: number): Warning[] {
  if (age < silentAfter) return []
  const message = `The indexer that reads the chain has not reported for ${Math.round(age)} seconds. See its log.`
  return [{ kind: 'indexer_silent', node: null, community: null, message }]
}
