import { expect, test } from 'vitest'
import { toJsonLine } from './printAsJson.ts'

const time = new Date(0)

test.each([
  ['our own', 'Reading the history of 5 blocks.\n', 'info', 'info', 'Reading the history of 5 blocks.'],
  [
    'a fault',
    'The configuration is invalid.\ncommunities[0]: "x"\n',
    'error',
    'error',
    'The configuration is invalid. communities[0]: "x"',
  ],
  ['Ponder’s', '12:00:01.123 INFO  Indexed block number=7 (3ms)\n', 'info', 'info', 'Indexed block number=7 (3ms)'],
  ['Ponder’s warning', '12:00:01,123 WARN  Slow \u001b[2mnode=1\u001b[22m\n', 'info', 'warn', 'Slow node=1'],
  ['Ponder’s error', '12:00:01.123 ERROR It failed\nError: x\n    at y\n', 'info', 'error', 'It failed Error: x at y'],
  ['a long one', 'x'.repeat(5_000), 'info', 'info', 'x'.repeat(1_000)],
] as const)('behavior: %s line has time, level and message', (_, text, stream, level, message) => {
  const line = toJsonLine(text, stream, time)
  expect(JSON.parse(line)).toEqual({ time: '1970-01-01T00:00:00.000Z', level, message })
  expect(line.match(/\n/g)).toHaveLength(1)
})

test('behavior: an empty line is not printed', () => {
  expect(toJsonLine(' \n', 'info')).toBe('')
})
