import { expect, test } from 'vitest'
import { createForest, type Forest } from '../forest.ts'
import { HoldEndedError } from '../index.ts'
import { defaultTuning } from '../tuning.ts'
import type { Hold } from '../types.ts'

const addressOf = (index: number) => `0x${(index + 0x1000).toString(16).padStart(40, 'a')}`
const bind = (forest: Forest, block: number, referrer: number) =>
  forest.bind({
    block,
    logIndex: 0,
    timestamp: 1_700_000_000 + block,
    member: addressOf(block),
    referrer: addressOf(referrer),
  })

/** Creates a chain of members, one a block, below address 0. */
function createChain(length: number, heldRows = defaultTuning.heldRows): Forest {
  const forest = createForest({}, { ...defaultTuning, heldRows })
  for (let block = 1; block <= length; block++) bind(forest, block, block - 1)
  return forest
}
const teams = (forest: Forest, hold: Hold) =>
  forest.held(hold, { list: 'members', from: 0, limit: 10 }).items.map(({ team }) => team)

test('behavior: each reader keeps its own moment, while members join and amounts come', () => {
  const forest = createChain(3)
  const first = forest.hold()
  bind(forest, 4, 3)
  const second = forest.hold()
  forest.addVolume({ block: 5, logIndex: 0, timestamp: 1_700_000_005, member: addressOf(2), amount: 7n })
  bind(forest, 6, 2)
  expect([teams(forest, first), teams(forest, second), teams(forest, forest.hold())]).toEqual([
    [2, 1, 0],
    [3, 2, 1, 0],
    [4, 3, 1, 0, 0],
  ])
  forest.release(first)
  expect(() => teams(forest, first)).toThrow(HoldEndedError)
  expect(forest.held(second, { list: 'members', from: 1, limit: 1 })).toMatchObject({
    items: [{ address: addressOf(2), teamVolume: 0n, ownVolume: 0n, root: addressOf(0) }],
    next: 2,
  })
})

test('behavior: two readers of the same moment share it, and it lasts until both have ended', () => {
  const forest = createChain(3)
  const hold = forest.hold()
  expect(forest.hold()).toBe(hold)
  bind(forest, 4, 3)
  forest.release(hold)
  expect(teams(forest, hold)).toEqual([2, 1, 0])
})

test('behavior: a placeholder that is bound later stays a root', () => {
  const forest = createChain(2)
  const hold = forest.hold()
  forest.bind({
    block: 9,
    logIndex: 0,
    timestamp: 1_700_000_009,
    member: addressOf(0),
    referrer: addressOf(50),
  })
  const read = (list: 'members' | 'roots') => forest.held(hold, { list, from: 0, limit: 10 }).items
  expect(read('roots')).toMatchObject([
    { address: addressOf(0), status: 'placeholder', depth: 0, joinedAt: null, team: 2 },
  ])
  expect(read('members').map(({ depth, root }) => [depth, root])).toEqual([
    [1, addressOf(0)],
    [2, addressOf(0)],
  ])
})

test.each([
  ['a rollback below it', (forest: Forest) => forest.rollback(2)],
  ['more changes than are kept', (forest: Forest) => bind(forest, 4, 3)],
])('error: a held state ends with %s, the newer ones stay', (_, change) => {
  const forest = createChain(3, 3)
  const hold = forest.hold()
  change(forest)
  expect(() => teams(forest, hold)).toThrow(HoldEndedError)
  expect(teams(forest, forest.hold())[0]).toBeGreaterThan(0)
})

test('behavior: a rollback of later blocks only leaves it', () => {
  const forest = createChain(3)
  const hold = forest.hold()
  bind(forest, 4, 3)
  forest.rollback(3)
  bind(forest, 5, 1)
  expect(teams(forest, hold)).toEqual([2, 1, 0])
})
