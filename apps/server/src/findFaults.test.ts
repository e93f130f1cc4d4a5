import { expect, test } from 'vitest'
import { type FindFaultsParameters, findFaults } from './findFaults.ts'

const now = 1_700_000_000_000
const working: FindFaultsParameters = {
  status: {
    state: 'ready',
    progress: null,
    asOf: { block: 9, timestamp: now / 1_000 - 300, finalizedBlock: 8 },
    headBlock: 9,
    note: null,
    warnings: [],
    spotChecks: [],
  },
  indexer: { status: 'working' },
  accounts: { status: 'unknown' },
  mode: 'live',
  now,
}
const stale = { ...working.status, asOf: { block: 9, timestamp: now / 1_000 - 900, finalizedBlock: 8 } }

test.each<[string, Partial<FindFaultsParameters>, [string, string][]]>([
  ['nothing', {}, []],
  ['an old block', { status: stale }, [['index_stale', '15 min']]],
  ['an old block while the chain is indexed', { status: { ...stale, state: 'indexing' } }, []],
  ['an indexer that is away for a moment', { indexer: { status: 'failing', since: now - 9_000 } }, []],
  ['an old block of a demo', { status: stale, mode: 'demo' }, []],
  ['an indexer that is away', { indexer: { status: 'failing', since: now - 42_000 } }, [['indexer_silent', '42 s']]],
  [
    'a database that fails',
    { accounts: { status: 'failing', since: now - 599_000 } },
    [['accounts_unavailable', '599 s']],
  ],
])('%s', (_, given, faults) => {
  const found = findFaults({ ...working, ...given })
  expect(found.map(({ kind }) => kind)).toEqual(faults.map(([kind]) => kind))
  for (const [index, { message }] of found.entries()) expect(message).toContain(faults[index]?.[1])
})
