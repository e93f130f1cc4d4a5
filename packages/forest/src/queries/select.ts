import { type Amounts, amountOf } from '../amounts.ts'
import { Downline } from '../downline.ts'
import { blockBits } from '../nodes.ts'
import type { Slots } from '../slots.ts'
import { Smallest } from '../smallest.ts'
import type { State } from '../state.ts'
import type { ReferralsSort } from '../types.ts'
import { walk } from './walk.ts'

/** What a member is sorted by; equals stand in join order. */
export interface Key {
  value: bigint
  joined: number
}

interface Selection {
  level: number | 'all'
  sort: ReferralsSort
  order: 'asc' | 'desc'
  count: number
  ahead?: number
  /** Only what stands after this key. */
  after?: Key | undefined
}

/** Blocks to look at first, so that most of the others can be passed over. */
const seedCount = 64
const blockSize = 1 << blockBits
/** Ceilings of amounts are rounded up by at most 2^-47 of them. */
const roundedBy = 2 ** -45

export function keyOf({ team, joinOrder, legVolume }: Slots, slot: number, sort: ReferralsSort): Key {
  const joined = joinOrder[slot] as number
  if (sort === 'volume') return { value: legVolume.get(slot), joined }
  return { value: BigInt(sort === 'team' ? (team[slot] as number) : joined), joined }
}

/**
 * The first `count` slots of a level of the downline, or of all of it, in order; `ahead` more of them where everybody had to
 * be looked at, which then costs hardly more.
 */
export function select(state: State, top: number, selection: Selection): number[] {
  const { nodes, slots } = state
  const { level, count, ahead = 0 } = selection
  if (level !== 'all' && level > (nodes.height[top] as number)) return []
  const scanFor = (count: number) =>
    new (selection.sort === 'volume' ? VolumeScan : NumberScan)(slots, { ...selection, count })
  const size = level === 1 ? (nodes.directs[top] as number) : (slots.team[slots.slotOf[top] as number] as number)
  if (size <= state.tuning.smallTeam) {
    const scan = scanFor(count)
    walk(state, top, level, (node) => scan.look(slots.slotOf[node] as number))
    return scan.smallest.sorted()
  }
  const downline = new Downline(state, top, level === 'all' ? Number.POSITIVE_INFINITY : level)
  const has = (node: number) => {
    const at = downline.levelOf(node)
    return (level === 'all' ? at > 0 : at === level) && downline.has(node)
  }
  const found = inJoinOrder(state, selection, size, has)
  if (found) return found

  const runs: number[] = []
  for (let at = level === 'all' ? 1 : level; at < downline.levels && (level === 'all' || at === level); at++)
    downline.forEachRun(at, (low, high) => runs.push(low, high))
  const scan = scanFor(count + ahead)
  scan.lookAtRuns(runs)
  for (let node = slots.frozen; node < nodes.length; node++) if (has(node)) scan.look(slots.slotOf[node] as number)
  return scan.smallest.sorted()
}

/**
 * Goes through everybody in the order of their joins, as long as that seems to lead to a full page soon: by join time,
 * or by a value that the cursor stands at and many share.
 */
function inJoinOrder(
  { nodes, slots, tuning: { tries } }: State,
  { sort, order, count, after }: Selection,
  size: number,
  has: (node: number) => boolean,
): number[] | undefined {
  const step = order === 'asc' ? 1 : -1
  if (sort !== 'joined' && !after && order === 'desc') return undefined
  const value = after?.value ?? 0n
  const amount = amountOf(value)
  const isEqual = (slot: number) =>
    sort === 'joined' ||
    (sort === 'team' ? slots.team[slot] === Number(value) : slots.legVolume.compare(slot, amount, 0) === 0)
  const found: number[] = []
  const most = sort === 'joined' ? Math.max(tries, size >>> 4) : tries
  const start = after ? Math.min(after.joined, nodes.members) + step : order === 'asc' ? 0 : nodes.members - 1
  let steps = 0
  for (let at = start; at >= 0 && at < nodes.members; at += step) {
    const node = nodes.joined[at] as number
    const slot = slots.slotOf[node] as number
    if (isEqual(slot) && has(node) && found.push(slot) === count) return found
    if (++steps >= most || (steps === most >>> 3 && found.length < count >>> 4)) return undefined
  }
  return sort === 'joined' ? found : undefined
}

