import { none } from '../nodes.ts'
import type { State } from '../state.ts'
import type { MemberSummary, Page, ReferrersParameters } from '../types.ts'
import { checkLimit } from './checkLimit.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'
import { summaryOf } from './member.ts'

/** The cursor counts the referrers already given: an upline only ever grows at its far end. */
const query = 'referrers'

export function referrersOf(
  state: State,
  node: number,
  { limit, cursor, skip = 0 }: ReferrersParameters,
): Page<MemberSummary> {
  const { nodes } = state
  checkLimit(limit)
  if (!Number.isSafeInteger(skip) || skip < 0) throw new RangeError('`skip` must be a whole number of at least 0.')
  const given = cursor === undefined || cursor === null ? skip : Number(decodeCursor(cursor, query, 1)[0])
  const depth = (nodes.depth[node] as number) - given
  let at = depth <= 0 ? none : (nodes.parent[nodes.ancestorAt(node, depth)] as number)
  const items: MemberSummary[] = []
  for (; items.length < limit && at !== none; at = nodes.parent[at] as number) items.push(summaryOf(state, at))
  return { items, nextCursor: at === none ? null : encodeCursor(query, [BigInt(given + items.length)]) }
}
