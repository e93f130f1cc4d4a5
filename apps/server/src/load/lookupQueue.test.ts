import { afterEach, expect, test, vi } from 'vitest'
import { createLookupQueue } from './lookupQueue.ts'

afterEach(() => vi.useRealTimers())

/**
 * Creates a queue whose visitors are named by their number of recent requests, and records the order in which they
 * start.
 */
function create() {
  const state = { time: 0 }
  const queue = createLookupQueue({ rank: Number, now: () => state.time })
  const started: string[] = []
  const refused: string[] = []
  const ends: (() => void)[] = []
  const enter = (visitor: string) =>
    void queue.enter(visitor).then((end) => {
      if (end) ends.push(end)
      ;(end ? started : refused).push(visitor)
    })
  const settled = () => new Promise((resolve) => process.nextTick(resolve)).then(() => Promise.resolve())
  return { state, queue, started, refused, ends, enter, settled }
}

test('behavior: of those that wait, visitors with the fewest recent requests start first', async () => {
  const { queue, started, ends, enter, settled } = create()
  for (let count = 0; count < 16; count++) enter('500')
  for (const visitor of ['300', '1', '300', '7', '1']) enter(visitor)
  await settled()
  expect([started.length, queue.size()]).toEqual([16, 21])
  for (const end of ends.splice(0, 5)) {
    end()
    end()
    await settled()
  }
  expect(started.slice(16)).toEqual(['1', '1', '7', '300', '300'])
  expect(queue.size()).toBe(16)
})

test('behavior: each indexer that answers has its own places', async () => {
  let indexers = 2
  const queue = createLookupQueue({ rank: Number, now: () => 0, indexers: () => indexers })
  const started: (() => void)[] = []
  const enter = () => void queue.enter('1').then((end) => end && started.push(end))
  for (let count = 0; count < 40; count++) enter()
  await expect.poll(() => started.length).toBe(32)
  expect(queue.size()).toBe(40)
  indexers = 1
  for (const end of started.splice(0, 16)) end()
  await new Promise((resolve) => setImmediate(resolve))
  expect(started.length).toBe(16)
  started.pop()?.()
  await expect.poll(() => started.length).toBe(16)
})

test('behavior: when too many wait, the visitor with the most recent requests is refused', async () => {
  const { queue, started, refused, enter, settled } = create()
  for (let count = 0; count < 64; count++) enter('500')
  enter('1')
  enter('900')
  await settled()
  expect([started.length, refused, queue.size(), queue.refused()]).toEqual([16, ['500', '900'], 64, 2])
})

test('behavior: who has waited a second is refused', async () => {
  const { state, queue, refused, enter, settled } = create()
  for (let count = 0; count < 17; count++) enter('5')
  state.time = 1_000
  queue.refuseOld()
  state.time = 1_001
  expect(queue.size()).toBe(17)
  queue.refuseOld()
  await settled()
  expect([refused, queue.size()]).toEqual([['5'], 16])
})

test('behavior: lookups that wait for a slow database let others start, up to the limit of all', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { queue, started, enter, settled } = create()
  for (let count = 0; count < 20; count++) enter('5')
  await settled()
  expect(started).toHaveLength(16)
  vi.advanceTimersByTime(250)
  await settled()
  expect([started.length, queue.size()]).toEqual([20, 20])
})
