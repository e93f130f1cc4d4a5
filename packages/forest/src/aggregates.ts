import type { Amounts } from './amounts.ts'
import { type NodeStatus, type Nodes, nodeStatus, none } from './nodes.ts'
import type { Slots } from './slots.ts'
import type { Tuning } from './tuning.ts'

/**
 * Keeps depth, jump, height, team and leg volume. A change walks up the uplines it touches; when the changes since the
 * last query have cost more steps than there are nodes, walking stops and the next query takes a snapshot in place. So
 * live blocks cost O(depth) an event, and loading any stream, even one chain of 100,000, costs O(1) an event.
 */
export class Aggregates {
  /** How many members and placeholders stand at each depth. */
  readonly depths: number[] = []
  private readonly nodes: Nodes
  private readonly slots: Slots
  private readonly rebind: boolean
  /** While not settled: whether every `jump` leads to a referrer above. */
  private hasShortcuts = false
  private readonly tuning: Pick<Tuning, 'freeSteps' | 'mostCuts'>
  private settled = true
  private steps = 0

  constructor(nodes: Nodes, slots: Slots, rebind: boolean, tuning: Pick<Tuning, 'freeSteps' | 'mostCuts'>) {
    this.nodes = nodes
    this.slots = slots
    this.rebind = rebind
    this.tuning = tuning
  }

  get isSettled(): boolean {
    return this.settled
  }

  /** To be called before any of the kept columns is read. */
  settle(): void {
    if (!this.settled) {
      this.slots.rebuild()
      this.measure()
      this.settled = true
    }
    this.steps = 0
  }

  /** From here on the next query computes everything at once. */
  unsettle(): void {
    if (!this.settled) return
    this.settled = false
    this.hasShortcuts = !this.rebind
    this.slots.unwatch()
  }

  add(): number {
    const node = this.nodes.add()
    if (this.settled) this.slots.add(node)
    return node
  }

  removeLast(): void {
    this.nodes.removeLast()
    if (!this.settled) return
    this.slots.removeLast(this.nodes.length)
    if (this.slots.cuts.length > this.tuning.mostCuts) this.unsettle()
  }

  setStatus(node: number, status: NodeStatus): void {
    const { nodes } = this
    const change = Number(status !== nodeStatus.unknown) - Number(nodes.status[node] !== nodeStatus.unknown)
    nodes.setStatus(node, status)
    if (this.settled && change !== 0) this.count(nodes.depth[node] as number, change)
  }

  join(node: number, order: number, timestamp: number): void {
    if (this.settled) this.slots.join(node, order, timestamp)
  }

  /** Whether `node` stands below `ancestor` or is it. */
  isWithin(node: number, ancestor: number): boolean {
    const { nodes } = this
    if (this.settled) return nodes.isWithin(node, ancestor)
    if (!this.hasShortcuts) {
      let at = node
      while (at !== none && at !== ancestor) at = nodes.parent[at] as number
      return at === ancestor
    }
    // While nobody moves, only roots are bound: the root alone matters, found as in a union–find.
    let at = node
    for (;;) {
      const up = nodes.jump[at] as number
      if (up === at) return at === ancestor
      const further = nodes.jump[up] as number
      nodes.jump[at] = further
      at = further
    }
  }

  link(child: number, parent: number): void {
    const { nodes, slots } = this
    nodes.link(child, parent)
    if (!this.isWalking()) {
      nodes.jump[child] = parent
      return
    }
    slots.move(child)
    const size = (slots.team[slots.slotOf[child] as number] as number) + 1
    const leg = slots.slotOf[child] as number
    let height = (nodes.height[child] as number) + 1
    for (let at = parent; at !== none; at = nodes.parent[at] as number) {
      slots.addToTeam(at, size)
      if (height > (nodes.height[at] as number)) nodes.height[at] = height
      slots.changeLeg(at, 'add', slots.legVolume, leg)
      height++
      this.steps++
    }
    this.relabel(child)
    if (slots.cuts.length > this.tuning.mostCuts) this.unsettle()
  }

