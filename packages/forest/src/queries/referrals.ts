import { amountOf } from '../amounts.ts'
import { type Nodes, none } from '../nodes.ts'
import { Smallest } from '../smallest.ts'
import type { State } from '../state.ts'
import type { Page, Referral, ReferralsParameters, ReferralsSort } from '../types.ts'
import { checkLimit } from './checkLimit.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'
import { summaryOf } from './member.ts'

/** Join order is unique and comes last in each sort. */
interface Sort {
  /** What a cursor holds of its page's last row. */
  key(nodes: Nodes, node: number): bigint[]
  keyLength: number
  ascending(nodes: Nodes): (left: number, right: number) => number
  /** Positive when the node stands after the key in ascending order. */
  fromKey(nodes: Nodes, key: readonly bigint[]): (node: number) => number
}

const sorts: Record<ReferralsSort, Sort> = {
  joined: {
    key: ({ joinOrder }, node) => [BigInt(joinOrder[node] as number)],
    keyLength: 1,
    ascending: byJoinOrder,
    fromKey({ joinOrder }, key) {
      const joined = Number(key[0])
      return (node) => (joinOrder[node] as number) - joined
    },
  },
  team: {
    key: ({ team, joinOrder }, node) => [BigInt(team[node] as number), BigInt(joinOrder[node] as number)],
    keyLength: 2,
    ascending(nodes) {
      const joined = byJoinOrder(nodes)
      return (left, right) => (nodes.team[left] as number) - (nodes.team[right] as number) || joined(left, right)
    },
    fromKey({ team, joinOrder }, key) {
      const size = Number(key[0])
      const joined = Number(key[1])
      return (node) => (team[node] as number) - size || (joinOrder[node] as number) - joined
    },
  },
  volume: {
    key: ({ legVolume, joinOrder }, node) => [legVolume.get(node), BigInt(joinOrder[node] as number)],
    keyLength: 2,
    ascending(nodes) {
      const joined = byJoinOrder(nodes)
      return (left, right) => nodes.legVolume.compare(left, nodes.legVolume, right) || joined(left, right)
    },
    fromKey({ legVolume, joinOrder }, key) {
      const volume = amountOf(key[0] as bigint)
      const joined = Number(key[1])
      return (node) => legVolume.compare(node, volume, 0) || (joinOrder[node] as number) - joined
    },
  },
}

export function referralsOf(state: State, top: number, parameters: ReferralsParameters): Page<Referral> {
  const { nodes } = state
  const { level, order, limit, cursor } = parameters
  checkLimit(limit)
  if (level !== 'all' && (!Number.isInteger(level) || level < 1))
    throw new RangeError(`Not a level: ${String(level)}. Expected 1 or more, or "all".`)
  const sort = sorts[parameters.sort]
  const query = `${parameters.sort}.${order}.${level}`
  const ascending = sort.ascending(nodes)
  // One more than asked for tells whether there is a next page.
  const smallest = new Smallest(
    limit + 1,
    order === 'asc' ? ascending : (left: number, right: number) => ascending(right, left),
  )
  if (cursor === undefined || cursor === null) forEachBelow(nodes, top, level, (node) => smallest.offer(node))
  else {
    const fromKey = sort.fromKey(nodes, decodeCursor(cursor, query, sort.keyLength))
    const sign = order === 'asc' ? 1 : -1
    forEachBelow(nodes, top, level, (node) => {
      if (fromKey(node) * sign > 0) smallest.offer(node)
    })
  }
  const found = smallest.sorted()
  const page = found.slice(0, limit)
  const last = page.at(-1)
  const depth = nodes.depth[top] as number
  return {
    items: page.map((node) => ({ ...summaryOf(state, node), level: (nodes.depth[node] as number) - depth })),
    nextCursor: found.length > limit && last !== undefined ? encodeCursor(query, sort.key(nodes, last)) : null,
  }
}

/** Visits the nodes of one level below `top`, or of all, in no particular order. */
function forEachBelow(nodes: Nodes, top: number, level: number | 'all', visit: (node: number) => void): void {
  if (level === 1) {
    for (let child = nodes.firstChild[top] as number; child !== none; child = nodes.next[child] as number) visit(child)
    return
  }
  if (level !== 'all' && level > (nodes.height[top] as number)) return
  const depth = level === 'all' ? undefined : (nodes.depth[top] as number) + level
  for (let node = nodes.nextBelow(top, top); node !== none; node = nodes.nextBelow(node, top))
    if (depth === undefined || nodes.depth[node] === depth) visit(node)
}

function byJoinOrder({ joinOrder }: Nodes): (left: number, right: number) => number {
  return (left, right) => (joinOrder[left] as number) - (joinOrder[right] as number)
}
