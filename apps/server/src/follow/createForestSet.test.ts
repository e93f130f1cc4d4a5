import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { EventRow } from '../tables/eventRow.ts'
import { digestOf, findFork, settle } from './createForestSet.ts'

/** Creates rows named by block and branch, such as `3a`. Rows of one block get consecutive log indexes. */
const toRows = (...names: string[]) =>
  names.map((name, logIndex) => ({
    kind: 'bind',
    community: 'demo',
    block: Number.parseInt(name, 10),
    logIndex,
    blockHash: `0x${name}`,
  })) as EventRow[]
const namesOf = (rows: readonly EventRow[]) => rows.map(({ blockHash }) => blockHash.slice(2))

test.each([
  ['the same rows', ['1a', '2a'], ['1a', '2a'], Number.POSITIVE_INFINITY, ['1a', '2a']],
  ['more rows', ['1a'], ['1a', '2a'], 2, ['1a']],
  ['fewer rows', ['1a', '2a'], ['1a'], 2, ['1a']],
  ['another block', ['1a', '2a', '3a'], ['1a', '2b'], 2, ['1a']],
  ['another block with the first rows of a block in common', ['1a', '2a', '2a'], ['1a', '2a', '3b'], 2, ['1a']],
  ['another block further down', ['3a', '4a'], ['2b', '3b'], 2, []],
])('behavior: finds the fork to %s', (_, tail, rows, fork, kept) => {
  const found = findFork(toRows(...tail), toRows(...rows))
  expect([found.fork, namesOf(found.kept)]).toEqual([fork, kept])
})

test.each([
  [2, 1, ['3a']],
  [0, undefined, ['1a', '2a', '3a']],
  [9, 2, []],
])('behavior: with block %i final, log %s is the last final one', (finalizedBlock, logIndex, tail) => {
  const settled = settle(toRows('1a', '2a', '3a'), finalizedBlock)
  expect([settled.final?.logIndex, namesOf(settled.tail)]).toEqual([logIndex, tail])
})

test('property: the digest depends only on the blocks of the rows', () => {
  const names = fc.array(fc.constantFrom('1a', '1b', '2a', '2b'))
  fc.assert(
    fc.property(names, names, (left, right) => {
      const isSame = [...new Set(left)].sort().join() === [...new Set(right)].sort().join()
      expect(digestOf(toRows(...left)) === digestOf(toRows(...right))).toBe(isSame)
    }),
  )
})
