import type { ForestData } from '../data/forestData.ts'
import { nodeStatus, none } from '../data/nodes.ts'
import { Past } from '../downline/past.ts'
import { type LateJoins, PastCounts } from '../downline/pastCounts.ts'
import { QueryTooCostlyError } from '../errors.ts'
import { checkLimit } from '../lib/check.ts'
import { Smallest } from '../lib/smallest.ts'
import type {
  Moment,
  Page,
  PastDirect,
  PastDirectsParameters,
  PastMember,
  PastSummary,
  ReferrersParameters,
  Slices,
} from '../types.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'
import { joinOf, noJoin } from './summary.ts'

/** Returns a member as it was at a moment; `undefined` if no valid bind had named it. */
export function* pastMemberOf(data: ForestData, node: number, moment: Moment): Slices<PastMember | undefined> {
  const past = new Past(data, moment)
  return past.isKnown(node) ? memberAt(data, past, node, yield* measureTeam(data, past, node)) : undefined
}

/** Returns the number of members on each level at a past moment. */
export function* pastLevelsOf(
  data: ForestData,
  node: number,
  moment: Moment,
): Slices<{ level: number; count: number }[]> {
  const counts = yield* countLevels(data, new Past(data, moment), node)
  return counts.map((count, index) => ({ level: index + 1, count }))
}

/** Reads a page of the past upline. Its cursor counts the referrers read so far. */
export function pastReferrersOf(
  data: ForestData,
  node: number,
  { moment, limit, skip = 0, cursor }: ReferrersParameters & { moment: Moment },
): Page<PastSummary> {
  checkLimit(limit)
  const past = new Past(data, moment)
  const query = `past.referrers.${Object.entries(moment).join('.')}`
  const first = cursor === undefined || cursor === null ? skip : Number(decodeCursor(cursor, query, 1)[0])
  const line: number[] = []
  for (let at = past.parentOf(node); at !== none; at = past.parentOf(at)) line.push(at)
  const items = line
    .slice(first, first + limit)
    .map((at, index) => ({ ...summaryAt(data, past, at), depth: line.length - 1 - first - index }))
  const end = first + items.length
  return { items, nextCursor: end < line.length && items.length > 0 ? encodeCursor(query, [BigInt(end)]) : null }
}

/** Lists the members above a member after a block, the nearest first. */
export function pastUplineOf({ nodes, moves }: ForestData, node: number, block: number): number[] {
  const before = new Map<number, number>()
  const first = moves.until({ block })
  for (let index = moves.length - 1; index >= first; index--) before.set(moves.nodeAt(index), moves.parentBefore(index))
  const parentOf = (at: number) => {
    const isBound = nodes.status[at] === nodeStatus.member && (nodes.block[at] as number) <= block
    return isBound ? (before.get(at) ?? (nodes.parent[at] as number)) : none
  }
  const line: number[] = []
  for (let at = parentOf(node); at !== none; at = parentOf(at)) line.push(at)
  return line
}

/** Reads a page of the past directs with the sizes of their legs. Legs of equal size are in join order. */
export function* pastDirectsOf(
  data: ForestData,
  node: number,
  { moment, sort, order, limit, cursor }: PastDirectsParameters,
): Slices<Page<PastDirect>> {
  checkLimit(limit)
  const past = new Past(data, moment)
  const query = `past.directs.${sort}.${order}.${Object.entries(moment).join('.')}`
  const [value, join] = cursor === undefined || cursor === null ? [] : decodeCursor(cursor, query, 2).map(Number)
  const { slots } = data
  const directs: number[] = []
  past.forEachChild(slots.slotOf[node] as number, (slot) => {
    directs.push(slot)
    return 'more'
  })
  const teams = sort === 'team' ? yield* sizeLegs(data, past, node, directs) : undefined
  const sign = order === 'asc' ? 1 : -1
  const keyOf = (slot: number) => [teams?.get(slot) ?? 0, slots.joinIndex[slot] as number] as const
  const compare = (left: readonly [number, number], right: readonly [number, number]) =>
    sign * (left[0] - right[0] || left[1] - right[1])
  // One row more than the page shows whether there is another page.
  const first = new Smallest(limit + 1, (left, right) => compare(keyOf(left), keyOf(right)))
  for (const slot of directs)
    if (value === undefined || compare(keyOf(slot), [value, join as number]) > 0) first.offer(slot)
  const found = first.sorted()
  const page = found.slice(0, limit)
  const legs = teams ?? (yield* sizeLegs(data, past, node, page))
  const depth = depthAt(past, node) + 1
  return {
    items: page.map((slot) => ({
      ...summaryAt(data, past, slots.nodeAt[slot] as number),
      depth,
      team: legs.get(slot) as number,
    })),
    nextCursor: found.length > limit ? encodeCursor(query, keyOf(page.at(-1) as number).map(BigInt)) : null,
  }
}

