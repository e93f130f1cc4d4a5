import { expect, test } from 'vitest'
import { initialHeaders } from './headerAccess.ts'
import { allLogs } from './logAccess.ts'
import type { NodeState } from './NodeState.ts'
import { noHead } from './nodeHead.ts'
import { initialPace } from './pace.ts'
import { listWarnings } from './warnings.ts'

const requirements = { chainId: 56, startBlock: 50, lowestHead: 130 }
const good: NodeState = {
  name: 'node.example',
  chain: { status: 'right', checkedAt: 0 },
  contact: { status: 'answering', answeredAt: 0 },
  pace: initialPace,
  logs: allLogs,
  headers: initialHeaders,
  head: { ...noHead, number: 130 },
}
const silent = { status: 'silent', answeredAt: 0, reason: 'HTTP 504' } as const
const other = { status: 'other', chainId: 97, checkedAt: 0 } as const
const off = { ...allLogs, availability: { status: 'off', until: 0 } } as const
const limiting = { ...initialPace, limitedShare: 0.456 }

test('behavior: none for a node that has everything', () => {
  expect(listWarnings(good, requirements, 0)).toEqual([])
})

test.each<[change: Partial<NodeState>, kind: string, message: string]>([
  [{ contact: silent }, 'node_silent', 'node.example does not answer: HTTP 504.'],
  [
    { chain: other, contact: silent },
    'node_other_chain',
    'node.example is a node of chain 97, not of BNB Smart Chain (56). It is not used.',
  ],
  [
    { logs: off },
    'node_without_logs',
    'node.example does not serve eth_getLogs for ranges of blocks. Use another node.',
  ],
  [
    { logs: { ...allLogs, firstBlock: 100 } },
    'node_without_history',
    'node.example does not keep the first block of the communities. Use an archive node to read from there.',
  ],
  [{ head: { ...noHead, number: 129 } }, 'node_behind', 'node.example is 1 blocks behind the newest known block.'],
  [
    { head: { ...noHead, number: 500, lag: 31 } },
    'node_behind',
    'node.example is 31 blocks behind the newest known block.',
  ],
  [
    { head: { ...noHead, number: 49 } },
    'node_behind',
    'node.example is at block 49, but the first community starts at block 50. Check startBlock, or wait.',
  ],
  [
    { pace: limiting },
    'node_limiting',
    'node.example refuses 46 % of the requests as too many, so reading takes longer. Raise its limit, or add a node.',
  ],
])('behavior: %j', (change, kind, message) => {
  expect(listWarnings({ ...good, ...change }, requirements, 0)).toEqual([{ kind, node: 'node.example', message }])
})

test('behavior: everything an answering node lacks', () => {
  const node = { ...good, logs: { ...off, firstBlock: 1 }, head: noHead, pace: limiting }
  expect(listWarnings(node, requirements, 0).map(({ kind }) => kind)).toEqual([
    'node_without_logs',
    'node_without_history',
    'node_behind',
    'node_limiting',
  ])
})
