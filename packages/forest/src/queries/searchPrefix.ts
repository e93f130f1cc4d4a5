import { InvalidPrefixError } from '../errors.ts'
import { nodeStatus } from '../nodes.ts'
import { Smallest } from '../smallest.ts'
import type { State } from '../state.ts'
import type { MemberSummary } from '../types.ts'
import { checkLimit } from './checkLimit.ts'
import { summaryOf } from './member.ts'

const prefixPattern = /^0x[0-9a-fA-F]{2,40}$/

export function searchPrefix(state: State, prefix: string, limit: number): MemberSummary[] {
  const { nodes, addresses, order } = state
  checkLimit(limit)
  if (typeof prefix !== 'string' || !prefixPattern.test(prefix)) throw new InvalidPrefixError(prefix)
  const smallest = new Smallest(limit, (left, right) => addresses.compare(left, right))
  let found = 0
  order.forEach(prefix.slice(2), (node) => {
    if (nodes.status[node] === nodeStatus.unknown) return 'more'
    smallest.offer(node)
    return ++found < limit ? 'more' : 'enough'
  })
  return smallest.sorted().map((node) => summaryOf(state, node))
}
