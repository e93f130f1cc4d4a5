import type { ForestData } from '../data/forestData.ts'
import { grades, nodeStatus, none } from '../data/nodes.ts'
import { walk } from '../downline/downline.ts'
import type { Grade, Member, MemberSummary } from '../types.ts'
import { select } from './select.ts'

export function memberOf(data: ForestData, node: number): Member {
  const { nodes, addresses } = data
  const summary = summaryOf(data, node)
  const largestLeg = largestLegOf(data, node)
  return {
    ...summary,
    root: addresses.address(nodes.rootOf(node)),
    maxLevel: nodes.height[node] as number,
    largestLeg,
    otherLegs: summary.teamVolume - largestLeg,
    rewards: nodes.rewards.get(node),
  }
}

function largestLegOf(data: ForestData, node: number): bigint {
  const { nodes, slots, tuning } = data
  const { legVolume } = slots
  if (!legVolume.isUsed || nodes.directs[node] === 0) return 0n
  if ((nodes.directs[node] as number) > tuning.smallTeam) {
    const [largest] = select(data, node, { level: 1, sort: 'volume', order: 'desc', count: 1 })
    return largest === undefined ? 0n : legVolume.get(largest)
  }
  let largest = slots.slotOf[nodes.firstChild[node] as number] as number
  walk(data, node, 1, (child) => {
    const slot = slots.slotOf[child] as number
    if (legVolume.compare(slot, legVolume, largest) > 0) largest = slot
  })
  return legVolume.get(largest)
}

type Join = Pick<MemberSummary, 'joinedAt' | 'between' | 'block' | 'logIndex'> & { grade: Grade }

/** Returns where and when a member joined: its log and time, or the blocks in which it may be. */
export function joinOf({ nodes, slots }: ForestData, node: number): Join {
  const grade = grades[nodes.grade[node] as number] ?? 'exact'
  const position = { block: nodes.block[node] as number, logIndex: nodes.logIndex[node] as number }
  if (grade === 'exact') return { joinedAt: nodes.joinedAt[node] as number, grade, ...position, between: null }
  const index = nodes.undated.indexOf(slots.joinIndex[slots.slotOf[node] as number] as number)
  return {
    joinedAt: null,
    grade,
    ...position,
    between: { from: nodes.undated.firstBlockAt(index), to: position.block },
  }
}

/** The join of a placeholder. */
export const noJoin = { joinedAt: null, grade: null, block: null, logIndex: null, between: null }

export function summaryOf(data: ForestData, node: number): MemberSummary {
  const { nodes, slots, addresses } = data
  const isMember = nodes.status[node] === nodeStatus.member
  const referrer = nodes.parent[node] as number
  const slot = slots.slotOf[node] as number
  const ownVolume = nodes.ownVolume.get(node)
  return {
    address: addresses.address(node),
    status: isMember ? 'member' : 'placeholder',
    referrer: referrer === none ? null : addresses.address(referrer),
    depth: nodes.depth[node] as number,
    ...(isMember ? joinOf(data, node) : noJoin),
    directs: nodes.directs[node] as number,
    team: slots.team[slot] as number,
    ownVolume,
    teamVolume: slots.legVolume.get(slot) - ownVolume,
  }
}