/** Keeps the smallest of the slots it looks at; for a falling order, of the mirrored values. */
abstract class Scan {
  readonly smallest: Smallest
  protected readonly slots: Slots
  protected readonly selection: Selection

  constructor(slots: Slots, selection: Selection, compare: (left: number, right: number) => number) {
    this.slots = slots
    this.selection = selection
    const { count, order } = selection
    this.smallest = new Smallest(count, order === 'asc' ? compare : (left, right) => compare(right, left))
  }

  abstract look(slot: number): void
  abstract lookAt(low: number, high: number): void
  /** Upper bounds of the value for each block of slots, if there are any. */
  protected abstract readonly most: Uint32Array | Float64Array | undefined
  /** For each block of slots nobody of value 0 joined before, if that is known. */
  protected abstract readonly firstOfNone: Uint32Array | undefined
  /** The value of the last of those kept, not rounded up; `undefined` without a full page. */
  protected abstract bound(): number | undefined

  lookAtRuns(runs: readonly number[]): void {
    const after = this.selection.after?.value
    const { most, firstOfNone } = this
    if (this.selection.order === 'desc' && most) {
      const last = after === undefined ? Number.POSITIVE_INFINITY : Number(after)
      this.lookAtPieces(runs, {
        before: (left, right) => (most[right] as number) - (most[left] as number),
        isSeed: (block) => (most[block] as number) < last,
        mayHold: (block, bound) => (most[block] as number) >= bound,
      })
    } else if (this.selection.order === 'asc' && firstOfNone && (after ?? 0n) === 0n) {
      const { joinOrder } = this.slots
      this.lookAtPieces(runs, {
        before: (left, right) => (firstOfNone[left] as number) - (firstOfNone[right] as number),
        isSeed: () => true,
        mayHold: (block, bound, slot) => bound !== 0 || (firstOfNone[block] as number) < (joinOrder[slot] as number),
      })
    } else for (let run = 0; run < runs.length; run += 2) this.lookAt(runs[run] as number, runs[run + 1] as number)
  }

  /** Where the first are likely to be at first, so that most of the others can be passed over. */
  private lookAtPieces(runs: readonly number[], { before, isSeed, mayHold }: BlockOrder): void {
    // Whatever stands between two borders of blocks, or of runs and blocks, by its first slot.
    const compare = (left: number, right: number) => before(left >>> blockBits, right >>> blockBits)
    const seeds = new Smallest(seedCount, (left, right) => compare(left, right) || left - right)
    const ends = new Map<number, number>()
    forEachPiece(runs, (low, high) => {
      if (!isSeed(low >>> blockBits) || (seeds.bound !== undefined && compare(low, seeds.bound) > 0)) return
      seeds.offer(low)
      ends.set(low, high)
    })
    const done = new Set(seeds.sorted())
    for (const low of done) this.lookAt(low, ends.get(low) as number)
    // Of fewer than fill a batch the last is not known yet.
    this.smallest.sorted()
    let last = this.smallest.bound
    let bound = this.bound()
    forEachPiece(runs, (low, high) => {
      if (last !== undefined && bound !== undefined && !mayHold(low >>> blockBits, bound, last)) return
      if (done.has(low)) return
      this.lookAt(low, high)
      if (this.smallest.bound === last) return
      last = this.smallest.bound
      bound = this.bound()
    })
  }
}

interface BlockOrder {
  before(left: number, right: number): number
  isSeed(block: number): boolean
  /** Whether one of the block may come before the last of a full page, which has this value and slot. */
  mayHold(block: number, value: number, slot: number): boolean
}

class NumberScan extends Scan {
  protected readonly most: Uint32Array | undefined
  protected readonly firstOfNone: Uint32Array | undefined
  private readonly values: Uint32Array
  private readonly flip: number
  private readonly afterValue: number
  private readonly afterJoined: number

  constructor(slots: Slots, selection: Selection) {
    const { team, joinOrder, teamMost, firstWithoutTeam } = slots
    const values = selection.sort === 'team' ? team : joinOrder
    super(
      slots,
      selection,
      (left, right) =>
        (values[left] as number) - (values[right] as number) ||
        (joinOrder[left] as number) - (joinOrder[right] as number),
    )
    this.values = values
    this.most = selection.sort === 'team' ? teamMost : undefined
    this.firstOfNone = selection.sort === 'team' ? firstWithoutTeam : undefined
    this.flip = selection.order === 'asc' ? 0 : 0xffff_ffff
    const { after } = selection
    this.afterValue = after ? this.mirror(Number(after.value)) : -1
    this.afterJoined = after ? this.mirror(after.joined) : -1
  }

