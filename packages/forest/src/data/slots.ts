import { Amounts } from '../lib/amounts.ts'
import { grownArray, partitionPoint } from '../lib/columns.ts'
import { dayOf } from '../lib/days.ts'
import { createChunkExtremes, growChunkExtremes, includeValue } from './chunks.ts'
import { type Nodes, none } from './nodes.ts'
import { buildSnapshot, type Snapshot, type SnapshotInput, withRoom } from './snapshot.ts'
import { VolumeSums } from './volumeSums.ts'

const initialCapacity = 1024

/** The part of `Slots` that tells which nodes are in the snapshot, and where. */
interface SnapshotSlots {
  readonly snapshotLength: number
  readonly slotOf: Uint32Array
}

/**
 * Stores the anchor of each node newer than the snapshot: its nearest referrer in the snapshot. The anchor's slot and
 * depth are stored with it, so that a search reads them together.
 */
export class Anchors {
  private nodeAt = new Uint32Array(initialCapacity)
  private slotAt = new Uint32Array(initialCapacity)
  private depthAt = new Uint32Array(initialCapacity)
  private readonly nodes: Nodes
  private readonly snapshot: SnapshotSlots

  constructor(nodes: Nodes, snapshot: SnapshotSlots) {
    this.nodes = nodes
    this.snapshot = snapshot
  }

  /** Returns the node itself if it is in the snapshot, otherwise its anchor, or `none` if it has none. */
  of(node: number): number {
    const { snapshotLength } = this.snapshot
    return node < snapshotLength ? node : (this.nodeAt[node - snapshotLength] as number)
  }

  /** Returns the slot of `of(node)`, which must not be `none`. */
  slotOf(node: number): number {
    const { snapshotLength, slotOf } = this.snapshot
    return (node < snapshotLength ? slotOf[node] : this.slotAt[node - snapshotLength]) as number
  }

  /** Returns the depth of `of(node)`, which must not be `none`. */
  depthOf(node: number): number {
    const { snapshotLength } = this.snapshot
    return (node < snapshotLength ? this.nodes.depth[node] : this.depthAt[node - snapshotLength]) as number
  }

  /** Updates the anchor of a node from that of its referrer, which must be up to date. */
  update(node: number): void {
    if (node < this.snapshot.snapshotLength) return
    const referrer = this.nodes.parent[node] as number
    this.set(node, referrer === none ? none : this.of(referrer))
  }

  /** Computes the anchors of all nodes newer than the snapshot. A referrer may be newer than its referrals. */
  updateAll(): void {
    const { nodes } = this
    const { snapshotLength } = this.snapshot
    const isKnown = new Uint8Array(nodes.length - snapshotLength)
    for (let node = snapshotLength; node < nodes.length; node++) {
      let top = node
      while (top !== none && top >= snapshotLength && isKnown[top - snapshotLength] === 0)
        top = nodes.parent[top] as number
      const anchor = top === none ? none : this.of(top)
      for (let at = node; at !== top; at = nodes.parent[at] as number) {
        this.set(at, anchor)
        isKnown[at - snapshotLength] = 1
      }
    }
  }

  get bytes(): number {
    return this.nodeAt.byteLength * 3
  }

  private set(node: number, anchor: number): void {
    const row = node - this.snapshot.snapshotLength
    if (row >= this.nodeAt.length) {
      const capacity = Math.ceil(row * 1.5) + 1
      this.nodeAt = grownArray(this.nodeAt, capacity)
      this.slotAt = grownArray(this.slotAt, capacity)
      this.depthAt = grownArray(this.depthAt, capacity)
    }
    this.nodeAt[row] = anchor
    if (anchor === none) return
    this.slotAt[row] = this.snapshot.slotOf[anchor] as number
    this.depthAt[row] = this.nodes.depth[anchor] as number
  }
}

const initialRoom = withRoom(0)

/** Records which nodes change while a worker makes a snapshot. */
export interface Changes {
  /** Nodes with an id below this are in that snapshot. */
  readonly length: number
  /** Nodes whose team, join or leg volume changed. */
  readonly figures: Set<number>
  readonly ownVolumes: Set<number>
  readonly moves: Set<number>
}

/**
 * Stores one row for each node in the breadth-first order of the last snapshot; newer nodes have rows after it. In the
 * snapshot the level-k downline of any member is one range of slots: `low = below[low]; high = below[high]`. A member
 * who moved since is cut out of its range, and `Downline` adds it where it is now.
 */
