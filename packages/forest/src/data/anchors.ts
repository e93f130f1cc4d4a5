import { grownArray } from '../lib/columns.ts'
import { type Nodes, none } from './nodes.ts'

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
