import { Amounts } from './amounts.ts'
import { grownArray } from './columns.ts'
import { dayOf } from './days.ts'
import { blockBits, type Nodes, none } from './nodes.ts'
import { buildSnapshot, type Snapshot, type SnapshotInput, withRoom } from './snapshot.ts'
import { VolumeSums } from './volumeSums.ts'

/** A worker's snapshot holds what was so when it began; this is what has changed since. */
export interface Changes {
  readonly length: number
  /** Nodes whose figures changed. */
  readonly touched: Set<number>
  /** Nodes whose own volume changed. */
  readonly volumes: Set<number>
  readonly moved: Set<number>
}

/**
 * One row for each node in the order of the last snapshot, whoever is newer after it. In it the level-k downline of any
 * member is one run of slots: `low = below[low]; high = below[high]`. Members who have moved since are cut out of the
 * runs they stand in (`Downline` puts them where they are now).
 */
export class Slots {
  /** Nodes below this have the slot of the last snapshot. */
  frozen = 0
  length = 0
  slotOf: Uint32Array
  nodeAt: Uint32Array
  below: Uint32Array = new Uint32Array(1)

  team: Uint32Array
  /** The how-manieth member it was. */
  joinOrder: Uint32Array
  /** The day of the join, counted from 1970. */
  day: Uint16Array
  /** Own and team volume. */
  legVolume: Amounts
  volumeSums: VolumeSums
  /** Nobody in the block has a larger team. */
  teamMost: Uint32Array
  /** Nobody in the block has more leg volume. */
  legCeiling: Float64Array
  /** Nobody in the block who has no team joined before the how-manieth member. */
  firstWithoutTeam: Uint32Array
  /** … who has no leg volume. */
  firstWithoutLeg: Uint32Array

  /** Slots of members moved or gone since the snapshot, ascending. */
  readonly cuts: number[] = []
  readonly moved = new Set<number>()
  /** Of each node newer than the snapshot, the nearest referrer who is in it; and his slot and depth, to have them at hand. */
  private anchors: Uint32Array
  private anchorSlots: Uint32Array
  private anchorDepths: Uint32Array
  /** Rises when runs of slots change their meaning. */
  generation = 0
  private changes: { -readonly [key in keyof Changes]: Changes[key] } | undefined
  private readonly nodes: Nodes

  constructor(nodes: Nodes) {
    this.nodes = nodes
    const room = withRoom(0)
    this.slotOf = new Uint32Array(room)
    this.nodeAt = new Uint32Array(room)
    this.team = new Uint32Array(room)
    this.joinOrder = new Uint32Array(room)
    this.day = new Uint16Array(room)
    this.legVolume = new Amounts(room)
    this.volumeSums = new VolumeSums(room)
    this.teamMost = new Uint32Array((room >>> blockBits) + 1)
    this.legCeiling = new Float64Array((room >>> blockBits) + 1)
    this.firstWithoutTeam = new Uint32Array((room >>> blockBits) + 1).fill(none)
    this.firstWithoutLeg = new Uint32Array((room >>> blockBits) + 1).fill(none)
    this.anchors = new Uint32Array(1024)
    this.anchorSlots = new Uint32Array(1024)
    this.anchorDepths = new Uint32Array(1024)
  }

  /** Nodes that the snapshot does not hold. */
  get newer(): number {
    return this.nodes.length - this.frozen
  }

  add(node: number): void {
    if (this.length === this.nodeAt.length || node >= this.slotOf.length) this.grow()
    const slot = this.length++
    this.slotOf[node] = slot
    this.nodeAt[slot] = node
    this.clear(slot)
    this.anchor(node)
  }

  /** The newest node goes; its slot may stand in the middle of the snapshot. */
  removeLast(node: number): void {
    const slot = this.slotOf[node] as number
    if (this.changes && node < this.changes.length) this.changes = undefined
    if (node < this.frozen) {
      this.cut(slot)
      this.moved.delete(node)
      this.frozen = node
      this.generation++
    }
    this.clear(slot)
    if (slot === this.length - 1 && slot >= this.below.length - 1) this.length--
  }

  /** Its referrer changed. */
  move(node: number): void {
    if (this.changes && node < this.changes.length) this.changes.moved.add(node)
    if (node >= this.frozen) {
      // Those in the snapshot who have moved below it go with it.
      if (this.moved.size > 0 && this.nodes.firstChild[node] !== none) this.generation++
      return
    }
    this.cut(this.slotOf[node] as number)
    this.moved.add(node)
    this.generation++
  }

  join(node: number, order: number, timestamp: number): void {
    const slot = this.slotOf[node] as number
    this.joinOrder[slot] = order
    this.day[slot] = dayOf(timestamp)
    this.bound(slot)
    this.touch(node)
  }

