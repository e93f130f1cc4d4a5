import { expect, test } from 'vitest'
import { createWarningChoice, describeProgress } from './runServices.ts'

test.each([
  [{ done: 320, total: 800 }, null, '320 of 800 blocks'],
  [{ done: 320, total: 800 }, 'The history is read.', '320 of 800 blocks'],
  [{ done: 0, total: 0 }, 'The first members are being checked.', 'The first members are being checked'],
  [{ done: 0, total: 0 }, null, undefined],
  [null, 'Waiting.', undefined],
])('describeProgress: %j, %j', (progress, note, text) => expect(describeProgress({ progress, note })).toBe(text))

const warn = (message: string, node: string | null = null) => ({
  kind: node === null ? ('accounts_unavailable' as const) : ('node_silent' as const),
  node,
  community: null,
  message,
})

test('behavior: a warning whose age grows is shown once until it ends', () => {
  const choose = createWarningChoice()
  const tell = (...messages: string[]) =>
    choose(
      messages.map((message) => warn(message)),
      0,
    )
  expect(tell('Down for 5 s.')).toEqual(['Down for 5 s.'])
  expect(tell('Down for 10 s.')).toEqual([])
  expect(tell()).toEqual([])
  expect(tell('Down for 5 s.')).toEqual(['Down for 5 s.'])
})

test('behavior: warnings of two nodes on one host are both shown, after the wait', () => {
  const choose = createWarningChoice()
  const both = [warn('Node 1 is silent.', 'node 1 (a)'), warn('Node 2 is silent.', 'node 2 (a)')]
  expect(choose(both, 100, 1_000)).toEqual([])
  expect(choose(both, 100, 1_200)).toEqual(['Node 1 is silent.', 'Node 2 is silent.'])
  expect(choose(both, 100, 1_300)).toEqual([])
})
