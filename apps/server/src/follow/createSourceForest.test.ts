import { expect, test } from 'vitest'
import { createSourceForest, findFork } from './createSourceForest.ts'
import type { EventRow } from './events.ts'
import { addressOf, hashOf } from './test/tables.ts'

/**
 * Creates rows named by block and branch, such as `3a`. Rows of one block get consecutive log indexes. A letter after a
 * dash is the referrer.
 */
const toRows = (...names: string[]) =>
  names.map((name, logIndex) => ({
    kind: 'bind',
    block: Number.parseInt(name, 10),
    logIndex,
    blockHash: `0x${name.split('-')[0]}`,
    referrer: `0x${name.split('-')[1]}`,
  })) as EventRow[]
const namesOf = (rows: readonly EventRow[]) => rows.map(({ blockHash }) => blockHash.slice(2))

test.each([
  ['the same rows', ['1a', '2a'], ['1a', '2a'], Number.POSITIVE_INFINITY, ['1a', '2a']],
  ['more rows', ['1a'], ['1a', '2a'], 2, ['1a']],
  ['fewer rows', ['1a', '2a'], ['1a'], 2, ['1a']],
  ['another block', ['1a', '2a', '3a'], ['1a', '2b'], 2, ['1a']],
  ['another block with the first rows of a block in common', ['1a', '2a', '2a'], ['1a', '2a', '3b'], 2, ['1a']],
  ['another referrer in the same log', ['1a', '2a-a', '3a'], ['1a', '2a-b', '3a'], 2, ['1a']],
  ['another block further down', ['3a', '4a'], ['2b', '3b'], 2, []],
])('behavior: finds the fork to %s', (_, tail, rows, fork, kept) => {
  const found = findFork(toRows(...tail), toRows(...rows))
  expect([found.fork, namesOf(found.kept)]).toEqual([fork, kept])
})

test('behavior: an event of a kind that the forest does not know counts as read, and changes nothing in it', () => {
  const source = createSourceForest({ roots: [], rebind: 'first' })
  const at = { logIndex: 0, timestamp: 1, member: addressOf(1) }
  const other = { ...at, kind: 'other' as 'volume', block: 2, blockHash: hashOf(2), amount: 5n }
  const rows: EventRow[] = [{ ...at, kind: 'volume', block: 1, blockHash: hashOf(1), amount: 3n }, other]
  source.append(rows, 2)
  expect([source.tail, source.applied]).toEqual([rows, { block: 2 }])
  expect(source.forest.metrics({ now: 2 })).toMatchObject({ volume: 3n, rewards: 0n })
})
