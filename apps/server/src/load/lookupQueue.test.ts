import { afterEach, expect, test, vi } from 'vitest'
import type { ProblemError } from '../lib/problem.ts'
import { createLookupQueue, type QueueParameters } from './lookupQueue.ts'

afterEach(() => vi.useRealTimers())

/** Creates a queue, and records the visitors whose lookups start and are refused. */
function create(parameters: QueueParameters = {}) {
  const queue = createLookupQueue({ running: 2, total: 6, now: () => 0, ...parameters })
  const started: string[] = []
  const refused: string[] = []
  const ends: (() => void)[] = []
  const enter = (visitor: string, count = 1) => {
    for (; count > 0; count--)
      queue.enter(visitor).then(
        (end) => {
          ends.push(end)
          started.push(visitor)
        },
        (error: ProblemError) => refused.push(`${visitor} ${error.code}`),
      )
  }
  /** Starts and ends lookups of a visitor, which count as recent. */
  const look = async (visitor: string, count: number) => {
    for (; count > 0; count--) (await queue.enter(visitor))()
  }
  const settled = () => new Promise((resolve) => process.nextTick(resolve)).then(() => Promise.resolve())
  return { queue, started, refused, ends, enter, look, settled }
}

test('behavior: of those that wait, visitors with the fewest recent lookups start first', async () => {
  const { queue, started, ends, enter, look, settled } = create()
  await look('many', 40)
  await look('some', 20)
  enter('many', 2)
  for (const visitor of ['some', 'few', 'some', 'other']) enter(visitor)
  await settled()
  expect([started.length, queue.counts().lookups]).toEqual([2, 6])
  for (let count = 0; count < 4; count++) {
    const end = ends.shift()
    end?.()
    end?.()
    await settled()
  }
  expect(started.slice(2)).toEqual(['few', 'other', 'some', 'some'])
  expect(queue.counts()).toEqual({ lookups: 2, refused: 0 })
})

test('behavior: when too many wait, the visitor with the most recent lookups is refused', async () => {
  const { queue, started, refused, enter, look, settled } = create()
  await look('many', 40)
  enter('many', 6)
  enter('few')
  enter('many')
  await settled()
  expect([started, refused]).toEqual([
    ['many', 'many'],
    ['many unavailable', 'many unavailable'],
  ])
  expect(queue.counts()).toEqual({ lookups: 6, refused: 2 })
})

test('attack: many visitors with one lookup each do not come before a page with ten', async () => {
  const { started, refused, ends, enter, settled } = create({ total: 100 })
  for (let visitor = 0; visitor < 20; visitor++) enter(`quiet ${visitor}`)
  enter('page', 10)
  enter('late')
  for (let count = 0; count < 30; count++) {
    await settled()
    ends.shift()?.()
  }
  await settled()
  expect([started.filter((visitor) => visitor === 'page').length, started.at(-1), refused]).toEqual([10, 'late', []])
})

test('behavior: a lookup that has waited a second is refused', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { queue, refused, enter, settled } = create({ slow: 60_000 })
  enter('a', 3)
  vi.advanceTimersByTime(999)
  await settled()
  expect(refused).toEqual([])
  vi.advanceTimersByTime(1)
  await settled()
  expect([refused, queue.counts().lookups]).toEqual([['a unavailable'], 2])
})

test('behavior: lookups that wait for a slow database let others start, up to the limit of all', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { queue, started, enter, settled } = create()
  enter('a', 6)
  await settled()
  expect(started).toHaveLength(2)
  vi.advanceTimersByTime(250)
  await settled()
  expect(started).toHaveLength(4)
  vi.advanceTimersByTime(250)
  await settled()
  expect([started.length, queue.counts().lookups]).toEqual([6, 6])
})

test('behavior: a visitor downloads three CSV files at once, others are not affected', () => {
  const { queue } = create()
  const [end] = [1, 2, 3].map(() => queue.startDownload('a'))
  expect(() => queue.startDownload('a')).toThrow('Too many CSV files')
  queue.startDownload('b')
  end?.()
  end?.()
  queue.startDownload('a')
  expect(() => queue.startDownload('a')).toThrow('Too many CSV files')
})

test('behavior: parts of CSV files are made in turn, however many are downloaded', async () => {
  const { queue } = create({ csvParts: 2 })
  let making = 0
  let most = 0
  const createCsv = (): ReadableStream<Uint8Array> => {
    let left = 3
    return new ReadableStream(
      {
        async pull(controller) {
          most = Math.max(most, ++making)
          await new Promise((resolve) => setImmediate(resolve))
          making--
          if (left-- === 0) controller.close()
          else controller.enqueue(Buffer.from('a'))
        },
      },
      { highWaterMark: 0 },
    )
  }
  const texts = Array.from({ length: 10 }, (_, index) => new Response(queue.inTurns(String(index), createCsv())).text())
  expect(await Promise.all(texts)).toEqual(Array(10).fill('aaa'))
  expect(most).toBe(2)
})

test('behavior: pages are made one a turn, those of visitors with few recent requests first', async () => {
  const { queue } = create({ pages: 5 })
  for (let count = 0; count < 20; count++) await queue.takePageTurn('many')
  const made: string[] = []
  const ask = (visitor: string) =>
    queue.takePageTurn(visitor).then(
      () => made.push(visitor),
      (error: ProblemError) => made.push(`${visitor} ${error.code}`),
    )
  await Promise.all(['many', 'many', 'many', 'many', 'few'].map(ask))
  expect(made).toEqual(['many unavailable', 'few', 'many', 'many', 'many'])
})
