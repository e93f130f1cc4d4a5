import type { Address } from '../addresses/address.ts'
import type { ForestData } from '../data/forestData.ts'
import { type Nodes, none } from '../data/nodes.ts'
import { checkLimit } from '../lib/check.ts'
import type { LineParameters, LineStep, Page, Relation } from '../types.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'
import { summaryOf } from './summary.ts'

/** Finds how two members are related. */
export function relationOf({ nodes, addresses }: ForestData, a: number, b: number): Relation {
  const common = commonOf(nodes, a, b)
  if (common === none) return unrelated
  return toRelation(addresses.address(common), stepsBetween(nodes, a, common), stepsBetween(nodes, b, common))
}

export const unrelated: Relation = { relation: 'unrelated', common: null, stepsA: null, stepsB: null }

/** Names the relation of two members by their steps up to the nearest address at or above both. */
export function toRelation(common: Address, stepsA: number, stepsB: number): Relation {
  const relation = stepsA === 0 ? (stepsB === 0 ? 'same' : 'above') : stepsB === 0 ? 'below' : 'sideways'
  return { relation, common, stepsA, stepsB }
}

/**
 * Reads a page of the line between two members: from `a` up to the nearest address at or above both, and down to `b`.
 * The line of unrelated members is empty. The cursor contains the length of both parts, and becomes invalid when one
 * of them changes.
 */
export function lineOf(data: ForestData, a: number, b: number, { limit, cursor }: LineParameters): Page<LineStep> {
  const { nodes } = data
  checkLimit(limit)
  const common = commonOf(nodes, a, b)
  if (common === none) {
    if (typeof cursor === 'string') decodeCursor(cursor, 'line.unrelated', 1)
    return { items: [], nextCursor: null }
  }
  const top = nodes.depth[common] as number
  const stepsA = stepsBetween(nodes, a, common)
  const length = stepsA + stepsBetween(nodes, b, common) + 1
  const query = `line.${stepsA}.${length}`
  const first = cursor === undefined || cursor === null ? 0 : Number(decodeCursor(cursor, query, 1)[0])
  const end = Math.min(first + limit, length)
  const line: number[] = []
  const endA = Math.min(end, stepsA + 1)
  let at = nodes.ancestorAt(a, top + Math.max(0, stepsA - first))
  for (; first + line.length < endA; at = nodes.parent[at] as number) line.push(at)
  // The way down can be read only from its lower end.
  const startB = Math.max(first, stepsA + 1)
  at = nodes.ancestorAt(b, top + Math.max(0, end - 1 - stepsA))
  for (let step = end - 1; step >= startB; step--) {
    line[step - first] = at
    at = nodes.parent[at] as number
  }
  const items = line.map((node, index): LineStep => {
    const step = first + index
    return { ...summaryOf(data, node), step, side: sideOf(step, stepsA) }
  })
  return { items, nextCursor: end < length ? encodeCursor(query, [BigInt(end)]) : null }
}

/** Returns the part of a line that a step is in. */
export const sideOf = (step: number, stepsA: number): LineStep['side'] =>
  step === stepsA ? 'common' : step < stepsA ? 'a' : 'b'

const stepsBetween = ({ depth }: Nodes, below: number, above: number) =>
  (depth[below] as number) - (depth[above] as number)

/** Returns the nearest node at or above both; `none` if they have different roots. */
function commonOf(nodes: Nodes, a: number, b: number): number {
  const { depth, jump, parent } = nodes
  let left = nodes.ancestorAt(a, depth[b] as number)
  let right = nodes.ancestorAt(b, depth[a] as number)
  while (left !== right) {
    if (depth[left] === 0) return none
    // The length of a jump depends only on the depth, so both jump to the same depth.
    const next = jump[left] === jump[right] ? parent : jump
    left = next[left] as number
    right = next[right] as number
  }
  return left
}
