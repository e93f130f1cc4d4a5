import type { ForestData } from '../data/forestData.ts'
import type { BlockCounts } from '../data/joinBlocks.ts'
import type { Slices } from '../types.ts'
import type { Past } from './past.ts'
import { PastRanges } from './pastRanges.ts'

/** Counts members who joined late, and keeps the newest of them. */
export type LateJoins = {
  /** Counts the late members of a range of slots. */
  count: (low: number, high: number) => void
  /** Counts the late members of a whole block, of which `joined` members had joined. */
  countBlock: (first: number, joined: number) => void
}

type PastCountsParts = { ranges: PastRanges; blocks: BlockCounts; late: LateJoins | undefined }

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
  private readonly ranges: PastRanges
  readonly blocks: BlockCounts
  private steps: number
  /** Also counts the members who joined late. */
  private readonly late: LateJoins | undefined

  constructor(data: ForestData, past: Past, { ranges, blocks, late }: PastCountsParts) {
    this.data = data
    this.past = past
    this.ranges = ranges
    this.steps = data.tuning.sliceSteps
    this.blocks = blocks
    this.late = late
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
        this.ranges.addBelow(ranges[range] as number, ranges[range + 1] as number, next)
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
}

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
  const ranges = new PastRanges(data, past, { early, top: data.slots.slotOf[node] as number })
  return new PastCounts(data, past, { ranges, blocks, late })
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
