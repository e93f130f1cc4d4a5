import { dayOf, secondsADay } from './days.ts'
import { blockBits, histogramFrom } from './nodes.ts'
import { Smallest } from './smallest.ts'
import type { State } from './state.ts'
import type { Timeline } from './timeline.ts'
import type { Leader, Metrics, Period } from './types.ts'

const leaderCount = 10

/** The network-wide figures: counted as events come in, so that reading them costs little at any size. */
export class NetworkMetrics {
  private readonly state: State
  private readonly series: Metrics['series'] = []

  constructor(state: State) {
    this.state = state
  }

  at(asked: number): Metrics {
    const { nodes, aggregates, timeline, placeholders, edges, refused } = this.state
    const { members, referrers } = nodes
    const { depths } = aggregates
    const now = Math.max(asked, timeline.lastTimestamp)
    const totals = timeline.until(now)
    return {
      members,
      referrers,
      roots: members + placeholders - edges,
      maxDepth: Math.max(0, depths.length - 1),
      averageDirects: referrers === 0 ? null : edges / referrers,
      volume: totals.volume,
      rewards: totals.rewards,
      last24h: periodUntil(timeline, now, 1),
      last7d: periodUntil(timeline, now, 7),
      last30d: periodUntil(timeline, now, 30),
      dirty: { ...refused, placeholder: placeholders },
      series: this.seriesUntil(now),
      depths: depths.map((count, depth) => ({ depth, count })),
      directsHistogram: histogramFrom.map((from, row) => {
        const next = histogramFrom[row + 1]
        return { from, to: next === undefined ? null : next - 1, count: nodes.directsHistogram[row] as number }
      }),
      leaders: leadersOf(this.state),
    }
  }

  /** Days before the newest change are kept. */
  private seriesUntil(now: number): Metrics['series'] {
    const { series } = this
    const { timeline } = this.state
    const changed = dayOf(timeline.changedSince)
    timeline.changedSince = timeline.lastTimestamp
    while (series.length > 0 && dayOfRow(series.at(-1)) >= changed) series.pop()
    const first = series.length > 0 ? dayOfRow(series.at(-1)) + 1 : timeline.firstMemberDay()
    if (first === undefined) return []
    let before = timeline.until(first * secondsADay - 1)
    for (let day = first; day <= dayOf(now); day++) {
      const after = timeline.until((day + 1) * secondsADay - 1)
      series.push({
        day: new Date(day * secondsADay * 1000).toISOString().slice(0, 10),
        members: after.members - before.members,
        totalMembers: after.members,
        volume: after.volume - before.volume,
        rewards: after.rewards - before.rewards,
      })
      before = after
    }
    return [...series]
  }
}

function dayOfRow(row: Metrics['series'][number] | undefined): number {
  return row ? Date.parse(row.day) / 1000 / secondsADay : 0
}

function periodUntil(timeline: Timeline, now: number, days: number): Period {
  const before = timeline.until(now - days * secondsADay)
  const after = timeline.until(now)
  return {
    members: after.members - before.members,
    volume: after.volume - before.volume,
    rewards: after.rewards - before.rewards,
  }
}

function leadersOf({ nodes, slots, addresses }: State): Metrics['leaders'] {
  const { team, legVolume, nodeAt, slotOf } = slots
  const isFirst = (left: number, right: number) => (nodeAt[left] as number) - (nodeAt[right] as number)
  const teamVolume = (slot: number) => legVolume.get(slot) - nodes.ownVolume.get(nodeAt[slot] as number)
  const byTeam = greatest(
    slots.length,
    slots.teamMost,
    (slot) => team[slot] as number,
    (left, right) => (team[right] as number) - (team[left] as number) || isFirst(left, right),
  )
  const byDirects = greatest(
    nodes.length,
    nodes.directsMost,
    (node) => nodes.directs[node] as number,
    (left, right) => (nodes.directs[right] as number) - (nodes.directs[left] as number) || left - right,
  )
  const byVolume = greatest(
    slots.length,
    slots.legCeiling,
    (slot) =>
      team[slot] === 0 || legVolume.compare(slot, nodes.ownVolume, nodeAt[slot] as number) === 0
        ? 0
        : legVolume.ceiling(slot),
    (left, right) => {
      const difference = teamVolume(right) - teamVolume(left)
      return difference === 0n ? isFirst(left, right) : difference < 0n ? -1 : 1
    },
    (slot) => Number(teamVolume(slot)) * (1 - 2 ** -46),
  )
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
    team: byTeam.map(leader),
    directs: byDirects.map((node) => leader(slotOf[node] as number)),
    volume: byVolume.map(leader),
  }
}

/**
 * The first of `length` rows by `compare`. `value` is 0 for a row that does not count, and never above what `most` has
 * for its block of rows; `least`, a lower bound of what makes a row one of the first.
 */
function greatest(
  length: number,
  most: Uint32Array | Float64Array,
  value: (row: number) => number,
  compare: (left: number, right: number) => number,
  least: (row: number) => number = value,
): number[] {
  const blocks = Math.ceil(length / (1 << blockBits))
  const found = new Smallest(leaderCount, compare)
  const look = (block: number) => {
    const bound = found.bound === undefined ? 0 : least(found.bound)
    const low = block << blockBits
    for (let row = low; row < Math.min(low + (1 << blockBits), length); row++) {
      const at = value(row)
      if (at !== 0 && at >= bound) found.offer(row)
    }
    // The next block is compared with the best of all so far.
    found.sorted()
  }
  const byMost = (left: number, right: number) => (most[right] as number) - (most[left] as number) || left - right
  const seeds = new Smallest(leaderCount * 2, byMost)
  for (let block = 0; block < blocks; block++)
    if (seeds.bound === undefined || (most[block] as number) >= (most[seeds.bound] as number)) seeds.offer(block)
  const done = new Set(seeds.sorted())
  for (const block of done) look(block)
  let last = found.bound
  let bound = last === undefined ? 0 : least(last)
  for (let block = 0; block < blocks; block++) {
    if (most[block] === 0 || (most[block] as number) < bound || done.has(block)) continue
    look(block)
    if (found.bound === last) continue
    last = found.bound
    bound = last === undefined ? 0 : least(last)
  }
  return found.sorted()
}
