import type { Amounts } from '../lib/amounts.ts'
import type { Tuning } from '../tuning.ts'
import type { Holds } from './holds.ts'
import { type NodeStatus, type Nodes, nodeStatus, none } from './nodes.ts'
import type { Slots } from './slots.ts'

/**
 * Maintains the columns derived from the tree: depth, jump, height, team and leg volume. A live change updates the
 * uplines it touches, which costs O(depth). Once the changes since the last query have cost more steps than there are
 * nodes, the rest is deferred: the next query takes a snapshot in place and computes everything from it. So loading
 * any stream costs O(1) per event, even a chain of 100,000.
 */
export class Aggregates {
  /** `deferred`: the columns are out of date until `ensureCurrent`. */
  mode: 'live' | 'deferred' = 'live'
  /** Number of members and placeholders at each depth. */
  readonly depths: number[] = []
  private readonly nodes: Nodes
  private readonly slots: Slots
  private readonly holds: Holds
  readonly rebind: boolean
  private readonly tuning: Pick<Tuning, 'freeSteps' | 'mostCuts'>
  /** While deferred: whether each `jump` leads to a referrer above, so that `isWithin` may follow it. */
  private hasShortcuts = false
  /** Cost of the live changes since the last query. */
  private steps = 0

  constructor(
    { nodes, slots, holds }: { nodes: Nodes; slots: Slots; holds: Holds },
    rebind: boolean,
    tuning: Pick<Tuning, 'freeSteps' | 'mostCuts'>,
  ) {
    this.nodes = nodes
    this.slots = slots
    this.holds = holds
    this.rebind = rebind
    this.tuning = tuning
  }

  /** Computes the deferred columns. Must be called before a query reads any of them. */
  ensureCurrent(): void {
    if (this.mode === 'deferred') {
      this.slots.rebuild()
      this.computeAll()
      this.mode = 'live'
    }
    this.steps = 0
  }

  /** Defers all further work to the next `ensureCurrent`. */
  defer(): void {
    if (this.mode === 'deferred') return
    this.mode = 'deferred'
    this.hasShortcuts = !this.rebind
    this.slots.changes = undefined
    this.holds.endAfter()
  }

  add(): number {
    const node = this.nodes.add()
    if (this.mode === 'live') this.slots.add(node)
    return node
  }

  removeLast(): void {
    this.nodes.removeLast()
    if (this.mode === 'deferred') return
    this.slots.removeLast(this.nodes.length)
    this.deferIfFragmented()
  }

  setStatus(node: number, status: NodeStatus): void {
    this.holds.keep(node)
    const change = this.nodes.setStatus(node, status)
    if (this.mode === 'live' && change !== 0) this.countDepth(this.nodes.depth[node] as number, change)
  }

  join(node: number, index: number, timestamp: number): void {
    if (this.mode === 'live') this.slots.join(node, index, timestamp)
  }

  /** Returns whether `node` is `ancestor` or below it. */
  isWithin(node: number, ancestor: number): boolean {
    const { nodes } = this
    if (this.mode === 'live') return nodes.isWithin(node, ancestor)
    if (this.hasShortcuts) return this.findRoot(node) === ancestor
    let at = node
    while (at !== none && at !== ancestor) at = nodes.parent[at] as number
    return at === ancestor
  }

  link(child: number, parent: number): void {
    const { nodes, holds } = this
    holds.keepDownline(child)
    holds.keepUpline(parent)
    nodes.link(child, parent)
    if (!this.isLive()) {
      nodes.jump[child] = parent
      return
    }
    this.changeUpline(child, parent, 'add')
    let height = (nodes.height[child] as number) + 1
    for (let at = parent; at !== none && height > (nodes.height[at] as number); at = nodes.parent[at] as number)
      nodes.height[at] = height++
    this.updateDepths(child)
    this.deferIfFragmented()
  }

  unlink(child: number): void {
    const { nodes, holds } = this
    const parent = nodes.parent[child] as number
    holds.keepDownline(child)
    holds.keepUpline(parent)
    nodes.unlink(child)
    if (!this.isLive()) {
      this.hasShortcuts = false
      return
    }
    this.changeUpline(child, parent, 'subtract')
    this.lowerHeights(parent)
    this.updateDepths(child)
    this.deferIfFragmented()
  }

  changeVolume(node: number, amount: Amounts, change: 'add' | 'subtract'): void {
    const { nodes, slots } = this
    this.holds.keepUpline(node)
    nodes.ownVolume[change](node, amount, 0)
    if (!this.isLive()) return
    slots.changeOwn(node, change, amount)
    for (let at = node; at !== none; at = nodes.parent[at] as number) {
      slots.changeLeg(at, change, amount, 0)
      this.steps++
    }
  }

  changeRewards(node: number, amount: Amounts, change: 'add' | 'subtract'): void {
    this.holds.keep(node)
    this.nodes.rewards[change](node, amount, 0)
  }

  /** Returns whether a change updates the columns at once. Defers once live changes cost more than a snapshot. */
  private isLive(): boolean {
    if (this.mode === 'live' && this.steps > Math.max(this.tuning.freeSteps, this.nodes.length)) this.defer()
    return this.mode === 'live'
  }

  private deferIfFragmented(): void {
    if (this.slots.cuts.length > this.tuning.mostCuts) this.defer()
  }

  /** Finds the root like a union–find, and shortens jumps: enough for `isWithin`, since without re-binds only roots are bound. */
  private findRoot(node: number): number {
    const { jump } = this.nodes
    let at = node
    while (jump[at] !== at) {
      jump[at] = jump[jump[at] as number] as number
      at = jump[at] as number
    }
    return at
  }

  /** Adds a moved child's team and leg volume to the upline from `parent` on, or subtracts them. */
  private changeUpline(child: number, parent: number, change: 'add' | 'subtract'): void {
    const { nodes, slots } = this
    slots.move(child)
    const slot = slots.slotOf[child] as number
    const size = (slots.team[slot] as number) + 1
    for (let at = parent; at !== none; at = nodes.parent[at] as number) {
      slots.addToTeam(at, change === 'add' ? size : -size)
      slots.changeLeg(at, change, slots.legVolume, slot)
      this.steps++
    }
  }

  /** Updates heights from `from` up to the root, after `from` lost a child. */
  private lowerHeights(from: number): void {
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

  /** Updates depth, jump and anchor of `top` and its downline. */
  private updateDepths(top: number): void {
    const { nodes, slots } = this
    for (let at = top; at !== none; at = nodes.nextBelow(at, top)) {
      this.countDepth(nodes.depth[at] as number, -1)
      this.computeDepth(at)
      this.countDepth(nodes.depth[at] as number, 1)
      slots.anchors.update(at)
      this.steps++
    }
  }

  /** Computes depth and jump from those of the referrer, like E. W. Myers' applicative random-access stack. */
  private computeDepth(node: number): void {
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

  private countDepth(depth: number, change: number): void {
    const { depths } = this
    while (depths.length <= depth) depths.push(0)
    depths[depth] = (depths[depth] as number) + change
    while (depths.at(-1) === 0) depths.pop()
  }

  /** Computes the columns by node, in the breadth-first order of a new snapshot. */
  private computeAll(): void {
    const { nodes, slots } = this
    this.depths.length = 0
    for (let slot = 0; slot < nodes.length; slot++) {
      const node = slots.nodeAt[slot] as number
      this.computeDepth(node)
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
