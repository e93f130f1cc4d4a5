import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { allLogs, initialHeaders } from './access.ts'
import {
  afterOutage,
  commonNumber,
  identify,
  isOutdated,
  listWarnings,
  type NodeState,
  noHead,
  onHeadReported,
  unchecked,
} from './nodeState.ts'
import { initialPace } from './pace.ts'

const right = identify(56, 56, 100)
const other = identify(97, 56, 100)

test('behavior: right or other, by chain id', () => {
  expect(right).toEqual({ status: 'right', checkedAt: 100 })
  expect(other).toEqual({ status: 'other', chainId: 97, checkedAt: 100 })
})

test('behavior: outdated until checked, and after a while', () => {
  expect(isOutdated(unchecked, Number.NEGATIVE_INFINITY)).toBe(true)
  expect([right, other].map((identity) => isOutdated(identity, 100))).toEqual([false, false])
  expect([right, other].map((identity) => isOutdated(identity, 101))).toEqual([true, true])
})

test('behavior: an outage makes the right chain uncertain, not another one', () => {
  expect(afterOutage(right)).toBe(unchecked)
  expect(afterOutage(other)).toBe(other)
})

const report = (numbers: readonly number[], interval = 1_000) =>
  numbers.reduce((head, number, index) => onHeadReported(head, number, index * interval), noHead)

test('behavior: two nodes behind one URL, in turns', () => {
  const head = report([200, 140, 200, 140])
  expect(head).toMatchObject({ number: 200, spread: { blocks: 60 } })
  expect(commonNumber(head)).toBe(140)
})

test('behavior: forgets a spread that was not seen for a minute', () => {
  const head = report([200, 140])
  expect(commonNumber(onHeadReported(head, 201, 61_000))).toBe(141)
  expect(commonNumber(onHeadReported(head, 201, 61_002))).toBe(201)
})

test('behavior: half of a spread confirms it', () => {
  const head = report([200, 140])
  expect(onHeadReported(head, 169, 50_000).spread).toEqual({ blocks: 60, at: 50_000 })
  expect(onHeadReported(head, 170, 50_000).spread).toEqual({ blocks: 60, at: 1_000 })
})

test('property: the head is the highest report, and no report of a minute is below the common number', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(10_000), { minLength: 1, maxLength: 50 }), (numbers) => {
      const head = report(numbers)
      expect(head.number).toBe(Math.max(...numbers))
      expect(commonNumber(head)).toBeLessThanOrEqual(numbers.at(-1) as number)
    }),
  )
})

const requirements = { chainId: 56, startBlock: 50, lowestHead: 130 }
const good: NodeState = {
  name: 'node.example',
  chain: { status: 'right', checkedAt: 0 },
  contact: { status: 'answering', answeredAt: 0 },
  pace: initialPace,
  logs: allLogs,
  headers: initialHeaders,
  head: { ...noHead, number: 130 },
  blockHashes: 'known',
}
const silent = { status: 'silent', answeredAt: 0, reason: 'HTTP 504' } as const
const otherChain = { status: 'other', chainId: 97, checkedAt: 0 } as const
const off = { ...allLogs, availability: { status: 'off', until: 0 } } as const
const limiting = { ...initialPace, limitedShare: 0.456 }

test('behavior: none for a node that has everything', () => {
  expect(listWarnings(good, requirements, 0)).toEqual([])
})

test.each<[change: Partial<NodeState>, kind: string, message: string]>([
  [{ contact: silent }, 'node_silent', 'node.example does not answer: HTTP 504.'],
  [
    { chain: otherChain, contact: silent },
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

test('behavior: wrong logs are told for a minute after the last ones', () => {
  const node = { ...good, lastWrong: { logs: 'it returned other logs', at: 1_000 } }
  const message = 'node.example does not answer: it returned other logs.'
  expect(listWarnings(node, requirements, 60_999)).toMatchObject([{ kind: 'node_silent', message }])
  expect(listWarnings(node, requirements, 61_001)).toEqual([])
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
