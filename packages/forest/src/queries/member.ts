import { chunkBits, chunkEnd } from '../data/chunks.ts'
import type { ForestData } from '../data/forestData.ts'
import { grades, nodeStatus, none } from '../data/nodes.ts'
import { Downline, walk } from '../downline/downline.ts'
import { Amounts } from '../lib/amounts.ts'
import type { Grade, Level, Member, MemberSummary, Rank, Ranks } from '../types.ts'
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

export function levelsOf(data: ForestData, top: number): Level[] {
  const { nodes, slots } = data
  const height = nodes.height[top] as number
  const depth = nodes.depth[top] as number
  const counts = new Uint32Array(height + 1)
  const volumes = new Amounts(height + 1)
  const addNode = (node: number) => {
    const level = (nodes.depth[node] as number) - depth
    counts[level] = (counts[level] as number) + 1
    volumes.add(level, nodes.ownVolume, node)
  }
  if (slots.teamOf(top) <= data.tuning.smallTeam) walk(data, top, 'all', addNode)
  else {
    const downline = new Downline(data, top)
    for (let level = 1; level < downline.levels; level++) {
      const ranges = downline.rangesOf(level)
      for (let range = 0; range < ranges.length; range += 2) {
        const low = ranges[range] as number
        const high = ranges[range + 1] as number
        counts[level] = (counts[level] as number) + high - low
        slots.volumeSums.sum(volumes, level, low, high, nodes.ownVolume, slots.nodeAt)
      }
    }
    downline.forEachNewer(addNode)
  }
  return Array.from({ length: height }, (_, index) => ({
    level: index + 1,
    count: counts[index + 1] as number,
    volume: volumes.get(index + 1),
  }))
}

/** Returns the place of a member by team and by directs, among the directs of its referrer and in the whole forest. */
export function ranksOf(data: ForestData, node: number): Ranks {
  const { nodes, slots } = data
  const known = nodes.members + nodes.placeholders
  const team = slots.teamOf(node)
  const directs = nodes.directs[node] as number
  // Members with a team are those with directs.
  const others = { known, positive: nodes.referrers }
  return {
    siblings: nodes.parent[node] === none ? null : ranksBeside(data, node, { team, directs }),
    community: {
      team: rankIn(
        { values: slots.team, maxima: slots.teamExtremes.largest, length: slots.length, value: team },
        others,
      ),
      directs: rankIn(
        { values: nodes.directs, maxima: nodes.maxDirects, length: nodes.length, value: directs },
        others,
      ),
    },
  }
}

function ranksBeside(data: ForestData, node: number, { team, directs }: Record<'team' | 'directs', number>) {
  const { nodes, slots } = data
  const of = nodes.directs[nodes.parent[node] as number] as number
  const ranks = { team: { rank: 1, equal: 0, of }, directs: { rank: 1, equal: 0, of } }
  const compare = (rank: Rank, value: number, own: number) => {
    if (value > own) rank.rank++
    if (value === own) rank.equal++
  }
  walk(data, nodes.parent[node] as number, 1, (sibling) => {
    compare(ranks.team, slots.teamOf(sibling), team)
    compare(ranks.directs, nodes.directs[sibling] as number, directs)
  })
  return ranks
}

/** `maxima` has upper bounds of each chunk of rows. */
type Column = { values: Uint32Array; maxima: Uint32Array | Float64Array; length: number; value: number }

/** Ranks a value in a column. Zeros are counted by what is not greater, because some rows of zero are no members. */
function rankIn(
  { values, maxima, length, value }: Column,
  { known, positive }: { known: number; positive: number },
): Rank {
  if (value === 0) return { rank: positive + 1, equal: known - positive, of: known }
  let greater = 0
  let equal = 0
  for (let low = 0; low < length; low = chunkEnd(low)) {
    if ((maxima[low >>> chunkBits] as number) < value) continue
    const high = Math.min(chunkEnd(low), length)
    for (let row = low; row < high; row++) {
      const found = values[row] as number
      if (found > value) greater++
      if (found === value) equal++
    }
  }
  return { rank: greater + 1, equal, of: known }
}
