import type { ForestData } from '../data/forestData.ts'
import { walk } from '../downline/walk.ts'
import type { Member } from '../types.ts'
import { select } from './select.ts'
import { summaryOf } from './summary.ts'

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
