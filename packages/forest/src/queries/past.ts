import type { ForestData } from '../data/forestData.ts'
import { nodeStatus, none } from '../data/nodes.ts'
import { Past } from '../downline/past.ts'
import { countLevels, createCounter } from '../downline/pastCounts.ts'
import { SlotLabels } from '../downline/slotLabels.ts'
import { QueryTooCostlyError } from '../errors.ts'
import { checkLimit } from '../lib/check.ts'
import { Smallest } from '../lib/smallest.ts'
import type {
  ComparedMember,
  Level,
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
import { ownLabel, sumAmounts } from './periodAmounts.ts'
import { joinOf, noJoin } from './summary.ts'

/** Returns a member as it was at a moment; `undefined` if no valid bind had named it. */
export function* pastMemberOf(data: ForestData, node: number, moment: Moment): Slices<PastMember | undefined> {
  const past = new Past(data, moment)
  if (!past.isKnown(node)) return undefined
  const { counts, sums } = yield* readLevels(data, past, node, moment)
  const own = sums.at(ownLabel)
  const team = sums.from(1)
  return {
    ...memberAt(data, past, node, { team: sumOf(counts), maxLevel: counts.length }),
    ownVolume: own.volume,
    teamVolume: team.volume,
    rewards: own.rewards,
    teamRewards: team.rewards,
  }
}

/** Returns count and volume of each level at a past moment. */
export function* pastLevelsOf(data: ForestData, node: number, moment: Moment): Slices<Level[]> {
  const { counts, sums } = yield* readLevels(data, new Past(data, moment), node, moment)
  return counts.map((count, index) => ({ level: index + 1, count, volume: sums.at(index + 1).volume }))
}

/** Counts the members of each level, and sums up all amounts up to a moment. */
function* readLevels(data: ForestData, past: Past, node: number, moment: Moment) {
  const last = data.amounts.until(moment)
  const labels = new SlotLabels()
  const counts = yield* countLevels(data, past, node, labels)
  const sums = yield* sumAmounts(data, { past, top: node, labels, first: 0, last }, counts.length + 1)
  return { counts, sums }
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

/** Reads a page of the past directs with the figures of their legs. Equal legs are in join order. */
export function* pastDirectsOf(
  data: ForestData,
  node: number,
  { moment, sort, order, limit, cursor }: PastDirectsParameters,
): Slices<Page<PastDirect>> {
  checkLimit(limit)
  const past = new Past(data, moment)
  const last = data.amounts.until(moment)
  const query = `past.directs.${sort}.${order}.${Object.entries(moment).join('.')}`
  const after = cursor === undefined || cursor === null ? undefined : decodeCursor(cursor, query, 2)
  const { slots } = data
  const directs: number[] = []
  past.forEachChild(slots.slotOf[node] as number, (slot) => {
    directs.push(slot)
    return 'more'
  })
  const legs = sort === 'joined' ? undefined : yield* readLegs(data, past, node, { directs, last })
  const sign = order === 'asc' ? 1 : -1
  const keyOf = (slot: number): readonly bigint[] => {
    const leg = legs?.get(slot)
    const value = !leg ? 0n : sort === 'team' ? BigInt(leg.team) : leg.ownVolume + leg.teamVolume
    return [value, BigInt(slots.joinIndex[slot] as number)]
  }
  // One row more than the page shows whether there is another page.
  const first = new Smallest(limit + 1, (left, right) => sign * compareKeys(keyOf(left), keyOf(right)))
  for (const slot of directs) if (!after || sign * compareKeys(keyOf(slot), after) > 0) first.offer(slot)
  const found = first.sorted()
  const page = found.slice(0, limit)
  const shown = legs ?? (yield* readLegs(data, past, node, { directs: page, last }))
  const depth = depthAt(past, node) + 1
  return {
    items: page.map((slot) => ({
      ...summaryAt(data, past, slots.nodeAt[slot] as number),
      depth,
      ...(shown.get(slot) as LegFigures),
    })),
    nextCursor: found.length > limit ? encodeCursor(query, keyOf(page.at(-1) as number)) : null,
  }
}

function compareKeys(left: readonly bigint[], right: readonly bigint[]): number {
  const index = left.findIndex((value, index) => value !== right[index])
  if (index < 0) return 0
  return (left[index] as bigint) < (right[index] as bigint) ? -1 : 1
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

/** Returns the figures of some legs of a member by the slots of their directs. `last`: the end of the log that counts. */
function* readLegs(
  data: ForestData,
  past: Past,
  node: number,
  { directs, last }: { directs: readonly number[]; last: number },
): Slices<ReadonlyMap<number, LegFigures>> {
  if (directs.length > data.tuning.mostLegs) throw new QueryTooCostlyError('legs')
  const labels = new SlotLabels()
  const labelOf = new Map(directs.map((slot, leg) => [slot, 1 + leg * 2]))
  const sizes = yield* sizeLegs(data, past, node, { directs, labels, labelOf })
  const count = directs.length * 2 + 1
  const sums = yield* sumAmounts(data, { past, top: node, labels, first: 0, last }, count)
  return new Map(
    directs.map((slot) => {
      const label = labelOf.get(slot) as number
      const [ownVolume, teamVolume] = [sums.at(label).volume, sums.at(label + 1).volume]
      return [slot, { team: sizes.get(slot) as number, ownVolume, teamVolume }]
    }),
  )
}

/** Computes the sizes of some legs, and labels their slots: the direct's with the one given, those below it with the next. */
function* sizeLegs(
  data: ForestData,
  past: Past,
  node: number,
  {
    directs,
    labels,
    labelOf,
  }: { directs: readonly number[]; labels: SlotLabels; labelOf: ReadonlyMap<number, number> },
): Slices<ReadonlyMap<number, number>> {
  for (const slot of directs) labels.addSlot(slot, labelOf.get(slot) as number)
  const counter = yield* createCounter(data, past, node)
  if (!counter) {
    const { legs } = yield* measureLegs(data, past, node, (slot, direct) => {
      const label = labelOf.get(direct)
      if (slot !== direct && label !== undefined) labels.addSlot(slot, label + 1)
    })
    return new Map(legs)
  }
  const sizes = new Map<number, number>()
  for (const slot of directs) {
    const label = (labelOf.get(slot) as number) + 1
    sizes.set(slot, sumOf(yield* counter.countBelow(slot, (ranges) => labels.addRanges(ranges, label))))
  }
  return sizes
}

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0)

/** Returns a member with the size of its team, without amounts. */
export function memberAt(data: ForestData, past: Past, node: number, { team, maxLevel }: TeamSize): ComparedMember {
  const { addresses } = data
  let root = node
  let depth = 0
  for (let up = past.parentOf(node); up !== none; up = past.parentOf(up)) {
    root = up
    depth++
  }
  return {
    ...summaryAt(data, past, node),
    depth,
    root: addresses.address(root),
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
