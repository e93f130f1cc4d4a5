import type { ForestData } from '../data/forestData.ts'
import { type PastTree, teamVolumeOf } from '../downline/pastTree.ts'
import { type ChunkRanking, searchChunks } from '../downline/searchChunks.ts'
import { type Amounts, ceilingMargin } from '../lib/amounts.ts'
import { Smallest } from '../lib/smallest.ts'
import type { Leader, Metrics, Slices } from '../types.ts'

const leaderCount = 10

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

/** Returns the members with the largest teams, most directs and largest team volumes of a past moment. */
export function* pastLeadersOf(data: ForestData, tree: PastTree, legs: Amounts): Slices<Metrics['leaders']> {
  const { below, length, nodes, team } = tree
  const directsOf = (row: number) => (below[row + 1] as number) - (below[row] as number)
  const byNode = (left: number, right: number) => (nodes[left] as number) - (nodes[right] as number)
  const byTeam = createRanking((row) => team[row] as number, byNode)
  const byDirects = createRanking(directsOf, byNode)
  const volumes = new Map<number, bigint>()
  const volumeOf = (row: number): bigint => {
    const volume = volumes.get(row) ?? teamVolumeOf(tree, legs, row)
    volumes.set(row, volume)
    return volume
  }
  const byVolume = new Smallest(leaderCount, (left, right) => {
    const difference = volumeOf(right) - volumeOf(left)
    return difference === 0n ? byNode(left, right) : difference < 0n ? -1 : 1
  })
  let threshold: number | undefined
  let least = Number.MIN_VALUE
  const mayLead = (row: number) => {
    if (byVolume.threshold !== undefined && byVolume.threshold !== threshold) {
      threshold = byVolume.threshold
      least = Math.max(Number(volumeOf(threshold)) * (1 - ceilingMargin), Number.MIN_VALUE)
    }
    return legs.ceiling(row) >= least
  }
  for (let row = 0; row < length; row++) {
    byTeam.offer(row)
    byDirects.offer(row)
    if (directsOf(row) > 0 && mayLead(row) && volumeOf(row) > 0n) byVolume.offer(row)
    if ((row + 1) % data.tuning.sliceSteps !== 0) continue
    // Keeps the amounts of the rows that may still lead.
    for (const kept of [...volumes.keys()].filter((one) => !byVolume.sorted().includes(one))) volumes.delete(kept)
    yield
  }
  const toLeader = (row: number): Leader => ({
    address: data.addresses.address(nodes[row] as number),
    directs: directsOf(row),
    team: team[row] as number,
    teamVolume: volumeOf(row),
  })
  return {
    team: byTeam.sorted().map(toLeader),
    directs: byDirects.sorted().map(toLeader),
    volume: byVolume.sorted().map(toLeader),
  }
}

/** Keeps the rows with the greatest values, without zeros. */
function createRanking(measure: (row: number) => number, byNode: (left: number, right: number) => number) {
  const kept = new Smallest(leaderCount, (left, right) => measure(right) - measure(left) || byNode(left, right))
  return {
    offer(row: number): void {
      const value = measure(row)
      if (value > 0 && (kept.threshold === undefined || value >= measure(kept.threshold))) kept.offer(row)
    },
    sorted: () => kept.sorted(),
  }
}
