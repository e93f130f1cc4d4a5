import type { ForestData } from '../data/forestData.ts'
import { grades, nodeStatus, none } from '../data/nodes.ts'
import type { Grade, MemberSummary } from '../types.ts'

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
