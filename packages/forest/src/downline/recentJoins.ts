import type { ForestData } from '../data/forestData.ts'
import { nodeStatus, none } from '../data/nodes.ts'
import { partitionPoint } from '../lib/columns.ts'
import { dayOf } from '../lib/days.ts'
import { Downline, walk } from './downline.ts'
import { joinsUntil } from './past.ts'

/** Largest team that is counted member by member. */
const fewToWalk = 128
/** Slots of a block whose recent joins are summed up, as a power of two. */
const blockBits = 4

/**
 * Counts the members of a leg who joined at a given second or later. The joins in the snapshot are summed up to each
 * block of slots, so that a level costs two reads and the ends of two blocks. Newer members are counted by the slot
 * of their anchor.
 */
export function createRecentJoins(data: ForestData, since: number) {
  const { nodes, slots, tuning } = data
  const sinceDay = dayOf(since)
  /** Join index of the first member who joined recently. */
  let firstJoin = 0
  let generation = -1
  let version = -1
  /** Number of recent joins before each block. */
  let before = new Uint32Array(0)
  /** Slots of the anchors of newer members who joined recently, ascending. */
  let anchorSlots = new Uint32Array(0)

  /** Updates the sums. Must be called before any count. */
  function prepare(): void {
    const isSame = slots.generation === generation
    if (isSame && data.version === version) return
    firstJoin = joinsUntil(nodes, { timestamp: since - 1 })
    generation = slots.generation
    version = data.version
    if (!isSame) before = sumBlocks()
    anchorSlots = findAnchorSlots()
  }

  /** Returns how many members of a leg, including its top, joined recently. */
  function countLeg(top: number): number {
    let count = Number(isRecent(top))
    if (slots.teamOf(top) <= Math.min(tuning.smallTeam, fewToWalk) || top >= slots.snapshotLength) {
      walk(data, top, 'all', (node) => {
        count += Number(isRecent(node))
      })
      return count
    }
    const downline = new Downline(data, top)
    for (let level = 0; level < downline.levels; level++) {
      const ranges = downline.rangesOf(level)
      for (let range = 0; range < ranges.length; range += 2) {
        const low = ranges[range] as number
        const high = ranges[range + 1] as number
        if (level > 0) count += countSlots(high) - countSlots(low)
        count += countAnchors(high) - countAnchors(low)
      }
    }
    return count
  }

  /** Returns how many members of the whole forest joined recently. */
  function countAll(): number {
    return nodes.members - firstJoin - (nodes.undated.length - nodes.undated.indexOf(firstJoin))
  }

  function isRecent(node: number): boolean {
    return nodes.status[node] === nodeStatus.member && isRecentSlot(slots.slotOf[node] as number)
  }

  function isRecentSlot(slot: number): boolean {
    const { day, joinIndex } = slots
    // Members without a date are of day 0.
    return (day[slot] as number) > sinceDay || (day[slot] === sinceDay && (joinIndex[slot] as number) >= firstJoin)
  }

  /** Counts the recent joins in the snapshot before a slot. */
  function countSlots(end: number): number {
    const block = end >>> blockBits
    let count = before[block] as number
    for (let slot = block << blockBits; slot < end; slot++) count += Number(isRecentSlot(slot))
    return count
  }

  function countAnchors(end: number): number {
    return partitionPoint(anchorSlots.length, (index) => (anchorSlots[index] as number) < end)
  }

  function sumBlocks() {
    const end = slots.below.length - 1
    const sums = new Uint32Array((end >>> blockBits) + 1)
    let total = 0
    for (let slot = 0; slot <= end; slot++) {
      if (slot % (1 << blockBits) === 0) sums[slot >>> blockBits] = total
      total += Number(isRecentSlot(slot))
    }
    return sums
  }

  function findAnchorSlots() {
    const found: number[] = []
    for (let node = slots.snapshotLength; node < nodes.length; node++)
      if (slots.anchors.of(node) !== none && isRecent(node)) found.push(slots.anchors.slotOf(node))
    return Uint32Array.from(found).sort()
  }

  return { prepare, countLeg, countAll, isRecent }
}

export type RecentJoins = ReturnType<typeof createRecentJoins>
