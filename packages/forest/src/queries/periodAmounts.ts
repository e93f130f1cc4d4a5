import { AmountReader } from '../data/amountLog.ts'
import type { ForestData } from '../data/forestData.ts'
import { sumAmounts } from '../downline/amountSums.ts'
import { ownLabel } from '../downline/labelledSums.ts'
import { Past } from '../downline/past.ts'
import { countLevels } from '../downline/pastCounts.ts'
import { SlotLabels } from '../downline/slotLabels.ts'
import type { AmountSums, AmountsParameters, PeriodAmounts, Slices, TeamAmounts } from '../types.ts'

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
