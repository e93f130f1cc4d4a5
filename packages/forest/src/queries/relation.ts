import type { Address } from '../addresses/address.ts'
import type { ForestData } from '../data/forestData.ts'
import { type Nodes, none } from '../data/nodes.ts'
import { Past } from '../downline/past.ts'
import { checkLimit } from '../lib/check.ts'
import type { LineParameters, LineStep, Moment, Page, PastLineStep, Relation } from '../types.ts'
import { encodeCursor, readCursor, readLine } from './cursor.ts'
import { summaryOf } from './member.ts'
import { summaryAt, uplineAt } from './past.ts'

/** Finds how two members are related. */
export function relationOf({ nodes, addresses }: ForestData, a: number, b: number): Relation {
  const common = commonOf(nodes, a, b)
  if (common === none) return unrelated
  return toRelation(addresses.address(common), stepsBetween(nodes, a, common), stepsBetween(nodes, b, common))
}

const unrelated: Relation = { relation: 'unrelated', common: null, stepsA: null, stepsB: null }

/** Names the relation of two members by their steps up to the nearest address at or above both. */
function toRelation(common: Address, stepsA: number, stepsB: number): Relation {
  const relation = stepsA === 0 ? (stepsB === 0 ? 'same' : 'above') : stepsB === 0 ? 'below' : 'sideways'
  return { relation, common, stepsA, stepsB }
}

/**
 * Reads a page of the line between two members: from `a` up to the nearest address at or above both, and down to `b`.
 * The line of unrelated members is empty. The cursor contains the lengths of both parts, and becomes invalid when
 * either length changes.
 */
export function lineOf(data: ForestData, a: number, b: number, { limit, cursor }: LineParameters): Page<LineStep> {
  const { nodes } = data
  checkLimit(limit)
  const common = commonOf(nodes, a, b)
  if (common === none) {
    readCursor(cursor, 'line.unrelated', 1)
    return { items: [], nextCursor: null }
  }
  const top = nodes.depth[common] as number
  const stepsA = stepsBetween(nodes, a, common)
  const length = stepsA + stepsBetween(nodes, b, common) + 1
  const query = `line.${stepsA}.${length}`
  const first = Number(readCursor(cursor, query, 1)?.[0] ?? 0)
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
const sideOf = (step: number, stepsA: number): LineStep['side'] =>
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

/** Finds how two members were related at a moment. */
export function pastRelationOf(data: ForestData, a: number, b: number, moment: Moment): Relation {
  const { lineA, lineB, shared } = readLines(new Past(data, moment), a, b)
  if (shared === 0) return unrelated
  const stepsA = lineA.length - shared
  return toRelation(data.addresses.address(lineA[stepsA] as number), stepsA, lineB.length - shared)
}

/** Reads a page of the line between two members at a moment, as `lineOf` does for the present. */
export function pastLineOf(
  data: ForestData,
  a: number,
  b: number,
  { moment, limit, cursor }: LineParameters & { moment: Moment },
): Page<PastLineStep> {
  checkLimit(limit)
  const past = new Past(data, moment)
  const { lineA, lineB, shared } = readLines(past, a, b)
  const stepsA = lineA.length - shared
  const line = shared === 0 ? [] : [...lineA.slice(0, stepsA + 1), ...lineB.slice(0, lineB.length - shared).reverse()]
  const query = `past.line.${stepsA}.${line.length}.${Object.entries(moment).join('.')}`
  const { first, rows, nextCursor } = readLine(line, { limit, cursor }, query)
  const items = rows.map((node, index): PastLineStep => {
    const step = first + index
    const depth = shared - 1 + Math.abs(stepsA - step)
    return { ...summaryAt(data, past, node), depth, step, side: sideOf(step, stepsA) }
  })
  return { items, nextCursor }
}

/** Counts the addresses on the lines of two members, of a moment and of today, whose place at the moment is not known. */
export function countUndatedOnLines(data: ForestData, a: number, b: number, moment: Moment): number {
  const past = new Past(data, moment)
  const { lineA, lineB } = readLines(past, a, b)
  const all = new Set([...lineA, ...lineB])
  for (const end of [a, b]) for (let at = end; at !== none; at = data.nodes.parent[at] as number) all.add(at)
  let count = 0
  for (const node of all) count += Number(past.isUncertain(node))
  return count
}

/** Lists two members with all above them. `shared`: the number of addresses at the ends that both lines have. */
function readLines(past: Past, a: number, b: number): { lineA: number[]; lineB: number[]; shared: number } {
  const [lineA, lineB] = [a, b].map((node) => [node, ...uplineAt(past, node)]) as [number[], number[]]
  let shared = 0
  while (shared < Math.min(lineA.length, lineB.length) && lineA.at(-1 - shared) === lineB.at(-1 - shared)) shared++
  return { lineA, lineB, shared }
}
