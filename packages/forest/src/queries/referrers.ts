import type { ForestData } from '../data/forestData.ts'
import { none } from '../data/nodes.ts'
import { InvalidCursorError } from '../errors.ts'
import { checkLimit } from '../lib/check.ts'
import type { MemberSummary, Page, ReferrersParameters } from '../types.ts'
import { encodeCursor, readCursor } from './cursor.ts'
import { summaryOf } from './member.ts'

const query = 'referrers'

const parentOf = ({ nodes }: ForestData, node: number): number =>
  node === none ? none : (nodes.parent[node] as number)

/** Reads a page of the upline. Throws `InvalidCursorError` if the last referrer read is no longer at that place. */
export function referrersOf(
  data: ForestData,
  node: number,
  { limit, cursor, skip = 0 }: ReferrersParameters,
): Page<MemberSummary> {
  const { nodes } = data
  checkLimit(limit)
  if (!Number.isSafeInteger(skip) || skip < 0)
    throw new RangeError(`Not a number to skip: ${String(skip)}. Expected an integer of 0 or more.`)
  const [read, last] = readCursor(cursor, query, 2)?.map(Number) ?? [skip]
  const depth = (nodes.depth[node] as number) - (read as number)
  let below = depth <= 0 ? none : nodes.ancestorAt(node, depth)
  if (last !== undefined && below !== last) throw new InvalidCursorError(cursor)
  const items: MemberSummary[] = []
  let at = parentOf(data, below)
  for (; items.length < limit && at !== none; at = parentOf(data, at)) {
    items.push(summaryOf(data, at))
    below = at
  }
  const end = [BigInt((read as number) + items.length), BigInt(below)]
  return { items, nextCursor: at === none ? null : encodeCursor(query, end) }
}
