import type { ForestData } from '../data/forestData.ts'
import { type Nodes, nodeStatus, none } from '../data/nodes.ts'
import { DownlineChangedError, QueryTooCostlyError } from '../errors.ts'
import { partitionPoint, SlotList } from '../lib/columns.ts'
import { Pace } from '../lib/pace.ts'
import type { Moment, Slices } from '../types.ts'

/** Flag: the slot is in `movedOut`. */
const isMovedOut = 1
/** Flag: the slot has children in `movedIn`. */
const hasMovedIn = 2
/** Number of steps to look up one move. */
const costAlone = 16
/** Number of steps of a level of any size, because a chain has as many levels as members. */
const costOfLevel = 16

/** Slots of one level from `first` up to `end`; `legs` has, for each slot, the index of its leg among the directs. */
export interface LevelSlice {
  level: number
  slots: SlotList
  legs: SlotList
  first: number
  end: number
}

/** Returns how many members had joined at a moment. */
export function joinsUntil({ block, joinedAt, joinOrder, members }: Nodes, moment: Moment): number {
  const [column, last] = 'block' in moment ? [block, moment.block] : [joinedAt, moment.timestamp]
  return partitionPoint(members, (index) => (column[joinOrder[index] as number] as number) <= last)
}

/**
 * The forest at a past moment. An edge exists once its member has joined; later moves are undone. Downlines are read
 * level by level from the snapshot, without the rows of later and moved members, and with others added.
 */
export class Past {
  private readonly data: ForestData
  private readonly moment: Moment
  /** Members with a lower join index had joined. */
  readonly joins: number
  /** Number of moves up to the moment. */
  readonly moves: number
  /** Parent at the moment of each node that has moved since. */
  readonly parents = new Map<number, number>()
  /** Nodes with a later move that may be of before the moment. */
  readonly uncertainMoves = new Set<number>()
  /** First block of which all binds are later than the moment, as far as the joins tell. */
  private readonly nextBlock: number
  /** Slots that have moved, or were removed, from below their parents of the snapshot: since it, or since the moment. */
  readonly movedOut = new Set<number>()
  /** Children, by past parent, that moved there or joined since the snapshot, or were there before a later move. */
  readonly movedIn = new Map<number, number[]>()
  /** `isMovedOut` and `hasMovedIn` by slot; `undefined` while all rows of the snapshot are in place. */
  private flags: Uint8Array | undefined
  /** Generation of the slots that it was read from. */
  readonly generation: number
  private readonly moveCount: number
  /** Rows of the snapshot, and number of rollbacks, that slots belong to. */
  private readonly rows: { below: Uint32Array; rollbacks: number }

  constructor(data: ForestData, moment: Moment) {
    this.data = data
    this.moment = moment
    const { nodes, moves, slots, tuning } = data
    this.generation = slots.generation
    this.moveCount = moves.length
    this.rows = { below: slots.below, rollbacks: data.amounts.rollbacks }
    this.joins = joinsUntil(nodes, moment)
    this.nextBlock =
      'block' in moment
        ? moment.block + 1
        : this.joins < nodes.members
          ? (nodes.block[nodes.joinOrder[this.joins] as number] as number)
          : Number.POSITIVE_INFINITY
    const first = moves.until(moment)
    this.moves = first
    if ((moves.length - first) * costAlone > tuning.filterSteps) throw new QueryTooCostlyError('moves')
    for (let index = moves.length - 1; index >= first; index--) {
      this.parents.set(moves.nodeAt(index), moves.parentBefore(index))
      if (moves.mayBeBefore(index, this.nextBlock)) this.uncertainMoves.add(moves.nodeAt(index))
    }
    this.findMoves()
  }

  /** Returns whether the node had been bound. */
  isBound(node: number): boolean {
    const { nodes, slots } = this.data
    return nodes.status[node] === nodeStatus.member && this.hasJoined(slots.slotOf[node] as number)
  }

  /** Returns whether the node had been bound or named as a referrer. */
  isKnown(node: number): boolean {
    const { moves } = this.data
    if (this.isBound(node) || this.countDirects(node, 1) > 0) return true
    for (let index = moves.until(this.moment) - 1; index >= 0; index--)
      if (moves.parentBefore(index) === node) return true
    return false
  }

  /** Returns whether it is not known where the node was: its join, or a move, may be of before the moment or after it. */
  isUncertain(node: number): boolean {
    const { nodes, slots } = this.data
    if (nodes.status[node] !== nodeStatus.member) return false
    if (this.isBound(node)) return this.uncertainMoves.has(node)
    const join = slots.joinIndex[slots.slotOf[node] as number] as number
    return nodes.grade[node] !== 0 && this.mayHaveJoined(nodes.undated.indexOf(join))
  }

  /** Returns whether an undated join that counts as later, by its index, may be of before the moment. */
  mayHaveJoined(index: number): boolean {
    return this.data.nodes.undated.firstBlockAt(index) < this.nextBlock
  }

  parentOf(node: number): number {
    if (!this.isBound(node)) return none
    return this.parents.get(node) ?? (this.data.nodes.parent[node] as number)
  }

