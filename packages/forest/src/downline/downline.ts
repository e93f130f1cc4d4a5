import type { ForestData } from '../data/forestData.ts'
import { none } from '../data/nodes.ts'

/**
 * Finds the downline of a member as ranges of slots, level by level. Most levels are one range, found with two reads;
 * levels with members who moved since the snapshot are several. Newer members are not in the ranges: see `forEachNewer`.
 */
export class Downline {
  /** Range `i` holds the slots from `ranges[2 * i]` up to `ranges[2 * i + 1]`. */
  private readonly ranges: number[] = []
  /** The ranges of level k are those from `firsts[k]` up to `firsts[k + 1]`. */
  private readonly firsts: number[] = [0]
  private readonly data: ForestData
  private readonly top: number
  private readonly depth: number

  /** Finds level 0, the member itself, to `lastLevel`. */
  constructor(data: ForestData, top: number, lastLevel = Number.POSITIVE_INFINITY) {
    this.data = data
    this.top = top
    const { nodes, slots } = data
    this.depth = nodes.depth[top] as number
    const moved = this.movedMembers()
    if (top < slots.snapshotLength) this.addSlot(slots.slotOf[top] as number)
    this.firsts.push(this.ranges.length / 2)
    for (let level = 1; level <= lastLevel; level++) {
      const end = this.firsts[level] as number
      for (let range = this.firsts[level - 1] as number; range < end; range++)
        this.addBelow(this.ranges[range * 2] as number, this.ranges[range * 2 + 1] as number)
      while (moved.at(-1)?.level === level) this.addSlot(moved.pop()?.slot as number)
      if (this.ranges.length / 2 === end && moved.length === 0) return
      this.firsts.push(this.ranges.length / 2)
    }
  }

  /** Number of levels with ranges, including level 0. */
  get levels(): number {
    return this.firsts.length - 1
  }

  /** Returns whether a node is the member itself or in its downline, up to the last level. */
  has(node: number): boolean {
    const { nodes, slots } = this.data
    const { anchors } = slots
    const anchor = anchors.of(node)
    if (anchor !== none && this.isInRanges(anchors.slotOf(node), anchors.depthOf(node) - this.depth)) return true
    // The downline of a member newer than the snapshot has no ranges.
    return this.top >= slots.snapshotLength && anchor === anchors.of(this.top) && nodes.isWithin(node, this.top)
  }

  /** Returns whether a node is in the downline at `level`, or at any level for `all`. */
  hasAt(node: number, level: number | 'all'): boolean {
    const found = this.levelOf(node)
    return (level === 'all' ? found > 0 : found === level) && this.has(node)
  }

  levelOf(node: number): number {
    return (this.data.nodes.depth[node] as number) - this.depth
  }

  /** Returns the ranges of the levels from `first` to `last`: the first slot of each, then the slot after its last one. */
  rangesOf(first: number, last = first): number[] {
    const end = this.firsts[Math.min(last + 1, this.levels)] as number
    return this.ranges.slice((this.firsts[first] ?? end) * 2, end * 2)
  }

  /** Visits the members of the downline who are newer than the snapshot. */
  forEachNewer(visit: (node: number) => void): void {
    const { nodes, slots } = this.data
    for (let node = slots.snapshotLength; node < nodes.length; node++)
      if (this.levelOf(node) > 0 && this.has(node)) visit(node)
  }

  private isInRanges(slot: number, level: number): boolean {
    if (level < 0 || level >= this.levels) return false
    const end = this.firsts[level + 1] as number
    for (let range = this.firsts[level] as number; range < end; range++)
      if (slot >= (this.ranges[range * 2] as number) && slot < (this.ranges[range * 2 + 1] as number)) return true
    return false
  }

  /** Returns the members who moved and are in this downline now, the deepest first. */
  private movedMembers(): { slot: number; level: number }[] {
    const { nodes, slots } = this.data
    const members: { slot: number; level: number }[] = []
    for (const node of slots.moved)
      if (node !== this.top && nodes.isWithin(node, this.top))
        members.push({ slot: slots.slotOf[node] as number, level: this.levelOf(node) })
    return members.sort((left, right) => right.level - left.level)
  }

  private addSlot(slot: number): void {
    this.ranges.push(slot, slot + 1)
  }

  /** Adds the direct referrals of the slots from `low` up to `high`, without the cuts. */
  private addBelow(low: number, high: number): void {
    const { below, cuts } = this.data.slots
    const end = below[high] as number
    let from = below[low] as number
    for (let index = this.data.slots.cutAt(from); index < cuts.length; index++) {
      const cut = cuts[index] as number
      if (cut >= end) break
      if (from < cut) this.ranges.push(from, cut)
      from = cut + 1
    }
    if (from < end) this.ranges.push(from, end)
  }
}

/** Visits the nodes of one level below `top`, or of its whole downline, in no particular order. */
export function walk({ nodes }: ForestData, top: number, level: number | 'all', visit: (node: number) => void): void {
  // Most walks read the directs, which is faster without depths.
  if (level === 1) {
    for (let child = nodes.firstChild[top] as number; child !== none; child = nodes.next[child] as number) visit(child)
    return
  }
  const depth = level === 'all' ? Number.POSITIVE_INFINITY : (nodes.depth[top] as number) + level
  let node = nodes.nextBelow(top, top)
  while (node !== none) {
    const isAbove = (nodes.depth[node] as number) < depth
    if (!isAbove || level === 'all') visit(node)
    node = isAbove ? nodes.nextBelow(node, top) : nodes.nextBeside(node, top)
  }
}
