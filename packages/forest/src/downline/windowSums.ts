import { type AmountPart, addPlaces, amountKinds, findPlaces } from '../data/amountBlocks.ts'
import { Amounts } from '../lib/amounts.ts'
import { keepNewest } from '../lib/keepNewest.ts'
import type { Pace } from '../lib/pace.ts'
import { Totals } from '../lib/totals.ts'
import type { AmountSums, Slices } from '../types.ts'

/** Label of the member itself. Its downline has labels from 1 on. */
export const ownLabel = 0

/** Volumes and rewards by period and label. */
export class LabelledSums {
  private readonly columns: readonly [volume: Totals, rewards: Totals]
  private readonly count: number

  constructor({ count, bounds }: { count: number; bounds: { length: number } }) {
    const length = count * Math.max(bounds.length - 1, 1)
    this.count = count
    this.columns = [new Totals(length), new Totals(length)]
  }

  /** Returns the column of a kind, an index into `amountKinds`. Its rows are `period * count + label`. */
  column(kind: number): Totals {
    return this.columns[kind as 0 | 1]
  }

  add(other: LabelledSums): void {
    for (const kind of [0, 1] as const) this.columns[kind].addAll(other.columns[kind])
  }

  at(label: number, period = 0): AmountSums {
    const row = period * this.count + label
    const [volume, rewards] = this.columns
    return { volume: volume.get(row), rewards: rewards.get(row) }
  }

  /** Returns the sums of the downline. */
  team(period = 0): AmountSums {
    const sums = { volume: 0n, rewards: 0n }
    for (let label = ownLabel + 1; label < this.count; label++) {
      const { volume, rewards } = this.at(label, period)
      sums.volume += volume
      sums.rewards += rewards
    }
    return sums
  }
}

/** Most windows that are kept of a part of the log. Others ask for the same days. */
const mostKept = 16

/** Number of steps to read a block. */
const costOfBlock = 8

/** A part of the log from index `first` up to `last`. */
type Window = { part: AmountPart; first: number; last: number }

/** Windows of each part, by their bounds. */
const kept = new WeakMap<AmountPart, Map<string, WindowSums>>()

/** Returns the window that is kept of a period. */
export const findKept = ({ part, first, last }: Window): WindowSums | undefined =>
  kept.get(part)?.get(`${first} ${last}`)

/** Returns the window of a period. Reads all blocks of the part if it is not kept. */
export function* readWindow(window: Window, pace: Pace): Slices<WindowSums> {
  const { part, first, last } = window
  const found = findKept(window)
  if (found) return found
  const blocks = part.starts.length / amountKinds.length
  /** For each kind and block, the sum of the blocks before it. */
  const befores = amountKinds.map(() => new Amounts(blocks + 1))
  const sums = new Totals(amountKinds.length)
  for (let block = 0; block < blocks; block++) {
    for (const [kind, before] of befores.entries()) {
      addPlaces(part, sums, kind, findPlaces(part, block * amountKinds.length + kind, first, last))
      sums.store(kind, before, block + 1)
    }
    if (pace.spend(costOfBlock)) yield* pace.pause()
  }
  const windows = kept.get(part) ?? new Map<string, WindowSums>()
  kept.set(part, windows)
  const read = createWindow(window, befores)
  keepNewest(windows, `${first} ${last}`, read, mostKept)
  return read
}

export type WindowSums = ReturnType<typeof createWindow>

/** Creates the sums of one part of the log in one period, for any range of slots. */
function createWindow({ part, first, last }: Window, befores: readonly Amounts[]) {
  const { size } = part
  const blocks = part.starts.length / amountKinds.length

  /** Adds the amounts of the slots from `low` up to `high`. Returns the number of steps. */
  function add(sums: LabelledSums, label: number, low: number, high: number): number {
    const from = Math.min(Math.ceil(low / size), blocks)
    const to = Math.min(Math.floor(high / size), blocks)
    if (from > to) return addSlots(sums, label, low, high)
    let steps = costOfBlock
    if (low < from * size) steps += addSlots(sums, label, low, from * size)
    addBlocks(sums, label, { from, to })
    if (to * size < high) steps += addSlots(sums, label, to * size, high)
    return steps
  }

  /** Adds the amounts of whole blocks. */
  function addBlocks(sums: LabelledSums, label: number, range: { from: number; to: number }): void {
    // Members who came after the part was built are in no block.
    const [from, to] = [range.from, Math.min(range.to, blocks)]
    if (from >= to) return
    for (const [kind, before] of befores.entries()) sums.column(kind).addDifference(label, before, to, from)
  }

  /** Adds the amounts of slots that are in one block. */
  function addSlots(sums: LabelledSums, label: number, low: number, high: number): number {
    let steps = costOfBlock
    const { offsets } = part
    const block = Math.floor(low / size)
    const [least, most] = [low - block * size, high - block * size]
    for (let kind = 0; kind < amountKinds.length; kind++) {
      const bucket = block * amountKinds.length + kind
      const { start, from, to } = findPlaces(part, bucket, first, last)
      steps += to - from
      for (let place = from; place < to; place++) {
        const offset = offsets[place] as number
        if (offset >= least && offset < most)
          addPlaces(part, sums.column(kind), label, { start, from: place, to: place + 1 })
      }
    }
    return steps
  }

  return { add, addBlocks }
}
