import { expect, test } from 'vitest'
import { createSeenBlocks } from './createSeenBlocks.ts'

function create() {
  const clock = { time: 0 }
  return { clock, seen: createSeenBlocks({ now: () => clock.time }) }
}

test('behavior: the newest block of a visitor is kept, whatever order answers come in', () => {
  const { seen } = create()
  for (const block of [7, 9, 8]) seen.note('a', block)
  expect([seen.find('a'), seen.find('b')]).toEqual([9, 0])
})

test('behavior: an answer below the block that was asked for is what counts from then on', () => {
  const { seen } = create()
  seen.note('a', 9)
  seen.note('a', 8, 9)
  expect(seen.find('a')).toBe(8)
  seen.note('a', 12)
  // This request was sent before the answer at block 12 arrived.
  seen.note('a', 7, 8)
  expect(seen.find('a')).toBe(12)
})

test('behavior: a visitor is forgotten after a minute', () => {
  const { seen, clock } = create()
  seen.note('a', 9)
  clock.time = 59_000
  expect(seen.find('a')).toBe(9)
  clock.time = 60_000
  expect(seen.find('a')).toBe(0)
})

test('attack: more visitors than are remembered', () => {
  const { seen } = create()
  seen.note('first', 9)
  for (let index = 0; index < 20_000; index++) seen.note(`${index}`, 9)
  expect([seen.find('first'), seen.find('0'), seen.find('19999')]).toEqual([0, 9, 9])
})
