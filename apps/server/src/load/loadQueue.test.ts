import { afterEach, expect, test, vi } from 'vitest'
import type { ProblemError } from '../lib/problem.ts'
import type { FilePart } from '../lookups/fileStream.ts'
import { createLoadQueue, type LoadQueue, type QueueParameters } from './loadQueue.ts'

afterEach(() => vi.useRealTimers())

/** Creates a queue, and records the visitors whose lookups start and are refused. */
function create(parameters: QueueParameters = {}) {
  const queue = createLoadQueue({ running: 2, total: 6, now: () => 0, ...parameters })
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
  /** Lets a visitor have recent requests. */
  const look = async (visitor: string, count: number) => {
    for (; count > 0; count--) await new Promise<void>((start) => queue.takeTurn({ visitor, start }))
  }
  const settled = () => new Promise((resolve) => process.nextTick(resolve)).then(() => Promise.resolve())
  return { queue, started, refused, ends, enter, look, settled }
}

test('behavior: of those that wait, visitors with the fewest recent requests start first', async () => {
  const { queue, started, ends, enter, look, settled } = create()
  await look('many', 40)
  await look('some', 30)
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

test('behavior: when too many wait, the visitor with the most recent requests is refused', async () => {
  const { queue, started, refused, enter, look, settled } = create()
  await look('many', 40)
  enter('many', 6)
  enter('few')
  enter('many')
  await settled()
  expect([started, refused]).toEqual([
    ['many', 'many'],
    ['many rate_limited', 'many rate_limited'],
  ])
  expect(queue.counts()).toEqual({ lookups: 6, refused: 2 })
})

test('attack: of equal visitors the oldest and the newest take turns: a late one does not wait for a crowd', async () => {
  const { started, refused, ends, enter, settled } = create({ total: 100 })
  for (let visitor = 0; visitor < 20; visitor++) enter(`quiet ${visitor}`)
  enter('page', 10)
  for (let count = 0; count < 40; count++) {
    if (count === 4) enter('late')
    await settled()
    ends.shift()?.()
  }
  await settled()
  expect([started.slice(2, 6), started.indexOf('late')]).toEqual([['quiet 2', 'page', 'quiet 3', 'page'], 7])
  expect([started.length, new Set(started).size, refused]).toEqual([31, 22, []])
})

test('behavior: a lookup that has waited a second is refused', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  const { queue, refused, enter, settled } = create({ slow: 60_000 })
  enter('a', 3)
  vi.advanceTimersByTime(999)
  await settled()
  expect(refused).toEqual([])
  vi.advanceTimersByTime(1)
  await settled()
  expect([refused, queue.counts().lookups]).toEqual([['a unavailable'], 2])
})

test('behavior: while the process is paused, no lookup has waited for it', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  const { refused, enter, settled } = create({ slow: 60_000 })
  enter('a', 3)
  vi.advanceTimersByTime(500)
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000)
  vi.advanceTimersByTime(50)
  await settled()
  expect(refused).toEqual([])
  vi.restoreAllMocks()
})

test('behavior: lookups that wait for a slow database let others start, up to the limit of all', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
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
  const { start } = createDownloads()
  const [end] = [1, 2, 3].map(() => start('a'))
  expect(() => start('a')).toThrow('Too many files are being downloaded: at most 3')
  start('b')
  end?.()
  end?.()
  start('a')
  expect(() => start('a')).toThrow('Too many files are being downloaded: at most 3')
})

test('behavior: parts of CSV files are made in turn, however many are downloaded', async () => {
  const { queue } = create({ csvParts: 2 })
  let making = 0
  let most = 0
  const createCsv = (): ReadableStream<FilePart> => {
    let left = 3
    return new ReadableStream(
      {
        async pull(controller) {
          most = Math.max(most, ++making)
          await new Promise((resolve) => setImmediate(resolve))
          making--
          if (left-- === 0) controller.close()
          else controller.enqueue({ bytes: Buffer.from('a'), work: 2 })
        },
      },
      { highWaterMark: 0 },
    )
  }
  const charged: number[] = []
  const texts = Array.from({ length: 10 }, (_, index) =>
    new Response(queue.inTurns(String(index), createCsv(), (work) => charged.push(work))).text(),
  )
  expect(await Promise.all(texts)).toEqual(Array(10).fill('aaa'))
  expect([most, charged]).toEqual([2, Array(30).fill(2)])
})

