import { HoldEndedError } from '../errors.ts'
import type { Hold } from '../types.ts'
import { type NodeStatus, type Nodes, none } from './nodes.ts'
import type { Slots } from './slots.ts'

/** Figures of a node that later events may change. */
export type HeldFigures = {
  status: NodeStatus
  parent: number
  root: number
  depth: number
  directs: number
  team: number
  ownVolume: bigint
  legVolume: bigint
  rewards: bigint
}
/** Figures before a change. `until`: the newest hold at that time, and so the last one with these figures. */
type HeldRow = HeldFigures & { until: number }
type Held = Hold & { number: number; version: number; users: number }

/**
 * Keeps earlier states of the forest for readers of the whole. The figures of a node are copied before their first change after a
 * hold began, so that a hold costs as much as changes meanwhile. When too many are kept, the oldest hold ends.
 */
export class Holds {
  private readonly nodes: Nodes
  private readonly slots: Slots
  private readonly most: number
  /** The oldest first. */
  private holds: Held[] = []
  private readonly rows = new Map<number, HeldRow[]>()
  private count = 0
  private last = 0

  /** @param most Largest number of kept rows. */
  constructor(nodes: Nodes, slots: Slots, most: number) {
    this.nodes = nodes
    this.slots = slots
    this.most = most
  }

  /** Begins a hold of the present state, whose aggregates must be current, or shares that of the same version. */
  begin(version: number, block: number): Hold {
    const latest = this.holds.at(-1)
    if (latest?.version === version) {
      latest.users++
      return latest
    }
    const { members, length: size } = this.nodes
    const hold = { number: ++this.last, version, users: 1, members, size, block }
    this.holds.push(hold)
    return hold
  }

  /** Ends the hold of one reader. */
  end(given: Hold): void {
    const hold = this.holds.find((one) => one === given)
    if (!hold || --hold.users > 0) return
    this.holds = this.holds.filter((one) => one !== hold)
    this.forgetUnused()
  }

  /** Ends all holds of a state with blocks after this one; all holds without it. */
  endAfter(block = Number.NEGATIVE_INFINITY): void {
    if (this.holds.length === 0) return
    this.holds = this.holds.filter((hold) => hold.block <= block)
    this.forgetUnused()
  }

  /** Returns the figures of a node in a held state if they have changed since. @throws {HoldEndedError} */
  find(given: Hold, node: number): HeldFigures | undefined {
    const { number } = this.require(given)
    return this.rows.get(node)?.find(({ until }) => until >= number)
  }

  /** @throws {HoldEndedError} if a hold has ended */
  require(given: Hold): Held {
    const hold = this.holds.find((one) => one === given)
    if (hold) return hold
    throw new HoldEndedError()
  }

  /** Keeps the figures of a node, which are about to change. */
  keep(node: number): void {
    const latest = this.holds.at(-1)
    if (!latest || node >= latest.size) return
    const rows = this.rows.get(node)
    if (rows?.at(-1)?.until === latest.number) return
    const row = { until: latest.number, ...this.read(node) }
    if (rows) rows.push(row)
    else this.rows.set(node, [row])
    if (++this.count > this.most) this.endOldest()
  }

  /** Keeps the figures of a node and of all above it. */
  keepUpline(node: number): void {
    for (let at = node; at !== none && this.holds.length > 0; at = this.nodes.parent[at] as number) this.keep(at)
  }

  /** Keeps the figures of a node and of all below it. */
  keepDownline(node: number): void {
    for (let at = node; at !== none && this.holds.length > 0; at = this.nodes.nextBelow(at, node)) this.keep(at)
  }

  private read(node: number): HeldFigures {
    const { nodes, slots } = this
    const slot = slots.slotOf[node] as number
    return {
      status: nodes.status[node] as NodeStatus,
      parent: nodes.parent[node] as number,
      root: nodes.rootOf(node),
      depth: nodes.depth[node] as number,
      directs: nodes.directs[node] as number,
      team: slots.team[slot] as number,
      ownVolume: nodes.ownVolume.get(node),
      legVolume: slots.legVolume.get(slot),
      rewards: nodes.rewards.get(node),
    }
  }

  private endOldest(): void {
    while (this.count > this.most && this.holds.length > 0) {
      this.holds.shift()
      this.forgetUnused()
    }
  }

  /** Forgets the figures that no hold needs. */
  private forgetUnused(): void {
    const oldest = this.holds[0]?.number ?? Number.POSITIVE_INFINITY
    for (const [node, rows] of this.rows) {
      const used = rows.filter(({ until }) => until >= oldest)
      this.count += used.length - rows.length
      if (used.length > 0) this.rows.set(node, used)
      else this.rows.delete(node)
    }
  }
}