  look(slot: number): void {
    this.lookAt(slot, slot + 1)
  }

  lookAt(low: number, high: number): void {
    const { values, flip, afterValue, afterJoined, smallest } = this
    const { joinOrder } = this.slots
    let { bound } = smallest
    let boundValue = bound === undefined ? 2 ** 32 : ((values[bound] as number) ^ flip) >>> 0
    let boundJoined = bound === undefined ? 0 : ((joinOrder[bound] as number) ^ flip) >>> 0
    for (let slot = low; slot < high; slot++) {
      const value = ((values[slot] as number) ^ flip) >>> 0
      if (value > boundValue || value < afterValue) continue
      if (value === boundValue || value === afterValue) {
        const joined = ((joinOrder[slot] as number) ^ flip) >>> 0
        if (value === boundValue && joined >= boundJoined) continue
        if (value === afterValue && joined <= afterJoined) continue
      }
      smallest.offer(slot)
      if (smallest.bound === bound) continue
      bound = smallest.bound as number
      boundValue = ((values[bound] as number) ^ flip) >>> 0
      boundJoined = ((joinOrder[bound] as number) ^ flip) >>> 0
    }
  }

  protected bound(): number | undefined {
    const { bound } = this.smallest
    return bound === undefined ? undefined : (this.values[bound] as number)
  }

  private mirror(value: number): number {
    // A hostile cursor may hold more than any value.
    return this.flip === 0 ? value : 0xffff_ffff - value
  }
}

class VolumeScan extends Scan {
  protected readonly most: Float64Array
  protected readonly firstOfNone: Uint32Array
  private readonly after: { amount: Amounts; joined: number } | undefined
  private readonly sign: number

  constructor(slots: Slots, selection: Selection) {
    const { legVolume, joinOrder } = slots
    super(
      slots,
      selection,
      (left, right) =>
        legVolume.compare(left, legVolume, right) || (joinOrder[left] as number) - (joinOrder[right] as number),
    )
    this.most = slots.legCeiling
    this.firstOfNone = slots.firstWithoutLeg
    this.sign = selection.order === 'asc' ? 1 : -1
    const { after } = selection
    this.after = after && { amount: amountOf(after.value), joined: after.joined }
  }

  look(slot: number): void {
    this.lookAt(slot, slot + 1)
  }

  lookAt(low: number, high: number): void {
    const { smallest, after, sign } = this
    const { legVolume, joinOrder } = this.slots
    let { bound } = smallest
    let [least, most] = this.range()
    for (let slot = low; slot < high; slot++) {
      const rounded = legVolume.ceiling(slot)
      if (rounded < least || rounded > most) continue
      if (bound !== undefined) {
        const order = sign * legVolume.compare(slot, legVolume, bound)
        if (order > 0 || (order === 0 && sign * ((joinOrder[slot] as number) - (joinOrder[bound] as number)) >= 0))
          continue
      }
      if (after) {
        const order = sign * legVolume.compare(slot, after.amount, 0)
        if (order < 0 || (order === 0 && sign * ((joinOrder[slot] as number) - after.joined) <= 0)) continue
      }
      smallest.offer(slot)
      if (smallest.bound === bound) continue
      bound = smallest.bound
      ;[least, most] = this.range()
    }
  }

  /** Whose rounded amount is outside need not be compared bit by bit. */
  private range(): [least: number, most: number] {
    const { bound } = this.smallest
    const last = bound === undefined ? undefined : this.slots.legVolume.ceiling(bound)
    const first = this.after?.amount.ceiling(0)
    const [low, high] = this.sign === 1 ? [first, last] : [last, first]
    return [(low ?? 0) * (1 - roundedBy), (high ?? Number.POSITIVE_INFINITY) * (1 + roundedBy)]
  }

  protected bound(): number | undefined {
    const { bound } = this.smallest
    return bound === undefined ? undefined : this.slots.legVolume.ceiling(bound) * (1 - roundedBy)
  }
}

/** Runs of slots, cut at the borders of blocks. */
function forEachPiece(runs: readonly number[], visit: (low: number, high: number) => void): void {
  for (let run = 0; run < runs.length; run += 2) {
    const high = runs[run + 1] as number
    for (let low = runs[run] as number; low < high; ) {
      const end = Math.min(high, (low | (blockSize - 1)) + 1)
      visit(low, end)
      low = end
    }
  }
}
