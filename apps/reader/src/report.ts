import type { ReaderReport } from '@lineage/database'
import type { Warning } from '@lineage/referral-api'
import type { createSpotChecks } from './checks/createSpotChecks.ts'
import { findStartFault } from './checks/findEventsFault.ts'
import type { Source } from './follow.ts'
import type { Nodes } from './nodes/createNodes.ts'

type Checks = Pick<ReturnType<typeof createSpotChecks>, 'state' | 'outcome' | 'warnings' | 'withheld' | 'spotChecks'>

/** State of a reader that its report and its metrics show. */
export type ReaderState = {
  /** Newest block of the nodes. */
  head: number | null
  /** Reason why nothing can be served: the nodes have replaced final blocks. */
  replaced: string | undefined
  /** Whether the stored blocks were compared with those of the nodes. */
  chain: 'unchecked' | 'checked'
  /** Blocks of the running back-fill. */
  progress: { done: number; total: number } | undefined
  role: 'starting' | 'standby' | 'writer'
  /** `full` and `read_only`: nothing can be written for now. */
  database: 'answering' | 'full' | 'read_only' | 'failing'
  sources: readonly Source[]
  nodes: Nodes | undefined
  /** Blocks of which nodes returned other logs than they have, by the name of the node; `null` if it is unknown. */
  wrong: Map<string | null, { block: number; blocks: number; at: number }>
}

/** Milliseconds for which a node is named after it returned wrong logs. */
const wrongKeptFor = 600_000

function listWrong(wrong: ReaderState['wrong']): Warning[] {
  for (const [node, { at }] of wrong) if (Date.now() - at > wrongKeptFor) wrong.delete(node)
  return [...wrong].map(([node, { block, blocks }]) => ({
    kind: 'node_wrong',
    node,
    community: null,
    message: `${node ?? 'A node'} returned other events than the chain has, last of block ${block}: ${blocks} ${blocks === 1 ? 'block was' : 'blocks were'} read anew. Replace the node if this goes on.`,
  }))
}

/** Returns the report of a reader, which every server shows. */
export function toReport(state: ReaderState, checks: Checks): ReaderReport {
  const { head, replaced, chain, progress, role, sources, nodes } = state
  const { state: nodesAre, warnings: ofNodes } = nodes?.report() ?? { state: 'usable', warnings: [] }
  const live = sources.filter(({ row }) => row.state === 'live')
  const areChecked = live.length > 0 && live.every((source) => checks.state(source) === 'checked')
  const ofChain: Warning[] = replaced
    ? [{ kind: 'chain_replaced', node: null, community: null, message: replaced }]
    : []
  const ofStarts = sources.flatMap((source): Warning[] => {
    const fault = head === null ? undefined : findStartFault(source, head)
    return fault ? [{ ...fault, node: null, community: source.community.id }] : []
  })
  return {
    headBlock: head,
    nodes: nodesAre,
    chain,
    replaced: replaced ?? null,
    members: areChecked ? 'checked' : 'unchecked',
    withheld: checks.withheld(),
    checks: sources.map((source) => ({
      source: source.row.id,
      community: source.community.id,
      state: checks.outcome(source),
    })),
    warnings: [
      ...ofNodes.map((warning): Warning => ({ ...warning, community: null })),
      ...ofChain,
      ...listWrong(state.wrong),
      ...ofStarts,
      ...checks.warnings(),
    ],
    spotChecks: checks.spotChecks(),
    progress: progress ? { phase: 'indexing', ...progress } : null,
    note: role === 'standby' ? 'This reader is a standby: it takes over when the other one ends.' : null,
  }
}
