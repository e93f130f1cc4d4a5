import type { ForestData } from '../data/forestData.ts'
import { histogramFrom } from '../data/nodes.ts'
import type { Totals } from '../data/timeline.ts'
import { checkTime } from '../lib/check.ts'
import { partitionPoint } from '../lib/columns.ts'
import { secondsADay, utcDays } from '../lib/days.ts'
import { keepNewest } from '../lib/keepNewest.ts'
import type { Days, Metrics, MetricsParameters, Period } from '../types.ts'
import { leadersOf } from './leaders.ts'

type Rows = Metrics['series']

/** Largest number of time zones whose days are kept. */
const mostZones = 8

/** Reads the network-wide figures, most of which are counted when events are added. */
export function createMetrics(data: ForestData) {
  /** Rows of days by time zone, and the first second after each. */
  const kept = new Map<Days, { rows: Rows; ends: number[] }>()
  let last: { version: number; now: number; answers: Map<Days, Metrics> } | undefined

  function answer({ now, days = utcDays }: MetricsParameters): Metrics {
    checkTime(now)
    const { version, timeline } = data
    if (last?.version !== version || last.now !== now) last = { version, now, answers: new Map() }
    const { answers } = last
    const answer = answers.get(days) ?? compute(Math.max(now, timeline.lastTimestamp), days)
    keepNewest(answers, days, answer, mostZones)
    return answer
  }

  function compute(now: number, days: Days): Metrics {
    const { nodes, aggregates, timeline, irregularBinds } = data
    const { members, referrers, roots, placeholders, edges } = nodes
    const totals = timeline.until(now)
    const sumOf = ({ after, until }: Range) => difference(timeline.until(until), timeline.until(after))
    const periods = (shift: number) => {
      const { last24h, last7d, last30d } = rangesOf(now, shift, days)
      return { last24h: sumOf(last24h), last7d: sumOf(last7d), last30d: sumOf(last30d) }
    }
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
      series: seriesUntil(now, days),
      depths: aggregates.depths.map((count, depth) => ({ depth, count })),
      directsHistogram: toHistogram(nodes.directsHistogram),
      leaders: leadersOf(data),
    }
  }

  /** Computes the daily series. Days since the oldest change are recomputed; earlier days are cached. */
  function seriesUntil(now: number, days: Days): Rows {
    const { timeline } = data
    dropChanged()
    const first = timeline.firstMemberTime()
    if (first === undefined) return []
    const series = kept.get(days) ?? { rows: [], ends: [] }
    keepNewest(kept, days, series, mostZones)
    const { rows, ends } = series
    const starts = days(ends.at(-1) ?? first, now)
    let before = timeline.until((starts[0] as number) - 1)
    for (const [index, from] of starts.entries()) {
      // The last day has not ended, and is computed again.
      const end = starts[index + 1] ?? Number.POSITIVE_INFINITY
      const after = timeline.until(end - 1)
      const { members, volume, rewards } = difference(after, before)
      rows.push({ from, members, totalMembers: after.members, volume, rewards })
      ends.push(end)
      before = after
    }
    return [...rows]
  }

  /** Drops the days that have not ended before the oldest change. */
  function dropChanged(): void {
    const { timeline } = data
    for (const { rows, ends } of kept.values()) {
      const unchanged = partitionPoint(ends.length, (index) => (ends[index] as number) <= timeline.changedSince)
      rows.length = unchanged
      ends.length = unchanged
    }
    timeline.changedSince = timeline.lastTimestamp
  }

  return { answer, seriesUntil }
}

/** A period after a second, up to another. */
export type Range = { after: number; until: number }

/** Returns the periods that end with a second, or those that ended earlier by `shift` times their lengths. */
export function rangesOf(now: number, shift: number, days: Days): Record<'last24h' | 'last7d' | 'last30d', Range> {
  const starts = days(Math.max(0, now - 30 * secondsADay), now)
  const range = (length: number, first: number): Range => {
    const ago = shift * length * secondsADay
    return { after: first - 1 - ago, until: now - ago }
  }
  return {
    last24h: range(1, now - secondsADay + 1),
    last7d: range(7, starts.at(-7) ?? 0),
    last30d: range(30, starts.at(-30) ?? 0),
  }
}

/** Returns the bars of the histogram of directs with their counts. */
export const toHistogram = (counts: readonly number[]): Metrics['directsHistogram'] =>
  histogramFrom.map((from, bar) => {
    const next = histogramFrom[bar + 1]
    return { from, to: next === undefined ? null : next - 1, count: counts[bar] as number }
  })

export function difference(after: Totals, before: Totals): Period {
  return {
    members: after.members - before.members,
    volume: after.volume - before.volume,
    rewards: after.rewards - before.rewards,
  }
}
