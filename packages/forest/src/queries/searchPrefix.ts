import { InvalidPrefixError } from '../errors.ts'
import { nodeStatus } from '../nodes.ts'
import { Smallest } from '../smallest.ts'
import type { State } from '../state.ts'
import type { MemberSummary } from '../types.ts'
import { checkLimit } from './checkLimit.ts'
import { summaryOf } from './member.ts'

const prefixPattern = /^0x[0-9a-fA-F]{2,40}$/

export function searchPrefix(state: State, prefix: string, limit: number): MemberSummary[] {
  const { nodes, addresses } = state
  checkLimit(limit)
  if (typeof prefix !== 'string' || !prefixPattern.test(prefix)) throw new InvalidPrefixError(prefix)
  const matches = addresses.prefixTest(prefix.slice(2))
  const smallest = new Smallest(limit, (left, right) => addresses.compare(left, right))
  for (let node = 0; node < nodes.length; node++)
    if (nodes.status[node] !== nodeStatus.unknown && matches(node)) smallest.offer(node)
  return smallest.sorted().map((node) => summaryOf(state, node))
}
