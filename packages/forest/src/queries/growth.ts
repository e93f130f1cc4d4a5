import type { ForestData } from '../data/forestData.ts'
import { none } from '../data/nodes.ts'
import { Downline, walk } from '../downline/downline.ts'
import { checkTime } from '../lib/check.ts'
import { partitionPoint } from '../lib/columns.ts'
import { dayOf, secondsADay } from '../lib/days.ts'
import { keepNewest } from '../lib/keepNewest.ts'
import type { Growth, GrowthParameters } from '../types.ts'

const mostCached = 32

/** Computes the growth of a team, and caches the joins by period of the largest teams. */
export function createGrowth(data: ForestData) {
  /** Joins by period of teams in the snapshot, valid for one `generation` of the slots. */
  const cache = new Map<string, Uint32Array>()
  let generation = -1

  function answer(top: number, { periods, now }: GrowthParameters): Growth[] {
    checkTime(now)
    const { timeline } = data
    const since = timeline.firstMemberTime()
    if (since === undefined) return []
    const starts = periods(dayOf(since) * secondsADay, Math.max(now, timeline.lastTimestamp))
    const joins = countJoins(top, starts)
    const first = joins.findIndex((count) => count > 0)
    if (first < 0) return []
    let total = 0
    return starts.slice(first).map((from, index) => {
      const members = joins[first + index] as number
      total += members
      return { from, members, total }
    })
  }

  /** Counts the joins of each period. */
  function countJoins(top: number, starts: readonly number[]): Uint32Array {
    const { slots, tuning } = data
    const countInto = createJoinCounter(data, starts)
    const joins = new Uint32Array(starts.length)
    const addNode = (node: number) => {
      const slot = slots.slotOf[node] as number
      countInto(slot, slot + 1, joins)
    }
    const team = slots.teamOf(top)
    if (team <= tuning.smallTeam) {
      walk(data, top, 'all', addNode)
      return joins
    }
    const downline = new Downline(data, top)
    const key = `${top} ${starts.join()}`
    if (generation !== slots.generation) cache.clear()
    generation = slots.generation
    const cached = cache.get(key)
    if (cached) joins.set(cached)
    else {
      const ranges = downline.rangesOf(1, downline.levels)
      for (let range = 0; range < ranges.length; range += 2)
        countInto(ranges[range] as number, ranges[range + 1] as number, joins)
      if (team >= tuning.keptTeam) keepNewest(cache, key, joins.slice(), mostCached)
    }
    downline.forEachNewer(addNode)
    return joins
  }

  return answer
}

/**
 * Creates a function that adds the joins of a range of slots to those of their periods: that of its UTC day, or a later one
 * that begins within that day.
 */
function createJoinCounter({ nodes, slots, timeline }: ForestData, starts: readonly number[]) {
  const firstDay = dayOf(timeline.firstMemberTime() ?? 0)
  const days = dayOf(timeline.lastTimestamp) - firstDay + 1
  /** Period of the first second of each UTC day. */
  const periodOfDay = new Uint32Array(days)
  let first = 0
  for (let day = 0; day < days; day++) {
    while ((starts[first + 1] ?? Number.POSITIVE_INFINITY) <= (firstDay + day) * secondsADay) first++
    periodOfDay[day] = first
  }
  /** Returns the number of members who joined before a time. */
  const joinedBefore = (start: number) =>
    partitionPoint(nodes.members, (index) => (nodes.joinedAt[nodes.joinOrder[index] as number] as number) < start)
  /** Join index of the first member of each period, and an end that no index reaches. */
  const firstJoin = Uint32Array.from([...starts.map(joinedBefore), none])
  return (low: number, high: number, into: Uint32Array) => {
    // Local, because reading them from the closure for each slot takes a third longer.
    const { day, joinIndex } = slots
    const [periods, firsts, from] = [periodOfDay, firstJoin, firstDay]
    for (let slot = low; slot < high; slot++) {
      const at = (day[slot] as number) - from
      // Members without a date are of day 0.
      if (at < 0) continue
      const join = joinIndex[slot] as number
      let period = periods[at] as number
      while (join >= (firsts[period + 1] as number)) period++
      into[period] = (into[period] as number) + 1
    }
  }
}
