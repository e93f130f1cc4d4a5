import { expect, test } from 'vitest'
import { findFork } from './createSourceForest.ts'
import type { EventRow } from './events.ts'

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
