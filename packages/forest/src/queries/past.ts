import type { ForestData } from '../data/forestData.ts'
import { nodeStatus, none } from '../data/nodes.ts'
import { sumAmounts } from '../downline/amountSums.ts'
import { Past } from '../downline/past.ts'
import { countLevels, createCounter } from '../downline/pastCounts.ts'
import { SlotLabels } from '../downline/slotLabels.ts'
import { ownLabel } from '../downline/windowSums.ts'
import { QueryTooCostlyError } from '../errors.ts'
import { checkLimit } from '../lib/check.ts'
import { Smallest } from '../lib/smallest.ts'
import type {
  ComparedMember,
  Moment,
  Page,
  PastDirect,
  PastDirectsParameters,
  PastLevel,
  PastMember,
  PastOptions,
  PastSummary,
  ReferrersParameters,
  Slices,
} from '../types.ts'
import { endPage, readCursor, readLine } from './cursor.ts'
import { joinOf, noJoin } from './member.ts'

/** Returns a member as it was at a moment; `undefined` if no valid bind had named it. */
export function* pastMemberOf(
  data: ForestData,
  node: number,
  moment: Moment,
  options?: PastOptions,
): Slices<PastMember | undefined> {
  const past = new Past(data, moment)
  if (!past.isKnown(node)) return undefined
  const { counts, sums } = yield* readLevels(data, past, node, moment, options)
  const member = memberAt(data, past, node, { team: sumOf(counts), maxLevel: counts.length })
  if (!sums) return member
  const own = sums.at(ownLabel)
  const team = sums.team()
  return {
    ...member,
    ownVolume: own.volume,
    teamVolume: team.volume,
    rewards: own.rewards,
    teamRewards: team.rewards,
  }
}

/** Returns the number of members on each level at a past moment, and on request its volume. */
export function* pastLevelsOf(
  data: ForestData,
  node: number,
  moment: Moment,
  options?: PastOptions,
): Slices<PastLevel[]> {
  const { counts, sums } = yield* readLevels(data, new Past(data, moment), node, moment, options)
  return counts.map((count, index) => ({
    level: index + 1,
    count,
    ...(sums && { volume: sums.at(index + 1).volume }),
  }))
}

/** Counts the members of each level, and on request sums up all amounts up to a moment. */
function* readLevels(data: ForestData, past: Past, node: number, moment: Moment, options: PastOptions = {}) {
  if (!options.amounts) return { counts: yield* countLevels(data, past, node) }
  const bounds = [0, data.amounts.until(moment)]
  const labels = new SlotLabels()
  const counts = yield* countLevels(data, past, node, (ranges, level) => labels.addRanges(ranges, level))
  const sums = yield* sumAmounts(data, { past, top: node, labels, count: counts.length + 1, bounds })
  return { counts, sums }
}

/** Reads a page of the past upline. */
export function pastReferrersOf(
  data: ForestData,
  node: number,
  { moment, limit, skip, cursor }: ReferrersParameters & { moment: Moment },
): Page<PastSummary> {
  checkLimit(limit)
  const past = new Past(data, moment)
  const query = `past.referrers.${Object.entries(moment).join('.')}`
  const line = uplineAt(past, node)
  const { first, rows, nextCursor } = readLine(line, { limit, cursor, skip }, query)
  const depth = line.length - 1 - first
  return { items: rows.map((at, index) => ({ ...summaryAt(data, past, at), depth: depth - index })), nextCursor }
}

/** Returns the nodes above one after a block, the nearest first. */
export function pastUplineOf(data: ForestData, node: number, block: number): number[] {
  const parentOf = createParentOf(data, block)
  return lineAbove(node, parentOf)
}

/** Lists the nodes above one, the nearest first. */
function lineAbove(node: number, parentOf: (node: number) => number): number[] {
  const line: number[] = []
  for (let at = parentOf(node); at !== none; at = parentOf(at)) line.push(at)
  return line
}

/**
 * Returns a function that finds the nearest of some nodes at or above another one after a block. It visits each node once, and is valid
 * until the forest changes.
 */
