import type { ForestData } from '../data/forestData.ts'
import type { Slots } from '../data/slots.ts'
import { Downline, walk } from '../downline/downline.ts'
import { type ChunkRanking, searchChunks } from '../downline/searchChunks.ts'
import { amountOf, ceilingMargin } from '../lib/amounts.ts'
import { Smallest } from '../lib/smallest.ts'
import type { ReferralsSort } from '../types.ts'

/** Number of chunks searched first, so that most of the others can be skipped. */
const seedCount = 64

interface Selection extends ScanOrder {
  level: number | 'all'
  sort: ReferralsSort
  count: number
  /** Number of rows to add to the page if the whole downline is scanned, which then costs little more. */
  ahead?: number
}

/** Returns the first `count` slots of one level of a downline, or of all of it, in order. */
export function select(data: ForestData, top: number, selection: Selection): number[] {
  const { nodes, slots, tuning } = data
  const { level } = selection
  if (level !== 'all' && level > (nodes.height[top] as number)) return []
  const size = level === 1 ? (nodes.directs[top] as number) : slots.teamOf(top)
  if (size <= tuning.smallTeam) return selectByWalk(data, top, selection)
  const downline = new Downline(data, top, level === 'all' ? Number.POSITIVE_INFINITY : level)
  return selectInJoinOrder(data, downline, selection, size) ?? selectByScan(data, downline, selection)
}

function selectByWalk(data: ForestData, top: number, selection: Selection): number[] {
  const { slots } = data
  const { kept, scan } = createScan(slots, selection, selection.count)
  walk(data, top, selection.level, (node) => {
    const slot = slots.slotOf[node] as number
    scan(slot, slot + 1)
  })
  return kept.sorted()
}

/** Reads members in join order if that soon fills a page, because it is the order or many share a value; else `undefined`. */
function selectInJoinOrder(
  { nodes, slots, tuning: { tries } }: ForestData,
  downline: Downline,
  { level, sort, order, count, after }: Selection,
  size: number,
): number[] | undefined {
  if (sort !== 'joined' && !after && order === 'desc') return undefined
  const step = order === 'asc' ? 1 : -1
  const value = Number(after?.value ?? 0n)
  const amount = amountOf(after?.value ?? 0n)
  const isAtValue = (slot: number) =>
    sort === 'joined' || (sort === 'team' ? slots.team[slot] === value : slots.legVolume.compare(slot, amount, 0) === 0)
  const found: number[] = []
  const most = sort === 'joined' ? Math.max(tries, size >>> 4) : tries
  const start = after ? Math.min(after.joinIndex, nodes.members) + step : order === 'asc' ? 0 : nodes.members - 1
  let steps = 0
  for (let index = start; index >= 0 && index < nodes.members; index += step) {
    const node = nodes.joinOrder[index] as number
    const slot = slots.slotOf[node] as number
    if (isAtValue(slot) && downline.hasAt(node, level) && found.push(slot) === count) return found
    if (++steps >= most || (steps === most >>> 3 && found.length < count >>> 4)) return undefined
  }
  return sort === 'joined' ? found : undefined
}

/** Scans all ranges of the downline, then the members newer than the snapshot. */
function selectByScan({ nodes, slots }: ForestData, downline: Downline, selection: Selection): number[] {
  const { level, count, ahead = 0 } = selection
  const { kept, scan } = createScan(slots, selection, count + ahead)
  const ranges = level === 'all' ? downline.rangesOf(1, downline.levels) : downline.rangesOf(level)
  const ranking = rankChunks(slots, selection)
  if (ranking) searchChunks(ranges, kept, scan, ranking, seedCount)
  else for (let range = 0; range < ranges.length; range += 2) scan(ranges[range] as number, ranges[range + 1] as number)
  for (let node = slots.snapshotLength; node < nodes.length; node++)
    if (downline.hasAt(node, level)) scan(slots.slotOf[node] as number, (slots.slotOf[node] as number) + 1)
  return kept.sorted()
}

export function createScan(
  slots: Slots,
  selection: Pick<Selection, 'sort' | 'order' | 'after'>,
  count: number,
): { kept: Smallest; scan: Scan } {
  const { sort, order } = selection
  const compare = sortKeyComparer(slots, sort)
  const kept = new Smallest(count, order === 'asc' ? compare : (left, right) => compare(right, left))
  if (sort === 'volume') return { kept, scan: scanVolumes(slots, kept, selection) }
  return { kept, scan: scanNumbers(sort === 'team' ? slots.team : slots.joinIndex, slots, kept, selection) }
}

