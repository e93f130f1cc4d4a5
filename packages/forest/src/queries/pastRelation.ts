import type { ForestData } from '../data/forestData.ts'
import { none } from '../data/nodes.ts'
import { Past } from '../downline/past.ts'
import { checkLimit } from '../lib/check.ts'
import type { LineParameters, Moment, Page, PastLineStep, Relation } from '../types.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'
import { summaryAt, uplineAt } from './past.ts'
import { sideOf, toRelation, unrelated } from './relation.ts'

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
  const first = cursor === undefined || cursor === null ? 0 : Number(decodeCursor(cursor, query, 1)[0])
  const items = line.slice(first, first + limit).map((node, index): PastLineStep => {
    const step = first + index
    const depth = shared - 1 + Math.abs(stepsA - step)
    return { ...summaryAt(data, past, node), depth, step, side: sideOf(step, stepsA) }
  })
  const end = first + items.length
  return { items, nextCursor: end < line.length && items.length > 0 ? encodeCursor(query, [BigInt(end)]) : null }
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