  addToTeam(node: number, size: number): void {
    const slot = this.slotOf[node] as number
    this.team[slot] = (this.team[slot] as number) + size
    this.boundTeam(slot)
    this.touch(node)
  }

  changeLeg(node: number, change: 'add' | 'subtract', amounts: Amounts, source: number): void {
    if (!amounts.isUsed) return
    const slot = this.slotOf[node] as number
    this.legVolume[change](slot, amounts, source)
    this.boundLeg(slot)
    this.touch(node)
  }

  changeOwn(node: number, change: 'add' | 'subtract', amounts: Amounts): void {
    this.volumeSums[change](this.slotOf[node] as number, amounts, 0)
    if (this.changes && node < this.changes.length) this.changes.volumes.add(node)
  }

  /** To be called from referrers to referred, whenever a referrer has changed. */
  anchor(node: number): void {
    if (node < this.frozen) return
    const up = this.nodes.parent[node] as number
    const index = node - this.frozen
    if (index >= this.anchors.length) {
      const length = Math.ceil(index * 1.5) + 1
      this.anchors = grownArray(this.anchors, length)
      this.anchorSlots = grownArray(this.anchorSlots, length)
      this.anchorDepths = grownArray(this.anchorDepths, length)
    }
    this.setAnchor(index, up === none ? none : this.anchorOf(up))
  }

  /** The node itself if the snapshot holds it, or the nearest referrer who is in it; `none` without one. */
  anchorOf(node: number): number {
    return node < this.frozen ? node : (this.anchors[node - this.frozen] as number)
  }

  /** The slot and depth that place a node in the runs of the snapshot: its own or those of its anchor, if it has one. */
  slotInRuns(node: number): number {
    return (node < this.frozen ? this.slotOf[node] : this.anchorSlots[node - this.frozen]) as number
  }

  depthInRuns(node: number): number {
    return (node < this.frozen ? this.nodes.depth[node] : this.anchorDepths[node - this.frozen]) as number
  }

