import type { ForestData } from '../data/forestData.ts'
import { type PastTree, teamVolumeOf } from '../downline/pastTree.ts'
import { type Amounts, ceilingMargin } from '../lib/amounts.ts'
import { Smallest } from '../lib/smallest.ts'
import type { Leader, Metrics, Slices } from '../types.ts'
import { leaderCount } from './leaders.ts'

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
