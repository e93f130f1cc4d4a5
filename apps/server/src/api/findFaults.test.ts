import { expect, test } from 'vitest'
import { type FindFaultsParameters, findFaults, isBlockingFault } from './findFaults.ts'

const now = 1_700_000_000_000
const working: FindFaultsParameters = { indexers: [], accounts: { status: 'unknown' }, now }

test.each<[string, Partial<FindFaultsParameters>, [kind: string, age: string, effect: string][]]>([
  ['nothing', {}, []],
  ['an indexer that is away for a moment', { indexers: [{ name: 'indexer 1 (a)', silentSince: now - 9_000 }] }, []],
  [
    'an indexer that is away',
    {
      indexers: [
        { name: 'indexer 1 (a)', silentSince: now - 42_000 },
        { name: 'indexer 2 (b)', silentSince: undefined },
      ],
    },
    [['indexer_silent', '42 s', 'blocking']],
  ],
  [
    'a database that fails',
    { accounts: { status: 'failing', since: now - 599_000 } },
    [['accounts_unavailable', '599 s', 'lookups go on']],
  ],
  [
    'both for long',
    {
      indexers: [{ name: 'indexer 1 (a)', silentSince: now - 900_000 }],
      accounts: { status: 'failing', since: now - 600_000 },
    },
    [
      ['indexer_silent', '15 min', 'blocking'],
      ['accounts_unavailable', '10 min', 'lookups go on'],
    ],
  ],
])('behavior: the faults of %s', (_, given, faults) => {
  const found = findFaults({ ...working, ...given })
  expect(found.map((one) => [one.kind, isBlockingFault(one) ? 'blocking' : 'lookups go on'])).toEqual(
    faults.map(([kind, , effect]) => [kind, effect]),
  )
  for (const [index, { message }] of found.entries()) expect(message).toContain(faults[index]?.[1])
})
