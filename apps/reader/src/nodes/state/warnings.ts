import { finality } from '../../ponderInternals.ts'
import type { NodeState } from './NodeState.ts'
import { isLimiting } from './pace.ts'

/** Requirements that a node must meet to be used. */
export type Requirements = {
  chainId: number
  /** First block to read. */
  startBlock: number
  /** Lowest head at which a node has all blocks that the index needs next. */
  lowestHead: number
}

/**
 * A limitation of a node, described for people. Nodes are named by position and host, because the rest of their URLs
 * may contain keys.
 */
export type NodeWarning = { kind: WarningKind; node: string; message: string }
export type WarningKind = keyof typeof messages

/** Lists the current limitations of a node. */
export function listWarnings(node: NodeState, requirements: Requirements, now: number): NodeWarning[] {
  return warningKinds(node, requirements, now).map((kind) => {
    return { kind, node: node.name, message: warningMessage(kind, node, requirements) }
  })
}

export function warningMessage(kind: WarningKind, node: NodeState, requirements: Requirements): string {
  return `${node.name} ${messages[kind](node, requirements)}`
}

function warningKinds(node: NodeState, requirements: Requirements, now: number): WarningKind[] {
  const { chain, contact, logs, head, pace } = node
  if (chain.status === 'other') return ['node_other_chain']
  if (contact.status === 'silent') return ['node_silent']
  const isBehind = lagOf(node, requirements) > finality || head.number < requirements.lowestHead
  const kinds = [
    logs.availability.status === 'off' && 'node_without_logs',
    logs.firstBlock > 0 && 'node_without_history',
    isBehind && 'node_behind',
    isLimiting(pace, now) && 'node_limiting',
  ] as const
  return kinds.filter((kind) => kind !== false)
}

const lagOf = ({ head }: NodeState, { lowestHead }: Requirements) => Math.max(head.lag, lowestHead - head.number)

const messages = {
  node_silent: ({ contact }) => `does not answer: ${contact.status === 'silent' ? contact.reason : 'no request yet'}.`,
  node_other_chain: ({ chain }, { chainId }) =>
    `is a node of chain ${chain.status === 'other' ? chain.chainId : 'unknown'}, not of BNB Smart Chain (${chainId}). It is not used.`,
  node_without_logs: () => 'does not serve eth_getLogs for ranges of blocks. Use another node.',
  node_without_history: () =>
    'does not keep the first block of the communities. Use an archive node to read from there.',
  node_limiting: ({ pace }) =>
    `refuses ${Math.round(pace.limitedShare * 100)} % of the requests as too many, so reading takes longer. Raise its limit, or add a node.`,
  node_behind: (node, requirements) =>
    node.head.number < requirements.startBlock
      ? `is at block ${node.head.number}, but the first community starts at block ${requirements.startBlock}. Check startBlock, or wait.`
      : `is ${lagOf(node, requirements)} blocks behind the newest known block.`,
} satisfies Record<string, (node: NodeState, requirements: Requirements) => string>