export function createNearest(
  data: ForestData,
  tops: readonly number[],
  block: number,
): (node: number) => number | undefined {
  const parentOf = createParentOf(data, block)
  const known = new Map<number, number | undefined>([[none, undefined], ...tops.map((top) => [top, top] as const)])
  return (node) => {
    const way: number[] = []
    let at = node
    for (; !known.has(at); at = parentOf(at)) way.push(at)
    const nearest = known.get(at)
    for (const each of way) known.set(each, nearest)
    return nearest
  }
}

/** Returns a function that returns the parent of a node after a block. */
function createParentOf({ nodes, moves }: ForestData, block: number): (node: number) => number {
  const before = new Map<number, number>()
  const first = moves.until({ block })
  for (let index = moves.length - 1; index >= first; index--) before.set(moves.nodeAt(index), moves.parentBefore(index))
  return (at) => {
    const isBound = nodes.status[at] === nodeStatus.member && (nodes.block[at] as number) <= block
    return isBound ? (before.get(at) ?? (nodes.parent[at] as number)) : none
  }
}

/**
 * Reads a page of the past directs with the sizes of their legs, and on request or for an order by volume with their amounts.
 * Equal legs are in join order.
 */
export function* pastDirectsOf(
  data: ForestData,
  node: number,
  { moment, sort, order, limit, cursor, amounts }: PastDirectsParameters,
): Slices<Page<PastDirect>> {
  checkLimit(limit)
  const past = new Past(data, moment)
  const last = amounts || sort === 'volume' ? data.amounts.until(moment) : undefined
  const query = `past.directs.${sort}.${order}.${Object.entries(moment).join('.')}`
  const after = readCursor(cursor, query, 2) as (bigint[] & LegKey) | undefined
  const { slots } = data
  const directs: number[] = []
  past.forEachChild(slots.slotOf[node] as number, (slot) => {
    directs.push(slot)
    return 'more'
  })
  const legs = sort === 'joined' ? undefined : yield* readLegs(data, past, node, { directs, last })
  const sign = order === 'asc' ? 1 : -1
  const keyOf = (slot: number): LegKey => {
    const { team, ownVolume = 0n, teamVolume = 0n } = legs?.get(slot) ?? { team: 0 }
    return [sort === 'volume' ? ownVolume + teamVolume : team, slots.joinIndex[slot] as number]
  }
  // One row more than the page shows whether there is another page.
  const first = new Smallest(limit + 1, (left, right) => sign * compareKeys(keyOf(left), keyOf(right)))
  for (const slot of directs) if (!after || sign * compareKeys(keyOf(slot), after) > 0) first.offer(slot)
  const { rows, nextCursor } = endPage(first.sorted(), limit, query, (slot) => keyOf(slot).map(BigInt))
  const shown = legs ?? (yield* readLegs(data, past, node, { directs: rows, last }))
  const depth = uplineAt(past, node).length + 1
  return {
    items: rows.map((slot) => ({
      ...summaryAt(data, past, slots.nodeAt[slot] as number),
      depth,
      ...(shown.get(slot) as LegFigures),
    })),
    nextCursor,
  }
}

/** Team or volume of a leg, then the place of its direct in join order. */
type LegKey = readonly [value: number | bigint, join: number | bigint]

function compareKeys(left: LegKey, right: LegKey): number {
  const index = left[0] < right[0] || left[0] > right[0] ? 0 : 1
  return left[index] < right[index] ? -1 : Number(left[index] > right[index])
}

/** Slot of a direct, and the size of its downline. */
export type Leg = [slot: number, team: number]

export type TeamSize = Pick<PastMember, 'team' | 'maxLevel'>

/** Measures the legs of a member, and visits the slots of its downline, each with the slot of its direct. */
export function* measureLegs(
  { tuning }: ForestData,
  past: Past,
  node: number,
  visit?: (slot: number, direct: number) => void,
): Slices<TeamSize & { legs: Leg[] }> {
  let directs = new Uint32Array(0)
  let sizes = new Uint32Array(0)
  let team = 0
  let maxLevel = 0
  yield* past.readDownline(node, ({ level, slots, legs, first, end }) => {
    team += end - first
    maxLevel = level
    if (level === 1 && first === 0) {
      if (slots.length > tuning.mostLegs) throw new QueryTooCostlyError('legs')
      directs = slots.words.slice(0, slots.length)
      sizes = new Uint32Array(slots.length)
    }
    if (visit)
      for (let index = first; index < end; index++)
        visit(slots.words[index] as number, directs[legs.words[index] as number] as number)
    if (level === 1) return
    for (let index = first; index < end; index++) {
      const leg = legs.words[index] as number
      sizes[leg] = (sizes[leg] as number) + 1
    }
  })
  return { legs: Array.from(directs, (slot, leg): Leg => [slot, sizes[leg] as number]), team, maxLevel }
}

