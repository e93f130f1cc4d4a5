import { expect, test } from 'vitest'
import { findFaults } from './service.ts'

const now = 1_700_000_000_000

test.each([
  ['none of a database that was not asked yet', { status: 'unknown' } as const, []],
  ['none of a database that answers', { status: 'working' } as const, []],
  [
    'a failure of some minutes',
    { status: 'failing', since: now - 599_000, fault: 'read_only' } as const,
    ['has not worked for 599 s: the database is read-only.'],
  ],
  ['a failure of many minutes', { status: 'failing', since: now - 600_000, fault: undefined } as const, ['10 min']],
])('behavior: the faults are %s', (_, accounts, texts) => {
  const found = findFaults(accounts, now)
  expect(found.map(({ kind }) => kind)).toEqual(texts.map(() => 'accounts_unavailable'))
  for (const [index, { message }] of found.entries()) expect(message).toContain(texts[index])
})
