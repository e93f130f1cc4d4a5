import { type AmountPart, addPlaces, amountKinds, findPlaces } from '../data/amountBlocks.ts'
import { AmountReader } from '../data/amountLog.ts'
import type { ForestData } from '../data/forestData.ts'
import { partitionPoint } from '../lib/columns.ts'
import { keepNewest } from '../lib/keepNewest.ts'
import { Pace } from '../lib/pace.ts'
import type { Places, Totals } from '../lib/totals.ts'
import type { Slices } from '../types.ts'
import type { Past } from './past.ts'
import type { SlotLabels } from './slotLabels.ts'
import { findKept, LabelledSums, ownLabel, readWindow, type WindowSums } from './windowSums.ts'

/** Number of steps to read an event, whose member may be anywhere in memory. */
const costAlone = 4
/** Number of steps to read a block. */
const costOfBlock = 8
/** A team is large, for which all blocks are summed up, if it is one in this many of all members. */
const shareOfLarge = 4
/** Most sums that are kept for each part of the log. */
const mostKept = 32

/** A team at a moment, and the periods whose amounts are summed up. */
export interface SumsRequest {
  past: Past
  top: number
  /** Labels of the downline at the moment. Completed by that of the member itself. */
  labels: SlotLabels
  /** Number of labels, `ownLabel` included. */
  count: number
  /** Index in the log of the first event of each period, and after them the end of the last one. Ascending. */
  bounds: readonly number[]
  /** Keeps sums for the next request. The labels must be the same for the same team at the same moment. */
  isKept?: boolean
}

/** Sums up the amounts of a member, and of those who are in its downline at the moment of `past`, by period and label. */
export function* sumAmounts(data: ForestData, request: SumsRequest): Slices<LabelledSums> {
  const { past, top, labels, bounds } = request
  const sums = new LabelledSums(request)
  labels.addSlot(data.slots.slotOf[top] as number, ownLabel)
  const { parts, alone } = yield* data.amountBlocks.read(bounds[0] as number, bounds.at(-1) as number)
  past.requireSameRows()
  const pace = new Pace(data.tuning.sliceSteps, () => past.requireSameRows())
  for (const { part, first, last } of parts) {
    const inPart = { ...request, bounds: clamp(bounds, first, last) }
    if (request.isKept) yield* addKept({ data, part, pace }, inPart, sums)
    else yield* addRanges({ data, part, pace }, inPart, { into: sums, rows: 'all' })
  }
  const addEvent = createAdder(data, request, sums)
  for (const index of alone) {
    addEvent(index)
    if (pace.spend(costAlone)) yield* pace.pause()
  }
  return sums
}

type Walk = { data: ForestData; part: AmountPart; pace: Pace }
type RequestInPart = Omit<SumsRequest, 'bounds'> & { bounds: Uint32Array }

/** Adds the events of a part, of those members whose slots are in the snapshot or after it. */
function* addRanges(
  { data, part, pace }: Walk,
  request: RequestInPart,
  { into, rows }: { into: LabelledSums; rows: 'all' | 'snapshot' | 'newer' },
): Slices<void> {
  const edge = data.slots.below.length - 1
  const least = rows === 'newer' ? edge : 0
  const most = rows === 'snapshot' ? edge : Number.POSITIVE_INFINITY
  const sums = createPartSums(part, request, { sums: into, window: yield* findWindow({ data, part, pace }, request) })
  for (const range of request.labels.ranges()) {
    const end = Math.min(range.high, most)
    for (let low = Math.max(range.low, least); low < end; ) {
      const high = sums.endOf(low, end)
      if (pace.spend(sums.add(low, high, range.label))) yield* pace.pause()
      low = high
    }
  }
  sums.flush()
}

/** Returns the sums of all blocks in a single period: those that are kept, or for a large team new ones. */
function* findWindow({ data, part, pace }: Walk, { labels, bounds }: RequestInPart): Slices<WindowSums | undefined> {
  if (bounds.length > 2) return undefined
  const window = { part, first: bounds[0] as number, last: bounds[1] as number }
  const isLarge = labels.slots * shareOfLarge > data.slots.length
  return isLarge ? yield* readWindow(window, pace) : findKept(window)
}

/** Sums of the snapshot's slots, by what decides on them. */
const keptSums = new WeakMap<AmountPart, Map<string, LabelledSums>>()

