import { Amounts } from '../lib/amounts.ts'
import { partitionPoint } from '../lib/columns.ts'
import type { Places, Totals } from '../lib/totals.ts'
import type { Tuning } from '../tuning.ts'
import type { Slices } from '../types.ts'
import { type AmountLog, AmountReader } from './amountLog.ts'
import type { Nodes } from './nodes.ts'
import type { Slots } from './slots.ts'

/** A part is built again together with newer events once they are more than one in this many of it. */
const growth = 8
/** Steps to place an event, out of order in memory. */
const costOfEvent = 8
/** Kinds of amounts, each of which has a bucket in every block. */
export const amountKinds = ['volume', 'reward'] as const

type Parts = { amounts: AmountLog; nodes: Nodes; slots: Slots; tuning: Tuning }

/**
 * The volumes and rewards of a range of the log, by blocks of slots. Each block has a bucket for its volumes and one for its
 * rewards, both in log order with running sums. So the amounts of a block in a period are the difference of two sums.
 */
export interface AmountPart {
  /** Slots of a block. */
  readonly size: number
  readonly first: number
  /** End of the range. A rollback lowers it. */
  last: number
  /** For each bucket, `2 * block + kind`, the place of its first event, and the place after its last one. */
  readonly starts: Uint32Array
  readonly ends: Uint32Array
  /** Indexes in the log. */
  readonly events: Uint32Array
  /** Slot of each event in its block. */
  readonly offsets: Uint16Array
  /** For each event, the sum of its bucket up to it. */
  readonly sums: Amounts
  /** Indexes of events before the join of their member, or without one. They are in no bucket. */
  readonly early: Uint32Array
  /** Members, and generation of the slots, when it was built. */
  readonly members: number
  readonly generation: number
}

/**
 * Keeps the log of amounts by blocks of slots, in parts of which each is several times as long as the next. The newest events are in
 * none. Built on demand, and anew after a snapshot.
 */
export class AmountBlocks {
  private readonly parts: Parts
  private built: AmountPart[] = []
  /** The snapshot that the parts belong to. */
  private below: Uint32Array | undefined
  /** Builds the next part, for all queries that wait for it. */
  private building: { slices: Slices<AmountPart>; below: Uint32Array; rollbacks: number } | undefined

  constructor(parts: Parts) {
    this.parts = parts
  }

  /**
   * Returns the events from index `first` up to `last` of the log: those in blocks of the present snapshot, and the few others. Builds
   * blocks if most are in none.
   */
  *read(first: number, last: number): Slices<PeriodEvents> {
    const { amounts, slots, tuning } = this.parts
    for (;;) {
      if (this.below !== slots.below) this.built = []
      this.below = slots.below
      if (last - Math.max(first, this.end) <= tuning.looseEvents) return splitPeriod(this.built, first, last)
      if (this.building?.below !== slots.below || this.building.rollbacks !== amounts.rollbacks) this.begin()
      if (!this.continue()) yield
    }
  }

  /** Leaves out the events that a rollback has removed. */
  rollback(): void {
    const { length } = this.parts.amounts
    this.built = this.built.filter(({ first }) => first < length)
    for (const part of this.built) part.last = Math.min(part.last, length)
  }

  /** Memory without spare room. */
  get bytes(): number {
    const bytesOf = ({ starts, ends, events, offsets, sums, early }: AmountPart) =>
      [starts, ends, events, offsets, sums.words, early].reduce((sum, { byteLength }) => sum + byteLength, 0)
    return this.built.reduce((sum, part) => sum + bytesOf(part), 0)
  }

  private get end(): number {
    return this.built.at(-1)?.last ?? 0
  }

  /** Begins a part of the newest events and of the parts before that have become short beside them. */
  private begin(): void {
    const { amounts, slots } = this.parts
    const last = amounts.length
    const isLong = (part: AmountPart) => (last - part.last) * growth < part.last - part.first
    while (this.built.length > 0 && !isLong(this.built.at(-1) as AmountPart)) this.built.pop()
    const slices = buildPart(this.parts, this.end, last)
    this.building = { slices, below: slots.below, rollbacks: amounts.rollbacks }
  }

  /** Continues the part that is being built. Returns whether it is complete. */
  private continue(): boolean {
    const { building } = this
    // Not kept if it throws.
    this.building = undefined
    const step = building?.slices.next()
    if (step?.done) this.built.push(step.value)
    else this.building = building
    return step?.done === true
  }
}

