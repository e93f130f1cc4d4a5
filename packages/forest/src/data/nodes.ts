import { Amounts } from '../lib/amounts.ts'
import { createBytes, createWords, grownArray, grownColumn, partitionPoint } from '../lib/columns.ts'
import { chunkBits, chunkCount } from './chunks.ts'

/** Means "no node": the parent of a root, the end of a list of siblings. */
export const none = 0xffff_ffff

/** `unknown`: the address has volume or rewards but was never bound or named, so lookups do not find it. */
export const nodeStatus = { unknown: 0, placeholder: 1, member: 2 } as const
export type NodeStatus = (typeof nodeStatus)[keyof typeof nodeStatus]

/** Their positions are the values of `Nodes.grade`. Only members of grade 0 have a date. */
export const grades = ['exact', 'between', 'observed'] as const

/** First value of each bar of the histogram of directs; the last bar is open-ended. */
export const histogramFrom = [0, 1, 2, 3, 6, 11, 21, 51, 101, 501]

const initialCapacity = 1024
const wordColumns = [
  'parent',
  'firstChild',
  'next',
  'previous',
  'directs',
  'joinedAt',
  'block',
  'logIndex',
  'joinOrder',
  'activeAt',
  'depth',
  'jump',
  'height',
] as const

/**
 * Stores one row for each address of the forest, in the order first seen: its links in the tree, its join and its own
 * amounts. `Aggregates` keeps `depth`, `jump` and `height` up to date.
 */
export class Nodes {
  length = 0

  status = createBytes(initialCapacity)
  parent = createWords(initialCapacity)
  /** First direct referral; `next` and `previous` link its siblings, in no particular order. */
  firstChild = createWords(initialCapacity)
  next = createWords(initialCapacity)
  previous = createWords(initialCapacity)
  directs = createWords(initialCapacity)
  joinedAt = createWords(initialCapacity)
  block = createWords(initialCapacity)
  logIndex = createWords(initialCapacity)
  /** Grade of the first bind. */
  grade = createBytes(initialCapacity)
  /** 1 for a member whose first bind names the zero address: the next bind counts. */
  unspent = createBytes(initialCapacity)
  readonly undated = new UndatedJoins()
  readonly ownVolume = new Amounts(initialCapacity, 'shared')
  readonly rewards = new Amounts(initialCapacity, 'shared')
  /** Time of the newest volume or reward; 0 without one. */
  activeAt = createWords(initialCapacity)
  /** Nodes by join index: the members in the order of their first binds. */
  joinOrder = createWords(initialCapacity)

  depth = createWords(initialCapacity)
  /**
   * A referrer further up, or the node itself for a root. The distances are chosen so that any referrer is reached in
   * O(log depth) steps. While the aggregates are deferred, it may be any referrer above.
   */
  jump = createWords(initialCapacity)
  /** Number of levels below the node. */
  height = createWords(initialCapacity)

  members = 0
  placeholders = 0
  edges = 0
  /** Number of members and placeholders with at least one direct referral. */
  referrers = 0
  readonly directsHistogram: number[] = histogramFrom.map(() => 0)
  /** Upper bound of `directs` in each chunk of nodes. */
  maxDirects = new Uint32Array(chunkCount(initialCapacity))

  /** Number of members without a referrer, and of placeholders. */
  get roots(): number {
    return this.members + this.placeholders - this.edges
  }

  /** Adds an `unknown` root and returns its node. */
  add(): number {
    const node = this.length
    if (node === this.status.length) this.grow(Math.ceil(node * 1.5))
    this.length++
    this.status[node] = nodeStatus.unknown
    this.parent[node] = none
    this.firstChild[node] = none
    this.next[node] = none
    this.previous[node] = none
    this.directs[node] = 0
    this.ownVolume.clear(node)
    this.rewards.clear(node)
    this.activeAt[node] = 0
    this.depth[node] = 0
    this.jump[node] = node
    this.height[node] = 0
    return node
  }

  removeLast(): void {
    this.length--
  }

  /** Sets the status. Returns 1 if the node was unknown before, -1 if it is unknown now, otherwise 0. */
  setStatus(node: number, status: NodeStatus): number {
    const before = this.status[node] as NodeStatus
    this.status[node] = status
    if (before === nodeStatus.member) this.undated.removeLast(this.members - 1)
    this.members += Number(status === nodeStatus.member) - Number(before === nodeStatus.member)
    this.placeholders += Number(status === nodeStatus.placeholder) - Number(before === nodeStatus.placeholder)
    const known = Number(status !== nodeStatus.unknown) - Number(before !== nodeStatus.unknown)
    if (known !== 0) this.countDirects(this.directs[node] as number, known)
    return known
  }

