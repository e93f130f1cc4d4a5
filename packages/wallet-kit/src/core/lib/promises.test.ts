import { expect, test, vi } from 'vitest'
import { createLazy, whenIdle } from './promises.ts'

test('createLazy: loads once and shares the promise', async () => {
  const load = vi.fn(async () => 'module')
  const lazy = createLazy(load)
  expect(lazy.current).toBeUndefined()
  expect(await Promise.all([lazy.load(), lazy.load()])).toEqual(['module', 'module'])
  expect(lazy.current).toBe('module')
  expect(load).toHaveBeenCalledOnce()
})

test('createLazy: a failure is retried once, also with several callers', async () => {
  let isOnline = false
  const load = vi.fn(async () => {
    if (!isOnline) throw new Error('offline')
    return {}
  })
  const lazy = createLazy(load)
  const retry = () => {
    isOnline = true
    return lazy.load()
  }
  const [first, second] = [lazy.load().catch(retry), lazy.load().catch(retry)]
  expect(await first).toBe(await second)
  expect(await lazy.load()).toBe(await first)
  expect(load).toHaveBeenCalledTimes(2)
})

test.each(['with', 'without'])(
  'whenIdle: a browser %s requestIdleCallback runs what was not cancelled',
  async (kind) => {
    if (kind === 'with') {
      vi.stubGlobal('requestIdleCallback', (task: () => void) => setTimeout(task))
      vi.stubGlobal('cancelIdleCallback', clearTimeout)
    }
    const ran: string[] = []
    const cancel = whenIdle(() => ran.push('cancelled'))
    whenIdle(() => ran.push('kept'))
    cancel()
    await expect.poll(() => ran).toEqual(['kept'])
    vi.unstubAllGlobals()
  },
)