/** Adds the events of a part, and keeps the sums of the snapshot's slots for the next time. */
function* addKept(walk: Walk, request: RequestInPart, sums: LabelledSums): Slices<void> {
  const { data, part } = walk
  const { past, top, bounds } = request
  // All who joined after the part was built have rows after the snapshot, unless its generation has changed since.
  const joins = past.generation === part.generation ? Math.min(past.joins, part.members) : past.joins
  const key = [top, past.generation, data.moves.length, past.moves, joins, bounds.join()].join(' ')
  const keptInPart = keptSums.get(part) ?? new Map<string, LabelledSums>()
  keptSums.set(part, keptInPart)
  let kept = keptInPart.get(key)
  if (!kept) {
    kept = new LabelledSums(request)
    yield* addRanges(walk, request, { into: kept, rows: 'snapshot' })
    keepNewest(keptInPart, key, kept, mostKept)
  }
  sums.add(kept)
  yield* addRanges(walk, request, { into: sums, rows: 'newer' })
}

const clamp = (bounds: readonly number[], first: number, last: number) =>
  Uint32Array.from(bounds, (bound) => Math.min(Math.max(bound, first), last))

/** Creates a function that adds one event. */
function createAdder(
  { amounts, slots }: ForestData,
  { past, top, labels, count, bounds }: SumsRequest,
  sums: LabelledSums,
): (index: number) => void {
  const reader = new AmountReader(amounts)
  return (index) => {
    const node = amounts.nodeAt(index)
    const slot = slots.slotOf[node] as number
    if (node !== top && !past.hasJoined(slot)) return
    const label = labels.find(slot)
    if (label === undefined) return
    const period = partitionPoint(bounds.length, (at) => (bounds[at] as number) <= index) - 1
    reader.read(index)
    sums.column(amountKinds.indexOf(reader.kind)).add(period * count + label, reader.amount, 0)
  }
}

/** Adds the events of a part by blocks. */
function createPartSums(
  part: AmountPart,
  { count, bounds }: { count: number; bounds: Uint32Array },
  { sums, window }: { sums: LabelledSums; window: WindowSums | undefined },
) {
  const { size } = part
  /** Label of each slot of `open`, plus one. */
  const marks = new Uint32Array(size)
  /** The block of which some slots have labels, or not all the same. */
  let open = -1

  /** Returns up to where slots can be added at once: to the end of a block, or of several. */
  function endOf(low: number, end: number): number {
    const whole = end - (end % size)
    if (window && low % size === 0 && whole > low) return whole
    return Math.min(low - (low % size) + size, end)
  }

  /** Adds the events of slots, up to one that `endOf` returns. They come in ascending order. Returns the number of steps. */
  function add(low: number, high: number, label: number): number {
    const block = Math.floor(low / size)
    let steps = 1
    if (block !== open) steps += flush()
    if (high - low >= size) {
      if (!window) return steps + addBlock(block, label)
      window.addBlocks(sums, label, { from: block, to: high / size })
      return steps + costOfBlock
    }
    open = block
    marks.fill(label + 1, low - block * size, high - block * size)
    return steps
  }

  /** Adds the events of the slots with marks. Returns the number of steps. */
  function flush(): number {
    const block = open
    if (block < 0) return 0
    open = -1
    const steps = readPeriods(block, (into, base, places) => {
      into.addEach(part.sums, places, { offsets: part.offsets, rows: marks, base })
      return places.to - places.from
    })
    marks.fill(0)
    return steps
  }

  /** Adds the events of a whole block. Returns the number of steps. */
  function addBlock(block: number, label: number): number {
    return readPeriods(block, (into, base, places) => {
      addPlaces(part, into, base + label, places)
      return 1
    })
  }

  /** Calls a function with the places of each period of a block, and the first row of the period. Returns the number of its steps. */
  function readPeriods(block: number, read: (into: Totals, base: number, places: Places) => number): number {
    const hasPeriods = bounds.length > 2
    let steps = costOfBlock
    for (let kind = 0; kind < amountKinds.length; kind++) {
      const into = sums.column(kind)
      const { start, from: first, to: end } = placesOf(block, kind)
      let period = 0
      for (let from = first; from < end; ) {
        if (hasPeriods) period = gallop(bounds, period + 1, bounds.length, (part.events[from] as number) + 1) - 1
        const to = period === bounds.length - 2 ? end : gallop(part.events, from + 1, end, bounds[period + 1] as number)
        steps += read(into, period * count, { start, from, to })
        from = to
      }
    }
    return steps
  }

  /** Finds the events of a block in all periods. */
  function placesOf(block: number, kind: number): Places {
    return findPlaces(part, block * amountKinds.length + kind, bounds[0] as number, bounds.at(-1) as number)
  }

  return { endOf, add, flush }
}

/** Returns the first index from `from` up to `to` whose number is at least `least`. Quick where that is near. */
function gallop(sorted: Uint32Array, from: number, to: number, least: number): number {
  let low = from
  let step = 1
  while (low + step <= to && (sorted[low + step - 1] as number) < least) {
    low += step
    step *= 2
  }
  let high = Math.min(low + step - 1, to)
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] as number) < least) low = middle + 1
    else high = middle
  }
  return low
}
