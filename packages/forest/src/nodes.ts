import { Amounts } from './amounts.ts'

/** No node: the parent of a root, the end of a list of siblings. */
export const none = 0xffff_ffff

/**
 * `unknown`: only its volume or rewards were seen, so lookups do not find it. The columns after `joinOrder` are
 * kept up by `Aggregates` and are right only once settled.
 */
export const nodeStatus = { unknown: 0, placeholder: 1, member: 2 } as const
export type NodeStatus = (typeof nodeStatus)[keyof typeof nodeStatus]

/** One row for each address in the forest, as columns: 97 bytes a row. */
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
  /** The how-manieth member it was. */
  joinOrder: Uint32Array
  ownVolume: Amounts
  rewards: Amounts

  depth: Uint32Array
  team: Uint32Array
  /** Levels below. */
  height: Uint32Array
  /** Own and team volume. */
  legVolume: Amounts

  constructor(capacity: number) {
    this.capacity = capacity
    this.status = new Uint8Array(capacity)
    this.parent = new Uint32Array(capacity)
    this.firstChild = new Uint32Array(capacity)
    this.next = new Uint32Array(capacity)
    this.previous = new Uint32Array(capacity)
    this.directs = new Uint32Array(capacity)
    this.joinedAt = new Uint32Array(capacity)
    this.block = new Uint32Array(capacity)
    this.logIndex = new Uint32Array(capacity)
    this.joinOrder = new Uint32Array(capacity)
    this.ownVolume = new Amounts(capacity)
    this.rewards = new Amounts(capacity)
    this.depth = new Uint32Array(capacity)
    this.team = new Uint32Array(capacity)
    this.height = new Uint32Array(capacity)
    this.legVolume = new Amounts(capacity)
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
    this.ownVolume.set(node, 0n)
    this.rewards.set(node, 0n)
    this.depth[node] = 0
    this.team[node] = 0
    this.height[node] = 0
    this.legVolume.set(node, 0n)
    return node
  }

  removeLast(): void {
    this.length--
  }

  link(child: number, parent: number): void {
    const first = this.firstChild[parent] as number
    this.parent[child] = parent
    this.next[child] = first
    this.previous[child] = none
    if (first !== none) this.previous[first] = child
    this.firstChild[parent] = child
    this.directs[parent] = (this.directs[parent] as number) + 1
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
    this.directs[parent] = (this.directs[parent] as number) - 1
  }

  /** Whether `node` stands below `ancestor` or is it. */
  isWithin(node: number, ancestor: number): boolean {
    let at = node
    while (at !== none && at !== ancestor) at = this.parent[at] as number
    return at === ancestor
  }

  rootOf(node: number): number {
    let at = node
    for (let up = this.parent[at] as number; up !== none; up = this.parent[at] as number) at = up
    return at
  }

  /** The one after `node` when walking the downline of `top` parents first; `none` at the end. */
  nextBelow(node: number, top: number): number {
    const child = this.firstChild[node] as number
    if (child !== none) return child
    for (let at = node; at !== top; at = this.parent[at] as number) {
      const next = this.next[at] as number
      if (next !== none) return next
    }
    return none
  }

  private grow(capacity: number): void {
    this.capacity = capacity
    const status = new Uint8Array(capacity)
    status.set(this.status)
    this.status = status
    this.parent = grown(this.parent, capacity)
    this.firstChild = grown(this.firstChild, capacity)
    this.next = grown(this.next, capacity)
    this.previous = grown(this.previous, capacity)
    this.directs = grown(this.directs, capacity)
    this.joinedAt = grown(this.joinedAt, capacity)
    this.block = grown(this.block, capacity)
    this.logIndex = grown(this.logIndex, capacity)
    this.joinOrder = grown(this.joinOrder, capacity)
    this.depth = grown(this.depth, capacity)
    this.team = grown(this.team, capacity)
    this.height = grown(this.height, capacity)
    this.ownVolume.grow(capacity)
    this.rewards.grow(capacity)
    this.legVolume.grow(capacity)
  }
}

function grown(column: Uint32Array, capacity: number): Uint32Array {
  const larger = new Uint32Array(capacity)
  larger.set(column)
  return larger
}
