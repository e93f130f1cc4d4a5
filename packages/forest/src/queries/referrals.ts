import type { State } from '../state.ts'
import type { Page, Referral, ReferralsParameters } from '../types.ts'
import { checkLimit } from './checkLimit.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'
import { summaryOf } from './member.ts'
import { keyOf, select } from './select.ts'

export function referralsOf(state: State, top: number, parameters: ReferralsParameters): Page<Referral> {
  const { nodes, slots } = state
  const { level, sort, order, limit, cursor } = parameters
  checkLimit(limit)
  if (level !== 'all' && (!Number.isInteger(level) || level < 1))
    throw new RangeError(`Not a level: ${String(level)}. Expected 1 or more, or "all".`)
  const query = `${sort}.${order}.${level}`
  const after = cursor === undefined || cursor === null ? undefined : readKey(cursor, query, sort)
  // One more than asked for tells whether there is a next page.
  const found = select(state, top, { level, sort, order, count: limit + 1, after })
  const page = found.slice(0, limit)
  const last = page.at(-1)
  const depth = nodes.depth[top] as number
  return {
    items: page.map((slot) => {
      const node = slots.nodeAt[slot] as number
      return { ...summaryOf(state, node), level: (nodes.depth[node] as number) - depth }
    }),
    nextCursor: found.length > limit && last !== undefined ? encodeCursor(query, toParts(slots, last, sort)) : null,
  }
}

/** A cursor holds the sort key of its page's last row; join order is unique and comes last. */
function toParts(slots: State['slots'], slot: number, sort: ReferralsParameters['sort']): bigint[] {
  const { value, joined } = keyOf(slots, slot, sort)
  return sort === 'joined' ? [BigInt(joined)] : [value, BigInt(joined)]
}

function readKey(cursor: string, query: string, sort: ReferralsParameters['sort']) {
  const parts = decodeCursor(cursor, query, sort === 'joined' ? 1 : 2)
  return { value: parts[0] as bigint, joined: Number(parts.at(-1)) }
}
