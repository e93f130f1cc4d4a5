import { type AmountLog, AmountReader } from '../data/amountLog.ts'
import type { ForestData } from '../data/forestData.ts'
import { histogramFrom, nodeStatus, none } from '../data/nodes.ts'
import type { Totals } from '../data/timeline.ts'
import { joinsUntil, Past } from '../downline/past.ts'
import { type PastTree, readPastTree, sumLegVolumes } from '../downline/pastTree.ts'
import { DownlineChangedError } from '../errors.ts'
import { partitionPoint, SlotList } from '../lib/columns.ts'
import { utcDays } from '../lib/days.ts'
import { keepNewest } from '../lib/keepNewest.ts'
import { Pace } from '../lib/pace.ts'
import type { Days, Metrics, Moment, PastMetrics, PastMetricsParameters, Period, Slices } from '../types.ts'
import { pastLeadersOf } from './leaders.ts'
import { type createMetrics, difference, type Range, rangesOf, toHistogram } from './metrics.ts'

type SeriesUntil = ReturnType<typeof createMetrics>['seriesUntil']
/** Figures of a moment that do not depend on the days of a time zone. */
type Figures = Omit<PastMetrics, keyof Times | 'until'>
/** Moments whose figures are kept, because they take a reading of the whole forest. */
const mostKept = 32

/** Reads the network-wide figures of past moments, and keeps the last ones. */
export function createPastMetrics(data: ForestData, seriesUntil: SeriesUntil) {
  const kept = new Map<string, Figures>()

  function* answer({ moment, days = utcDays }: PastMetricsParameters): Slices<PastMetrics> {
    const key = keyOf(moment)
    const figures = kept.get(key) ?? (yield* compute(key, moment))
    const until = timeOf(data, moment)
    const times = yield* readTimes(data, { moment, until, days }, seriesUntil)
    // An event of the same second may have come meanwhile.
    if (keyOf(moment) !== key) throw new DownlineChangedError()
    return { until, ...figures, ...times }
  }

  function* compute(key: string, moment: Moment): Slices<Figures> {
    const slices = figuresOf(data, moment)
    let slice = slices.next()
    for (; !slice.done; slice = slices.next()) {
      yield
      // Another request for the same may have been answered meanwhile.
      const found = kept.get(key)
      if (found) return found
    }
    if (keyOf(moment) !== key) throw new DownlineChangedError()
    keepNewest(kept, key, slice.value, mostKept)
    return slice.value
  }

  /** Returns a text that changes with the figures: after a rollback, or an event that counts at the moment. */
  function keyOf(moment: Moment): string {
    const { amounts, irregularBinds, moves, nodes, unowned } = data
    const { self, duplicate, cycle } = irregularBinds.countsUntil(moment)
    const counts = [joinsUntil(nodes, moment), nodes.undated.length, moves.until(moment), self, duplicate, cycle]
    const logs = [amounts, unowned].map((log) => `${log.until(moment)}.${log.rollbacks}`)
    return [...Object.entries(moment).flat(), ...counts, ...logs].join()
  }

  return answer
}

/** Computes the network-wide figures of a moment that do not depend on days. Every member of then is read. */
function* figuresOf(data: ForestData, moment: Moment): Slices<Figures> {
  const { irregularBinds, nodes } = data
  const past = new Past(data, moment)
  const last = data.amounts.until(moment)
  const dirty = irregularBinds.countsUntil(moment)
  const { roots, placeholders } = yield* findRoots(data, past, moment)
  const rootCount = roots.length
  const tree = yield* readPastTree(data, past, roots)
  const counts = yield* countDirects(tree, data.tuning.sliceSteps)
  const referrers = tree.length - (counts[0] as number)
  const legs = yield* sumLegVolumes(data, tree, last)
  return {
    members: past.joins,
    referrers,
    roots: rootCount,
    maxDepth: Math.max(0, tree.levels.length - 2),
    averageDirects: referrers === 0 ? null : (tree.length - rootCount) / referrers,
    dirty: { ...dirty, placeholder: placeholders },
    undated: nodes.undated.indexOf(past.joins),
    depths:
      tree.length === 0
        ? []
        : tree.levels.slice(1).map((end, depth) => ({ depth, count: end - (tree.levels[depth] as number) })),
    directsHistogram: toHistogram(counts),
    leaders: yield* pastLeadersOf(data, tree, legs),
  }
}

/** Returns the second of a moment; for a block, that of the newest join or amount up to it, 0 without any. */
function timeOf({ amounts, nodes, unowned }: ForestData, moment: Moment): number {
  if ('timestamp' in moment) return moment.timestamp
  const joins = joinsUntil(nodes, moment)
  const joined = joins === 0 ? 0 : (nodes.joinedAt[nodes.joinOrder[joins - 1] as number] as number)
  const times = [amounts, unowned].map((log) => {
    const end = log.until(moment)
    const reader = new AmountReader(log)
    if (end > 0) reader.read(end - 1)
    return reader.timestamp
  })
  return Math.max(joined, ...times)
}

