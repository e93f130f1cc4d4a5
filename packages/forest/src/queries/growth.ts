import type { ForestData } from '../data/forestData.ts'
import { none } from '../data/nodes.ts'
import type { Slots } from '../data/slots.ts'
import { Downline, walk } from '../downline/downline.ts'
import { joinsUntil } from '../downline/past.ts'
import { checkTime } from '../lib/check.ts'
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
    const periods = new JoinPeriods(data, starts)
    const joins = new Uint32Array(starts.length)
    const addNode = (node: number) => {
      const slot = slots.slotOf[node] as number
      periods.count(slot, slot + 1, joins)
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
        periods.count(ranges[range] as number, ranges[range + 1] as number, joins)
      if (team >= tuning.keptTeam) keepNewest(cache, key, joins.slice(), mostCached)
    }
    downline.forEachNewer(addNode)
    return joins
  }

  return answer
}

/** Finds the period of a join: that of its UTC day, or a later one that begins within that day. */
class JoinPeriods {
  private readonly slots: Slots
  private readonly firstDay: number
  /** Period of the first second of each UTC day. */
  private readonly periodOfDay: Uint32Array
  /** Join index of the first member of each period, and an end that no index reaches. */
  private readonly firstJoin: Uint32Array

  constructor({ nodes, slots, timeline }: ForestData, starts: readonly number[]) {
    this.slots = slots
    this.firstDay = dayOf(timeline.firstMemberTime() ?? 0)
    const days = dayOf(timeline.lastTimestamp) - this.firstDay + 1
    this.periodOfDay = new Uint32Array(days)
    let period = 0
    for (let day = 0; day < days; day++) {
      while ((starts[period + 1] ?? Number.POSITIVE_INFINITY) <= (this.firstDay + day) * secondsADay) period++
      this.periodOfDay[day] = period
    }
    const firsts = starts.map((start) => joinsUntil(nodes, { timestamp: start - 1 }))
    this.firstJoin = Uint32Array.from([...firsts, none])
  }

  /** Adds the joins of a range of slots to those of their periods. */
  count(low: number, high: number, into: Uint32Array): void {
    const { periodOfDay, firstJoin, firstDay } = this
    const { day, joinIndex } = this.slots
    for (let slot = low; slot < high; slot++) {
      const at = (day[slot] as number) - firstDay
      // Members without a date are of day 0.
      if (at < 0) continue
      const join = joinIndex[slot] as number
      let period = periodOfDay[at] as number
      while (join >= (firstJoin[period + 1] as number)) period++
      into[period] = (into[period] as number) + 1
    }
  }
}