function* buildPart({ amounts, nodes, slots, tuning }: Parts, first: number, last: number): Slices<AmountPart> {
  const size = tuning.blockSlots
  const { members } = nodes
  const { generation } = slots
  const bucketAt = (index: number, slot: number) => {
    const block = (slot - (slot % size)) / size
    return block * amountKinds.length + (amounts.kindAt(index) === 'volume' ? 0 : 1)
  }
  const stepsASlice = Math.max(1, Math.floor(tuning.sliceSteps / costOfEvent))
  const starts = new Uint32Array(Math.ceil(slots.length / size) * amountKinds.length)
  for (let index = first; index < last; index++) {
    const bucket = bucketAt(index, slots.slotOf[amounts.nodeAt(index)] as number)
    starts[bucket] = (starts[bucket] as number) + 1
    if (index % stepsASlice === 0) yield
  }
  placeBuckets(starts)

  const length = last - first
  const [events, offsets, sums] = [new Uint32Array(length), new Uint16Array(length), new Amounts(length)]
  const ends = starts.slice()
  const early: number[] = []
  const reader = new AmountReader(amounts)
  for (let index = first; index < last; index++) {
    reader.read(index)
    const node = amounts.nodeAt(index)
    // As joins are found at a moment, by block or by time.
    const isEarly = (nodes.block[node] as number) > reader.block || (nodes.joinedAt[node] as number) > reader.timestamp
    if (isEarly) early.push(index)
    else {
      const slot = slots.slotOf[node] as number
      const bucket = bucketAt(index, slot)
      const place = ends[bucket] as number
      ends[bucket] = place + 1
      events[place] = index
      offsets[place] = slot % size
      if (place > (starts[bucket] as number)) sums.copy(place, sums, place - 1)
      sums.add(place, reader.amount, 0)
    }
    if (index % stepsASlice === 0) yield
  }
  return {
    size,
    first,
    last,
    starts,
    ends,
    events,
    offsets,
    sums,
    early: Uint32Array.from(early),
    members,
    generation,
  }
}

/** Turns the numbers of events of the buckets into the places of their first events. */
function placeBuckets(counts: Uint32Array): void {
  let place = 0
  for (let bucket = 0; bucket < counts.length; bucket++) {
    const count = counts[bucket] as number
    counts[bucket] = place
    place += count
  }
}

/** The events of a period: by parts, each from index `first` up to `last` of the log, and the indexes of those that are read alone. */
export interface PeriodEvents {
  parts: { part: AmountPart; first: number; last: number }[]
  alone: readonly number[]
}

function splitPeriod(built: readonly AmountPart[], first: number, last: number): PeriodEvents {
  const parts: PeriodEvents['parts'] = []
  const alone: number[] = []
  let next = first
  for (const part of built) {
    const end = Math.min(part.last, last)
    if (end <= next) continue
    parts.push({ part, first: next, last: end })
    const { early } = part
    for (let at = partitionPoint(early.length, (index) => (early[index] as number) < next); at < early.length; at++) {
      if ((early[at] as number) >= end) break
      alone.push(early[at] as number)
    }
    next = end
  }
  for (let index = next; index < last; index++) alone.push(index)
  return { parts, alone }
}

/** Finds the events of a bucket from index `first` up to `last` of the log. */
export function findPlaces({ starts, ends, events }: AmountPart, bucket: number, first: number, last: number): Places {
  // Members who came after the part was built have no bucket.
  const start = starts[bucket] ?? 0
  const end = ends[bucket] ?? 0
  const from = findPlace(events, start, end, first)
  return { start, from, to: findPlace(events, from, end, last) }
}

/** Adds the events of a bucket that begins at `start`, from one place up to another, to a row. */
export function addPlaces({ sums }: AmountPart, into: Totals, row: number, { start, from, to }: Places): void {
  if (from >= to) return
  if (from > start) into.addDifference(row, sums, to - 1, from - 1)
  else into.add(row, sums, to - 1)
}

/** Returns the first place of at least an index. Quick for all places, and for none. */
function findPlace(events: Uint32Array, start: number, end: number, index: number): number {
  if (start === end || (events[end - 1] as number) < index) return end
  let low = start
  let high = (events[start] as number) < index ? end : start
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((events[middle] as number) < index) low = middle + 1
    else high = middle
  }
  return low
}