type LegFigures = Pick<PastDirect, 'team' | 'ownVolume' | 'teamVolume'>

/**
 * Returns the figures of some legs of a member by the slots of their directs. `last`: the end of the log of amounts that counts;
 * without it, no amounts are read.
 */
function* readLegs(
  data: ForestData,
  past: Past,
  node: number,
  { directs, last }: { directs: readonly number[]; last: number | undefined },
): Slices<ReadonlyMap<number, LegFigures>> {
  if (directs.length > data.tuning.mostLegs) throw new QueryTooCostlyError('legs')
  if (last === undefined) {
    const sizes = yield* sizeLegs(data, past, node, directs)
    return new Map(directs.map((slot) => [slot, { team: sizes.get(slot) as number }]))
  }
  const labels = new SlotLabels()
  const labelOf = new Map(directs.map((slot, leg) => [slot, 1 + leg * 2]))
  for (const [slot, label] of labelOf) labels.addSlot(slot, label)
  const sizes = yield* sizeLegs(data, past, node, directs, (direct, ranges) => {
    const label = labelOf.get(direct)
    if (label !== undefined) labels.addRanges(ranges, label + 1)
  })
  const count = directs.length * 2 + 1
  const sums = yield* sumAmounts(data, { past, top: node, labels, count, bounds: [0, last] })
  return new Map(
    directs.map((slot) => {
      const label = labelOf.get(slot) as number
      const [ownVolume, teamVolume] = [sums.at(label).volume, sums.at(label + 1).volume]
      return [slot, { team: sizes.get(slot) as number, ownVolume, teamVolume }]
    }),
  )
}

/** Computes the sizes of some legs, and calls `visit` with the ranges of slots below their directs. */
function* sizeLegs(
  data: ForestData,
  past: Past,
  node: number,
  directs: readonly number[],
  visit?: (direct: number, ranges: readonly number[]) => void,
): Slices<ReadonlyMap<number, number>> {
  const counter = yield* createCounter(data, past, node)
  if (!counter) {
    const visitSlot = (slot: number, direct: number) => {
      if (slot !== direct) visit?.(direct, [slot, slot + 1])
    }
    return new Map((yield* measureLegs(data, past, node, visit && visitSlot)).legs)
  }
  const sizes = new Map<number, number>()
  for (const slot of directs)
    sizes.set(slot, sumOf(yield* counter.countBelow(slot, visit && ((ranges) => visit(slot, ranges)))))
  return sizes
}

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0)

/** Returns a member with the size of its team, without amounts. */
export function memberAt(data: ForestData, past: Past, node: number, { team, maxLevel }: TeamSize): ComparedMember {
  const line = uplineAt(past, node)
  return {
    ...summaryAt(data, past, node),
    depth: line.length,
    root: data.addresses.address(line.at(-1) ?? node),
    team,
    maxLevel,
  }
}

/** Returns a member as it was at the moment, without its depth. */
export function summaryAt(
  data: ForestData,
  past: Past,
  node: number,
  directs = past.countDirects(node),
): Omit<PastSummary, 'depth'> {
  const { addresses } = data
  const isBound = past.isBound(node)
  const parent = past.parentOf(node)
  return {
    address: addresses.address(node),
    status: isBound ? 'member' : 'placeholder',
    referrer: parent === none ? null : addresses.address(parent),
    ...(isBound ? joinOf(data, node) : noJoin),
    directs,
  }
}

/** Lists the members above a member at the moment, the nearest first. */
export function uplineAt(past: Past, node: number): number[] {
  return lineAbove(node, (at) => past.parentOf(at))
}
