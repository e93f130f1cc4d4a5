import { AmountReader } from '../data/amountLog.ts'
import type { ForestData } from '../data/forestData.ts'
import { sumAmounts } from '../downline/amountSums.ts'
import { joinsUntil, Past } from '../downline/past.ts'
import { countLevels, createPastRanges } from '../downline/pastCounts.ts'
import { SlotLabels } from '../downline/slotLabels.ts'
import { LabelledSums, ownLabel, readWindow, type WindowSums } from '../downline/windowSums.ts'
import type { SlotList } from '../lib/columns.ts'
import { keepNewest } from '../lib/keepNewest.ts'
import { Pace } from '../lib/pace.ts'
import type { AmountSums, AmountsParameters, MomentRange, PeriodAmounts, Slices, TeamAmounts } from '../types.ts'
import { PeriodLegs, type ReadLegs } from './periodLegs.ts'

/** Returns the amounts of a member and its team after one moment up to another, in all and by period. */
export function* amountsOf(
  data: ForestData,
  top: number,
  { from, to, periods }: AmountsParameters,
): Slices<TeamAmounts & { items: PeriodAmounts[] }> {
  const { amounts } = data
  const past = new Past(data, to)
  const first = from ? amounts.until(from) : 0
  const last = Math.max(first, amounts.until(to))
  const labels = new SlotLabels()
  yield* countLevels(data, past, top, (ranges) => labels.addRanges(ranges, ownLabel + 1))
  const starts = first < last && periods ? periods(timeOf(data, first), timeOf(data, last - 1)) : []
  const bounds = [first, ...starts.slice(1).map((start) => amounts.until({ timestamp: start - 1 })), last]
  const isKept = data.slots.teamOf(top) >= data.tuning.keptTeam
  const sums = yield* sumAmounts(data, { past, top, labels, count: 2, bounds, isKept })
  const all = { own: noAmounts(), team: noAmounts() }
  const items = bounds.slice(1).map((_, period) => {
    const item = { from: starts[period] ?? 0, own: sums.at(ownLabel, period), team: sums.team(period) }
    addTo(all.own, item.own)
    addTo(all.team, item.team)
    return item
  })
  const begin = items.findIndex(({ own, team }) => own.volume + own.rewards + team.volume + team.rewards > 0n)
  return { ...all, items: starts.length === 0 || begin < 0 ? [] : items.slice(begin) }
}

const noAmounts = (): AmountSums => ({ volume: 0n, rewards: 0n })

function addTo(sums: AmountSums, { volume, rewards }: AmountSums): void {
  sums.volume += volume
  sums.rewards += rewards
}

function timeOf({ amounts }: ForestData, index: number): number {
  const reader = new AmountReader(amounts)
  reader.read(index)
  return reader.timestamp
}

/** Periods that are kept for further members. */
const mostKept = 4
/** Number of steps to read a range of slots. */
const costOfRange = 16

type Read = (nodes: readonly number[]) => Slices<TeamAmounts[]>
type Parts = { past: Past; windows: readonly WindowSums[]; early: SlotList; alone: PeriodLegs }

/** Creates a function that reads the amounts of one period of members and their teams at its end, by ranges of slots. */
function createReader(data: ForestData, { past, windows, early, alone }: Parts): Read {
  /** Ranges of the downlines of members who had joined by the end of the period. */
  const addBelow = createPastRanges(data, past, { early })
  return function* amountsOf(nodes) {
    past.requireUnchanged()
    const pace = new Pace(data.tuning.sliceSteps, () => past.requireSameRows())
    const found: TeamAmounts[] = []
    for (const node of nodes) {
      const slot = data.slots.slotOf[node] as number
      // Ranges of their own read all pairs.
      if (!past.isBound(node) && pace.spend(early.length)) yield* pace.pause()
      const addOfNode = past.isBound(node) ? addBelow : createPastRanges(data, past, { early, top: slot })
      const sums = new LabelledSums({ count: 2, bounds: [0, 0] })
      for (const window of windows) if (pace.spend(window.add(sums, ownLabel, slot, slot + 1))) yield* pace.pause()
      for (let open = [slot, slot + 1]; open.length > 0; ) {
        const next: number[] = []
        for (let at = 0; at < open.length; at += 2) {
          addOfNode(open[at] as number, open[at + 1] as number, next)
          if (pace.spend(costOfRange)) yield* pace.pause()
        }
        for (let at = 0; at < next.length; at += 2) {
          for (const window of windows) {
            const steps = window.add(sums, ownLabel + 1, next[at] as number, next[at + 1] as number)
            if (pace.spend(steps)) yield* pace.pause()
          }
        }
        open = next
      }
      const rest = alone.amountsOf(node)
      found.push({ own: add(sums.at(ownLabel), rest.own), team: add(sums.team(), rest.team) })
    }
    return found
  }
}

const add = (left: AmountSums, right: AmountSums): AmountSums => ({
  volume: left.volume + right.volume,
  rewards: left.rewards + right.rewards,
})

/** Reads the amounts of members in a period, and keeps what was read of the last periods. */
export function createPeriodTeams(data: ForestData, readLegs: ReadLegs) {
  const kept = new Map<string, Read>()
  let generation = -1

  function* amountsOf(nodes: readonly number[], period: MomentRange): Slices<TeamAmounts[]> {
    const { aggregates, findEarlyJoins, tuning } = data
    const early = aggregates.depths.length > tuning.mostLevels ? undefined : yield* findEarlyJoins()
    if (early) {
      const amountsOfPeriod = yield* read(period, early)
      return yield* amountsOfPeriod(nodes)
    }
    // A forest with too many levels is read at once.
    const table = yield* readLegs({ ...period, of: 'amounts' })
    return nodes.map((node) => table.amountsOf(node))
  }

  function* read({ from, to }: MomentRange, early: SlotList): Slices<Read> {
    const { amounts, moves, nodes, slots, tuning } = data
    const first = from ? amounts.until(from) : 0
    const last = Math.max(first, amounts.until(to))
    const joins = joinsUntil(nodes, to)
    const key = [slots.generation, moves.length, moves.until(to), amounts.rollbacks, joins, first, last].join()
    // Others hold blocks that are no longer used.
    if (generation !== slots.generation) kept.clear()
    generation = slots.generation
    const found = kept.get(key)
    if (found) return found
    const past = new Past(data, to)
    const { parts, alone: indexes } = yield* data.amountBlocks.read(first, last)
    past.requireUnchanged()
    const pace = new Pace(tuning.sliceSteps, () => past.requireSameRows())
    const windows: WindowSums[] = []
    for (const window of parts) windows.push(yield* readWindow(window, pace))
    const alone = new PeriodLegs(past, { most: tuning.periodRows, events: indexes.length })
    const reader = new AmountReader(amounts)
    for (const index of indexes) {
      reader.read(index)
      alone.addAmount(amounts.nodeAt(index), reader)
      if (pace.spend(costOfRange)) yield* pace.pause()
    }
    yield* alone.sumUp(pace)
    past.requireUnchanged()
    const reads = createReader(data, { past, windows, early, alone })
    keepNewest(kept, key, reads, mostKept)
    return reads
  }

  return amountsOf
}

export type AmountsOf = ReturnType<typeof createPeriodTeams>
