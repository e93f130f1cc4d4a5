import { nodeStatus, none } from '../nodes.ts'
import type { State } from '../state.ts'
import type { Member, MemberSummary } from '../types.ts'

export function summaryOf({ nodes, addresses }: State, node: number): MemberSummary {
  const isMember = nodes.status[node] === nodeStatus.member
  const referrer = nodes.parent[node] as number
  const ownVolume = nodes.ownVolume.get(node)
  return {
    address: addresses.address(node),
    status: isMember ? 'member' : 'placeholder',
    referrer: referrer === none ? null : addresses.address(referrer),
    depth: nodes.depth[node] as number,
    joinedAt: isMember ? (nodes.joinedAt[node] as number) : null,
    directs: nodes.directs[node] as number,
    team: nodes.team[node] as number,
    ownVolume,
    teamVolume: nodes.legVolume.get(node) - ownVolume,
  }
}

export function memberOf(state: State, node: number): Member {
  const { nodes, addresses } = state
  const summary = summaryOf(state, node)
  const isMember = summary.status === 'member'
  const largestLeg = largestLegOf(state, node)
  return {
    ...summary,
    root: addresses.address(nodes.rootOf(node)),
    block: isMember ? (nodes.block[node] as number) : null,
    logIndex: isMember ? (nodes.logIndex[node] as number) : null,
    maxLevel: nodes.height[node] as number,
    largestLeg,
    otherLegs: summary.teamVolume - largestLeg,
    rewards: nodes.rewards.get(node),
  }
}

function largestLegOf({ nodes }: State, node: number): bigint {
  const first = nodes.firstChild[node] as number
  if (first === none) return 0n
  let largest = first
  for (let child = nodes.next[first] as number; child !== none; child = nodes.next[child] as number)
    if (nodes.legVolume.compare(child, nodes.legVolume, largest) > 0) largest = child
  return nodes.legVolume.get(largest)
}
