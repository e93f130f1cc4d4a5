import { AmountReader } from '../data/amountLog.ts'
import type { ForestData } from '../data/forestData.ts'
import { none } from '../data/nodes.ts'
import { joinsUntil, Past } from '../downline/past.ts'
import { createPastTeam } from '../downline/pastCounts.ts'
import { SlotList } from '../lib/columns.ts'
import { Pace } from '../lib/pace.ts'
import type { Activity, ActivityParameters, Slices } from '../types.ts'

const bits = { bound: 1, bought: 2, brought: 4 } as const
type Deed = keyof typeof bits

/** Steps of one event. */
const costAlone = 4

/**
 * Counts the members who did something in each period, and those of them without a date: of the whole forest, or of the downline of a
 * member, as they were at the end.
 */
export function* activityOf(
  data: ForestData,
  top: number | null,
  { from, until, periods }: ActivityParameters,
): Slices<{ items: Activity[]; undated: number }> {
  const { nodes, amounts, tuning } = data
  const past = new Past(data, { timestamp: until })
  const isAsked = top === null ? (node: number) => past.isBound(node) : yield* createPastTeam(data, past, top)
  const referrerAtJoin = createReferrers(data)
  const starts = periods(from, until)
  // Later events may be of the same second.
  const [lastJoin, lastEvent] = [past.joins, amounts.until({ timestamp: until })]
  const deeds = createDeeds(nodes.length, isAsked)
  const reader = new AmountReader(amounts)
  const items: Activity[] = []
  const pace = new Pace(tuning.sliceSteps, () => past.requireUnchanged())
  for (const [index, start] of starts.entries()) {
    const [first, last] = [Math.max(start, from) - 1, Math.min((starts[index + 1] ?? until + 1) - 1, until)]
    const joined = Math.min(joinsUntil(nodes, { timestamp: last }), lastJoin)
    for (let join = joinsUntil(nodes, { timestamp: first }); join < joined; join++) {
      const node = nodes.joinOrder[join] as number
      if (nodes.grade[node] === 0) {
        deeds.add(node, 'bound')
        const referrer = referrerAtJoin(node)
        if (referrer !== none) deeds.add(referrer, 'brought')
      }
      if (pace.spend(costAlone)) yield* pace.pause()
    }
    const end = Math.min(amounts.until({ timestamp: last }), lastEvent)
    for (let event = amounts.until({ timestamp: first }); event < end; event++) {
      if (amounts.kindAt(event) === 'volume') {
        reader.read(event)
        if (reader.amount.ceiling(0) > 0) deeds.add(amounts.nodeAt(event), 'bought')
      }
      if (pace.spend(costAlone)) yield* pace.pause()
    }
    items.push({ from: start, ...deeds.take() })
  }
  return { items, undated: yield* countUndatedOf(data, past, isAsked) }
}

/** Counts the members without a date who had joined at a moment, of those asked for. */
function* countUndatedOf(
  { nodes: { undated, joinOrder }, tuning }: ForestData,
  past: Past,
  isAsked: (node: number) => boolean,
): Slices<number> {
  const pace = new Pace(tuning.sliceSteps, () => past.requireUnchanged())
  const end = undated.indexOf(past.joins)
  let count = 0
  for (let index = 0; index < end; index++) {
    count += Number(isAsked(joinOrder[undated.joinAt(index)] as number))
    if (pace.spend(1)) yield* pace.pause()
  }
  return count
}

/** Counts members by what they did, each once. */
function createDeeds(nodes: number, isAsked: (node: number) => boolean) {
  const done = new Uint8Array(nodes)
  const touched = new SlotList()
  const zero = { active: 0, bound: 0, bought: 0, brought: 0 }
  let counts = { ...zero }
  return {
    add(node: number, deed: Deed): void {
      const before = done[node]
      // A node that came after the beginning has no place.
      if (before === undefined || (before & bits[deed]) !== 0 || !isAsked(node)) return
      if (before === 0) {
        touched.push(node)
        counts.active++
      }
      done[node] = before | bits[deed]
      counts[deed]++
    },

    /** Returns the counts, and starts again from zero. */
    take() {
      const taken = counts
      for (let index = 0; index < touched.length; index++) done[touched.words[index] as number] = 0
      touched.length = 0
      counts = { ...zero }
      return taken
    },
  }
}

/** Creates a function that returns the referrer that a member joined under. */
function createReferrers({ nodes, moves }: ForestData): (node: number) => number {
  const first = new Map<number, number>()
  for (let index = moves.length - 1; index >= 0; index--) first.set(moves.nodeAt(index), moves.parentBefore(index))
  return (node) => first.get(node) ?? (nodes.parent[node] as number)
}