/** Returns the ranking of chunks; `undefined` if their extremes do not tell which ones to skip. */
function rankChunks(
  { teamExtremes, legExtremes, team, legVolume, joinIndex }: Slots,
  { sort, order, after }: Selection,
): ChunkRanking | undefined {
  if (sort === 'joined') return undefined
  const { largest, firstOfZero } = sort === 'team' ? teamExtremes : legExtremes
  const leastValue = (slot: number) =>
    sort === 'team' ? (team[slot] as number) : legVolume.ceiling(slot) * (1 - ceilingMargin)
  if (order === 'desc')
    return {
      order,
      best: largest,
      after: after && Number(after.value),
      limit: (last) => (last === undefined ? 0 : leastValue(last)),
    }
  // An ascending order begins with the many rows of value 0, in join order.
  if (after && after.value !== 0n) return undefined
  return {
    order,
    best: firstOfZero,
    limit: (last) =>
      last === undefined || leastValue(last) !== 0 ? Number.POSITIVE_INFINITY : (joinIndex[last] as number),
  }
}

/** Offers the slots of a range that sort after the cursor to the kept rows. */
type Scan = (low: number, high: number) => void

interface ScanOrder {
  order: 'asc' | 'desc'
  /** Sort key of the cursor: only rows after it are offered. */
  after?: SortKey | undefined
}

/** Creates a scan in the order of a column of numbers. Descending orders are mirrored by XOR: the loop has one direction. */
function scanNumbers(values: Uint32Array, { joinIndex }: Slots, kept: Smallest, { order, after }: ScanOrder): Scan {
  const flip = order === 'asc' ? 0 : 0xffff_ffff
  // Subtracted, not XORed: a forged cursor may hold a larger value than 32 bits.
  const mirror = (value: number) => (flip === 0 ? value : 0xffff_ffff - value)
  const afterValue = after ? mirror(Number(after.value)) : -1
  const afterJoin = after ? mirror(after.joinIndex) : -1
  return (low, high) => {
    let last = kept.threshold
    let lastValue = last === undefined ? 2 ** 32 : ((values[last] as number) ^ flip) >>> 0
    let lastJoin = last === undefined ? 0 : ((joinIndex[last] as number) ^ flip) >>> 0
    for (let slot = low; slot < high; slot++) {
      const value = ((values[slot] as number) ^ flip) >>> 0
      if (value > lastValue || value < afterValue) continue
      if (value === lastValue || value === afterValue) {
        const join = ((joinIndex[slot] as number) ^ flip) >>> 0
        if (value === lastValue && join >= lastJoin) continue
        if (value === afterValue && join <= afterJoin) continue
      }
      kept.offer(slot)
      if (kept.threshold === last) continue
      last = kept.threshold as number
      lastValue = ((values[last] as number) ^ flip) >>> 0
      lastJoin = ((joinIndex[last] as number) ^ flip) >>> 0
    }
  }
}

/** Creates a scan in the order of leg volume. Rounded amounts decide most comparisons, exact amounts the others. */
function scanVolumes({ legVolume, joinIndex }: Slots, kept: Smallest, { order, after }: ScanOrder): Scan {
  const sign = order === 'asc' ? 1 : -1
  const afterAmount = after && amountOf(after.value)
  const first = afterAmount?.ceiling(0)
  const roundedRange = (): [least: number, most: number] => {
    const last = kept.threshold === undefined ? undefined : legVolume.ceiling(kept.threshold)
    const [low, high] = order === 'asc' ? [first, last] : [last, first]
    return [(low ?? 0) * (1 - ceilingMargin), (high ?? Number.POSITIVE_INFINITY) * (1 + ceilingMargin)]
  }
  const isAfterCursor = (slot: number) => {
    if (!after || !afterAmount) return true
    const difference = sign * legVolume.compare(slot, afterAmount, 0)
    return difference > 0 || (difference === 0 && sign * ((joinIndex[slot] as number) - after.joinIndex) > 0)
  }
  return (low, high) => {
    let last = kept.threshold
    let [least, most] = roundedRange()
    for (let slot = low; slot < high; slot++) {
      const rounded = legVolume.ceiling(slot)
      if (rounded < least || rounded > most || !isAfterCursor(slot)) continue
      kept.offer(slot)
      if (kept.threshold === last) continue
      last = kept.threshold
      ;[least, most] = roundedRange()
    }
  }
}

/** The position of a row in a sorted list. Rows with the same value are in join order. */
export interface SortKey {
  value: bigint
  joinIndex: number
}

export function sortKeyOf({ team, joinIndex, legVolume }: Slots, slot: number, sort: ReferralsSort): SortKey {
  const index = joinIndex[slot] as number
  if (sort === 'volume') return { value: legVolume.get(slot), joinIndex: index }
  return { value: BigInt(sort === 'team' ? (team[slot] as number) : index), joinIndex: index }
}

/** Returns a function that compares two slots by their sort keys, ascending. */
function sortKeyComparer(slots: Slots, sort: ReferralsSort): (left: number, right: number) => number {
  const { team, joinIndex, legVolume } = slots
  if (sort === 'volume')
    return (left, right) =>
      legVolume.compare(left, legVolume, right) || (joinIndex[left] as number) - (joinIndex[right] as number)
  const values = sort === 'team' ? team : joinIndex
  return (left, right) =>
    (values[left] as number) - (values[right] as number) || (joinIndex[left] as number) - (joinIndex[right] as number)
}
