import { nodeStatus, none } from './nodes.ts'
import { Smallest } from './smallest.ts'
import type { State } from './state.ts'
import { dayOf, secondsADay, type Timeline } from './timeline.ts'
import type { Leader, Metrics, Period } from './types.ts'

const leaderCount = 10
/** Where each row of the histogram of direct referrals begins; the last is open. */
const histogramFrom = [0, 1, 2, 3, 6, 11, 21, 51, 101, 501]

export function metricsAt(state: State, asked: number): Metrics {
  const { nodes, timeline, members, placeholders, edges, refused } = state
  const now = Math.max(asked, timeline.lastTimestamp)
  const totals = timeline.until(now)
  const depths: number[] = []
  const directs = histogramFrom.map(() => 0)
  let referrers = 0
  for (let node = 0; node < nodes.length; node++) {
    if (nodes.status[node] === nodeStatus.unknown) continue
    const depth = nodes.depth[node] as number
    while (depths.length <= depth) depths.push(0)
    depths[depth] = (depths[depth] as number) + 1
    const count = nodes.directs[node] as number
    const row = histogramFrom.findLastIndex((from) => from <= count)
    directs[row] = (directs[row] as number) + 1
    if (count > 0) referrers++
  }
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
    series: seriesUntil(timeline, now),
    depths: depths.map((count, depth) => ({ depth, count })),
    directsHistogram: histogramFrom.map((from, row) => {
      const next = histogramFrom[row + 1]
      return { from, to: next === undefined ? null : next - 1, count: directs[row] as number }
    }),
    leaders: leadersOf(state),
  }
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

function seriesUntil(timeline: Timeline, now: number): Metrics['series'] {
  const first = timeline.firstMemberDay()
  if (first === undefined) return []
  const series: Metrics['series'] = []
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
  return series
}

function leadersOf({ nodes, addresses }: State): Metrics['leaders'] {
  const byTeam = new Smallest(
    leaderCount,
    (left, right) => (nodes.team[right] as number) - (nodes.team[left] as number) || left - right,
  )
  const byDirects = new Smallest(
    leaderCount,
    (left, right) => (nodes.directs[right] as number) - (nodes.directs[left] as number) || left - right,
  )
  const byVolume = new Smallest(leaderCount, (left, right) => {
    const difference = teamVolume(right) - teamVolume(left)
    return difference === 0n ? left - right : difference < 0n ? -1 : 1
  })
  for (let node = 0; node < nodes.length; node++) {
    if (nodes.firstChild[node] === none) continue
    byTeam.offer(node)
    byDirects.offer(node)
    if (nodes.legVolume.compare(node, nodes.ownVolume, node) > 0) byVolume.offer(node)
  }
  const leader = (node: number): Leader => ({
    address: addresses.address(node),
    directs: nodes.directs[node] as number,
    team: nodes.team[node] as number,
    teamVolume: teamVolume(node),
  })
  return {
    team: byTeam.sorted().map(leader),
    directs: byDirects.sorted().map(leader),
    volume: byVolume.sorted().map(leader),
  }

  function teamVolume(node: number): bigint {
    return nodes.legVolume.get(node) - nodes.ownVolume.get(node)
  }
}
