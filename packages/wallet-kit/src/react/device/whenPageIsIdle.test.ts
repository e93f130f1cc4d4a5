import { afterEach, expect, test, vi } from 'vitest'
import { whenPageIsIdle } from './whenPageIsIdle.ts'

afterEach(() => vi.unstubAllGlobals())

/** Sets the loading state of the page, and collects the tasks that wait until it is idle. */
function setup({ readyState = 'loading', connection }: { readyState?: string; connection?: object } = {}) {
  const idle = new Map<number, () => void>()
  vi.stubGlobal('requestIdleCallback', (task: () => void) => {
    idle.set(idle.size + 1, task)
    return idle.size
  })
  vi.stubGlobal('cancelIdleCallback', (id: number) => idle.delete(id))
  vi.stubGlobal('navigator', { connection })
  vi.spyOn(document, 'readyState', 'get').mockReturnValue(readyState as DocumentReadyState)
  const task = vi.fn()
  const cancel = whenPageIsIdle(task)
  const becomeIdle = () => {
    for (const run of idle.values()) run()
  }
  return { idle, task, cancel, becomeIdle, load: () => window.dispatchEvent(new Event('load')) }
}

test('waits until the page has loaded, then until it is idle', () => {
  const { idle, task, load, becomeIdle } = setup()
  expect(idle.size).toBe(0)
  load()
  expect(task).not.toHaveBeenCalled()
  becomeIdle()
  expect(task).toHaveBeenCalledOnce()
})

test('a page that has loaded: waits until it is idle', () => {
  const { task, becomeIdle } = setup({ readyState: 'complete' })
  expect(task).not.toHaveBeenCalled()
  becomeIdle()
  expect(task).toHaveBeenCalledOnce()
})

test.each([{ saveData: true }, { effectiveType: '2g' }, { effectiveType: 'slow-2g' }])(
  'never with %j',
  (connection) => {
    const { idle, load } = setup({ connection })
    load()
    expect(idle.size).toBe(0)
  },
)

test('does nothing once cancelled, before the load and after it', () => {
  const before = setup()
  before.cancel()
  before.load()
  expect(before.idle.size).toBe(0)

  const after = setup()
  after.load()
  after.cancel()
  expect(after.idle.size).toBe(0)
})

test('without requestIdleCallback it waits a second', () => {
  vi.useFakeTimers()
  try {
    const { idle } = setup()
    vi.stubGlobal('requestIdleCallback', undefined)
    const task = vi.fn()
    vi.spyOn(document, 'readyState', 'get').mockReturnValue('complete')
    whenPageIsIdle(task)
    vi.advanceTimersByTime(999)
    expect(task).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(task).toHaveBeenCalledOnce()
    expect(idle.size).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})