export class Slots {
  /** Nodes with an id below this are in the snapshot. */
  snapshotLength = 0
  length = 0
  slotOf = new Uint32Array(initialRoom)
  nodeAt = new Uint32Array(initialRoom)
  /** The direct referrals of slot `s` are the slots from `below[s]` up to `below[s + 1]`. */
  below = new Uint32Array(1)

  team = new Uint32Array(initialRoom)
  /** Join index (0-based). */
  joinIndex = new Uint32Array(initialRoom)
  /** UTC day of the join, counted from 1970; 0 without a date. */
  day = new Uint16Array(initialRoom)
  /** Own and team volume. */
  legVolume = new Amounts(initialRoom)
  volumeSums = new VolumeSums(initialRoom)
  teamExtremes = createChunkExtremes(initialRoom)
  /** Extremes of leg volume, rounded up. */
  legExtremes = createChunkExtremes(initialRoom)

  /** Slots of members moved or removed since the snapshot, ascending. */
  readonly cuts: number[] = []
  /** Nodes of the snapshot that have moved since. */
  readonly moved = new Set<number>()
  anchors: Anchors
  /** Increases when the ranges of a downline may have changed and earlier answers are out of date. */
  generation = 0
  /** Changes recorded for the snapshot in progress in a worker; `undefined` if there is none. */
  changes: Changes | undefined
  private readonly nodes: Nodes

  constructor(nodes: Nodes) {
    this.nodes = nodes
    this.anchors = new Anchors(nodes, this)
  }

  /** Number of nodes that are not in the snapshot. */
  get newer(): number {
    return this.nodes.length - this.snapshotLength
  }

  teamOf(node: number): number {
    return this.team[this.slotOf[node] as number] as number
  }

  add(node: number): void {
    if (this.length === this.nodeAt.length || node >= this.slotOf.length) this.grow()
    const slot = this.length++
    this.slotOf[node] = slot
    this.nodeAt[slot] = node
    this.clear(slot)
    this.anchors.update(node)
  }

  /** Removes the newest node. Its slot may be in the middle of the snapshot. */
  removeLast(node: number): void {
    const slot = this.slotOf[node] as number
    if (this.changes && node < this.changes.length) this.changes = undefined
    if (node < this.snapshotLength) {
      this.cut(slot)
      this.moved.delete(node)
      this.snapshotLength = node
      this.generation++
    }
    this.clear(slot)
    if (slot === this.length - 1 && slot >= this.below.length - 1) this.length--
  }

  /** Updates the row of a node. Must be called after the node's referrer has changed. */
  move(node: number): void {
    this.record('moves', node)
    if (node >= this.snapshotLength) {
      // Those below it move with it.
      if (this.nodes.firstChild[node] !== none) this.generation++
      return
    }
    this.cut(this.slotOf[node] as number)
    this.moved.add(node)
    this.generation++
  }

  join(node: number, index: number, timestamp: number): void {
    const slot = this.slotOf[node] as number
    this.joinIndex[slot] = index
    this.day[slot] = dayOf(timestamp)
    this.widenExtremes(slot)
    this.record('figures', node)
    // The join of a placeholder changes sums over the slots of the snapshot.
    if (node < this.snapshotLength) this.generation++
  }

  addToTeam(node: number, size: number): void {
    const slot = this.slotOf[node] as number
    const team = (this.team[slot] as number) + size
    this.team[slot] = team
    includeValue(this.teamExtremes, slot, team, this.joinIndex[slot] as number)
    this.record('figures', node)
  }

  changeLeg(node: number, change: 'add' | 'subtract', amounts: Amounts, source: number): void {
    if (!amounts.isUsed) return
    const slot = this.slotOf[node] as number
    this.legVolume[change](slot, amounts, source)
    includeValue(this.legExtremes, slot, this.legVolume.ceiling(slot), this.joinIndex[slot] as number)
    this.record('figures', node)
  }

  changeOwn(node: number, change: 'add' | 'subtract', amounts: Amounts): void {
    this.volumeSums[change](this.slotOf[node] as number, amounts, 0)
    this.record('ownVolumes', node)
  }

  /** Returns the index into `cuts` of the first cut at or after a slot. */
  cutAt(slot: number): number {
    return partitionPoint(this.cuts.length, (index) => (this.cuts[index] as number) < slot)
  }