  link(child: number, parent: number): void {
    const first = this.firstChild[parent] as number
    this.parent[child] = parent
    this.next[child] = first
    this.previous[child] = none
    if (first !== none) this.previous[first] = child
    this.firstChild[parent] = child
    this.edges++
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
    this.edges--
    this.setDirects(parent, (this.directs[parent] as number) - 1)
  }

  /** Returns the referrer at `depth`, or the node itself if it is not deeper. Needs `depth` and `jump`. */
  ancestorAt(node: number, depth: number): number {
    let at = node
    while ((this.depth[at] as number) > depth) {
      const jump = this.jump[at] as number
      at = (this.depth[jump] as number) >= depth ? jump : (this.parent[at] as number)
    }
    return at
  }

  /** Returns whether `node` is `ancestor` or below it. Needs `depth` and `jump`. */
  isWithin(node: number, ancestor: number): boolean {
    return this.ancestorAt(node, this.depth[ancestor] as number) === ancestor
  }

  /** Returns the root of a node. Needs `jump`. */
  rootOf(node: number): number {
    let at = node
    for (let up = this.jump[at] as number; up !== at; up = this.jump[at] as number) at = up
    return at
  }

  /** Returns the next node of a depth-first walk through the downline of `top`, referrers first; `none` at the end. */
  nextBelow(node: number, top: number): number {
    const child = this.firstChild[node] as number
    return child === none ? this.nextBeside(node, top) : child
  }

  /** Like `nextBelow`, but skips the downline of `node`. */
  nextBeside(node: number, top: number): number {
    for (let at = node; at !== top; at = this.parent[at] as number) {
      const next = this.next[at] as number
      if (next !== none) return next
    }
    return none
  }

  /** Memory without spare room. */
  get bytes(): number {
    const rowBytes = wordColumns.length * Uint32Array.BYTES_PER_ELEMENT + 2 * Uint8Array.BYTES_PER_ELEMENT
    return rowBytes * this.length + this.maxDirects.byteLength
  }

  private setDirects(node: number, directs: number): void {
    const before = this.directs[node] as number
    this.directs[node] = directs
    this.countDirects(before, -1)
    this.countDirects(directs, 1)
    if (directs === 0) this.referrers--
    if (before === 0) this.referrers++
    const chunk = node >>> chunkBits
    if (directs > (this.maxDirects[chunk] as number)) this.maxDirects[chunk] = directs
  }

  private countDirects(directs: number, change: number): void {
    let bar = 0
    while (directs >= (histogramFrom[bar + 1] ?? Number.POSITIVE_INFINITY)) bar++
    this.directsHistogram[bar] = (this.directsHistogram[bar] as number) + change
  }

  private grow(capacity: number): void {
    this.status = grownColumn(this.status, capacity)
    this.grade = grownColumn(this.grade, capacity)
    this.unspent = grownColumn(this.unspent, capacity)
    for (const name of wordColumns) this[name] = grownColumn(this[name], capacity)
    this.ownVolume.grow(capacity)
    this.rewards.grow(capacity)
    this.maxDirects = grownArray(this.maxDirects, chunkCount(capacity))
  }
}

/** Stores the joins of the members without a date, in join order. */
class UndatedJoins {
  private readonly joins: number[] = []
  private readonly firstBlocks: number[] = []

  get length(): number {
    return this.joins.length
  }

  /** Adds a join. @param firstBlock The first block that it may be of. */
  push(join: number, firstBlock: number): void {
    this.joins.push(join)
    this.firstBlocks.push(firstBlock)
  }

  /** Removes the newest join if it has this join index. */
  removeLast(join: number): void {
    if (this.joins.at(-1) !== join) return
    this.joins.pop()
    this.firstBlocks.pop()
  }

  joinAt(index: number): number {
    return this.joins[index] as number
  }

  firstBlockAt(index: number): number {
    return this.firstBlocks[index] as number
  }

  /** Returns the index of the first join with at least this join index. */
  indexOf(join: number): number {
    return partitionPoint(this.joins.length, (index) => (this.joins[index] as number) < join)
  }
}
