import { expect, test } from 'vitest'
import { lastCompleteFinalBlock, nextSize } from './loadFinalEvents.ts'

test.each([
  ['four times as many blocks without events', 0, 4_000],
  ['as many blocks as hold the limit', 200, 500],
  ['more blocks while a piece holds less than the limit', 50, 2_000],
  ['at least one block', 1_000_000, 1],
])('behavior: next come %s', (_, added, size) => {
  expect(nextSize(1_000, { limit: 100, added })).toBe(size)
})

test.each([
  ['running', 9, 20, 8],
  ['complete', 9, 20, 9],
  ['complete', 9, 5, 5],
  ['running', 9, 5, 5],
] as const)('behavior: backfill %s, block %i, final %i: complete up to %i', (backfill, block, finalizedBlock, end) => {
  expect(lastCompleteFinalBlock({ backfill, block, finalizedBlock, timestamp: 0 })).toBe(end)
})
