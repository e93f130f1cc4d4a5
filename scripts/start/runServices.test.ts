import { expect, test } from 'vitest'
import { describeProgress } from './runServices.ts'

test.each([
  [{ done: 320, total: 800 }, null, '320 of 800 blocks'],
  [{ done: 320, total: 800 }, 'The history is read.', '320 of 800 blocks'],
  [{ done: 0, total: 0 }, 'The first members are being checked.', 'The first members are being checked'],
  [{ done: 0, total: 0 }, null, undefined],
  [null, 'Waiting.', undefined],
])('describeProgress: %j, %j', (progress, note, text) => expect(describeProgress({ progress, note })).toBe(text))
