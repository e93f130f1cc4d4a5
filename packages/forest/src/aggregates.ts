import type { Amounts } from './amounts.ts'
import { type Nodes, none } from './nodes.ts'

/**
 * Keeps depth, team, height and leg volume. A change walks up the uplines it touches; when the changes since the
 * last query have cost more steps than there are nodes, walking stops and the next query recomputes everything once.
 * So live blocks cost O(depth) an event, and loading any stream, even one chain of 100,000, costs O(1) an event.
 */
export class Aggregates {
  private readonly nodes: Nodes
  private settled = true
  private steps = 0

  constructor(nodes: Nodes) {
    this.nodes = nodes
  }

  /** To be called before any of the kept columns is read. */
  settle(): void {
    if (!this.settled) this.recompute()
    this.settled = true
    this.steps = 0
  }

  link(child: number, parent: number): void {
    const { nodes } = this
    nodes.link(child, parent)
    if (!this.isWalking()) return
    const size = (nodes.team[child] as number) + 1
    let height = (nodes.height[child] as number) + 1
    for (let at = parent; at !== none; at = nodes.parent[at] as number) {
      nodes.team[at] = (nodes.team[at] as number) + size
      nodes.height[at] = Math.max(nodes.height[at] as number, height)
      nodes.legVolume.add(at, nodes.legVolume, child)
      height++
      this.steps++
    }
    this.relabel(child)
  }

  unlink(child: number): void {
    const { nodes } = this
    const parent = nodes.parent[child] as number
    nodes.unlink(child)
    if (!this.isWalking()) return
    const size = (nodes.team[child] as number) + 1
    for (let at = parent; at !== none; at = nodes.parent[at] as number) {
      nodes.team[at] = (nodes.team[at] as number) - size
      nodes.legVolume.subtract(at, nodes.legVolume, child)
      this.steps++
    }
    this.lower(parent)
    this.relabel(child)
  }

  changeVolume(node: number, amount: Amounts, change: 'add' | 'subtract'): void {
    const { nodes } = this
    nodes.ownVolume[change](node, amount, 0)
    if (!this.isWalking()) return
    for (let at = node; at !== none; at = nodes.parent[at] as number) {
      nodes.legVolume[change](at, amount, 0)
      this.steps++
    }
  }

  private isWalking(): boolean {
    if (this.steps > this.nodes.length) this.settled = false
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

  /** Depths of `top` and its downline. */
  private relabel(top: number): void {
    const { nodes } = this
    for (let at = top; at !== none; at = nodes.nextBelow(at, top)) {
      const parent = nodes.parent[at] as number
      nodes.depth[at] = parent === none ? 0 : (nodes.depth[parent] as number) + 1
      this.steps++
    }
  }

  private recompute(): void {
    const { nodes } = this
    nodes.depth.fill(none, 0, nodes.length)
    for (let node = 0; node < nodes.length; node++) {
      this.measureDepth(node)
      nodes.team[node] = 0
      nodes.height[node] = 0
      nodes.legVolume.copy(node, nodes.ownVolume, node)
    }
    // From each leaf up, and past a referrer only with the last of its direct referrals.
    const waiting = nodes.directs.slice(0, nodes.length)
    for (let leaf = 0; leaf < nodes.length; leaf++) {
      if (nodes.directs[leaf] !== 0) continue
      let at = leaf
      for (let parent = nodes.parent[at] as number; parent !== none; parent = nodes.parent[at] as number) {
        nodes.team[parent] = (nodes.team[parent] as number) + (nodes.team[at] as number) + 1
        nodes.height[parent] = Math.max(nodes.height[parent] as number, (nodes.height[at] as number) + 1)
        nodes.legVolume.add(parent, nodes.legVolume, at)
        waiting[parent] = (waiting[parent] as number) - 1
        if (waiting[parent] !== 0) break
        at = parent
      }
    }
  }

  /** Climbs to the nearest referrer whose depth is known, then again to note the depths on the way. */
  private measureDepth(node: number): void {
    const { nodes } = this
    let steps = 0
    let at = node
    while (at !== none && nodes.depth[at] === none) {
      steps++
      at = nodes.parent[at] as number
    }
    let depth = (at === none ? -1 : (nodes.depth[at] as number)) + steps
    for (at = node; at !== none && nodes.depth[at] === none; at = nodes.parent[at] as number) nodes.depth[at] = depth--
  }
}
