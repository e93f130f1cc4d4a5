import { chunkEnd } from '../data/chunks.ts'
import type { ForestData } from '../data/forestData.ts'
import type { Nodes } from '../data/nodes.ts'
import { Downline, walk } from '../downline/downline.ts'
import { QueryTooCostlyError } from '../errors.ts'
import { ceilingMargin } from '../lib/amounts.ts'
import { checkLimit } from '../lib/check.ts'
import type { Count, FilteredPage, FilteredReferralsParameters } from '../types.ts'
import { encodeCursor } from './cursor.ts'
import { createFilter, type Filter, filterKey, withoutTimes } from './filter.ts'
import { readKey, readSlots, toReferrals } from './referrals.ts'
import { createScan, type SortKey } from './select.ts'

/** Number of steps to look up one member, whereas a scan reads many in order. */
const costAlone = 16
/** Number of activity times compared in one step. */
const nodesAStep = 16

interface Request extends FilteredReferralsParameters {
  top: number
  first: number
  last: number
  query: string
  after: SortKey | undefined
  filter: Filter
}

/**
 * Reads a page of the members in a downline that match a filter, and counts them. If that takes more steps than
 * allowed, a page in join order ends early, possibly without any member, and its count is a lower bound.
 *
 * @throws {QueryTooCostlyError} for another order
 */
export function filteredReferralsOf(
  data: ForestData,
  top: number,
  parameters: FilteredReferralsParameters,
): FilteredPage {
  return { ...readPage(data, top, parameters), undated: countUndated(data, top, parameters) }
}

/** Counts the members who match all but the times, and have no date. */
function countUndated(
  data: ForestData,
  top: number,
  { total, sort: _, limit: __, cursor: ___, ...parameters }: FilteredReferralsParameters,
): Count {
  const others = withoutTimes(parameters)
  if (!others || total === 'skip' || data.nodes.undated.length === 0) return { value: 0, relation: 'exact' }
  return readPage(data, top, { ...others, order: parameters.order, sort: 'joined', limit: 1, cursor: null }).count
}

function readPage(
  data: ForestData,
  top: number,
  parameters: FilteredReferralsParameters,
): Omit<FilteredPage, 'undated'> {
  const { sort, order, limit, cursor, levelFrom: first = 1, levelTo: last = Number.POSITIVE_INFINITY } = parameters
  checkLimit(limit)
  const query = `filter.${sort}.${order}.${filterKey(parameters)}`
  const after = readKey(cursor, query, sort)
  const request = { ...parameters, top, first, last, query, after, filter: createFilter(data, parameters) }
  const few = findFew(data, request)
  if (!few && sort === 'joined' && parameters.total === 'skip') return readInJoinOrder(data, request, 0)
  const { found, count, state } = few ? collectFew(data, request, few) : scanAll(data, request)
  if (state === 'whole') return { ...readSlots(data, top, found, request), count: { value: count, relation: 'exact' } }
  if (sort === 'joined') return readInJoinOrder(data, request, count)
  throw new QueryTooCostlyError('order')
}

/** Returns a few nodes of the downline that include all matches, if an index or a small team provides them. */
function findFew(data: ForestData, request: Request): number[] | undefined {
  const { nodes, slots, tuning } = data
  const { top, first, last } = request
  const level = first === 1 && last === 1 ? 1 : 'all'
  const size = level === 1 ? (nodes.directs[top] as number) : slots.teamOf(top)
  if (size <= tuning.smallTeam) {
    const found: number[] = []
    walk(data, top, level, (node) => found.push(node))
    return found
  }
  const found = findByIndex(data, request, size)
  if (!found) return undefined
  const downline = new Downline(data, top, last)
  return found.filter((node) => downline.has(node))
}

/** Returns the nodes of the forest that joined in the time range, have the prefix or were active, if there are few. */
function findByIndex(
  { nodes, prefixes, tuning }: ForestData,
  { filter, total }: Request,
  size: number,
): number[] | undefined {
  const { digits, activeSince, joinLow, joinHigh, dates } = filter
  const steps = Math.min(tuning.filterSteps, size * filter.cost)
  const most = steps / costAlone
  const found: number[] = []
  if (joinHigh - joinLow <= most) {
    for (let index = joinLow; index < joinHigh; index++) found.push(nodes.joinOrder[index] as number)
    return found
  }
  if (dates === 'none' && nodes.undated.length <= most) {
    for (let index = 0; index < nodes.undated.length; index++)
      found.push(nodes.joinOrder[nodes.undated.joinAt(index)] as number)
    return found
  }
  if (digits !== undefined) {
    prefixes.forEach(digits, (node) => (found.push(node) > most ? 'enough' : 'more'))
    if (found.length <= most) return found
  }
  // Without a count, reading pages in join order is faster than reading all times.
  if (activeSince === 0 || total === 'skip' || nodes.length / nodesAStep > steps) return undefined
  return findActive(nodes, activeSince, most)
}

