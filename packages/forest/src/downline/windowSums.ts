import { type AmountPart, addPlaces, amountKinds, findPlaces } from '../data/amountBlocks.ts'
import { Amounts } from '../lib/amounts.ts'
import { keepNewest } from '../lib/keepNewest.ts'
import type { Pace } from '../lib/pace.ts'
import { Totals } from '../lib/totals.ts'
import type { Slices } from '../types.ts'
import type { LabelledSums } from './labelledSums.ts'

/** Most windows that are kept of a part of the log. Others ask for the same days. */
const mostKept = 16

/** Number of steps to read a block. */
const costOfBlock = 8

/** A part of the log from index `first` up to `last`. */
type Window = { part: AmountPart; first: number; last: number }

/** Windows of each part, by their bounds. */
const kept = new WeakMap<AmountPart, Map<string, WindowSums>>()

/** The amounts of one part of the log in one period, for any range of slots. */
export class WindowSums {
  /** Returns the window that is kept of a period. */
  static find({ part, first, last }: Window): WindowSums | undefined {
    return kept.get(part)?.get(`${first} ${last}`)
  }

  /** Returns the window of a period. Reads all blocks of the part if it is not kept. */
  static *read(window: Window, pace: Pace): Slices<WindowSums> {
    const { part, first, last } = window
    const found = WindowSums.find(window)
    if (found) return found
    const sums = new WindowSums(window)
    yield* sums.read(pace)
    const windows = kept.get(part) ?? new Map<string, WindowSums>()
    kept.set(part, windows)
    keepNewest(windows, `${first} ${last}`, sums, mostKept)
    return sums
  }

  private readonly part: AmountPart
  private readonly first: number
  private readonly last: number
  private readonly blocks: number
  /** For each kind and block, the sum of the blocks before it. */
  private readonly before: readonly Amounts[]

  private constructor({ part, first, last }: Window) {
    this.part = part
    this.first = first
    this.last = last
    this.blocks = part.starts.length / amountKinds.length
    this.before = amountKinds.map(() => new Amounts(this.blocks + 1))
  }

  /** Sums up the blocks. */
  private *read(pace: Pace): Slices<void> {
    const sums = new Totals(amountKinds.length)
    for (let block = 0; block < this.blocks; block++) {
      for (const [kind, before] of this.before.entries()) {
        const places = findPlaces(this.part, block * amountKinds.length + kind, this.first, this.last)
        addPlaces(this.part, sums, kind, places)
        sums.store(kind, before, block + 1)
      }
      if (pace.spend(costOfBlock)) yield* pace.pause()
    }
  }

  /** Adds the amounts of the slots from `low` up to `high`. Returns the number of steps. */
  add(sums: LabelledSums, label: number, low: number, high: number): number {
    const { size } = this.part
    const from = Math.min(Math.ceil(low / size), this.blocks)
    const to = Math.min(Math.floor(high / size), this.blocks)
    if (from > to) return this.addSlots(sums, label, low, high)
    let steps = costOfBlock
    if (low < from * size) steps += this.addSlots(sums, label, low, from * size)
    this.addBlocks(sums, label, { from, to })
    if (to * size < high) steps += this.addSlots(sums, label, to * size, high)
    return steps
  }

  /** Adds the amounts of whole blocks. */
  addBlocks(sums: LabelledSums, label: number, blocks: { from: number; to: number }): void {
    // Members who came after the part was built are in no block.
    const [from, to] = [blocks.from, Math.min(blocks.to, this.blocks)]
    if (from >= to) return
    for (const [kind, before] of this.before.entries()) sums.column(kind).addDifference(label, before, to, from)
  }

  /** Adds the amounts of slots that are in one block. */
  private addSlots(sums: LabelledSums, label: number, low: number, high: number): number {
    let steps = costOfBlock
    const { part } = this
    const { offsets } = part
    const block = Math.floor(low / part.size)
    const [least, most] = [low - block * part.size, high - block * part.size]
    for (let kind = 0; kind < amountKinds.length; kind++) {
      const bucket = block * amountKinds.length + kind
      const { start, from, to } = findPlaces(part, bucket, this.first, this.last)
      steps += to - from
      for (let place = from; place < to; place++) {
        const offset = offsets[place] as number
        if (offset >= least && offset < most)
          addPlaces(part, sums.column(kind), label, { start, from: place, to: place + 1 })
      }
    }
    return steps
  }
}