  unlink(child: number): void {
    const { nodes, slots } = this
    const parent = nodes.parent[child] as number
    nodes.unlink(child)
    if (!this.isWalking()) {
      this.hasShortcuts = false
      return
    }
    slots.move(child)
    const leg = slots.slotOf[child] as number
    const size = (slots.team[leg] as number) + 1
    for (let at = parent; at !== none; at = nodes.parent[at] as number) {
      slots.addToTeam(at, -size)
      slots.changeLeg(at, 'subtract', slots.legVolume, leg)
      this.steps++
    }
    this.lower(parent)
    this.relabel(child)
    if (slots.cuts.length > this.tuning.mostCuts) this.unsettle()
  }

  changeVolume(node: number, amount: Amounts, change: 'add' | 'subtract'): void {
    const { nodes, slots } = this
    nodes.ownVolume[change](node, amount, 0)
    if (!this.isWalking()) return
    slots.changeOwn(node, change, amount)
    for (let at = node; at !== none; at = nodes.parent[at] as number) {
      slots.changeLeg(at, change, amount, 0)
      this.steps++
    }
  }

  private isWalking(): boolean {
    if (this.settled && this.steps > Math.max(this.tuning.freeSteps, this.nodes.length)) this.unsettle()
    return this.settled
  }

  /** Heights from `from` up, after one of its children went away. */
  private lower(from: number): void {
    const { nodes } = this
    for (let at = from; at !== none; at = nodes.parent[at] as number) {
      let height = 0
      for (let child = nodes.firstChild[at] as number; child !== none; child = nodes.next[child] as number) {
        height = Math.max(height, (nodes.height[child] as number) + 1)
        this.steps++
      }
      if (nodes.height[at] === height) return
      nodes.height[at] = height
    }
  }

  /** Depths of `top` and its downline, and what follows from them. */
  private relabel(top: number): void {
    const { nodes, slots } = this
    for (let at = top; at !== none; at = nodes.nextBelow(at, top)) {
      this.count(nodes.depth[at] as number, -1)
      this.place(at)
      this.count(nodes.depth[at] as number, 1)
      slots.anchor(at)
      this.steps++
    }
  }

  /** Depth and jump, from those of the referrer. The jumps are those of E. W. Myers' applicative random-access stack. */
  private place(node: number): void {
    const { nodes } = this
    const parent = nodes.parent[node] as number
    if (parent === none) {
      nodes.depth[node] = 0
      nodes.jump[node] = node
      return
    }
    const depth = nodes.depth[parent] as number
    const jump = nodes.jump[parent] as number
    const further = nodes.jump[jump] as number
    const isEven =
      depth - (nodes.depth[jump] as number) === (nodes.depth[jump] as number) - (nodes.depth[further] as number)
    nodes.depth[node] = depth + 1
    nodes.jump[node] = isEven ? further : parent
  }

  private count(depth: number, change: number): void {
    const { depths } = this
    while (depths.length <= depth) depths.push(0)
    depths[depth] = (depths[depth] as number) + change
    while (depths.at(-1) === 0) depths.pop()
  }

  /** What is kept by node, in the order of a fresh snapshot. */
  private measure(): void {
    const { nodes, slots } = this
    this.depths.length = 0
    for (let slot = 0; slot < nodes.length; slot++) {
      const node = slots.nodeAt[slot] as number
      this.place(node)
      nodes.height[node] = 0
      const depth = nodes.depth[node] as number
      if (nodes.status[node] === nodeStatus.unknown) continue
      if (this.depths.length === depth) this.depths.push(0)
      this.depths[depth] = (this.depths[depth] as number) + 1
    }
    for (let slot = nodes.length - 1; slot >= 0; slot--) {
      const node = slots.nodeAt[slot] as number
      const parent = nodes.parent[node] as number
      if (parent === none) continue
      const height = (nodes.height[node] as number) + 1
      if (height > (nodes.height[parent] as number)) nodes.height[parent] = height
    }
  }
}
