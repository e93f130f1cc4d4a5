import type { ForestData } from '../data/forestData.ts'
import type { BlockCounts } from '../data/joinBlocks.ts'
import type { SlotList } from '../lib/slotList.ts'
import type { Slices } from '../types.ts'
import type { Past } from './past.ts'
import { PastRanges } from './pastRanges.ts'

type PastCountsParts = { ranges: PastRanges; blocks: BlockCounts }

/** Slots of a range that cost as much as one step. */
const slotsAStep = 16
/** Number of steps of a level or a range of any size. */
const costOfRange = 4

/**
 * Counts a past downline by ranges of slots, instead of member by member. The ranges of a level hold its past
 * members, and others who had not joined yet.
 */
export class PastCounts {
  private readonly data: ForestData
  private readonly past: Past
  private readonly ranges: PastRanges
  private readonly blocks: BlockCounts
  private steps: number

  constructor(data: ForestData, past: Past, { ranges, blocks }: PastCountsParts) {
    this.data = data
    this.past = past
    this.ranges = ranges
    this.steps = data.tuning.sliceSteps
    this.blocks = blocks
  }

  /**
   * Counts the members on each level below the slot of a member, level 1 first. @param visit Called with the ranges of each level,
   * which also hold members who had not joined.
   */
  *countBelow(slot: number, visit?: (ranges: readonly number[], level: number) => void): Slices<number[]> {
    const counts: number[] = []
    let ranges = [slot, slot + 1]
    for (;;) {
      if (this.isSpent(costOfRange)) yield* this.pause()
      const next: number[] = []
      for (let range = 0; range < ranges.length; range += 2)
        this.ranges.addBelow(ranges[range] as number, ranges[range + 1] as number, next)
      let count = 0
      for (let range = 0; range < next.length; range += 2) {
        count += this.countJoined(next[range] as number, next[range + 1] as number)
        if (this.isSpent(0)) yield* this.pause()
      }
      if (count === 0) return counts
      counts.push(count)
      visit?.(next, counts.length)
      ranges = next
    }
  }

  /** Counts the members in ranges of slots who had joined. A row that has changed since the snapshot must be alone in its range. */
  *countIn(ranges: SlotList): Slices<number> {
    let count = 0
    for (let range = 0; range < ranges.length; range += 2) {
      count += this.countJoined(ranges.words[range] as number, ranges.words[range + 1] as number)
      if (this.isSpent(0)) yield* this.pause()
    }
    return count
  }

  /** Counts the members in a range of slots who had joined: those of whole blocks at once. */
  private countJoined(low: number, high: number): number {
    const { size, length } = this.blocks
    const first = Math.ceil(low / size) * size
    const last = Math.min(Math.floor(high / size) * size, length)
    this.steps -= costOfRange
    if (first >= last) return this.countSlots(low, high)
    return this.countSlots(low, first) + this.blocks.count(first, last) + this.countSlots(last, high)
  }

  private countSlots(low: number, high: number): number {
    const { joinIndex } = this.data.slots
    const { joins } = this.past
    this.steps -= (high - low) / slotsAStep
    let count = 0
    // Uses the sign of the difference instead of a branch, because the members who had joined are in random order.
    // There are fewer than 2 ** 31 members.
    for (let slot = low; slot < high; slot++) count += ((joinIndex[slot] as number) - joins) >>> 31
    return count
  }

  private isSpent(steps: number): boolean {
    this.steps -= steps
    return this.steps <= 0
  }

  private *pause(): Slices<void> {
    yield
    this.steps = this.data.tuning.sliceSteps
    this.past.requireUnchanged()
  }
}

/** Creates a counter by ranges for large teams; `undefined` where members are counted one by one. */
export function* createCounter(data: ForestData, past: Past, node: number): Slices<PastCounts | undefined> {
  if (data.slots.teamOf(node) <= data.tuning.smallTeam) return undefined
  const early = yield* data.earlyJoins.find()
  if (!early) return undefined
  const blocks = yield* data.joinBlocks.at(past.joins)
  past.requireUnchanged()
  const ranges = new PastRanges(data, past, { early, top: data.slots.slotOf[node] as number })
  return new PastCounts(data, past, { ranges, blocks })
}

/** Counts the members on each level, level 1 first. @param visit Called with the ranges of each level. */
export function* countLevels(
  data: ForestData,
  past: Past,
  node: number,
  visit?: (ranges: readonly number[], level: number) => void,
): Slices<number[]> {
  const counter = yield* createCounter(data, past, node)
  if (counter) return yield* counter.countBelow(data.slots.slotOf[node] as number, visit)
  const counts: number[] = []
  yield* past.readDownline(node, ({ slots, level, first, end }) => {
    counts[level - 1] = slots.length
    if (!visit) return
    for (let index = first; index < end; index++) {
      const slot = slots.words[index] as number
      visit([slot, slot + 1], level)
    }
  })
  return counts
}
