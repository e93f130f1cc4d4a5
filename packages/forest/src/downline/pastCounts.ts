import type { ForestData } from '../data/forestData.ts'
import type { BlockCounts } from '../data/joinBlocks.ts'
import { partitionPoint, type SlotList } from '../lib/columns.ts'
import { Pace } from '../lib/pace.ts'
import type { Slices } from '../types.ts'
import type { Past } from './past.ts'
import { SlotLabels } from './slotLabels.ts'

/** Pairs of `findEarlyJoins`, and the slot of the member whose downline is read; without it, of any who had joined. */
type PastRangesParts = { early: SlotList; top?: number }

/** Creates a function that finds the slots of a past downline by ranges, which also hold members who had not joined. */
export function createPastRanges(data: ForestData, past: Past, { early, top }: PastRangesParts) {
  const { slots } = data
  // A referrer that was bound only later may be below its own past directs now.
  const left = [...past.movedOut, ...(top === undefined || past.hasJoined(top) ? [] : [top])]
  // A member was not below a referrer who had not joined.
  for (let index = 0; index < early.length; index += 2) {
    const referrer = early.words[index + 1] as number
    if (referrer !== top && !past.hasJoined(referrer)) left.push(early.words[index] as number)
  }
  /** Slots that are not in the range of their level, ascending. */
  const excluded = Uint32Array.from(left).sort()
  /** Slots with children that are in none of the ranges below, because they moved in, ascending. */
  const movedInParents = Uint32Array.from([...past.movedIn.keys()], (parent) => slots.slotOf[parent] as number).sort()

  /** Adds the ranges below the slots from `low` up to `high`. */
  return function addBelow(low: number, high: number, into: number[]): void {
    const { below, slotOf, nodeAt } = slots
    const last = below.length - 1
    if (low < last) {
      const end = below[Math.min(high, last)] as number
      let from = below[low] as number
      for (let index = indexIn(excluded, from); (excluded[index] ?? end) < end; index++) {
        const slot = excluded[index] as number
        if (from < slot) into.push(from, slot)
        from = slot + 1
      }
      if (from < end) into.push(from, end)
    }
    for (let index = indexIn(movedInParents, low); (movedInParents[index] ?? high) < high; index++) {
      const parent = movedInParents[index] as number
      if (parent !== top && !past.hasJoined(parent)) continue
      for (const node of past.movedIn.get(nodeAt[parent] as number) ?? [])
        into.push(slotOf[node] as number, (slotOf[node] as number) + 1)
    }
  }
}

/** Returns the index of the first slot that is not below another one. */
const indexIn = (slots: Uint32Array, slot: number): number =>
  partitionPoint(slots.length, (index) => (slots[index] as number) < slot)

type PastCountsParts = { addBelow: ReturnType<typeof createPastRanges>; blocks: BlockCounts }

/** Slots of a range that cost as much as one step. */
const slotsAStep = 16
/** Number of steps of a level or a range of any size. */
const costOfRange = 4

/** Counts a past downline by ranges of slots, which hold its past members, and others who had not joined yet. */
function createPastCounts(data: ForestData, past: Past, { addBelow, blocks }: PastCountsParts) {
  const pace = new Pace(data.tuning.sliceSteps, () => past.requireUnchanged())

  /**
   * Counts the members on each level below the slot of a member, level 1 first. @param visit Called with the ranges of each level,
   * which also hold members who had not joined.
   */
  function* countBelow(slot: number, visit?: (ranges: readonly number[], level: number) => void): Slices<number[]> {
    const counts: number[] = []
    let ranges = [slot, slot + 1]
    for (;;) {
      if (pace.spend(costOfRange)) yield* pace.pause()
      const next: number[] = []
      for (let range = 0; range < ranges.length; range += 2)
        addBelow(ranges[range] as number, ranges[range + 1] as number, next)
      let count = 0
      for (let range = 0; range < next.length; range += 2) {
        count += countJoined(next[range] as number, next[range + 1] as number)
        if (pace.spend(0)) yield* pace.pause()
      }
      if (count === 0) return counts
      counts.push(count)
      visit?.(next, counts.length)
      ranges = next
    }
  }

  /** Counts the members in ranges of slots who had joined. A row that has changed since the snapshot must be alone in its range. */
  function* countIn(ranges: SlotList): Slices<number> {
    let count = 0
    for (let range = 0; range < ranges.length; range += 2) {
      count += countJoined(ranges.words[range] as number, ranges.words[range + 1] as number)
      if (pace.spend(0)) yield* pace.pause()
    }
    return count
  }

  /** Counts the members in a range of slots who had joined: those of whole blocks at once. */
  function countJoined(low: number, high: number): number {
    const { size, length } = blocks
    const first = Math.ceil(low / size) * size
    const last = Math.min(Math.floor(high / size) * size, length)
    pace.spend(costOfRange)
    if (first >= last) return countSlots(low, high)
    return countSlots(low, first) + blocks.count(first, last) + countSlots(last, high)
  }

  function countSlots(low: number, high: number): number {
    const { joinIndex } = data.slots
    const { joins } = past
    pace.spend((high - low) / slotsAStep)
    let count = 0
    // Uses the sign of the difference instead of a branch, because the members who had joined are in random order.
    // There are fewer than 2 ** 31 members.
    for (let slot = low; slot < high; slot++) count += ((joinIndex[slot] as number) - joins) >>> 31
    return count
  }

  return { countBelow, countIn }
}

export type PastCounts = ReturnType<typeof createPastCounts>

/** Creates a counter by ranges for large teams; `undefined` where members are counted one by one. */
export function* createCounter(data: ForestData, past: Past, node: number): Slices<PastCounts | undefined> {
  if (data.slots.teamOf(node) <= data.tuning.smallTeam) return undefined
  const early = yield* data.findEarlyJoins()
  if (!early) return undefined
  const blocks = yield* data.countJoins(past.joins)
  past.requireUnchanged()
  const addBelow = createPastRanges(data, past, { early, top: data.slots.slotOf[node] as number })
  return createPastCounts(data, past, { addBelow, blocks })
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

/** Creates a function that returns whether a node was in the downline of `top` at a past moment. */
export function* createPastTeam(data: ForestData, past: Past, top: number): Slices<(node: number) => boolean> {
  const { slots } = data
  const labels = new SlotLabels()
  yield* countLevels(data, past, top, (ranges) => labels.addRanges(ranges, 1))
  return (node) => {
    const slot = slots.slotOf[node] as number
    return past.hasJoined(slot) && labels.find(slot) !== undefined
  }
}