  /** Records the changes from now on, for `install`. Stops an earlier recording. */
  recordChanges(): Changes {
    this.changes = { length: this.nodes.length, figures: new Set(), ownVolumes: new Set(), moves: new Set() }
    return this.changes
  }

  /** Returns the input of a snapshot of the current state. */
  snapshotInput(): SnapshotInput {
    const { parent, length, joinOrder, members, joinedAt, grade, ownVolume } = this.nodes
    const copy = new Uint32Array(length)
    copy.set(parent.subarray(0, length))
    return { parent: copy, joinOrder, members, joinedAt, grade, ownVolume: ownVolume.data }
  }

  /** Takes a snapshot of the current state in place, without a worker. */
  rebuild(): void {
    this.changes = undefined
    this.replaceBy(buildSnapshot(this.snapshotInput()))
  }

  /** Installs a worker's snapshot, and repeats the changes recorded since it began. */
  install(snapshot: Snapshot, changes: Changes): void {
    const { nodes, slotOf, team, joinIndex, day, legVolume } = this
    this.changes = undefined
    this.replaceBy(snapshot)
    const copyFigures = (node: number) => {
      const from = slotOf[node] as number
      const slot = this.slotOf[node] as number
      this.team[slot] = team[from] as number
      this.joinIndex[slot] = joinIndex[from] as number
      this.day[slot] = day[from] as number
      this.legVolume.copy(slot, legVolume, from)
      this.widenExtremes(slot)
    }
    for (const node of changes.figures) copyFigures(node)
    const changedSlots = Array.from(changes.ownVolumes, (node) => this.slotOf[node] as number)
    this.volumeSums.recompute(changedSlots, this.snapshotLength, nodes.ownVolume, this.nodeAt)
    for (let node = this.snapshotLength; node < nodes.length; node++) {
      this.add(node)
      copyFigures(node)
      this.volumeSums.add(this.slotOf[node] as number, nodes.ownVolume, node)
    }
    for (const node of changes.moves) this.move(node)
    this.anchors.updateAll()
  }

  get bytes(): { slots: number; legVolume: number } {
    const { slotOf, nodeAt, below, team, joinIndex, day, teamExtremes, legExtremes } = this
    const extremes = [...Object.values(teamExtremes), ...Object.values(legExtremes)]
    const columns = [slotOf, nodeAt, below, team, joinIndex, day, ...extremes]
    const columnBytes = columns.reduce((sum, column) => sum + column.byteLength, 0)
    return {
      slots: columnBytes + this.anchors.bytes + this.cuts.length * 8 + this.volumeSums.bytes,
      legVolume: this.legVolume.bytes,
    }
  }

  private replaceBy({ legVolume, volumeSums, ...columns }: Snapshot): void {
    const room = columns.nodeAt.length
    Object.assign(this, columns)
    this.snapshotLength = columns.length
    this.legVolume = legVolume.words.length > 0 ? Amounts.from(legVolume) : new Amounts(room)
    this.volumeSums = new VolumeSums(room, volumeSums)
    this.cuts.length = 0
    this.moved.clear()
    this.anchors = new Anchors(this.nodes, this)
    this.generation++
  }

  private record(change: 'figures' | 'ownVolumes' | 'moves', node: number): void {
    if (this.changes && node < this.changes.length) this.changes[change].add(node)
  }

  private widenExtremes(slot: number): void {
    const joinIndex = this.joinIndex[slot] as number
    includeValue(this.teamExtremes, slot, this.team[slot] as number, joinIndex)
    includeValue(this.legExtremes, slot, this.legVolume.ceiling(slot), joinIndex)
  }

  private cut(slot: number): void {
    const index = this.cutAt(slot)
    if (this.cuts[index] !== slot) this.cuts.splice(index, 0, slot)
  }

  private clear(slot: number): void {
    this.team[slot] = 0
    this.joinIndex[slot] = 0
    this.day[slot] = 0
    this.legVolume.clear(slot)
  }

  private grow(): void {
    const room = withRoom(Math.max(this.nodeAt.length, this.slotOf.length))
    this.slotOf = grownArray(this.slotOf, room)
    this.nodeAt = grownArray(this.nodeAt, room)
    this.team = grownArray(this.team, room)
    this.joinIndex = grownArray(this.joinIndex, room)
    this.day = grownArray(this.day, room)
    this.legVolume.grow(room)
    this.volumeSums.grow(room)
    this.teamExtremes = growChunkExtremes(this.teamExtremes, room)
    this.legExtremes = growChunkExtremes(this.legExtremes, room)
  }
}
