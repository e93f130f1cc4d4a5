import { Amounts } from './amounts.ts'
import { createBytes, createWords, grownArray, grownColumn } from './columns.ts'

/** No node: the parent of a root, the end of a list of siblings. */
export const none = 0xffff_ffff

/**
 * `unknown`: only its volume or rewards were seen, so lookups do not find it.
 */
export const nodeStatus = { unknown: 0, placeholder: 1, member: 2 } as const
export type NodeStatus = (typeof nodeStatus)[keyof typeof nodeStatus]

/** Where each row of the histogram of direct referrals begins; the last is open. */
export const histogramFrom = [0, 1, 2, 3, 6, 11, 21, 51, 101, 501]

/** How many rows share one entry of the greatest values that searches skip by. */
export const blockBits = 7

/** One row for each address in the forest, in the order first seen. `Aggregates` keeps `depth`, `jump` and `height`. */
export class Nodes {
  length = 0
  private capacity: number

  status: Uint8Array
  parent: Uint32Array
  firstChild: Uint32Array
  /** Siblings stand in no particular order. */
  next: Uint32Array
  previous: Uint32Array
  directs: Uint32Array
  joinedAt: Uint32Array
  block: Uint32Array
  logIndex: Uint32Array
  readonly ownVolume: Amounts
  readonly rewards: Amounts
  /** Members in the order of their binds. */
  joined: Uint32Array
  members = 0

  depth: Uint32Array
  /**
   * Some referrer further up, itself for a root: two of three are far enough apart that any is reached in O(log depth).
   * While the aggregates are not settled, any referrer above.
   */
  jump: Uint32Array
  /** Levels below. */
  height: Uint32Array

  referrers = 0
  readonly directsHistogram: number[] = histogramFrom.map(() => 0)
  /** No node of the block has more directs. */
  directsMost: Uint32Array

  constructor(capacity: number) {
    this.capacity = capacity
    this.status = createBytes(capacity)
    this.parent = createWords(capacity)
    this.firstChild = createWords(capacity)
    this.next = createWords(capacity)
    this.previous = createWords(capacity)
    this.directs = createWords(capacity)
    this.joinedAt = createWords(capacity)
    this.block = createWords(capacity)
    this.logIndex = createWords(capacity)
    this.joined = createWords(capacity)
    this.depth = createWords(capacity)
    this.jump = createWords(capacity)
    this.height = createWords(capacity)
    this.ownVolume = new Amounts(capacity, 'shared')
    this.rewards = new Amounts(capacity, 'shared')
    this.directsMost = new Uint32Array((capacity >>> blockBits) + 1)
  }

  /** A new `unknown` root. */
  add(): number {
    const node = this.length
    if (node === this.capacity) this.grow(Math.ceil(this.capacity * 1.5))
    this.length++
    this.status[node] = nodeStatus.unknown
    this.parent[node] = none
    this.firstChild[node] = none
    this.next[node] = none
    this.previous[node] = none
    this.directs[node] = 0
    this.ownVolume.clear(node)
    this.rewards.clear(node)
    this.depth[node] = 0
    this.jump[node] = node
    this.height[node] = 0
    return node
  }

  removeLast(): void {
    this.length--
  }

  setStatus(node: number, status: NodeStatus): void {
    const isKnown = Number(status !== nodeStatus.unknown)
    const wasKnown = Number(this.status[node] !== nodeStatus.unknown)
    this.status[node] = status
    if (isKnown !== wasKnown) this.count(this.directs[node] as number, isKnown - wasKnown)
  }

  link(child: number, parent: number): void {
    const first = this.firstChild[parent] as number
    this.parent[child] = parent
    this.next[child] = first
    this.previous[child] = none
    if (first !== none) this.previous[first] = child
    this.firstChild[parent] = child
    this.setDirects(parent, (this.directs[parent] as number) + 1)
  }

  unlink(child: number): void {
    const parent = this.parent[child] as number
    const next = this.next[child] as number
    const previous = this.previous[child] as number
    if (previous === none) this.firstChild[parent] = next
    else this.next[previous] = next
    if (next !== none) this.previous[next] = previous
    this.parent[child] = none
    this.next[child] = none
    this.previous[child] = none
    this.setDirects(parent, (this.directs[parent] as number) - 1)
  }

  /** The referrer at `depth`, or the node itself. Needs `depth` and `jump`. */
  ancestorAt(node: number, depth: number): number {
    let at = node
    while ((this.depth[at] as number) > depth) {
      const jump = this.jump[at] as number
      at = (this.depth[jump] as number) >= depth ? jump : (this.parent[at] as number)
    }
    return at
  }

  /** Whether `node` stands below `ancestor` or is it. Needs `depth` and `jump`. */
  isWithin(node: number, ancestor: number): boolean {
    return this.ancestorAt(node, this.depth[ancestor] as number) === ancestor
  }

  /** Needs `jump`. */
  rootOf(node: number): number {
    let at = node
    for (let up = this.jump[at] as number; up !== at; up = this.jump[at] as number) at = up
    return at
  }

  /** The one after `node` when walking the downline of `top` parents first; `none` at the end. */
  nextBelow(node: number, top: number): number {
    const child = this.firstChild[node] as number
    return child === none ? this.nextBeside(node, top) : child
  }

  /** The same without the downline of `node`. */
  nextBeside(node: number, top: number): number {
    for (let at = node; at !== top; at = this.parent[at] as number) {
      const next = this.next[at] as number
      if (next !== none) return next
    }
    return none
  }

  get bytes(): number {
    const columns = [
      this.status,
      this.parent,
      this.firstChild,
      this.next,
      this.previous,
      this.directs,
      this.joinedAt,
      this.block,
      this.logIndex,
      this.joined,
      this.depth,
      this.jump,
      this.height,
    ]
    return columns.reduce((sum, column) => sum + column.BYTES_PER_ELEMENT * this.length, this.directsMost.byteLength)
  }

  private setDirects(node: number, directs: number): void {
    const before = this.directs[node] as number
    this.directs[node] = directs
    this.count(before, -1)
    this.count(directs, 1)
    if (directs === 0) this.referrers--
    if (before === 0) this.referrers++
    const block = node >>> blockBits
    if (directs > (this.directsMost[block] as number)) this.directsMost[block] = directs
  }

  private count(directs: number, change: number): void {
    let row = 0
    while (directs >= (histogramFrom[row + 1] ?? Number.POSITIVE_INFINITY)) row++
    this.directsHistogram[row] = (this.directsHistogram[row] as number) + change
  }

  private grow(capacity: number): void {
    this.capacity = capacity
    this.status = grownColumn(this.status, capacity)
    this.parent = grownColumn(this.parent, capacity)
    this.firstChild = grownColumn(this.firstChild, capacity)
    this.next = grownColumn(this.next, capacity)
    this.previous = grownColumn(this.previous, capacity)
    this.directs = grownColumn(this.directs, capacity)
    this.joinedAt = grownColumn(this.joinedAt, capacity)
    this.block = grownColumn(this.block, capacity)
    this.logIndex = grownColumn(this.logIndex, capacity)
    this.joined = grownColumn(this.joined, capacity)
    this.depth = grownColumn(this.depth, capacity)
    this.jump = grownColumn(this.jump, capacity)
    this.height = grownColumn(this.height, capacity)
    this.ownVolume.grow(capacity)
    this.rewards.grow(capacity)
    this.directsMost = grownArray(this.directsMost, (capacity >>> blockBits) + 1)
  }
}
