import { isBlockingReason } from '@lineage/referral-api/problems'
import { expect, test } from 'vitest'
import { dateReasons, type Facts, findReasons } from './createStatus.ts'

const asOf = { block: 100, timestamp: 1_000, finalizedBlock: 70 }
const good: Facts = {
  now: 1_010,
  maxAge: 60,
  status: { state: 'ready', asOf, headBlock: 100 },
  stillFor: 5,
  fault: undefined,
  silentFor: undefined,
  nodes: 'usable',
  replaced: undefined,
  withheld: [],
}

test('behavior: no reasons while nothing is wrong, or without a limit of the age', () => {
  expect(findReasons(good)).toEqual([])
  expect(findReasons({ ...good, now: 1_060 })).toEqual([])
  expect(
    findReasons({ ...good, now: 9_999, stillFor: 8_000, maxAge: 0, status: { ...good.status, headBlock: 999 } }),
  ).toEqual([])
})

test.each<[string, Partial<Facts>]>([
  ['chain_replaced', { replaced: 'Another chain.' }],
  ['tables_damaged', { fault: 'damaged' }],
  ['disk_full', { fault: 'disk_full' }],
  ['database_unavailable', { fault: 'unreachable' }],
  ['reader_silent', { silentFor: 11 }],
  ['nodes_unavailable', { nodes: 'unusable' }],
  ['indexing', { status: { ...good.status, state: 'indexing', asOf: null } }],
  ['stale', { now: 1_061 }],
  ['index_stuck', { stillFor: 61, status: { ...good.status, headBlock: 101 } }],
  ['community_withheld', { withheld: [{ community: 'demo', message: 'Swapped.' }] }],
])('behavior: %s: %j', (code, change) => {
  const found = findReasons({ ...good, ...change })
  expect(found).toMatchObject([{ code, message: expect.stringMatching(/\.$/) }])
  const isShared = ['disk_full', 'database_unavailable', 'reader_silent', 'nodes_unavailable'].includes(code)
  expect(found.map(isBlockingReason)).toEqual([!isShared && code !== 'community_withheld'])
})

test('behavior: an index at the newest block is not stuck, however long the chain stands still', () => {
  expect(findReasons({ ...good, stillFor: 500 })).toEqual([])
})

test('behavior: an old block that is the newest one of the nodes may be due to the clock, one behind them is not', () => {
  const tell = (headBlock: number) =>
    findReasons({ ...good, now: 4_600, status: { ...good.status, headBlock } })[0]?.message
  expect(tell(100)).toMatch(/3600 seconds old\. The nodes have no newer one: .* clock/)
  expect(tell(5_000)).toMatch(/3600 seconds old\.$/)
})

test.each([
  ['crowded', /^The database has no connection left: raise max_connections/],
  ['untrusted', /^No trusted TLS connection to the database/],
  ['password', /^The database refuses the user or its password\.$/],
  ['closed', /^No database listens at its address\.$/],
  ['read_only', /^The database is read-only\.$/],
] as const)('behavior: a database that is %s is told as that, and nothing is said of the chain', (fault, message) => {
  const found = findReasons({ ...good, fault, status: { ...good.status, state: 'starting', asOf: null } })
  expect(found).toEqual([{ code: 'database_unavailable', community: null, message: expect.stringMatching(message) }])
})

test('behavior: a reader is not silent because the database is away', () => {
  expect(findReasons({ ...good, silentFor: 11, fault: 'unreachable' })).toMatchObject([
    { code: 'database_unavailable' },
  ])
})

test('behavior: a reason keeps its time while it holds; a stale block has the time of the block', () => {
  const away = { ...good, fault: 'unreachable' } as const
  const first = dateReasons(findReasons(away), [], away)
  expect(first).toMatchObject([{ code: 'database_unavailable', since: 1_010, age: 0 }])
  const later = { ...away, now: 1_200 }
  expect(dateReasons(findReasons(later), first, later)).toMatchObject([
    { code: 'database_unavailable', since: 1_010, age: 190 },
    { code: 'stale', since: 1_000, age: 200 },
  ])
})