  /** The first cut at or after a slot, as an index into `cuts`. */
  cutAt(slot: number): number {
    let low = 0
    let high = this.cuts.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.cuts[middle] as number) < slot) low = middle + 1
      else high = middle
    }
    return low
  }

  /** From here on changes are noted, for `install`. */
  watch(): Changes {
    const changes = {
      length: this.nodes.length,
      touched: new Set<number>(),
      volumes: new Set<number>(),
      moved: new Set<number>(),
    }
    this.changes = changes
    return changes
  }

  isWatching(changes: Changes): boolean {
    return this.changes === changes
  }

  unwatch(): void {
    this.changes = undefined
  }

  /** What a snapshot of now is made of. */
  input(): SnapshotInput {
    const { parent, length, joined, members, joinedAt, ownVolume } = this.nodes
    const copy = new Uint32Array(length)
    copy.set(parent.subarray(0, length))
    return { parent: copy, joined, members, joinedAt, ownVolume: ownVolume.data }
  }

  /** Everything from scratch, without a worker. */
  rebuild(): void {
    this.changes = undefined
    this.take(buildSnapshot(this.input()))
  }

  /** Takes a worker's snapshot, brought up to now. */
  install(snapshot: Snapshot, { touched, volumes, moved }: Changes): void {
    const { nodes } = this
    const old = { slotOf: this.slotOf, team: this.team, joinOrder: this.joinOrder, day: this.day, leg: this.legVolume }
    this.changes = undefined
    this.take(snapshot)
    const bring = (node: number) => {
      const from = old.slotOf[node] as number
      const slot = this.slotOf[node] as number
      this.team[slot] = old.team[from] as number
      this.joinOrder[slot] = old.joinOrder[from] as number
      this.day[slot] = old.day[from] as number
      this.legVolume.copy(slot, old.leg, from)
      this.bound(slot)
    }
    for (const node of touched) bring(node)
    const sums = new Set<number>()
    for (const node of volumes) sums.add((this.slotOf[node] as number) >>> 5)
    for (const run of sums) this.volumeSums.correct(run << 5, this.frozen, nodes.ownVolume, this.nodeAt)
    for (let node = this.frozen; node < nodes.length; node++) {
      this.add(node)
      bring(node)
      this.volumeSums.add(this.slotOf[node] as number, nodes.ownVolume, node)
    }
    for (const node of moved) this.move(node)
    this.anchorNewer()
  }

  get bytes(): { slots: number; legVolume: number; volumeSums: number } {
    const columns = [this.slotOf, this.nodeAt, this.team, this.joinOrder, this.day]
    const rows = columns.reduce((sum, column) => sum + column.byteLength, 0)
    return {
      slots:
        rows +
        this.below.byteLength +
        this.anchors.byteLength * 3 +
        this.teamMost.byteLength +
        this.legCeiling.byteLength +
        this.firstWithoutTeam.byteLength +
        this.firstWithoutLeg.byteLength +
        this.cuts.length * 8,
      legVolume: this.legVolume.bytes,
      volumeSums: this.volumeSums.bytes,
    }
  }

  private take(snapshot: Snapshot): void {
    const { length, slotOf, nodeAt, below, team, joinOrder, day, legVolume, volumeSums } = snapshot
    this.frozen = length
    this.length = length
    this.slotOf = slotOf
    this.nodeAt = nodeAt
    this.below = below
    this.team = team
    this.joinOrder = joinOrder
    this.day = day
    const room = nodeAt.length
    this.legVolume = legVolume.words.length > 0 ? Amounts.from(legVolume) : new Amounts(room)
    this.volumeSums = new VolumeSums(room, volumeSums)
    this.teamMost = snapshot.teamMost
    this.legCeiling = snapshot.legCeiling
    this.firstWithoutTeam = snapshot.firstWithoutTeam
    this.firstWithoutLeg = snapshot.firstWithoutLeg
    this.cuts.length = 0
    this.moved.clear()
    this.anchors = new Uint32Array(1024)
    this.anchorSlots = new Uint32Array(1024)
    this.anchorDepths = new Uint32Array(1024)
    this.generation++
  }

  /** A newer node's referrer may be newer still: climbs until an anchor is known, then notes it on the way back. */
  private anchorNewer(): void {
    const { nodes, frozen } = this
    const isKnown = new Uint8Array(nodes.length - frozen)
    for (let node = frozen; node < nodes.length; node++) {
      let top = node
      while (top !== none && top >= frozen && isKnown[top - frozen] === 0) top = nodes.parent[top] as number
      const found = top === none ? none : this.anchorOf(top)
      for (let at = node; at !== top; at = nodes.parent[at] as number) {
        this.setAnchor(at - frozen, found)
        isKnown[at - frozen] = 1
      }
    }
  }

  private setAnchor(index: number, anchor: number): void {
    this.anchors[index] = anchor
    if (anchor === none) return
    this.anchorSlots[index] = this.slotOf[anchor] as number
    this.anchorDepths[index] = this.nodes.depth[anchor] as number
  }

  private touch(node: number): void {
    if (this.changes && node < this.changes.length) this.changes.touched.add(node)
  }

  /** Keeps what is said of the slot's block true. */
  private bound(slot: number): void {
    this.boundTeam(slot)
    this.boundLeg(slot)
  }

  private boundTeam(slot: number): void {
    const team = this.team[slot] as number
    const block = slot >>> blockBits
    if (team > (this.teamMost[block] as number)) this.teamMost[block] = team
    if (team === 0) lower(this.firstWithoutTeam, block, this.joinOrder[slot] as number)
  }

  private boundLeg(slot: number): void {
    const ceiling = this.legVolume.ceiling(slot)
    const block = slot >>> blockBits
    if (ceiling > (this.legCeiling[block] as number)) this.legCeiling[block] = ceiling
    if (ceiling === 0) lower(this.firstWithoutLeg, block, this.joinOrder[slot] as number)
  }

  private cut(slot: number): void {
    const index = this.cutAt(slot)
    if (this.cuts[index] !== slot) this.cuts.splice(index, 0, slot)
  }

  private clear(slot: number): void {
    this.team[slot] = 0
    this.joinOrder[slot] = 0
    this.day[slot] = 0
    this.legVolume.clear(slot)
  }

  private grow(): void {
    const room = withRoom(Math.max(this.nodeAt.length, this.slotOf.length))
    this.slotOf = grownArray(this.slotOf, room)
    this.nodeAt = grownArray(this.nodeAt, room)
    this.team = grownArray(this.team, room)
    this.joinOrder = grownArray(this.joinOrder, room)
    this.day = grownArray(this.day, room)
    this.legVolume.grow(room)
    this.volumeSums.grow(room)
    const blocks = (room >>> blockBits) + 1
    const known = this.teamMost.length
    this.teamMost = grownArray(this.teamMost, blocks)
    this.legCeiling = grownArray(this.legCeiling, blocks)
    this.firstWithoutTeam = grownArray(this.firstWithoutTeam, blocks).fill(none, known)
    this.firstWithoutLeg = grownArray(this.firstWithoutLeg, blocks).fill(none, known)
  }
}

function lower(column: Uint32Array, at: number, value: number): void {
  if (value < (column[at] as number)) column[at] = value
}
