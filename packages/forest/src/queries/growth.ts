import { dayOf, secondsADay } from '../days.ts'
import { Downline } from '../downline.ts'
import type { State } from '../state.ts'
import type { Growth, GrowthInterval } from '../types.ts'
import { walk } from './walk.ts'

/** Counts by day are kept for so many teams, until a run of slots changes its meaning. */
const mostKept = 32

/** How a team has grown, by UTC days; the counts of the largest teams are kept. */
export class GrowthSeries {
  private readonly state: State
  private readonly kept = new Map<number, Uint32Array>()
  private generation = -1

  constructor(state: State) {
    this.state = state
  }

  of(top: number, interval: GrowthInterval, now: number): Growth[] {
    const start = this.state.timeline.firstMemberDay() ?? 0
    const days = this.joinsByDay(top, start)
    const first = start + days.findIndex((count) => count > 0)
    if (first < start) return []
    const growth: Growth[] = []
    const last = Math.max(start + days.length - 1, dayOf(now))
    let total = 0
    let until = -1
    for (let day = first; day <= last; day++) {
      if (day > until) {
        const period = periodOf(day, interval)
        until = period.last
        growth.push({ from: dateOf(period.first), members: 0, total })
      }
      const row = growth[growth.length - 1] as Growth
      const joins = days[day - start] ?? 0
      row.members += joins
      total += joins
      row.total = total
    }
    return growth
  }

  /** From the day on which the first member of all joined. */
  private joinsByDay(top: number, start: number): Uint32Array {
    const { nodes, slots, timeline, tuning } = this.state
    const days = new Uint32Array(dayOf(timeline.lastTimestamp) - start + 1)
    const add = (node: number) => {
      const day = (slots.day[slots.slotOf[node] as number] as number) - start
      days[day] = (days[day] as number) + 1
    }
    if ((slots.team[slots.slotOf[top] as number] as number) <= tuning.smallTeam) {
      walk(this.state, top, 'all', add)
      return days
    }
    const downline = new Downline(this.state, top)
    const kept = this.find(top)
    // After a rollback the newest day may be an earlier one.
    if (kept) days.set(kept.subarray(0, days.length))
    else {
      for (let level = 1; level < downline.levels; level++)
        downline.forEachRun(level, (low, high) => tally(slots.day, low, high, start, days))
      if (downline.size >= tuning.keptTeam) this.keep(top, days.slice())
    }
    for (let node = slots.frozen; node < nodes.length; node++)
      if (downline.levelOf(node) > 0 && downline.has(node)) add(node)
    return days
  }

  private find(top: number): Uint32Array | undefined {
    if (this.generation !== this.state.slots.generation) this.kept.clear()
    this.generation = this.state.slots.generation
    return this.kept.get(top)
  }

  private keep(top: number, days: Uint32Array): void {
    if (this.kept.size >= mostKept)
      for (const oldest of this.kept.keys()) {
        this.kept.delete(oldest)
        break
      }
    this.kept.set(top, days)
  }
}

function tally(day: Uint16Array, low: number, high: number, start: number, into: Uint32Array): void {
  for (let slot = low; slot < high; slot++) {
    const at = (day[slot] as number) - start
    into[at] = (into[at] as number) + 1
  }
}

/** Weeks begin on Mondays. */
function periodOf(day: number, interval: GrowthInterval): { first: number; last: number } {
  if (interval === 'day') return { first: day, last: day }
  if (interval === 'week') {
    const first = day - ((day + 3) % 7)
    return { first, last: first + 6 }
  }
  const date = new Date(day * secondsADay * 1000)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  return { first: toDay(Date.UTC(year, month, 1)), last: toDay(Date.UTC(year, month + 1, 1)) - 1 }
}

function toDay(milliseconds: number): number {
  return milliseconds / 1000 / secondsADay
}

function dateOf(day: number): string {
  return new Date(day * secondsADay * 1000).toISOString().slice(0, 10)
}
