import type { ForestData } from '../data/forestData.ts'
import { nodeStatus, none } from '../data/nodes.ts'
import { dayOf } from '../lib/days.ts'
import { partitionPoint } from '../lib/partitionPoint.ts'
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
export class RecentJoins {
  private readonly since: number
  /** Join index of the first member who joined recently. */
  private firstJoin = 0
  private generation = -1
  private version = -1
  /** Number of recent joins before each block. */
  private before = new Uint32Array(0)
  /** Slots of the anchors of newer members who joined recently, ascending. */
  private anchorSlots = new Uint32Array(0)
  private readonly data: ForestData

  /** @param since Unix seconds */
  constructor(data: ForestData, since: number) {
    this.data = data
    this.since = since
  }

  /** Updates the sums. Must be called before any count. */
  prepare(): void {
    const { version, slots } = this.data
    const isSame = slots.generation === this.generation
    if (isSame && version === this.version) return
    this.firstJoin = joinsUntil(this.data.nodes, { timestamp: this.since - 1 })
    this.generation = slots.generation
    this.version = version
    if (!isSame) this.before = this.sumBlocks()
    this.anchorSlots = this.findAnchorSlots()
  }

  /** Returns how many members of a leg, including its top, joined recently. */
  countLeg(top: number): number {
    const { slots, tuning } = this.data
    let count = Number(this.isRecent(top))
    if (slots.teamOf(top) <= Math.min(tuning.smallTeam, fewToWalk) || top >= slots.snapshotLength) {
      walk(this.data, top, 'all', (node) => {
        count += Number(this.isRecent(node))
      })
      return count
    }
    const downline = new Downline(this.data, top)
    for (let level = 0; level < downline.levels; level++) {
      const ranges = downline.rangesOf(level)
      for (let range = 0; range < ranges.length; range += 2) {
        const low = ranges[range] as number
        const high = ranges[range + 1] as number
        if (level > 0) count += this.countSlots(high) - this.countSlots(low)
        count += this.countAnchors(high) - this.countAnchors(low)
      }
    }
    return count
  }

  /** Returns how many members of the whole forest joined recently. */
  countAll(): number {
    const { nodes } = this.data
    const first = this.firstJoin
    return nodes.members - first - (nodes.undated.length - nodes.undated.indexOf(first))
  }

  isRecent(node: number): boolean {
    const { nodes, slots } = this.data
    return nodes.status[node] === nodeStatus.member && this.isRecentSlot(slots.slotOf[node] as number)
  }

  private isRecentSlot(slot: number): boolean {
    const { day, joinIndex } = this.data.slots
    const since = dayOf(this.since)
    // Members without a date are of day 0.
    return (day[slot] as number) > since || (day[slot] === since && (joinIndex[slot] as number) >= this.firstJoin)
  }

  /** Counts the recent joins in the snapshot before a slot. */
  private countSlots(end: number): number {
    const block = end >>> blockBits
    let count = this.before[block] as number
    for (let slot = block << blockBits; slot < end; slot++) count += Number(this.isRecentSlot(slot))
    return count
  }

  private countAnchors(end: number): number {
    return partitionPoint(this.anchorSlots.length, (index) => (this.anchorSlots[index] as number) < end)
  }

  private sumBlocks() {
    const end = this.data.slots.below.length - 1
    const before = new Uint32Array((end >>> blockBits) + 1)
    let total = 0
    for (let slot = 0; slot <= end; slot++) {
      if (slot % (1 << blockBits) === 0) before[slot >>> blockBits] = total
      total += Number(this.isRecentSlot(slot))
    }
    return before
  }

  private findAnchorSlots() {
    const { nodes, slots } = this.data
    const found: number[] = []
    for (let node = slots.snapshotLength; node < nodes.length; node++)
      if (slots.anchors.of(node) !== none && this.isRecent(node)) found.push(slots.anchors.slotOf(node))
    return Uint32Array.from(found).sort()
  }
}
