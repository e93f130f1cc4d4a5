import type { ForestData } from '../data/forestData.ts'
import type { Slots } from '../data/slots.ts'
import { Downline } from '../downline/downline.ts'
import { type ChunkRanking, searchChunks } from '../downline/searchChunks.ts'
import { walk } from '../downline/walk.ts'
import { amountOf, ceilingMargin } from '../lib/amounts.ts'
import { Smallest } from '../lib/smallest.ts'
import type { ReferralsSort } from '../types.ts'
import { type Scan, type ScanOrder, scanNumbers, scanVolumes } from './scan.ts'
import { sortKeyComparer } from './sortKey.ts'

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

/**
 * Reads all members in join order, if that fills a page soon: when sorted by join, or when the cursor is at a value
 * shared by many rows. Returns `undefined` if it does not.
 */
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