/** Lets visitors send requests at once, and returns them in the order in which they are started or refused. */
async function takeTurns(queue: LoadQueue, visitors: readonly string[], refusable: 'lookups' | 'pages' = 'lookups') {
  const order: string[] = []
  // Until then, an earlier request has the turn.
  await new Promise(setImmediate)
  const ask = (visitor: string) =>
    new Promise<void>((resolve) => {
      const note = (text: string) => () => {
        order.push(text)
        resolve()
      }
      const refuse = refusable === 'lookups' ? note(`${visitor} refused`) : undefined
      queue.takeTurn({ visitor, start: note(visitor), refuse })
    })
  await Promise.all(visitors.map(ask))
  return order
}

test('behavior: one request is started a turn, those of visitors with few recent requests first', async () => {
  const { queue, look } = create({ requests: 5 })
  await look('many', 40)
  expect(await takeTurns(queue, ['many', 'many', 'many', 'many', 'many', 'few'])).toEqual([
    'many',
    'many refused',
    'few',
    'many',
    'many',
    'many',
  ])
})

test('attack: the page of a new visitor is answered beside 3,000 addresses, and no page is refused', async () => {
  const { queue } = create({ requests: 1_000, patience: 60_000 })
  const quiet = Array.from({ length: 3_000 }, (_, at) => `quiet ${at}`)
  const lookups = takeTurns(queue, quiet)
  const pages = await takeTurns(queue, [...quiet, 'visitor'], 'pages')
  expect([pages.length, pages.slice(0, 2)]).toEqual([3_001, expect.arrayContaining(['visitor'])])
  expect((await lookups).filter((one) => one.endsWith('refused'))).toHaveLength(2_000)
})

/** Starts downloads, and records the visitors whose downloads are ended for others. */
function createDownloads(parameters: QueueParameters = {}) {
  const { queue } = create(parameters)
  const ended: string[] = []
  return { queue, ended, start: (visitor: string) => queue.startDownload('csv', visitor, () => ended.push(visitor)) }
}

test('attack: many visitors with one CSV file each take no more than the places of all', () => {
  const { queue, start } = createDownloads({ csv: 2 })
  const [end] = ['a', 'b'].map(start)
  expect([queue.isFullFor('c', 'csv'), queue.isFullFor('c', 'other')]).toEqual([true, false])
  expect(() => start('c')).toThrow('The server is busy')
  end?.()
  end?.()
  start('c')
  expect(() => start('d')).toThrow('The server is busy')
})

test('attack: a network with all CSV files loses one to another network', () => {
  const { queue, start, ended } = createDownloads({ csv: 10 })
  for (let index = 0; index < 10; index++) start(`2001:db8:${index}:0`)
  expect([queue.isFullFor('2001:db8:10:0', 'csv'), queue.isFullFor('2001:db9:0:0', 'csv')]).toEqual([true, false])
  start('2001:db9:0:0')
  expect(ended).toEqual(['2001:db8:9:0'])
  expect(() => start('2001:db8:10:0')).toThrow('The server is busy')
})

test.each([
  ['one /24 of IPv4', (index: number) => `198.51.100.${index % 250}`],
  ['networks of /48 of one /32', (index: number) => `2001:db8:${index.toString(16)}:0`],
])(
  'attack: %s is ordered behind a visitor of another network, though each visitor asks little',
  async (_, visitorOf) => {
    const { queue } = create()
    for (let index = 0; index < 1_500; index++)
      await new Promise<void>((start) => queue.takeTurn({ visitor: visitorOf(index), start }))
    const order = await takeTurns(queue, [visitorOf(0), visitorOf(1), visitorOf(2), '203.0.113.7'])
    expect([order[0], order[1]]).toEqual([visitorOf(0), '203.0.113.7'])
  },
)
