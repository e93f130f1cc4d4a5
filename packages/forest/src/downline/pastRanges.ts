import type { ForestData } from '../data/forestData.ts'
import { partitionPoint } from '../lib/partitionPoint.ts'
import type { SlotList } from '../lib/slotList.ts'
import type { Past } from './past.ts'

/** Pairs of `EarlyJoins`, and the slot of the member whose downline is read; without it, of any who had joined. */
type PastRangesParts = { early: SlotList; top?: number }

/** Finds the slots of a past downline by ranges, which also hold members who had not joined. */
export class PastRanges {
  private readonly data: ForestData
  private readonly past: Past
  private readonly top: number | undefined
  /** Slots that are not in the range of their level, ascending. */
  private readonly excluded: Uint32Array
  /** Slots with children that are in none of the ranges below, because they moved in, ascending. */
  private readonly movedInParents: Uint32Array

  constructor(data: ForestData, past: Past, { early, top }: PastRangesParts) {
    const { slots } = data
    this.data = data
    this.past = past
    this.top = top
    // A referrer that was bound only later may be below its own past directs now.
    const excluded = [...past.movedOut, ...(top === undefined || past.hasJoined(top) ? [] : [top])]
    // A member was not below a referrer who had not joined.
    for (let index = 0; index < early.length; index += 2) {
      const referrer = early.words[index + 1] as number
      if (referrer !== top && !past.hasJoined(referrer)) excluded.push(early.words[index] as number)
    }
    this.excluded = Uint32Array.from(excluded).sort()
    this.movedInParents = Uint32Array.from([...past.movedIn.keys()], (parent) => slots.slotOf[parent] as number).sort()
  }

  /** Adds the ranges below the slots from `low` up to `high`. */
  addBelow(low: number, high: number, into: number[]): void {
    const { below, slotOf, nodeAt } = this.data.slots
    const last = below.length - 1
    if (low < last) {
      const end = below[Math.min(high, last)] as number
      let from = below[low] as number
      for (let index = indexIn(this.excluded, from); (this.excluded[index] ?? end) < end; index++) {
        const slot = this.excluded[index] as number
        if (from < slot) into.push(from, slot)
        from = slot + 1
      }
      if (from < end) into.push(from, end)
    }
    for (let index = indexIn(this.movedInParents, low); (this.movedInParents[index] ?? high) < high; index++) {
      const parent = this.movedInParents[index] as number
      if (parent !== this.top && !this.past.hasJoined(parent)) continue
      for (const node of this.past.movedIn.get(nodeAt[parent] as number) ?? [])
        into.push(slotOf[node] as number, (slotOf[node] as number) + 1)
    }
  }
}

/** Returns the index of the first slot that is not below another one. */
const indexIn = (slots: Uint32Array, slot: number): number =>
  partitionPoint(slots.length, (index) => (slots[index] as number) < slot)
