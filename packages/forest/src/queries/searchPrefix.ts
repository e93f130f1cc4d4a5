import { compareAddresses } from '../addresses/address.ts'
import type { ForestData } from '../data/forestData.ts'
import { nodeStatus } from '../data/nodes.ts'
import { InvalidPrefixError } from '../errors.ts'
import { checkLimit } from '../lib/check.ts'
import { Smallest } from '../lib/smallest.ts'
import type { MemberSummary } from '../types.ts'
import { summaryOf } from './member.ts'

export const prefixPattern = /^0x[0-9a-fA-F]{2,40}$/

/** Returns members and placeholders by prefix, in the order of their addresses. */
export function searchPrefix(data: ForestData, prefix: string, limit: number): MemberSummary[] {
  const { nodes, addresses, prefixes } = data
  checkLimit(limit)
  if (typeof prefix !== 'string' || !prefixPattern.test(prefix)) throw new InvalidPrefixError(prefix)
  const smallest = new Smallest(limit, (left, right) => compareAddresses(addresses.words, left, right))
  let found = 0
  prefixes.forEach(prefix.slice(2), (node) => {
    if (nodes.status[node] === nodeStatus.unknown) return 'more'
    smallest.offer(node)
    return ++found < limit ? 'more' : 'enough'
  })
  return smallest.sorted().map((node) => summaryOf(data, node))
}