  /** Counts the directs, up to `most`. */
  countDirects(node: number, most = Number.POSITIVE_INFINITY): number {
    let count = 0
    this.forEachChild(this.data.slots.slotOf[node] as number, () => (++count < most ? 'more' : 'enough'))
    return count
  }

  /**
   * Visits the levels of a downline, slice by slice.
   *
   * @throws {DownlineChangedError} after a pause in which downlines may have changed
   */
  *readDownline(top: number, visit: (slice: LevelSlice) => void): Slices<void> {
    const pace = new Pace(this.data.tuning.sliceSteps, () => this.requireUnchanged())
    let slots = new SlotList()
    let legs = new SlotList()
    this.forEachChild(this.data.slots.slotOf[top] as number, (slot) => {
      legs.push(slots.length)
      slots.push(slot)
      return 'more'
    })
    for (let level = 1; slots.length > 0; level++) {
      const nextSlots = new SlotList()
      const nextLegs = new SlotList()
      pace.spend(costOfLevel)
      for (let first = 0, end = 0; first < slots.length; first = end) {
        end = Math.min(first + Math.max(pace.left, 1), slots.length)
        visit({ level, slots, legs, first, end })
        for (let index = first; index < end; index++)
          this.addChildren(slots.words[index] as number, nextSlots, legs.words[index] as number, nextLegs)
        if (pace.spend(end - first)) yield* pace.pause()
      }
      slots = nextSlots
      legs = nextLegs
    }
  }

  /** Throws `DownlineChangedError` after a pause in which downlines may have changed. */
  requireUnchanged(): void {
    const { aggregates, moves, slots } = this.data
    aggregates.ensureCurrent()
    if (slots.generation !== this.generation || moves.length !== this.moveCount) throw new DownlineChangedError()
  }

  /** Throws `DownlineChangedError` if slots or moves may have changed. Later joins do not matter to `addChildren`. */
  requireSameRows(): void {
    const { amounts, moves, slots } = this.data
    const { below, rollbacks } = this.rows
    if (slots.below !== below || amounts.rollbacks !== rollbacks || moves.length !== this.moveCount)
      throw new DownlineChangedError()
  }

  /** Adds the children of a slot to the next level. Does not use `forEachChild`, because there are millions. */
  addChildren(slot: number, into: SlotList, leg = 0, legs?: SlotList): void {
    const { below, joinIndex, nodeAt, slotOf } = this.data.slots
    const { flags, joins } = this
    const end = slot < below.length - 1 ? (below[slot + 1] as number) : 0
    for (let child = end === 0 ? 0 : (below[slot] as number); child < end; child++) {
      if ((joinIndex[child] as number) >= joins || (flags && ((flags[child] as number) & isMovedOut) !== 0)) continue
      into.push(child)
      legs?.push(leg)
    }
    if (!flags || ((flags[slot] as number) & hasMovedIn) === 0) return
    for (const node of this.movedIn.get(nodeAt[slot] as number) ?? []) {
      into.push(slotOf[node] as number)
      legs?.push(leg)
    }
  }

  /** Returns whether the member of a slot had joined. */
  hasJoined(slot: number): boolean {
    return (this.data.slots.joinIndex[slot] as number) < this.joins
  }

  /** Visits the slots of the directs. */
  forEachChild(slot: number, visit: (slot: number) => 'more' | 'enough'): void {
    const { below, nodeAt, slotOf } = this.data.slots
    const { flags } = this
    const end = slot < below.length - 1 ? (below[slot + 1] as number) : 0
    for (let child = end === 0 ? 0 : (below[slot] as number); child < end; child++) {
      if (flags && ((flags[child] as number) & isMovedOut) !== 0) continue
      if (this.hasJoined(child) && visit(child) === 'enough') return
    }
    if (!flags || ((flags[slot] as number) & hasMovedIn) === 0) return
    for (const node of this.movedIn.get(nodeAt[slot] as number) ?? [])
      if (visit(slotOf[node] as number) === 'enough') return
  }

  /** Finds the children that are not below their past parents in the snapshot. */
  private findMoves(): void {
    const { nodes, slots } = this.data
    const { cuts, moved, snapshotLength, slotOf } = slots
    const flag = (slot: number, bit: number) => {
      this.flags ??= new Uint8Array(slots.length)
      this.flags[slot] = (this.flags[slot] as number) | bit
    }
    const add = (node: number) => {
      const parent = this.parentOf(node)
      if (parent === none) return
      flag(slotOf[parent] as number, hasMovedIn)
      const list = this.movedIn.get(parent)
      if (list) list.push(node)
      else this.movedIn.set(parent, [node])
    }
    for (const slot of cuts) this.movedOut.add(slot)
    for (const node of this.parents.keys()) this.movedOut.add(slotOf[node] as number)
    for (const slot of this.movedOut) flag(slot, isMovedOut)
    for (const node of moved) if (!this.parents.has(node)) add(node)
    for (const node of this.parents.keys()) add(node)
    for (let node = snapshotLength; node < nodes.length; node++) if (!this.parents.has(node)) add(node)
  }
}
