import type { ForestData } from '../data/forestData.ts'
import { histogramFrom } from '../data/nodes.ts'
import type { Totals } from '../data/timeline.ts'
import { checkTime } from '../lib/check.ts'
import { dayOf, formatDay, secondsADay } from '../lib/days.ts'
import type { Metrics, Period } from '../types.ts'
import { leadersOf } from './leaders.ts'

/** Reads the network-wide figures, most of which are counted when events are added. */
export class MetricsQuery {
  private readonly data: ForestData
  private readonly series: Metrics['series'] = []
  private last: { version: number; now: number; metrics: Metrics } | undefined

  constructor(data: ForestData) {
    this.data = data
  }

  answer(now: number): Metrics {
    checkTime(now)
    const { version } = this.data
    if (this.last?.version !== version || this.last.now !== now)
      this.last = { version, now, metrics: this.compute(Math.max(now, this.data.timeline.lastTimestamp)) }
    return this.last.metrics
  }

  private compute(now: number): Metrics {
    const { nodes, aggregates, timeline, irregularBinds } = this.data
    const { members, referrers, roots, placeholders, edges } = nodes
    const totals = timeline.until(now)
    const periodOf = (days: number, first: number, shift = 0) =>
      difference(
        timeline.until(now - shift * days * secondsADay),
        timeline.until(first - 1 - shift * days * secondsADay),
      )
    const periods = (shift: number) => ({
      last24h: periodOf(1, now - secondsADay + 1, shift),
      last7d: periodOf(7, (dayOf(now) - 6) * secondsADay, shift),
      last30d: periodOf(30, (dayOf(now) - 29) * secondsADay, shift),
    })
    return {
      members,
      referrers,
      roots,
      maxDepth: Math.max(0, aggregates.depths.length - 1),
      averageDirects: referrers === 0 ? null : edges / referrers,
      volume: totals.volume,
      rewards: totals.rewards,
      ...periods(0),
      previous: periods(1),
      dirty: { ...irregularBinds.counts, placeholder: placeholders },
      undated: nodes.undated.length,
      series: this.seriesUntil(now),
      depths: aggregates.depths.map((count, depth) => ({ depth, count })),
      directsHistogram: histogramFrom.map((from, bar) => {
        const next = histogramFrom[bar + 1]
        return { from, to: next === undefined ? null : next - 1, count: nodes.directsHistogram[bar] as number }
      }),
      leaders: leadersOf(this.data),
    }
  }

  /** Computes the daily series. Days since the oldest change are recomputed; earlier days are cached. */
  private seriesUntil(now: number): Metrics['series'] {
    const { series, data } = this
    const { timeline } = data
    const firstDay = timeline.firstMemberDay()
    if (firstDay === undefined) return []
    const unchanged = Math.max(0, dayOf(timeline.changedSince) - firstDay)
    timeline.changedSince = timeline.lastTimestamp
    if (series.length > unchanged) series.length = unchanged
    const next = firstDay + series.length
    let before = timeline.until(next * secondsADay - 1)
    for (let day = next; day <= dayOf(now); day++) {
      const after = timeline.until((day + 1) * secondsADay - 1)
      const { members, volume, rewards } = difference(after, before)
      series.push({ day: formatDay(day), members, totalMembers: after.members, volume, rewards })
      before = after
    }
    return [...series]
  }
}

function difference(after: Totals, before: Totals): Period {
  return {
    members: after.members - before.members,
    volume: after.volume - before.volume,
    rewards: after.rewards - before.rewards,
  }
}
