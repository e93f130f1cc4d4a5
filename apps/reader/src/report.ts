import type { ReaderReport } from '@lineage/database'
import type { Warning } from '@lineage/referral-api'
import type { createSpotChecks } from './checks/createSpotChecks.ts'
import { findStartFault } from './checks/finding.ts'
import type { Group, Source, Unconfirmed } from './follow.ts'
import type { Nodes } from './nodes/createNodes.ts'
import { finality } from './nodes/rpc.ts'

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
  groups: readonly Group[]
  nodes: Nodes | undefined
  /** Blocks of which nodes returned other logs than they have, by the name of the node; `null` if it is unknown. */
  wrong: Map<string | null, { from: number; to: number; blocks: number; at: number }>
}

/** Milliseconds for which a node is named after it returned wrong logs. */
const wrongKeptFor = 600_000

function listWrong(wrong: ReaderState['wrong']): Warning[] {
  for (const [node, { at }] of wrong) if (Date.now() - at > wrongKeptFor) wrong.delete(node)
  return [...wrong].map(([node, { from, to, blocks }]) => ({
    kind: 'node_wrong',
    ...{ node, community: null, blocks: { from, to } },
    message: `${node ?? 'A node'} returned other events than the chain has, of ${from === to ? `block ${to}` : `blocks ${from} to ${to}`}: ${blocks} ${blocks === 1 ? 'block was' : 'blocks were'} read anew. Replace the node if this goes on.`,
  }))
}

/** Milliseconds in which the logs of a block must be read a second time after it could be final. */
const checkPatience = 60_000

/** Lists the blocks that were not read a second time in time. */
function listLate({ known, checkedTo, checkedAt, hindrance }: Group): Unconfirmed[] {
  const due = (known.at(-1)?.number ?? 0) - finality
  const isLate = due > checkedTo && performance.now() - checkedAt > checkPatience
  return isLate ? [{ from: checkedTo + 1, to: due, node: null, reason: hindrance }] : []
}

const toUnconfirmed = (community: string | null, { from, to, node, reason }: Unconfirmed): Warning => ({
  kind: 'blocks_unconfirmed',
  ...{ node, community, blocks: { from, to } },
  message: `Events of blocks ${from} to ${to} may be false or missing: ${reason}. Add a node that serves eth_getBlockReceipts.`,
})

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
      ...state.groups.flatMap(listLate).map((late) => toUnconfirmed(null, late)),
      ...sources.flatMap(({ community, unconfirmed = [] }) =>
        unconfirmed.map((one) => toUnconfirmed(community.id, one)),
      ),
      ...ofStarts,
      ...checks.warnings(),
    ],
    spotChecks: checks.spotChecks(),
    progress: progress ? { phase: 'indexing', ...progress } : null,
    note: role === 'standby' ? 'This reader is a standby: it takes over when the other one ends.' : null,
  }
}
