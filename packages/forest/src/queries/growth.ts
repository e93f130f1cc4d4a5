import type { ForestData } from '../data/forestData.ts'
import { Downline } from '../downline/downline.ts'
import { walk } from '../downline/walk.ts'
import { checkTime } from '../lib/check.ts'
import { dayOf, formatDay, secondsADay } from '../lib/days.ts'
import type { Growth, GrowthInterval, GrowthParameters } from '../types.ts'

const mostCached = 32

/** Computes the growth of a team, and caches the joins by day of the largest teams. */
export class GrowthQuery {
  private readonly data: ForestData
  /** Joins by day of teams in the snapshot, valid for one `generation` of the slots. */
  private readonly cache = new Map<number, Uint32Array>()
  private generation = -1

  constructor(data: ForestData) {
    this.data = data
  }

  answer(top: number, { interval, now }: GrowthParameters): Growth[] {
    checkTime(now)
    const start = this.data.timeline.firstMemberDay()
    if (start === undefined) return []
    const joins = this.joinsByDay(top, start)
    const first = start + joins.findIndex((count) => count > 0)
    if (first < start) return []
    const growth: Growth[] = []
    const last = Math.max(start + joins.length - 1, dayOf(now))
    let total = 0
    let periodEnd = -1
    for (let day = first; day <= last; day++) {
      if (day > periodEnd) {
        const period = periodOf(day, interval)
        periodEnd = period.last
        growth.push({ from: formatDay(period.first), members: 0, total })
      }
      const row = growth[growth.length - 1] as Growth
      const members = joins[day - start] ?? 0
      row.members += members
      total += members
      row.total = total
    }
    return growth
  }

  /** Counts the joins of each day from `start` to the newest event. */
  private joinsByDay(top: number, start: number): Uint32Array {
    const { slots, timeline, tuning } = this.data
    const joins = new Uint32Array(dayOf(timeline.lastTimestamp) - start + 1)
    const addNode = (node: number) => {
      const day = (slots.day[slots.slotOf[node] as number] as number) - start
      if (day < 0) return
      joins[day] = (joins[day] as number) + 1
    }
    const team = slots.teamOf(top)
    if (team <= tuning.smallTeam) {
      walk(this.data, top, 'all', addNode)
      return joins
    }
    const downline = new Downline(this.data, top)
    const cached = this.readCache(top)
    // After a rollback the newest day may be earlier than before.
    if (cached) joins.set(cached.subarray(0, joins.length))
    else {
      countDays(slots.day, downline.rangesOf(1, downline.levels), start, joins)
      if (team >= tuning.keptTeam) this.writeCache(top, joins.slice())
    }
    downline.forEachNewer(addNode)
    return joins
  }

  private readCache(top: number): Uint32Array | undefined {
    if (this.generation !== this.data.slots.generation) this.cache.clear()
    this.generation = this.data.slots.generation
    return this.cache.get(top)
  }

  private writeCache(top: number, joins: Uint32Array): void {
    const [oldest] = this.cache.keys()
    if (this.cache.size >= mostCached && oldest !== undefined) this.cache.delete(oldest)
    this.cache.set(top, joins)
  }
}

/** Counts the days of all slots in the ranges. */
function countDays(day: Uint16Array, ranges: readonly number[], start: number, into: Uint32Array): void {
  for (let range = 0; range < ranges.length; range += 2) {
    const end = ranges[range + 1] as number
    for (let slot = ranges[range] as number; slot < end; slot++) {
      const at = (day[slot] as number) - start
      // Members without a date are of day 0.
      if (at < 0) continue
      into[at] = (into[at] as number) + 1
    }
  }
}

/** Returns the first and last day of the period around a day. Weeks begin on Mondays. */
function periodOf(day: number, interval: GrowthInterval): { first: number; last: number } {
  if (interval === 'day') return { first: day, last: day }
  if (interval === 'week') {
    const first = day - ((day + 3) % 7)
    return { first, last: first + 6 }
  }
  const date = new Date(day * secondsADay * 1000)
  const firstOfMonth = (months: number) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1) / 1000
  return { first: dayOf(firstOfMonth(0)), last: dayOf(firstOfMonth(1)) - 1 }
}
