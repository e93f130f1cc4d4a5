import { type AmountPart, addPlaces, amountKinds, findPlaces } from '../data/amountBlocks.ts'
import { Amounts } from '../lib/amounts.ts'
import type { Slices } from '../types.ts'
import type { LabelledSums, Pace } from './amountSums.ts'

/** Number of steps to read a block. */
const costOfBlock = 8

/** The amounts of one part of the log in one period, for any range of slots. */
export class WindowSums {
  private readonly part: AmountPart
  private readonly first: number
  private readonly last: number
  private readonly blocks: number
  /** For each kind and block, the sum of the blocks before it. */
  private readonly before: readonly Amounts[]

  constructor(part: AmountPart, first: number, last: number) {
    this.part = part
    this.first = first
    this.last = last
    this.blocks = part.starts.length / amountKinds.length
    this.before = amountKinds.map(() => new Amounts(this.blocks + 1))
  }

  /** Sums up the blocks. Must be called before `add`. */
  *read(pace: Pace): Slices<void> {
    for (let block = 0; block < this.blocks; block++) {
      for (const [kind, before] of this.before.entries()) {
        before.copy(block + 1, before, block)
        const places = findPlaces(this.part, block * amountKinds.length + kind, this.first, this.last)
        addPlaces(this.part, before, block + 1, places)
      }
      if (pace.isSpent(costOfBlock)) yield* pace.pause()
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
    for (const [kind, before] of this.before.entries())
      if (from < to) sums.column(kind).addDifference(label, before, to, from)
    if (to * size < high) steps += this.addSlots(sums, label, to * size, high)
    return steps
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
