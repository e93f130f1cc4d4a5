import { expect, test, vi } from 'vitest'
import Watchdog from '../vitest/Watchdog.ts'

const file = { type: 'module', moduleId: 'a.test.ts' } as const
const first = { type: 'test', fullName: 'error: first', module: file } as const
const second = { ...first, fullName: 'error: second' }

/** Starts a run with two tests, the first of which ends. */
function start() {
  vi.useFakeTimers()
  const said: string[] = []
  const watchdog = new Watchdog({ runLimit: 60_000, closeLimit: 1_000, end: (words) => said.push(words) })
  watchdog.onTestRunStart()
  watchdog.onTestModuleStart(file)
  watchdog.onTestCaseReady(first)
  watchdog.onTestCaseReady(second)
  watchdog.onTestCaseResult(first)
  return { said, watchdog }
}

test('behavior: names the file and the test that run when the time is up', () => {
  const { said } = start()
  vi.advanceTimersByTime(59_000)
  expect(said).toEqual([])
  vi.advanceTimersByTime(1_000)
  expect(said).toEqual([
    'The tests did not end within 1 minutes. These were running:\n  a.test.ts\n  a.test.ts: error: second',
  ])
})

test('behavior: ends a run whose tests have ended', () => {
  const { said, watchdog } = start()
  watchdog.onTestRunEnd()
  vi.advanceTimersByTime(1_000)
  expect(said).toEqual(['All tests have ended, but a process that one of them started keeps the run open.'])
})
