import type { ForestData } from '../data/forestData.ts'
import { nodeStatus, none } from '../data/nodes.ts'
import { amountOf } from '../lib/amounts.ts'
import { checkLimit } from '../lib/check.ts'
import { Smallest } from '../lib/smallest.ts'
import type { MemberSummary, Page, RootsParameters } from '../types.ts'
import { endPage, readCursor } from './cursor.ts'
import { summaryOf } from './member.ts'

/** Calls a function with each root: a member without a referrer, or a placeholder. */
export function forEachRoot({ nodes, slots }: ForestData, visit: (node: number) => void): void {
  const offer = (node: number) => {
    if (nodes.parent[node] === none && nodes.status[node] !== nodeStatus.unknown) visit(node)
  }
  // The snapshot begins with its roots. Members who are newer or have moved since may also be roots.
  for (let slot = 0; slot < (slots.below.length > 1 ? (slots.below[0] as number) : 0); slot++) {
    const node = slots.nodeAt[slot] as number
    if (node < slots.snapshotLength && !slots.moved.has(node)) offer(node)
  }
  for (const node of slots.moved) offer(node)
  for (let node = slots.snapshotLength; node < nodes.length; node++) offer(node)
}

/** Reads a page of the roots. In join order placeholders, which have no join, are after all members. */
export function rootsOf(
  data: ForestData,
  { sort, order, limit, cursor }: RootsParameters,
): Page<MemberSummary> & { count: number } {
  checkLimit(limit)
  const { nodes } = data
  const query = `roots.${sort}.${order}`
  const after = readCursor(cursor, query, 2)
  const sign = order === 'asc' ? 1 : -1
  const { compare, compareTo, keyOf } = createOrder(data, sort)
  const kept = new Smallest(limit + 1, (left, right) => sign * (compare(left, right) || left - right))
  const isAfter = (node: number) => {
    if (!after) return true
    const difference = compareTo(node, after[0] as bigint) || node - Number(after[1])
    return sign * difference > 0
  }
  forEachRoot(data, (node) => {
    if (isAfter(node)) kept.offer(node)
  })
  const { rows, nextCursor } = endPage(kept.sorted(), limit, query, (node) => [keyOf(node), BigInt(node)])
  return { items: rows.map((node) => summaryOf(data, node)), nextCursor, count: nodes.roots }
}

/** Compares roots by the value that a list is sorted by. */
type RootOrder = {
  compare: (left: number, right: number) => number
  compareTo: (node: number, value: bigint) => number
  keyOf: (node: number) => bigint
}

function createOrder({ nodes, slots }: ForestData, sort: RootsParameters['sort']): RootOrder {
  const { slotOf, team, joinIndex, legVolume } = slots
  const slot = (node: number) => slotOf[node] as number
  if (sort === 'volume') {
    let known: { value: bigint; amount: ReturnType<typeof amountOf> } | undefined
    return {
      compare: (left, right) => legVolume.compare(slot(left), legVolume, slot(right)),
      compareTo(node, value) {
        if (known?.value !== value) known = { value, amount: amountOf(value) }
        return legVolume.compare(slot(node), known.amount, 0)
      },
      keyOf: (node) => legVolume.get(slot(node)),
    }
  }
  const numberOf = (node: number) => {
    if (sort === 'team') return team[slot(node)] as number
    return nodes.status[node] === nodeStatus.member ? (joinIndex[slot(node)] as number) : none + node
  }
  return {
    compare: (left, right) => numberOf(left) - numberOf(right),
    compareTo: (node, value) => numberOf(node) - Number(value),
    keyOf: (node) => BigInt(numberOf(node)),
  }
}
