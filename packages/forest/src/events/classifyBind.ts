import type { ForestData } from '../data/forestData.ts'
import { nodeStatus, none } from '../data/nodes.ts'
import type { BindStatus } from '../types.ts'

/**
 * Decides the status of a bind of `child` under another address. Both are nodes, `none` for a sentinel, or `undefined`
 * for an address that is new.
 */
export function classifyBind(
  { nodes, aggregates }: ForestData,
  child: number | undefined,
  parent: number | undefined,
): BindStatus {
  // All sentinels count as one address above every root, so binding it under any other address closes a cycle.
  if (child === none) return parent === none ? 'self' : 'cycle'
  if (child === undefined) return 'bound'
  const isMember = nodes.status[child] === nodeStatus.member
  // A first bind to the zero address names no referrer, and is not the one that counts.
  const mayMove = aggregates.rebind || (nodes.unspent[child] === 1 && nodes.parent[child] === none)
  if (isMember && (!mayMove || nodes.parent[child] === parent)) return 'duplicate'
  if (parent === undefined || parent === none || nodes.firstChild[child] === none) return 'bound'
  return aggregates.isWithin(parent, child) ? 'cycle' : 'bound'
}
