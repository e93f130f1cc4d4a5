import type { ReaderReport } from '@lineage/database'
import type { Warning } from '@lineage/referral-api'
import type { createSpotChecks } from './checks/createSpotChecks.ts'
import type { ReaderState } from './reader.ts'

type Checks = Pick<ReturnType<typeof createSpotChecks>, 'state' | 'warnings' | 'withheld' | 'spotChecks'>

/** Returns the report of a reader, which every server shows. */
export function toReport(state: ReaderState, checks: Checks): ReaderReport {
  const { head, replaced, chain, progress, role, sources, nodes } = state
  const { state: nodesAre, warnings: ofNodes } = nodes?.report() ?? { state: 'usable', warnings: [] }
  const live = sources.filter(({ row }) => row.state === 'live')
  const areChecked = live.length > 0 && live.every((source) => checks.state(source) === 'checked')
  const ofChain: Warning[] = replaced
    ? [{ kind: 'chain_replaced', node: null, community: null, message: replaced }]
    : []
  return {
    headBlock: head,
    nodes: nodesAre,
    chain,
    replaced: replaced ?? null,
    members: areChecked ? 'checked' : 'unchecked',
    withheld: checks.withheld(),
    warnings: [
      ...ofNodes.map((warning): Warning => ({ ...warning, community: null })),
      ...ofChain,
      ...checks.warnings(),
    ],
    spotChecks: checks.spotChecks(),
    progress: progress ? { phase: 'indexing', ...progress } : null,
    note: role === 'standby' ? 'This reader is a standby: it takes over when the other one ends.' : null,
  }
}
