import type { ForestData } from '../data/forestData.ts'
import { type Nodes, nodeStatus, none } from '../data/nodes.ts'
import type { MemberSummary } from '../types.ts'

/** Returns the time at which a member joined; `null` without a date. */
export const joinedAt = ({ joinedAt, undated }: Nodes, node: number): number | null =>
  undated[node] === 1 ? null : (joinedAt[node] as number)

export function summaryOf({ nodes, slots, addresses }: ForestData, node: number): MemberSummary {
  const isMember = nodes.status[node] === nodeStatus.member
  const referrer = nodes.parent[node] as number
  const slot = slots.slotOf[node] as number
  const ownVolume = nodes.ownVolume.get(node)
  return {
    address: addresses.address(node),
    status: isMember ? 'member' : 'placeholder',
    referrer: referrer === none ? null : addresses.address(referrer),
    depth: nodes.depth[node] as number,
    joinedAt: isMember ? joinedAt(nodes, node) : null,
    directs: nodes.directs[node] as number,
    team: slots.team[slot] as number,
    ownVolume,
    teamVolume: slots.legVolume.get(slot) - ownVolume,
  }
}
