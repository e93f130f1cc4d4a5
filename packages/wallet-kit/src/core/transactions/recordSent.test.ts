import { expect, test } from 'vitest'
import { createCircle, createRevoked, createTrap } from '../../../test/hostileObjects.ts'
import { parseSentId } from './recordSent.ts'

const created = expect.stringMatching(/^unnamed-\d+$/)

test.each([
  ['a hash', '0x12', '0x12'],
  ['an object with an id', { id: 'a b', capabilities: {} }, 'a b'],
  ['the longest id', 'x'.repeat(8_194), 'x'.repeat(8_194)],
  ['a number as id', { id: 7 }, created],
  ['an empty id', { id: '' }, created],
  ['a blank text', ' ', created],
  ['nothing', null, created],
  ['a text that is too long', 'x'.repeat(8_195), created],
  ['an object that throws', createTrap({}), created],
  ['a revoked proxy', createRevoked({}), created],
  ['a circle', createCircle('0x1'), created],
])('the id in an answer: %s', (_, answer, expected) => {
  expect(parseSentId(answer)).toEqual(expected)
})

test('creates another id for each answer without one', () => {
  expect(parseSentId(null)).not.toBe(parseSentId(null))
})