/** Finds the slots of the members without a referrer at the moment, and of the placeholders, and counts the latter. */
function* findRoots(data: ForestData, past: Past, moment: Moment): Slices<{ roots: SlotList; placeholders: number }> {
  const { moves, nodes, slots, tuning } = data
  const { length } = nodes
  const pace = new Pace(tuning.sliceSteps, () => past.requireSameRows())
  const roots = new SlotList(length)
  const isFound = new Uint8Array(length)
  let placeholders = 0
  const add = (node: number, kind: 'member' | 'placeholder') => {
    isFound[node] = 1
    roots.push(slots.slotOf[node] as number)
    if (kind === 'placeholder') placeholders++
  }
  const named = new Set<number>()
  for (let index = moves.until(moment) - 1; index >= 0; index--) named.add(moves.parentBefore(index))
  const wasNamed = (node: number) =>
    named.has(node) || ((nodes.directs[node] !== 0 || past.movedIn.has(node)) && past.countDirects(node, 1) > 0)
  for (let node = 0; node < length; node++) {
    const status = nodes.status[node]
    if (status === nodeStatus.placeholder) {
      if (wasNamed(node)) add(node, 'placeholder')
    } else if (nodes.parent[node] === none && past.isBound(node) && past.parentOf(node) === none) add(node, 'member')
    if (pace.spend(1)) yield* pace.pause()
  }
  for (const [node, parent] of past.parents)
    if (parent === none && nodes.parent[node] !== none && past.isBound(node)) add(node, 'member')
  // Members who joined later, some of them placeholders before, a few during a pause.
  for (let join = past.joins; join < nodes.members; join++) {
    const node = nodes.joinOrder[join] as number
    if (isFound[node] !== 1 && wasNamed(node)) add(node, 'placeholder')
    if (pace.spend(1)) yield* pace.pause()
  }
  return { roots, placeholders }
}

/** Counts the rows of each bar of the histogram of directs. */
function* countDirects({ below, length }: PastTree, steps: number): Slices<number[]> {
  const counts = histogramFrom.map(() => 0)
  for (let row = 0; row < length; row++) {
    const directs = (below[row + 1] as number) - (below[row] as number)
    const bar =
      directs < 3 ? directs : partitionPoint(histogramFrom.length, (at) => (histogramFrom[at] as number) <= directs) - 1
    counts[bar] = (counts[bar] as number) + 1
    if ((row + 1) % steps === 0) yield
  }
  return counts
}

type Times = Pick<Metrics, 'volume' | 'rewards' | 'last24h' | 'last7d' | 'last30d' | 'previous' | 'series'>

/** Sums up joins and amounts by time, until a moment. */
function* readTimes(
  data: ForestData,
  { moment, until, days }: { moment: Moment; until: number; days: Days },
  seriesUntil: SeriesUntil,
): Slices<Times> {
  const totals = yield* totalsUntil(data, moment)
  const sumUp = function* ({ after, until: last }: Range): Slices<Period> {
    const end = last === until ? totals : yield* totalsUntil(data, { timestamp: last })
    return difference(end, yield* totalsUntil(data, { timestamp: after }))
  }
  const periods = function* (shift: number) {
    const { last24h, last7d, last30d } = rangesOf(until, shift, days)
    return { last24h: yield* sumUp(last24h), last7d: yield* sumUp(last7d), last30d: yield* sumUp(last30d) }
  }
  const [today = 0] = days(until, until)
  const rows = seriesUntil(Math.max(until, data.timeline.lastTimestamp), days)
  const sums = difference(totals, yield* totalsUntil(data, { timestamp: today - 1 }))
  return {
    volume: totals.volume,
    rewards: totals.rewards,
    ...(yield* periods(0)),
    previous: yield* periods(1),
    series:
      totals.members === 0
        ? []
        : [...rows.filter(({ from }) => from < today), { from: today, totalMembers: totals.members, ...sums }],
  }
}

/** Returns the totals of all events up to a moment: those of a row of the timeline, and the events after it. */
function* totalsUntil(data: ForestData, moment: Moment): Slices<Totals> {
  const { nodes, timeline, tuning } = data
  const joins = joinsUntil(nodes, moment)
  const row = timeline.rowUntil(moment)
  const totals = {
    members: joins - nodes.undated.indexOf(joins),
    volume: row?.volume ?? 0n,
    rewards: row?.rewards ?? 0n,
  }
  const pace = new Pace(tuning.sliceSteps)
  for (const log of [data.amounts, data.unowned])
    for (const { kind, amount } of eventsOf(log, row?.block, moment)) {
      totals[kind === 'volume' ? 'volume' : 'rewards'] += amount.get(0)
      if (pace.spend(1)) yield* pace.pause()
    }
  return totals
}

/** Reads the events of a log after a block up to a moment. */
function* eventsOf(log: AmountLog, after: number | undefined, moment: Moment): Generator<AmountReader> {
  const reader = new AmountReader(log)
  const end = log.until(moment)
  for (let index = after === undefined ? 0 : log.until({ block: after }); index < end; index++) {
    reader.read(index)
    yield reader
  }
}
