import type { ForestData } from '../data/forestData.ts'
import { none } from '../data/nodes.ts'
import { sumAmounts } from '../downline/amountSums.ts'
import { Past } from '../downline/past.ts'
import { createCounter, type PastCounts } from '../downline/pastCounts.ts'
import { SlotLabels } from '../downline/slotLabels.ts'
import { ownLabel } from '../downline/windowSums.ts'
import { QueryTooCostlyError } from '../errors.ts'
import { SlotList } from '../lib/columns.ts'
import { Pace } from '../lib/pace.ts'
import { Smallest } from '../lib/smallest.ts'
import type { Comparison, Moment, Slices } from '../types.ts'
import { joinOf } from './member.ts'
import { type Leg, measureLegs, memberAt, type TeamSize } from './past.ts'
import { countUndatedBelow } from './uncertain.ts'

/** Largest number of legs, and of new members, in a comparison. */
const mostCompared = 50
/** Number of steps to look up one join. */
const costOfTry = 16

type Legs = TeamSize & { legs: Leg[] }
/** With the legs of its slots, numbered from 1 on. */
type LaterLegs = Legs & { labels: SlotLabels }
type Difference = { before: Legs; after: LaterLegs; newMembers: NewMembers }
type Moments = { node: number; before: Past; after: Past; from: Moment; to: Moment }

export function* compareTeam(data: ForestData, node: number, from: Moment, to: Moment): Slices<Comparison> {
  const moments = { node, before: new Past(data, from), after: new Past(data, to), from, to }
  const first = data.amounts.until(from)
  const bounds = [first, Math.max(first, data.amounts.until(to))]
  const difference = (yield* compareByRanges(data, moments)) ?? (yield* compareByMembers(data, moments))
  const { before, after, newMembers } = difference
  const changes = listChanges(data, before.legs, after.legs)
  const shown = changes.slice(0, mostCompared)
  // Labels from 1 on are those of the legs that are shown, then comes that of all others.
  const labelOf = new Map(shown.map(({ slot }, index) => [slot, index + 1]))
  after.labels.relabel((leg) => labelOf.get((after.legs[leg - 1] as Leg)[0]) ?? shown.length + 1)
  const sums = yield* sumAmounts(data, {
    past: moments.after,
    top: node,
    labels: after.labels,
    count: shown.length + 2,
    bounds,
  })
  const memberOf = (past: Past, size: TeamSize) => (past.isKnown(node) ? memberAt(data, past, node, size) : null)
  return {
    from: memberOf(moments.before, before),
    to: memberOf(moments.after, after),
    amounts: { own: sums.at(ownLabel), team: sums.team() },
    came: {
      count: newMembers.total(),
      undated: yield* countUndatedBelow(data, moments.before, node, moments.after.joins),
      items: newMembers.list(),
    },
    left: before.team - (after.team - newMembers.total()),
    legs: shown.map(({ address, from, to }, index) => ({ address, from, to, ...sums.at(index + 1) })),
    legsChanged: changes.length,
  }
}

/** Counts the members of the later team who were not in the earlier one, and keeps those who joined last. */
function createNewMembers(data: ForestData, { before, after }: Moments) {
  const { nodes, slots, tuning, addresses } = data
  const { joinIndex } = slots
  const newest = new Smallest(mostCompared, (left, right) => (joinIndex[right] as number) - (joinIndex[left] as number))
  let total = 0

  function add(slot: number): void {
    total++
    newest.offer(slot)
  }

  /** Adds the members of a team, of whom `count` joined between the moments: backwards in join order, or by slots where that is faster. */
  function* addJoined(labels: SlotLabels, count: number): Slices<void> {
    total += count
    const wanted = Math.min(count, mostCompared)
    let tries = Math.min(after.joins - before.joins, tuning.tries)
    const pace = new Pace(tuning.sliceSteps, () => after.requireUnchanged())
    let index = after.joins
    let found = 0
    for (; tries > 0 && found < wanted; tries--) {
      index--
      const slot = slots.slotOf[nodes.joinOrder[index] as number] as number
      if (labels.find(slot) !== undefined) {
        newest.offer(slot)
        found++
      }
      if (pace.spend(costOfTry)) yield* pace.pause()
    }
    if (found === wanted || index === before.joins) return
    for (const { low, high } of labels.ranges())
      for (let first = low; first < high; ) {
        const end = Math.min(high, first + pace.left)
        offer(first, end, index)
        if (pace.spend(end - first + 1)) yield* pace.pause()
        first = end
      }
  }

  /** Offers the members of a range of slots who joined after the first moment and before `until`. */
  function offer(low: number, high: number, until: number): void {
    const { joinIndex } = slots
    let least = findLeast()
    for (let slot = low; slot < high; slot++) {
      const join = joinIndex[slot] as number
      if (join < least || join >= until) continue
      newest.offer(slot)
      least = findLeast()
    }
  }

  /** Returns the lowest join index of a member who would be kept. */
  function findLeast(): number {
    const { threshold } = newest
    return threshold === undefined ? before.joins : (slots.joinIndex[threshold] as number) + 1
  }

  /** Lists the new members who joined last, the newest first. */
  function list(): Comparison['came']['items'] {
    return newest.sorted().map((slot) => {
      const at = slots.nodeAt[slot] as number
      return { address: addresses.address(at), ...joinOf(data, at) }
    })
  }

  return { add, addJoined, list, total: () => total }
}

