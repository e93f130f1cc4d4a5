import { partitionPoint, SlotList } from '../lib/columns.ts'

const mostRanges = 2 ** 26

/** Slots from `low` up to `high` with the same label. */
export interface SlotRange {
  low: number
  high: number
  label: number
}

/** Stores a number for each slot of a downline, such as its level, by ranges of slots. */
export class SlotLabels {
  private readonly lows = new SlotList()
  private readonly highs = new SlotList()
  private readonly labels = new SlotList()
  private order: Uint32Array | undefined
  /** Number of slots with labels. */
  slots = 0

  /** Labels the slots from `low` up to `high`, which have no label yet. */
  add(low: number, high: number, label: number): void {
    const last = this.lows.length - 1
    this.order = undefined
    this.slots += high - low
    if (last >= 0 && this.highs.words[last] === low && this.labels.words[last] === label) {
      this.highs.words[last] = high
      return
    }
    this.lows.push(low)
    this.highs.push(high)
    this.labels.push(label)
  }

  addSlot(slot: number, label: number): void {
    this.add(slot, slot + 1, label)
  }

  addRanges(ranges: readonly number[], label: number): void {
    for (let range = 0; range < ranges.length; range += 2)
      this.add(ranges[range] as number, ranges[range + 1] as number, label)
  }

  /** Returns the label of a slot; `undefined` without one. */
  find(slot: number): number | undefined {
    const { lows, highs, labels, sorted } = this
    const index = partitionPoint(lows.length, (index) => (lows.words[sorted[index] as number] as number) <= slot) - 1
    const range = sorted[index]
    return range !== undefined && slot < (highs.words[range] as number) ? labels.words[range] : undefined
  }

  /** Replaces each label by another one. */
  relabel(replace: (label: number) => number): void {
    const { words, length } = this.labels
    for (let range = 0; range < length; range++) words[range] = replace(words[range] as number)
  }

  /** Lists the ranges in order of their slots. Neighbours with the same label are one. */
  *ranges(): Generator<SlotRange> {
    const { lows, highs, labels } = this
    let last: SlotRange | undefined
    for (const range of this.sorted) {
      const [low, high] = [lows.words[range] as number, highs.words[range] as number]
      const label = labels.words[range] as number
      if (last?.high === low && last.label === label) last.high = high
      else {
        if (last) yield last
        last = { low, high, label }
      }
    }
    if (last) yield last
  }

  /** The indexes of the ranges in order of their slots. */
  private get sorted(): Uint32Array {
    this.order ??= sortedIndexes(this.lows)
    return this.order
  }
}

/** Sorts numbers instead of comparing them in a function, because there may be hundreds of thousands. */
function sortedIndexes({ words, length }: SlotList): Uint32Array {
  const keys = Float64Array.from({ length }, (_, index) => (words[index] as number) * mostRanges + index).sort()
  return Uint32Array.from(keys, (key) => key % mostRanges)
}