/** Returns the nodes active since a time; `undefined` if there are many, which the newest nodes show first. */
function findActive({ activeAt, length }: Nodes, since: number, most: number): number[] | undefined {
  const found: number[] = []
  for (let node = length - 1; node >= 0; node--)
    if ((activeAt[node] as number) >= since && found.push(node) > most) return undefined
  return found
}

type Collected = { found: number[]; count: number; state: 'whole' | 'partial' }

function collectFew(data: ForestData, request: Request, few: readonly number[]): Collected {
  const { nodes, slots } = data
  const { top, first, last, filter } = request
  const depth = nodes.depth[top] as number
  const gatherer = createGatherer(data, request)
  for (const node of few) {
    if (!filter.fitsNode(node)) continue
    const level = (nodes.depth[node] as number) - depth
    const slot = slots.slotOf[node] as number
    if (level >= first && level <= last && filter.fitsSlot(slot)) gatherer.add(slot)
  }
  return gatherer.collected('whole')
}

/** Scans the ranges of the downline, then the members newer than the snapshot, until the allowed steps are used up. */
function scanAll(data: ForestData, request: Request): Collected {
  const { nodes, slots, tuning } = data
  const { top, first, last, filter } = request
  const gatherer = createGatherer(data, request)
  const newer = (nodes.length - slots.snapshotLength) * costAlone
  let steps = tuning.filterSteps - newer
  const downline = new Downline(data, top, last)
  const ranges = downline.rangesOf(first, Math.min(last, downline.levels))
  for (let range = 0; range < ranges.length; range += 2) {
    const end = ranges[range + 1] as number
    for (let low = ranges[range] as number; low < end; low = chunkEnd(low)) {
      if (steps-- <= 0) return gatherer.collected('partial')
      if (!filter.mayHold(low)) continue
      const high = Math.min(end, chunkEnd(low))
      steps -= (high - low) * filter.cost
      for (let slot = low; slot < high; slot++)
        if (filter.fitsSlot(slot) && filter.fitsNode(slots.nodeAt[slot] as number)) gatherer.add(slot)
    }
  }
  for (let node = slots.snapshotLength; node < nodes.length; node++) {
    if (!filter.fitsNode(node)) continue
    const slot = slots.slotOf[node] as number
    const level = downline.levelOf(node)
    if (level >= first && level <= last && filter.fitsSlot(slot) && nodes.isWithin(node, top)) gatherer.add(slot)
  }
  return gatherer.collected(steps < 0 ? 'partial' : 'whole')
}

/** Counts slots and keeps those of the page, plus one to tell whether there is a next page. */
function createGatherer({ slots }: ForestData, { sort, order, after, limit }: Request) {
  const { kept, scan } = createScan(slots, { sort, order, after }, limit + 1)
  const { joinIndex, team, legVolume } = slots
  const sign = order === 'asc' ? 1 : -1
  const rankOf = (slot: number) =>
    sign *
    (sort === 'joined'
      ? (joinIndex[slot] as number)
      : sort === 'team'
        ? (team[slot] as number)
        : legVolume.ceiling(slot))
  let count = 0
  let last: number | undefined
  let most = Number.POSITIVE_INFINITY
  return {
    add(slot: number): void {
      count++
      // Most slots are far from the page, which their rounded value shows.
      if (rankOf(slot) > most) return
      scan(slot, slot + 1)
      if (kept.threshold === last || kept.threshold === undefined) return
      last = kept.threshold
      const value = rankOf(last)
      most = value + Math.abs(value) * ceilingMargin
    },
    collected: (state: Collected['state']): Collected => ({ found: kept.sorted(), count, state }),
  }
}

/** Reads the members in join order, as far as the steps allow; `count` is the result of an earlier scan. */
function readInJoinOrder(data: ForestData, request: Request, count: number): Omit<FilteredPage, 'undated'> {
  const { nodes, slots, tuning } = data
  const { top, first, last, filter, order, limit, after, query } = request
  const downline = new Downline(data, top, last)
  const step = order === 'asc' ? 1 : -1
  const found: number[] = []
  let left = Math.max(1, Math.floor(tuning.filterSteps / costAlone))
  let index = order === 'asc' ? filter.joinLow : filter.joinHigh - 1
  if (after) index = order === 'asc' ? Math.max(index, after.joinIndex + 1) : Math.min(index, after.joinIndex - 1)
  const isInside = () => index >= filter.joinLow && index < filter.joinHigh
  for (; isInside() && found.length < limit && left > 0; index += step, left--) {
    const node = nodes.joinOrder[index] as number
    // Values of nodes are stored nearly in this order, values of slots are not.
    if (!filter.fitsNode(node)) continue
    const slot = slots.slotOf[node] as number
    const level = downline.levelOf(node)
    if (level >= first && level <= last && filter.fitsSlot(slot) && downline.has(node)) found.push(slot)
  }
  return {
    items: toReferrals(data, top, found),
    nextCursor: isInside() ? encodeCursor(query, [BigInt(index - step)]) : null,
    count: { value: Math.max(count, found.length), relation: 'atLeast' },
  }
}
