import type { Forest } from '@lineage/forest'
import { describe, expect, test } from 'vitest'
import type { ForestSet } from './createForestSet.ts'
import { type IndexState, nextView, toStatus } from './indexState.ts'

const createForests = () => ({ forests: new Map<string, Forest>() }) as unknown as ForestSet
const checkpoint = { block: 50, timestamp: 500, finalizedBlock: 20, backfill: 'complete' } as const
const asOf = { block: 50, timestamp: 500, finalizedBlock: 20 }
const state = (fields: Partial<IndexState> = {}): IndexState => ({
  startBlock: 10,
  checkpoint: undefined,
  head: undefined,
  target: undefined,
  reached: 10,
  forests: createForests(),
  view: undefined,
  ...fields,
})

describe('status', () => {
  const forests = createForests()

  test.each([
    ['nothing is known', {}, 'starting', { phase: 'starting', done: 0, total: 0 }, null],
    [
      'the backfill runs',
      { checkpoint: { ...checkpoint, backfill: 'running' as const }, head: 110 },
      'indexing',
      { phase: 'indexing', done: 40, total: 100 },
      110,
    ],
    [
      'tables are loaded',
      { checkpoint, target: 60, reached: 30 },
      'indexing',
      { phase: 'loading', done: 20, total: 50 },
      50,
    ],
    [
      'there is a view',
      { view: { asOf, forests: forests.forests, version: 1 }, head: 49, checkpoint },
      'ready',
      null,
      50,
    ],
  ])('behavior: while %s', (_, fields, name, progress, headBlock) => {
    expect(toStatus(state(fields))).toMatchObject({ state: name, progress, headBlock })
  })
})

describe('view', () => {
  const forests = createForests()
  const view = { asOf, forests: forests.forests, version: 7 }
  const applied = { asOf, standing: 'level', change: 'none' } as const

  test.each([
    ['nothing has changed', { forests, view }, applied],
    ['forests that were loaded again are behind', { view }, { ...applied, standing: 'behind' as const }],
    ['the first view is not due: no target', {}, applied],
    ['the first view is not due: below the target', { target: 51 }, applied],
  ])('behavior: stays while %s', (_, fields, change) => {
    const before = state(fields)
    expect(nextView(before, change)).toBe(before.view)
  })

  test.each([
    ['rows were added', { forests, view }, { ...applied, change: 'rows' as const }, 8],
    ['there is a new block', { forests, view }, { ...applied, asOf: { ...asOf, block: 51 } }, 8],
    ['a block became final', { forests, view }, { ...applied, asOf: { ...asOf, finalizedBlock: 21 } }, 8],
    ['forests were loaded again', { view }, applied, 8],
    [
      'it is behind, but seen already',
      { forests, view },
      { ...applied, standing: 'behind', change: 'rows' } as const,
      8,
    ],
    ['the target is reached', { target: 50 }, applied, 1],
  ])('behavior: is replaced when %s', (_, fields, change, version) => {
    const before = state(fields)
    expect(nextView(before, change)).toEqual({ asOf: change.asOf, forests: before.forests.forests, version })
  })
})
