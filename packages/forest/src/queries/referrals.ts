import type { ForestData } from '../data/forestData.ts'
import { checkLimit } from '../lib/check.ts'
import type { Page, Referral, ReferralsParameters, ReferralsSort } from '../types.ts'
import { endPage, readCursor } from './cursor.ts'
import { summaryOf } from './member.ts'
import { type SortKey, select, sortKeyOf } from './select.ts'

/** Number of lists with prefetched rows, one for each concurrent reader. */
const mostLists = 16
const mostAhead = 6_400

/** Consecutive rows of a list, found by one scan and returned page by page. */
interface PrefetchedList {
  version: number
  top: number
  query: string
  sort: ReferralsSort
  /** Nodes instead of slots, because a snapshot changes the slots. */
  nodes: number[]
  joinIndexes: number[]
}

interface PageRequest extends Pick<ReferralsParameters, 'level' | 'sort' | 'order'> {
  query: string
  after: SortKey | undefined
  count: number
}

/** Reads pages of a downline, and prefetches the rows after them. */
export function createReferrals(data: ForestData) {
  let lists: PrefetchedList[] = []

  function answer(top: number, { level, sort, order, limit, cursor }: ReferralsParameters): Page<Referral> {
    checkLimit(limit)
    if (level !== 'all' && (!Number.isInteger(level) || level < 1))
      throw new RangeError(`Not a level: ${String(level)}. Expected 1 or more, or "all".`)
    const query = `${sort}.${order}.${level}`
    const after = readKey(cursor, query, sort)
    // One row more than the page tells whether there is a next page.
    const found = find(top, { level, sort, order, query, after, count: limit + 1 })
    return readSlots(data, top, found, { limit, query, sort })
  }

  /** Returns up to `count` slots after the cursor, from a prefetched list if there is one. */
  function find(top: number, request: PageRequest): number[] {
    const { query, after, sort, count } = request
    lists = lists.filter(({ version }) => version === data.version)
    const list = after && lists.find((list) => list.top === top && list.query === query && contains(list, after))
    const prefetched = list && readAfter(list, after, count)
    if (prefetched) return prefetched
    // Most readers stop at the first page; a reader of the second page is likely to continue.
    const ahead = !after ? 0 : list ? Math.min(list.nodes.length * 2, mostAhead) : data.tuning.ahead
    const found = select(data, top, { ...request, ahead })
    if (found.length > count) {
      const nodes = found.map((slot) => data.slots.nodeAt[slot] as number)
      const joinIndexes = found.map((slot) => data.slots.joinIndex[slot] as number)
      const others = lists.filter((other) => other !== list)
      lists = [{ version: data.version, top, query, sort, nodes, joinIndexes }, ...others].slice(0, mostLists)
    }
    return found
  }

  function contains({ nodes, joinIndexes, sort }: PrefetchedList, { value, joinIndex }: SortKey): boolean {
    const { slots } = data
    const node = nodes[joinIndexes.indexOf(joinIndex)]
    // A forged cursor may have the value of one row and the join index of another.
    return node !== undefined && sortKeyOf(slots, slots.slotOf[node] as number, sort).value === value
  }

  /** Reads a page from a list. Returns `undefined` if the list does not contain the whole page. */
  function readAfter({ nodes, joinIndexes }: PrefetchedList, after: SortKey, count: number): number[] | undefined {
    const from = joinIndexes.indexOf(after.joinIndex) + 1
    if (from + count > nodes.length) return undefined
    return nodes.slice(from, from + count).map((node) => data.slots.slotOf[node] as number)
  }

  return answer
}

/** Returns the members at these slots as rows of a downline. */
export function toReferrals(data: ForestData, top: number, page: readonly number[]): Referral[] {
  const { nodes, slots } = data
  return page.map((slot) => {
    const summary = summaryOf(data, slots.nodeAt[slot] as number)
    return { ...summary, level: summary.depth - (nodes.depth[top] as number) }
  })
}

/** Returns a page of slots in order, whose cursor has the sort key of its last row. */
export function readSlots(
  data: ForestData,
  top: number,
  found: readonly number[],
  { limit, query, sort }: { limit: number; query: string; sort: ReferralsSort },
): Page<Referral> {
  const keyOf = (slot: number) => {
    const { value, joinIndex } = sortKeyOf(data.slots, slot, sort)
    return sort === 'joined' ? [value] : [value, BigInt(joinIndex)]
  }
  const { rows, nextCursor } = endPage(found, limit, query, keyOf)
  return { items: toReferrals(data, top, rows), nextCursor }
}

export function readKey(
  cursor: ReferralsParameters['cursor'],
  query: string,
  sort: ReferralsSort,
): SortKey | undefined {
  const parts = readCursor(cursor, query, sort === 'joined' ? 1 : 2)
  return parts && { value: parts[0] as bigint, joinIndex: Number(parts.at(-1)) }
}