type NewMembers = ReturnType<typeof createNewMembers>

function* compareByMembers(data: ForestData, moments: Moments): Slices<Difference> {
  const { node, before, after } = moments
  const there = new Uint8Array(data.slots.length)
  const newMembers = createNewMembers(data, moments)
  const labels = new SlotLabels()
  const labelOf = new Map<number, number>()
  const legsBefore = yield* measureLegs(data, before, node, (slot) => {
    there[slot] = 1
  })
  const legsAfter = yield* measureLegs(data, after, node, (slot, direct) => {
    if (there[slot] !== 1) newMembers.add(slot)
    if (!labelOf.has(direct)) labelOf.set(direct, labelOf.size + 1)
    labels.addSlot(slot, labelOf.get(direct) as number)
  })
  return { before: legsBefore, after: { ...legsAfter, labels }, newMembers }
}

/**
 * Compares large teams by ranges of slots: new are the members who joined between the moments, and those who were moved
 * into the team. Returns `undefined` where members are to be compared one by one.
 */
function* compareByRanges(data: ForestData, moments: Moments): Slices<Difference | undefined> {
  const { node, before, after } = moments
  if (before.joins > after.joins) return undefined
  const earlier = yield* createCounter(data, before, node)
  const later = yield* createCounter(data, after, node)
  const early = yield* data.findEarlyJoins()
  if (!earlier || !later || !early) return undefined
  const legsBefore = yield* countLegs(data, { counter: earlier, past: before, node })
  const labels = new SlotLabels()
  const ranges = new SlotList()
  const legsAfter = yield* countLegs(data, { counter: later, past: after, node }, (low, high, label) => {
    labels.add(low, high, label)
    ranges.push(low)
    ranges.push(high)
  })
  const newMembers = createNewMembers(data, moments)
  yield* newMembers.addJoined(labels, legsAfter.team - (yield* earlier.countIn(ranges)))
  yield* addMoved(data, moments, early, newMembers)
  return { before: legsBefore, after: { ...legsAfter, labels }, newMembers }
}

/** Measures the legs of a member by ranges. @param visit Called with each range, and the number of its leg from 1 on. */
function* countLegs(
  { slots, tuning }: ForestData,
  { counter, past, node }: { counter: PastCounts; past: Past; node: number },
  visit?: (low: number, high: number, label: number) => void,
): Slices<Legs> {
  const directs: number[] = []
  past.forEachChild(slots.slotOf[node] as number, (slot) => {
    directs.push(slot)
    return 'more'
  })
  if (directs.length > tuning.mostLegs) throw new QueryTooCostlyError('legs')
  const legs: Leg[] = []
  let team = 0
  let maxLevel = 0
  for (const slot of directs) {
    const label = legs.length + 1
    visit?.(slot, slot + 1, label)
    const visitLevel = (ranges: readonly number[]) => {
      for (let range = 0; range < ranges.length; range += 2)
        visit?.(ranges[range] as number, ranges[range + 1] as number, label)
    }
    const levels = yield* counter.countBelow(slot, visit && visitLevel)
    const size = levels.reduce((sum, count) => sum + count, 0)
    legs.push([slot, size])
    team += size + 1
    maxLevel = Math.max(maxLevel, levels.length + 1)
  }
  return { legs, team, maxLevel }
}

