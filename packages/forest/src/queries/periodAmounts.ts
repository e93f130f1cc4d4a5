import { AmountReader } from '../data/amountLog.ts'
import type { ForestData } from '../data/forestData.ts'
import { Past } from '../downline/past.ts'
import { countLevels } from '../downline/pastCounts.ts'
import { SlotLabels } from '../downline/slotLabels.ts'
import { Amounts } from '../lib/amounts.ts'
import type { AmountSums, AmountsParameters, PeriodAmounts, Slices, TeamAmounts } from '../types.ts'

/** Label of the member itself. Its downline has labels from 1 on. */
export const ownLabel = 0

/** Volumes and rewards by label. */
export class LabelledSums {
  private readonly volume: Amounts
  private readonly rewards: Amounts
  private readonly length: number

  constructor(length: number) {
    this.length = length
    this.volume = new Amounts(length)
    this.rewards = new Amounts(length)
  }

  add(label: number, { kind, amount }: AmountReader): void {
    const sums = kind === 'volume' ? this.volume : this.rewards
    sums.add(label, amount, 0)
  }

  at(label: number): AmountSums {
    return { volume: this.volume.get(label), rewards: this.rewards.get(label) }
  }

  /** Returns the sums of the labels from `first` on. */
  from(first: number): AmountSums {
    const sums = { volume: 0n, rewards: 0n }
    for (let label = first; label < this.length; label++) {
      sums.volume += this.volume.get(label)
      sums.rewards += this.rewards.get(label)
    }
    return sums
  }
}

/** Number of steps to read an event, whose member may be anywhere in memory. */
const costOfEvent = 4

/** A team at a moment, and the events of a period: those from `first` up to `last` of the log. */
export interface PeriodRequest {
  past: Past
  top: number
  labels: SlotLabels
  first: number
  last: number
}

/** Visits the volumes and rewards of a member, and of those who are in its downline at the moment of `past`. */
function* readAmounts(
  { amounts, slots, tuning }: ForestData,
  { past, top, labels, first, last }: PeriodRequest,
  visit: (label: number, event: AmountReader) => void,
): Slices<void> {
  const reader = new AmountReader(amounts)
  let left = tuning.sliceSteps
  for (let index = first; index < last; index++) {
    const node = amounts.nodeAt(index)
    const slot = slots.slotOf[node] as number
    const label = node === top ? ownLabel : past.hasJoined(slot) ? labels.find(slot) : undefined
    if (label !== undefined) {
      reader.read(index)
      visit(label, reader)
    }
    left -= costOfEvent
    if (left > 0) continue
    yield
    left = tuning.sliceSteps
    past.requireUnchanged()
  }
}

/** Sums up the amounts of a period by label. */
export function* sumAmounts(data: ForestData, request: PeriodRequest, labels: number): Slices<LabelledSums> {
  const sums = new LabelledSums(labels)
  yield* readAmounts(data, request, (label, event) => sums.add(label, event))
  return sums
}

/** Returns the amounts of a member and its team after one moment up to another, in all and by period. */
export function* amountsOf(
  data: ForestData,
  top: number,
  { from, to, periods }: AmountsParameters,
): Slices<TeamAmounts & { items: PeriodAmounts[] }> {
  const { amounts } = data
  const past = new Past(data, to)
  const [first, last] = [from ? amounts.until(from) : 0, amounts.until(to)]
  const labels = new SlotLabels()
  yield* countLevels(data, past, top, labels)
  const starts = first < last && periods ? periods(timeOf(data, first), timeOf(data, last - 1)) : []
  const all = new LabelledSums(2)
  const sums = new LabelledSums(starts.length * 2)
  let period = 0
  yield* readAmounts(data, { past, top, labels, first, last }, (label, event) => {
    const column = label === ownLabel ? 0 : 1
    all.add(column, event)
    while ((starts[period + 1] ?? Number.POSITIVE_INFINITY) <= event.timestamp) period++
    if (starts.length > 0) sums.add(period * 2 + column, event)
  })
  const items = starts.map((start, index) => ({ from: start, own: sums.at(index * 2), team: sums.at(index * 2 + 1) }))
  const begin = items.findIndex(({ own, team }) => own.volume + own.rewards + team.volume + team.rewards > 0n)
  return { own: all.at(0), team: all.at(1), items: begin < 0 ? [] : items.slice(begin) }
}

function timeOf({ amounts }: ForestData, index: number): number {
  const reader = new AmountReader(amounts)
  reader.read(index)
  return reader.timestamp
}
