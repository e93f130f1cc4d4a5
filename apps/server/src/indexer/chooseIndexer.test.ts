import { expect, test } from 'vitest'
import { chooseIndexer, findBest, findServedIndex, type KnownIndexer } from './chooseIndexer.ts'

/** Indexers as a test writes them: `a ready 100 2` is indexer `a`, with block 100 and two lookups, of the index `x`. */
const parse = (text: string): KnownIndexer[] =>
  text.split(', ').map((one) => {
    const [name = '', state, block = '0', running = '0', index = 'x'] = one.split(' ')
    return {
      name,
      origin: '',
      state: state as KnownIndexer['state'],
      block: Number(block),
      index: index === '-' ? undefined : index,
      running: Number(running),
      status: undefined,
      silentSince: undefined,
    }
  })

test.each([
  ['the fewest running', 'a ready 9 3, b ready 9 1, c ready 9 2', 0, 'b'],
  ['the first of equals', 'a ready 9 1, b ready 9 1', 0, 'a'],
  ['one that is ready before one that only answers', 'a answering 9 0, b ready 9 5', 0, 'b'],
  ['one as far as the visitor has seen', 'a ready 9 0, b ready 10 5', 10, 'b'],
  ['another one where that one has no place', 'a ready 9 0, b ready 10 16', 10, 'a'],
  ['one that only answers, but is far enough', 'a ready 9 0, b answering 10 0', 10, 'b'],
  ['the most advanced where none is far enough', 'a ready 8 0, b ready 9 5', 10, 'b'],
  ['one of the index that is served', 'a ready 9 0 y, b ready 9 5 x', 0, 'b'],
  ['one that was not asked yet, where none answers', 'a silent 0 0, b starting 0 0, c unknown 0 0 -', 0, 'c'],
  ['one that starts before one that is silent', 'a silent 9 0, b starting 0 0', 0, 'b'],
])('behavior: a lookup goes to %s', (_, given, atLeast, chosen) => {
  expect(chooseIndexer(parse(given), { index: 'x', atLeast, most: 16 })?.name).toBe(chosen)
})

test('behavior: a lookup that prefers the first one goes there, whatever it has to do', () => {
  const [silent, busy] = ['a silent 9 0, b ready 9 9, c ready 9 0', 'a ready 9 9, b ready 9 0'].map(parse)
  const parameters = { index: 'x', atLeast: 0, most: 16, prefer: 'first' } as const
  expect(chooseIndexer(silent ?? [], parameters)?.name).toBe('b')
  expect(chooseIndexer(busy ?? [], parameters)?.name).toBe('a')
})

test.each([
  ['another one of the same index', 'a ready 9 0, b ready 9 5, c ready 9 0 y', 'b'],
  ['none of another index', 'a ready 9 0, b ready 9 0 y', undefined],
  ['none that does not answer', 'a ready 9 0, b silent 9 0, c starting', undefined],
])('behavior: a lookup that failed goes to %s', (_, given, chosen) => {
  const all = parse(given)
  expect(chooseIndexer(all, { index: 'x', atLeast: 0, most: 16, except: all[0] })?.name).toBe(chosen)
})

test.each([
  ['the first that answers, at the start', 'a answering 1 0 x, b starting 0 0 y', undefined, 'x'],
  ['the one that is ready, at the start', 'a answering 1 0 x, b ready 1 0 y', undefined, 'y'],
  ['the old one until the new one is ready', 'a starting 1 0 new, b ready 9 0 old', 'old', 'old'],
  ['the old one while the new one is behind', 'a answering 1 0 new, b ready 9 0 old', 'old', 'old'],
  ['the new one once it is ready', 'a ready 9 0 new, b ready 9 0 old', 'old', 'new'],
  ['the new one while it still answers', 'a answering 9 0 new, b ready 9 0 old', 'new', 'new'],
  ['the old one when no indexer has the new one', 'a silent 9 0 new, b ready 9 0 old', 'new', 'old'],
  ['the same while none answers', 'a silent 9 0 new, b silent 9 0 old', 'old', 'old'],
])('behavior: the index that is served is %s', (_, given, before, served) => {
  expect(findServedIndex(parse(given), before)).toBe(served)
})

test('behavior: the status is of the one that is ready and the most advanced', () => {
  expect(findBest(parse('a answering 12 0, b ready 9 0, c ready 10 3, d ready 11 0 y'), 'x')?.name).toBe('c')
  expect(findBest(parse('a silent, b starting'), 'x')?.name).toBe('b')
})
