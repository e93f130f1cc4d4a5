import { expect, test } from 'vitest'
import { createLog, summarizeError } from './log.ts'

test('behavior: a repeated message is printed once a minute, with a count', () => {
  let time = 0
  const lines: string[] = []
  const log = createLog({ write: (line) => lines.push(line), now: () => time })
  for (let count = 0; count < 5; count++) log('one')
  log('two')
  time = 60_000
  log('one')
  time = 130_000
  log('one')
  expect(lines).toEqual(['one', 'two', 'one (4 more times since)', 'one'])
})

test('behavior: a message is one redacted line', () => {
  const lines: string[] = []
  createLog({ write: (line) => lines.push(line), redact: (text) => text.replace('k3y', '***') })('a\n  at k3y')
  expect(lines).toEqual(['a at ***'])
})

test.each([
  [new Error('no rights.'), 'no rights'],
  [new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') }), 'fetch failed: connect ECONNREFUSED'],
  [new AggregateError([new Error('v6'), new Error('v4')]), 'v4'],
  [new Error(''), 'Error'],
  ['text', 'text'],
])('summarizeError: %s', (error, text) => expect(summarizeError(error)).toBe(text))
