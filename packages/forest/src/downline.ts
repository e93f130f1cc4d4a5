import { none } from './nodes.ts'
import type { State } from './state.ts'

/**
 * Where the downline of a member stands: for each level, the runs of slots that make it up. Commonly one run a level,
 * two reads each; more where members have moved since the snapshot. Newer members are told by `has`.
 */
export class Downline {
  /** The runs of level k: `bounds[2 * i]` up to `bounds[2 * i + 1]` for i from `firsts[k]` up to `firsts[k + 1]`. */
  readonly bounds: number[] = []
  readonly firsts: number[] = [0]
  /** How many of them the snapshot holds. */
  size = 0
  private readonly state: State
  private readonly top: number
  private readonly depth: number

  /** Level 0, the member itself, to `levels`. */
  constructor(state: State, top: number, levels = Number.POSITIVE_INFINITY) {
    this.state = state
    this.top = top
    const { nodes, slots } = state
    this.depth = nodes.depth[top] as number
    const pieces = this.pieces()
    if (top < slots.frozen) this.bounds.push(slots.slotOf[top] as number, (slots.slotOf[top] as number) + 1)
    this.firsts.push(this.bounds.length / 2)
    for (let level = 1; level <= levels; level++) {
      const first = this.firsts[level - 1] as number
      const end = this.firsts[level] as number
      for (let run = first; run < end; run++) {
        const low = slots.below[this.bounds[run * 2] as number] as number
        const high = slots.below[this.bounds[run * 2 + 1] as number] as number
        if (low < high) this.pushUncut(low, high)
      }
      for (let piece = pieces.at(-1); piece?.level === level; piece = pieces.at(-1)) {
        this.bounds.push(piece.slot, piece.slot + 1)
        pieces.pop()
      }
      const next = this.bounds.length / 2
      if (next === end && pieces.length === 0) return
      this.firsts.push(next)
      for (let run = end; run < next; run++)
        this.size += (this.bounds[run * 2 + 1] as number) - (this.bounds[run * 2] as number)
    }
  }

  /** Levels in which the snapshot holds anybody, level 0 included. */
  get levels(): number {
    return this.firsts.length - 1
  }

  /** Whether a node stands in the downline, or is the member itself. */
  has(node: number): boolean {
    const { nodes, slots } = this.state
    const anchor = slots.anchorOf(node)
    if (anchor !== none && this.isInRuns(slots.slotInRuns(node), slots.depthInRuns(node) - this.depth)) return true
    // Below a member who is newer himself, and above whom nobody or the same one stands in the snapshot.
    return this.top >= slots.frozen && anchor === slots.anchorOf(this.top) && nodes.isWithin(node, this.top)
  }

  levelOf(node: number): number {
    return (this.state.nodes.depth[node] as number) - this.depth
  }

  forEachRun(level: number, visit: (low: number, high: number) => void): void {
    if (level >= this.levels) return
    const end = this.firsts[level + 1] as number
    for (let run = this.firsts[level] as number; run < end; run++)
      visit(this.bounds[run * 2] as number, this.bounds[run * 2 + 1] as number)
  }

  /** Those whom the snapshot does not hold, without the member itself. */
  forEachNewer(visit: (node: number) => void): void {
    const { nodes, slots } = this.state
    for (let node = slots.frozen; node < nodes.length; node++)
      if ((nodes.depth[node] as number) > this.depth && this.has(node)) visit(node)
  }

  private isInRuns(slot: number, level: number): boolean {
    if (level < 0 || level >= this.levels) return false
    const end = this.firsts[level + 1] as number
    for (let run = this.firsts[level] as number; run < end; run++)
      if (slot >= (this.bounds[run * 2] as number) && slot < (this.bounds[run * 2 + 1] as number)) return true
    return false
  }

  /** Whoever has moved and stands in this downline now, the deepest first. */
  private pieces(): { slot: number; level: number }[] {
    const { nodes, slots } = this.state
    const pieces: { slot: number; level: number }[] = []
    for (const node of slots.moved)
      if (node !== this.top && nodes.isWithin(node, this.top))
        pieces.push({ slot: slots.slotOf[node] as number, level: this.levelOf(node) })
    return pieces.sort((left, right) => right.level - left.level)
  }

  private pushUncut(low: number, high: number): void {
    const { cuts } = this.state.slots
    let from = low
    for (let index = this.state.slots.cutAt(low); index < cuts.length; index++) {
      const cut = cuts[index] as number
      if (cut >= high) break
      if (from < cut) this.bounds.push(from, cut)
      from = cut + 1
    }
    if (from < high) this.bounds.push(from, high)
  }
}