/**
 * Adds the members who had joined by the first moment and were moved into the team, with the members below them. A place
 * changes by a move, or when the referrer joins.
 */
function* addMoved(data: ForestData, moments: Moments, early: SlotList, newMembers: NewMembers): Slices<void> {
  const { node, before, after } = moments
  const { slots, tuning } = data
  const wasThere = createMembership(before, node)
  const isThere = createMembership(after, node)
  const changed = findChanged(data, moments, early, isThere)
  const pace = new Pace(tuning.sliceSteps, () => after.requireUnchanged())
  for (const first of changed) {
    const isNew = isThere(slots.nodeAt[first] as number) && !wasThere(slots.nodeAt[first] as number)
    const open = isNew ? [first] : []
    for (let slot = open.pop(); slot !== undefined; slot = open.pop()) {
      newMembers.add(slot)
      after.forEachChild(slot, (child) => {
        // Those in `changed` are begun with themselves, and those who joined later have been counted.
        if (before.hasJoined(child) && !changed.has(child)) open.push(child)
        pace.spend(1)
        return 'more'
      })
      if (pace.spend(1)) yield* pace.pause()
    }
    if (pace.spend(1)) yield* pace.pause()
  }
}

/** Returns the slots of members who had joined by the first moment, and whose place changed between the moments. */
function findChanged(
  data: ForestData,
  { node, before, after, from, to }: Moments,
  early: SlotList,
  isThere: (node: number) => boolean,
): Set<number> {
  const { moves, slots } = data
  const { below, slotOf } = slots
  const top = slotOf[node] as number
  const changed = new Set<number>()
  const add = (slot: number) => {
    if (before.hasJoined(slot)) changed.add(slot)
  }
  const hasJoinedBetween = (slot: number) => slot !== top && after.hasJoined(slot) && !before.hasJoined(slot)
  for (let index = moves.until(from); index < moves.until(to); index++) add(slotOf[moves.nodeAt(index)] as number)
  for (let index = 0; index < early.length; index += 2)
    if (hasJoinedBetween(early.words[index + 1] as number)) add(early.words[index] as number)
  // Placeholders of the snapshot who were bound since are in no pair of `early`.
  for (const referrer of slots.moved) {
    const slot = slotOf[referrer] as number
    if (!hasJoinedBetween(slot) || !isThere(referrer)) continue
    for (let child = below[slot] as number; child < (below[slot + 1] as number); child++) add(child)
  }
  for (const [parent, children] of after.movedIn)
    if (hasJoinedBetween(slotOf[parent] as number)) for (const child of children) add(slotOf[child] as number)
  return changed
}

/** Creates a function that returns whether a node is below `top`. It visits each node of an upline once. */
function createMembership(past: Past, top: number): (node: number) => boolean {
  const known = new Map<number, boolean>([[none, false]])
  return (node) => {
    const way: number[] = []
    let at = node
    let isBelow = known.get(at)
    while (isBelow === undefined) {
      way.push(at)
      at = past.parentOf(at)
      isBelow = at === top || known.get(at)
    }
    for (const each of way) known.set(each, isBelow)
    return isBelow
  }
}

/** Lists the legs that changed, the greatest changes first, then in order of the addresses. */
function listChanges({ slots, addresses }: ForestData, before: readonly Leg[], after: readonly Leg[]) {
  const changes = new Map(before.map(([slot, team]) => [slot, { slot, from: team + 1, to: 0 }]))
  for (const [slot, team] of after) changes.set(slot, { slot, from: changes.get(slot)?.from ?? 0, to: team + 1 })
  const changeOf = ({ from, to }: { from: number; to: number }) => Math.abs(to - from)
  return [...changes.values()]
    .filter(({ from, to }) => from !== to)
    .map((leg) => ({ ...leg, address: addresses.address(slots.nodeAt[leg.slot] as number) }))
    .sort((left, right) => changeOf(right) - changeOf(left) || (left.address < right.address ? -1 : 1))
}
