import type { ForestData } from '../data/forestData.ts'
import { type ChunkRanking, searchChunks } from '../downline/searchChunks.ts'
import { ceilingMargin } from '../lib/amounts.ts'
import { Smallest } from '../lib/smallest.ts'
import type { Leader, Metrics } from '../types.ts'

export const leaderCount = 10

/** Returns the members with the largest teams, most directs and largest team volumes. */
export function leadersOf({ nodes, slots, addresses }: ForestData): Metrics['leaders'] {
  const { team, legVolume, nodeAt, slotOf, teamExtremes, legExtremes } = slots
  const byNode = (left: number, right: number) => (nodeAt[left] as number) - (nodeAt[right] as number)
  const teamVolume = (slot: number) => legVolume.get(slot) - nodes.ownVolume.get(nodeAt[slot] as number)
  const hasTeamVolume = (slot: number) =>
    team[slot] !== 0 && legVolume.compare(slot, nodes.ownVolume, nodeAt[slot] as number) !== 0
  const slotsByTeam = findGreatest({
    length: slots.length,
    chunkMaxima: teamExtremes.largest,
    value: (slot) => team[slot] as number,
    compare: (left, right) => (team[right] as number) - (team[left] as number) || byNode(left, right),
  })
  const nodesByDirects = findGreatest({
    length: nodes.length,
    chunkMaxima: nodes.maxDirects,
    value: (node) => nodes.directs[node] as number,
    compare: (left, right) => (nodes.directs[right] as number) - (nodes.directs[left] as number) || left - right,
  })
  const slotsByVolume = findGreatest({
    length: slots.length,
    chunkMaxima: legExtremes.largest,
    value: (slot) => (hasTeamVolume(slot) ? legVolume.ceiling(slot) : 0),
    leastValue: (slot) => Number(teamVolume(slot)) * (1 - ceilingMargin),
    compare(left, right) {
      const difference = teamVolume(right) - teamVolume(left)
      return difference === 0n ? byNode(left, right) : difference < 0n ? -1 : 1
    },
  })
  const leader = (slot: number): Leader => {
    const node = nodeAt[slot] as number
    return {
      address: addresses.address(node),
      directs: nodes.directs[node] as number,
      team: team[slot] as number,
      teamVolume: teamVolume(slot),
    }
  }
  return {
    team: slotsByTeam.map(leader),
    directs: nodesByDirects.map((node) => leader(slotOf[node] as number)),
    volume: slotsByVolume.map(leader),
  }
}

interface Ranking {
  /** Number of rows. */
  length: number
  /** Upper bounds of `value` in each chunk of rows. */
  chunkMaxima: Uint32Array | Float64Array
  /** Upper bound of the value that ranks a row; 0 excludes the row. */
  value(row: number): number
  /** Lower bound of that value. Default: `value`. */
  leastValue?(row: number): number
  /** Sorts the greatest row first. */
  compare(left: number, right: number): number
}

/** Returns the first ten rows. */
function findGreatest({ length, chunkMaxima, value, leastValue = value, compare }: Ranking): number[] {
  const kept = new Smallest(leaderCount, compare)
  const scan = (low: number, high: number) => {
    const least = kept.threshold === undefined ? 0 : leastValue(kept.threshold)
    for (let row = low; row < high; row++) {
      const found = value(row)
      if (found !== 0 && found >= least) kept.offer(row)
    }
    // Updates the threshold for the next chunk.
    kept.sorted()
  }
  const ranking: ChunkRanking = {
    order: 'desc',
    best: chunkMaxima,
    // The smallest positive number skips chunks that contain only zeros.
    limit: (last) => Math.max(Number.MIN_VALUE, last === undefined ? 0 : leastValue(last)),
  }
  searchChunks([0, length], kept, scan, ranking, leaderCount * 2)
  return kept.sorted()
}
