import type { ForestData } from '../data/forestData.ts'
import { none } from '../data/nodes.ts'
import { Downline, walk } from '../downline/downline.ts'
import { Past } from '../downline/past.ts'
import { Pace } from '../lib/pace.ts'
import type { Known, Moment, Slices } from '../types.ts'

/** Returns whether a node had been bound or named as a referrer at a moment. */
export function wasKnown(data: ForestData, node: number, moment: Moment): Known {
  const past = new Past(data, moment)
  if (past.isKnown(node)) return 'known'
  if (past.isUncertain(node)) return 'perhaps'
  const { nodes } = data
  for (let child = nodes.firstChild[node] as number; child !== none; child = nodes.next[child] as number)
    if (past.isUncertain(child)) return 'perhaps'
  return 'unknown'
}

/**
 * Counts the addresses around a member whose place at a moment is not known: the member, its upline and its downline today, and those
 * whose last move from there may be later.
 */
export function* countUndated(data: ForestData, node: number, moment: Moment): Slices<number> {
  const past = new Past(data, moment)
  const { nodes } = data
  if (nodes.undated.length === 0 && past.uncertainMoves.size === 0) return 0
  let count = 0
  for (let at = node; at !== none; at = nodes.parent[at] as number) count += Number(past.isUncertain(at))
  for (const moved of past.uncertainMoves)
    if (!nodes.isWithin(moved, node) && !nodes.isWithin(node, moved) && wasBelow(past, moved, node)) count++
  return count + (yield* countUndatedBelow(data, past, node))
}

/** Counts all addresses whose place at a moment is not known. */
export function* countAllUndated(data: ForestData, moment: Moment): Slices<number> {
  const past = new Past(data, moment)
  const { undated } = data.nodes
  const pace = new Pace(data.tuning.sliceSteps, () => past.requireSameRows())
  let count = 0
  for (const node of past.uncertainMoves) count += Number(past.isBound(node))
  for (let index = undated.indexOf(past.joins); index < undated.length; index++) {
    count += Number(past.mayHaveJoined(index))
    if (pace.spend(1)) yield* pace.pause()
  }
  return count
}

function wasBelow(past: Past, node: number, top: number): boolean {
  for (let at = node; at !== none; at = past.parentOf(at)) if (at === top) return true
  return false
}

/**
 * Counts the members of a downline whose place at a moment is not known; with `until`, those who may have joined before it, and count as
 * joined later with a lower join index than `until`.
 */
export function* countUndatedBelow(data: ForestData, past: Past, top: number, until?: number): Slices<number> {
  const { nodes, slots, tuning } = data
  const { undated } = nodes
  const hasJoinedBefore = (node: number, end: number) => (slots.joinIndex[slots.slotOf[node] as number] as number) < end
  let count = 0
  if (slots.teamOf(top) <= tuning.smallTeam) {
    walk(data, top, 'all', (node) => {
      const isAsked = until === undefined || (!past.isBound(node) && hasJoinedBefore(node, until))
      if (isAsked && past.isUncertain(node)) count++
    })
    return count
  }
  const downline = new Downline(data, top)
  const pace = new Pace(tuning.sliceSteps, () => past.requireUnchanged())
  const isBelow = (node: number) => downline.levelOf(node) > 0 && downline.has(node)
  const end = until === undefined ? undated.length : undated.indexOf(until)
  for (let index = undated.indexOf(past.joins); index < end; index++) {
    if (past.mayHaveJoined(index) && isBelow(nodes.joinOrder[undated.joinAt(index)] as number)) count++
    if (pace.spend(1)) yield* pace.pause()
  }
  if (until === undefined) for (const node of past.uncertainMoves) if (past.isBound(node) && isBelow(node)) count++
  return count
}
