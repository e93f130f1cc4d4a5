import { checkLimit } from '../check.ts'
import type { ForestData } from '../forestData.ts'
import { none } from '../nodes.ts'
import type { MemberSummary, Page, ReferrersParameters } from '../types.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'
import { summaryOf } from './summary.ts'

const query = 'referrers'

/**
 * Reads a page of the upline. Its cursor counts the referrers read so far, because an upline grows only at its far
 * end.
 */
export function referrersOf(
  data: ForestData,
  node: number,
  { limit, cursor, skip = 0 }: ReferrersParameters,
): Page<MemberSummary> {
  const { nodes } = data
  checkLimit(limit)
  if (!Number.isSafeInteger(skip) || skip < 0)
    throw new RangeError(`Not a number to skip: ${String(skip)}. Expected an integer of 0 or more.`)
  const read = cursor === undefined || cursor === null ? skip : Number(decodeCursor(cursor, query, 1)[0])
  const depth = (nodes.depth[node] as number) - read
  let at = depth <= 0 ? none : (nodes.parent[nodes.ancestorAt(node, depth)] as number)
  const items: MemberSummary[] = []
  for (; items.length < limit && at !== none; at = nodes.parent[at] as number) items.push(summaryOf(data, at))
  return { items, nextCursor: at === none ? null : encodeCursor(query, [BigInt(read + items.length)]) }
}
