import { nodeStatus, none } from '../nodes.ts'
import type { State } from '../state.ts'
import type { Member, MemberSummary } from '../types.ts'
import { select } from './select.ts'
import { walk } from './walk.ts'

export function summaryOf({ nodes, slots, addresses }: State, node: number): MemberSummary {
  const isMember = nodes.status[node] === nodeStatus.member
  const referrer = nodes.parent[node] as number
  const slot = slots.slotOf[node] as number
  const ownVolume = nodes.ownVolume.get(node)
  return {
    address: addresses.address(node),
    status: isMember ? 'member' : 'placeholder',
    referrer: referrer === none ? null : addresses.address(referrer),
    depth: nodes.depth[node] as number,
    joinedAt: isMember ? (nodes.joinedAt[node] as number) : null,
    directs: nodes.directs[node] as number,
    team: slots.team[slot] as number,
    ownVolume,
    teamVolume: slots.legVolume.get(slot) - ownVolume,
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

function largestLegOf(state: State, node: number): bigint {
  const { nodes, slots, tuning } = state
  const { legVolume } = slots
  if (!legVolume.isUsed || nodes.directs[node] === 0) return 0n
  if ((nodes.directs[node] as number) > tuning.smallTeam) {
    const [largest] = select(state, node, { level: 1, sort: 'volume', order: 'desc', count: 1 })
    return largest === undefined ? 0n : legVolume.get(largest)
  }
  let largest = slots.slotOf[nodes.firstChild[node] as number] as number
  walk(state, node, 1, (child) => {
    const slot = slots.slotOf[child] as number
    if (legVolume.compare(slot, legVolume, largest) > 0) largest = slot
  })
  return legVolume.get(largest)
}
