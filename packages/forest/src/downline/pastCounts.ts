import type { ForestData } from '../data/forestData.ts'
import type { BlockCounts } from '../data/joinBlocks.ts'
import { partitionPoint } from '../lib/partitionPoint.ts'
import type { SlotList } from '../lib/slotList.ts'
import type { Slices } from '../types.ts'
import type { Past } from './past.ts'
import type { SlotLabels } from './slotLabels.ts'

/** Counts members who joined late, and keeps the newest of them. */
export type LateJoins = {
  /** Counts the late members of a range of slots. */
  count: (low: number, high: number) => void
  /** Counts the late members of a whole block, of which `joined` members had joined. */
  countBlock: (first: number, joined: number) => void
}

type PastCountsParts = { early: SlotList; blocks: BlockCounts; late: LateJoins | undefined }

/** Slots of a range that cost as much as one step. */
const slotsAStep = 16
/** Number of steps of a level, a range or a block of any size. */
const costOfRange = 4

/**
 * Counts a past downline by ranges of slots, instead of member by member. The ranges of a level hold its past
 * members, and others who had not joined yet.
 */
export class PastCounts {
  private readonly data: ForestData
  private readonly past: Past
  private readonly top: number
  /** Slots that are not in the range of their level, ascending. */
  private readonly excluded: Uint32Array
  /** Slots with children that are in none of the ranges below, because they moved in, ascending. */
  private readonly movedInParents: Uint32Array
  readonly blocks: BlockCounts
  private steps: number
  /** Also counts the members who joined late. */
  private readonly late: LateJoins | undefined

  /** @param early Pairs of `EarlyJoins`: a member was not below a referrer who had not joined. */
  constructor(data: ForestData, past: Past, node: number, { early, blocks, late }: PastCountsParts) {
    const { slots, tuning } = data
    this.data = data
    this.past = past
    this.top = slots.slotOf[node] as number
    this.steps = tuning.sliceSteps
    this.blocks = blocks
    this.late = late
    // A referrer that was bound only later may be below its own past directs now.
    const excluded = [...past.movedOut, ...(past.hasJoined(this.top) ? [] : [this.top])]
    for (let index = 0; index < early.length; index += 2) {
      const referrer = early.words[index + 1] as number
      if (referrer !== this.top && !past.hasJoined(referrer)) excluded.push(early.words[index] as number)
    }
    this.excluded = Uint32Array.from(excluded).sort()
    this.movedInParents = Uint32Array.from([...past.movedIn.keys()], (parent) => slots.slotOf[parent] as number).sort()
  }

  /**
   * Counts the members on each level below the slot of a member, level 1 first. @param visit Called with the ranges of each level,
   * which also hold members who had not joined.
   */
  *countBelow(slot: number, visit?: (ranges: readonly number[], level: number) => void): Slices<number[]> {
    const counts: number[] = []
    let ranges = [slot, slot + 1]
    for (;;) {
      this.steps -= costOfRange
      if (this.steps <= 0) yield* this.pause()
      const next: number[] = []
      for (let range = 0; range < ranges.length; range += 2)
        this.addBelow(ranges[range] as number, ranges[range + 1] as number, next)
      let count = 0
      for (let range = 0; range < next.length; range += 2) {
        const end = next[range + 1] as number
        this.steps -= costOfRange
        for (let low = next[range] as number; low < end; ) {
          if (this.isBlock(low, end)) {
            const joined = this.blocks.count(low)
            count += joined
            this.late?.countBlock(low, joined)
            this.steps -= costOfRange
            low += this.blocks.size
          } else {
            const high = Math.min(low + Math.max(this.steps, 1) * slotsAStep, this.endOfBlock(low), end)
            count += this.countJoined(low, high)
            this.late?.count(low, high)
            this.steps -= (high - low) / slotsAStep
            low = high
          }
          if (this.steps <= 0) yield* this.pause()
        }
      }
      if (count === 0) return counts
      counts.push(count)
      visit?.(next, counts.length)
      ranges = next
    }
  }

  /** True if a whole block begins at a slot. Rows that have changed since the snapshot are alone in their ranges, or in none. */
  private isBlock(low: number, end: number): boolean {
    const { size, length } = this.blocks
    return low % size === 0 && low + size <= Math.min(end, length)
  }

  private endOfBlock(low: number): number {
    const { size } = this.blocks
    return low - (low % size) + size
  }

  private *pause(): Slices<void> {
    yield
    this.steps = this.data.tuning.sliceSteps
    this.past.requireUnchanged()
  }

  private countJoined(low: number, high: number): number {
    const { joinIndex } = this.data.slots
    const { joins } = this.past
    let count = 0
    // Uses the sign of the difference instead of a branch, because the members who had joined are in random order.
    // There are fewer than 2 ** 31 members.
    for (let slot = low; slot < high; slot++) count += ((joinIndex[slot] as number) - joins) >>> 31
    return count
  }

  /** Adds the ranges below the slots from `low` up to `high`. */
  private addBelow(low: number, high: number, into: number[]): void {
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

/** Creates a counter by ranges for large teams; `undefined` where members are counted one by one. */
export function* createCounter(
  data: ForestData,
  past: Past,
  node: number,
  late?: LateJoins,
): Slices<PastCounts | undefined> {
  if (data.slots.teamOf(node) <= data.tuning.smallTeam) return undefined
  const early = yield* data.earlyJoins.find()
  if (!early) return undefined
  const blocks = yield* data.joinBlocks.at(past.joins)
  past.requireUnchanged()
  return new PastCounts(data, past, node, { early, blocks, late })
}

/** Counts the members on each level, level 1 first. @param labels Gets the level of each slot. */
export function* countLevels(data: ForestData, past: Past, node: number, labels?: SlotLabels): Slices<number[]> {
  const counter = yield* createCounter(data, past, node)
  if (counter)
    return yield* counter.countBelow(
      data.slots.slotOf[node] as number,
      labels && ((ranges, level) => labels.addRanges(ranges, level)),
    )
  const counts: number[] = []
  yield* past.readDownline(node, ({ slots, level, first, end }) => {
    counts[level - 1] = slots.length
    if (labels) for (let index = first; index < end; index++) labels.addSlot(slots.words[index] as number, level)
  })
  return counts
}
