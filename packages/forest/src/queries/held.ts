import type { ForestData } from '../data/forestData.ts'
import { nodeStatus, none } from '../data/nodes.ts'
import { checkLimit } from '../lib/check.ts'
import type { HeldMember, HeldPage, HeldParameters, Hold } from '../types.ts'
import { noJoin, summaryOf } from './member.ts'

/** Reads a page of the members in join order, or of the roots in the order first seen, as they were when a hold began. */
export function heldOf(data: ForestData, hold: Hold, { list, from, limit }: HeldParameters): HeldPage {
  checkLimit(limit)
  const { nodes, holds } = data
  const { members, size } = holds.require(hold)
  const items: HeldMember[] = []
  if (list === 'members') {
    const end = Math.min(from + limit, members)
    for (let index = from; index < end; index++) items.push(heldMember(data, hold, nodes.joinOrder[index] as number))
    return { items, next: end < members ? end : null }
  }
  const end = Math.min(from + data.tuning.sliceSteps, size)
  let node = from
  for (; node < end && items.length < limit; node++)
    if (isRoot(data, hold, node)) items.push(heldMember(data, hold, node))
  return { items, next: node < size ? node : null }
}

function isRoot({ nodes, holds }: ForestData, hold: Hold, node: number): boolean {
  const held = holds.find(hold, node)
  const [status, parent] = held ? [held.status, held.parent] : [nodes.status[node], nodes.parent[node]]
  return parent === none && status !== nodeStatus.unknown
}

function heldMember(data: ForestData, hold: Hold, node: number): HeldMember {
  const { nodes, addresses } = data
  const present = summaryOf(data, node)
  const held = data.holds.find(hold, node)
  if (!held) return { ...present, root: addresses.address(nodes.rootOf(node)), rewards: nodes.rewards.get(node) }
  const { status, parent, root, depth, directs, team, ownVolume, legVolume, rewards } = held
  const isMember = status === nodeStatus.member
  return {
    ...present,
    ...(!isMember && noJoin),
    status: isMember ? 'member' : 'placeholder',
    referrer: parent === none ? null : addresses.address(parent),
    root: addresses.address(root),
    depth,
    directs,
    team,
    ownVolume,
    teamVolume: legVolume - ownVolume,
    rewards,
  }
}