/** Slot of a direct, and the size of its downline. */
export type Leg = [slot: number, team: number]

export type TeamSize = Pick<PastMember, 'team' | 'maxLevel'>

/** Measures the legs of a member, and visits the slots of its downline. */
export function* measureLegs(
  { tuning }: ForestData,
  past: Past,
  node: number,
  visit?: (slot: number) => void,
): Slices<TeamSize & { legs: Leg[] }> {
  let directs = new Uint32Array(0)
  let sizes = new Uint32Array(0)
  let team = 0
  let maxLevel = 0
  yield* past.readDownline(node, ({ level, slots, legs, first, end }) => {
    team += end - first
    maxLevel = level
    if (visit) for (let index = first; index < end; index++) visit(slots.words[index] as number)
    if (level === 1) {
      if (first > 0) return
      if (slots.length > tuning.mostLegs) throw new QueryTooCostlyError('legs')
      directs = slots.words.slice(0, slots.length)
      sizes = new Uint32Array(slots.length)
      return
    }
    for (let index = first; index < end; index++) {
      const leg = legs.words[index] as number
      sizes[leg] = (sizes[leg] as number) + 1
    }
  })
  return { legs: Array.from(directs, (slot, leg): Leg => [slot, sizes[leg] as number]), team, maxLevel }
}

function* measureTeam(data: ForestData, past: Past, node: number): Slices<TeamSize> {
  const counts = yield* countLevels(data, past, node)
  return { team: sumOf(counts), maxLevel: counts.length }
}

/** Counts the members on each level, level 1 first. */
function* countLevels(data: ForestData, past: Past, node: number): Slices<number[]> {
  const { slots } = data
  const counter = yield* createCounter(data, past, node)
  if (counter) return yield* counter.countBelow(slots.slotOf[node] as number)
  const counts: number[] = []
  yield* past.readDownline(node, ({ slots: { length }, level }) => {
    counts[level - 1] = length
  })
  return counts
}

/** Computes the sizes of some legs of a member, given by the slots of the directs. */
function* sizeLegs(
  data: ForestData,
  past: Past,
  node: number,
  directs: readonly number[],
): Slices<ReadonlyMap<number, number>> {
  if (directs.length > data.tuning.mostLegs) throw new QueryTooCostlyError('legs')
  const counter = yield* createCounter(data, past, node)
  if (!counter) return new Map((yield* measureLegs(data, past, node)).legs)
  const sizes = new Map<number, number>()
  for (const slot of directs) sizes.set(slot, sumOf(yield* counter.countBelow(slot)))
  return sizes
}

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0)

/** Creates a counter by ranges for large teams; `undefined` where members are counted one by one. */
export function* createCounter(
  data: ForestData,
  past: Past,
  node: number,
  late?: LateJoins,
): Slices<PastCounts | undefined> {
  if (data.slots.teamOf(node) <= data.tuning.smallTeam) return undefined
  const early = yield* data.earlyJoins.find()
  if (!early) return undefined
  const blocks = yield* data.joinBlocks.at(past.joins)
  past.requireUnchanged()
  return new PastCounts(data, past, node, { early, blocks, late })
}

/** Returns a member with the size of its team. */
export function memberAt(data: ForestData, past: Past, node: number, { team, maxLevel }: TeamSize): PastMember {
  const { nodes, addresses } = data
  let root = node
  let depth = 0
  for (let up = past.parentOf(node); up !== none; up = past.parentOf(up)) {
    root = up
    depth++
  }
  const isBound = past.isBound(node)
  return {
    ...summaryAt(data, past, node),
    depth,
    root: addresses.address(root),
    block: isBound ? (nodes.block[node] as number) : null,
    logIndex: isBound ? (nodes.logIndex[node] as number) : null,
    team,
    maxLevel,
  }
}

function summaryAt(data: ForestData, past: Past, node: number): Omit<PastSummary, 'depth'> {
  const { addresses } = data
  const isBound = past.isBound(node)
  const parent = past.parentOf(node)
  return {
    address: addresses.address(node),
    status: isBound ? 'member' : 'placeholder',
    referrer: parent === none ? null : addresses.address(parent),
    ...(isBound ? joinOf(data, node) : noJoin),
    directs: past.countDirects(node),
  }
}

function depthAt(past: Past, node: number): number {
  let depth = 0
  for (let at = past.parentOf(node); at !== none; at = past.parentOf(at)) depth++
  return depth
}
