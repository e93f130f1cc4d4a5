import { expect, test } from 'vitest'
import type { EventRow } from '../tables/eventRow.ts'
import { takeCompleteBlocks } from './takeCompleteBlocks.ts'

/** One row per number, in the block of that number. */
const rowsIn = (...blocks: number[]) => blocks.map((block) => ({ block, timestamp: block * 10 }) as EventRow)
const checkpoint = { block: 9, timestamp: 90, finalizedBlock: 5, backfill: 'complete' } as const

test.each([
  ['all rows below the limit, up to the checkpoint', [1, 2], 3, [1, 2], 9, 'level'],
  ['no rows beyond the checkpoint', [8, 10, 11], 4, [8], 9, 'level'],
  ['no rows of the last block of a full read', [1, 2, 2], 3, [1], 1, 'behind'],
  ['nothing of a full read within one block', [2, 2, 2], 3, [], undefined, 'behind'],
  ['a full read that goes beyond the checkpoint', [1, 9, 10], 3, [1, 9], 9, 'level'],
  ['no rows', [], 3, [], 9, 'level'],
] as const)('behavior: takes %s', (_, blocks, limit, taken, newest, standing) => {
  const found = takeCompleteBlocks(rowsIn(...blocks), { checkpoint, limit })
  expect(found.rows.map(({ block }) => block)).toEqual(taken)
  expect([found.newest?.block, found.newest?.timestamp, found.standing]).toEqual([
    newest,
    newest && newest * 10,
    standing,
  ])
})
