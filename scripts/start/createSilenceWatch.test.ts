import { expect, test } from 'vitest'
import { createSilenceWatch } from './runServices.ts'

test('behavior: a process that is silent for the limit counts as hanging, and is watched again', () => {
  const { note } = createSilenceWatch(60)
  expect([note('silent', 100), note('silent', 159), note('silent', 160)]).toEqual([false, false, true])
  expect([note('silent', 165), note('silent', 225)]).toEqual([false, true])
})

test('behavior: an answer ends the silence', () => {
  const { note } = createSilenceWatch(60)
  expect([note('silent', 100), note('answered', 150), note('silent', 170)]).toEqual([false, false, false])
  expect([note('silent', 229), note('silent', 230)]).toEqual([false, true])
})

test('behavior: without a limit a process may be silent for ever', () => {
  const { note } = createSilenceWatch(0)
  expect([note('silent', 1), note('silent', 1e9)]).toEqual([false, false])
})
