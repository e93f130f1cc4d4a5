import type { ReaderReport } from '@lineage/database'
import type { Warning } from '@lineage/referral-api'
import { describeUnreadable } from './follow.ts'
import type { ReaderState } from './reader.ts'

/** Returns the report of a reader, which every server shows. */
export function toReport(state: ReaderState): ReaderReport {
  const { head, replaced, chain, progress, role, sources, nodes } = state
  const report = nodes?.report()
  return {
    headBlock: head,
    nodes: report?.state ?? 'usable',
    chain,
    replaced: replaced ?? null,
    members: 'checked',
    withheld: [],
    warnings: [
      ...(report?.warnings ?? []).map((warning): Warning => ({ ...warning, community: null })),
      ...(replaced === undefined
        ? []
        : [{ kind: 'chain_replaced' as const, node: null, community: null, message: replaced }]),
      ...sources.flatMap(({ community, row }): Warning[] =>
        row.unreadable === 0
          ? []
          : [
              {
                kind: 'events_unreadable',
                node: null,
                community: community.id,
                message: describeUnreadable(community, row.unreadable),
              },
            ],
      ),
    ],
    spotChecks: [],
    progress: progress ? { phase: 'indexing', ...progress } : null,
    note: role === 'standby' ? 'This reader is a standby: it takes over when the other one ends.' : null,
  }
}
