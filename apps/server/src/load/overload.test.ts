import { request as httpRequest } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { ask, type Served, serve } from '../../test/serve.ts'
import { startUpstream } from '../../test/upstream.ts'
import { createOverload, nextLevel, type Overload, recentLimit, toLoad } from './overload.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** Creates an overload control whose event loop is late by `delay`, and its clock. */
function create() {
  const state = { time: 0, delay: 0 }
  const overload = createOverload({ now: () => state.time, random: () => 0.5, readDelay: () => state.delay })
  closing.push(overload.close)
  return { state, overload }
}

const admitted = (overload: Overload, visitor: string, count: number) =>
  Array.from({ length: count }, () => overload.admit(visitor)).filter((one) => one === 'admitted').length

test('behavior: without load everyone is admitted', () => {
  const { overload } = create()
  expect(admitted(overload, 'a', 1_000)).toBe(1_000)
})

test('behavior: under load the visitors with the most recent requests are refused, and all are admitted again afterwards', async () => {
  const { state, overload } = create()
  admitted(overload, 'many', 900)
  admitted(overload, 'few', 5)
  state.delay = 100
  await expect.poll(() => admitted(overload, 'many', 10) < 10).toBe(true)
  state.delay = 0
  expect([overload.admit('many'), overload.admit('few'), overload.admit('new')]).toEqual([
    'refused',
    'admitted',
    'admitted',
  ])
  state.time = 30_000
  expect(overload.admit('many')).toBe('admitted')
  await expect.poll(overload.level, { timeout: 10_000 }).toBe(0)
  expect(admitted(overload, 'many', 500)).toBe(500)
})

test('behavior: at the highest level a visitor who asks much less than the others is still admitted', async () => {
  const { state, overload } = create()
  state.delay = 1_000
  const many = Array.from({ length: 50 }, (_, index) => `many ${index}`)
  const askAll = () => many.filter((visitor) => overload.admit(visitor) === 'admitted').length
  for (let round = 0; round < 28; round++) askAll()
  expect(admitted(overload, 'few', 7)).toBe(7)
  await expect.poll(() => askAll() + overload.level() - 1, { timeout: 10_000, interval: 20 }).toBe(0)
  expect([admitted(overload, 'few', 7), admitted(overload, 'new', 5)]).toEqual([7, 5])
})

test.each([
  ['a late event loop with requests', { delay: 50, requests: 10, lookups: 0 }, 2],
  ['a late event loop without requests, as on a busy machine', { delay: 500, requests: 9, lookups: 0 }, 0],
  ['an indexer with many lookups', { delay: 0, requests: 0, lookups: 48 }, 2],
])('toLoad: %s', (_, interval, load) => expect(toLoad(interval)).toBe(load))

test.each([
  [0, 2, 0.1],
  [0, 100, 0.2],
  [0.95, 100, 1],
  [0.5, 0.5, 0.46],
  [0.01, 0, 0],
])('nextLevel: after %f under load %f it is %f', (level, load, next) =>
  expect(nextLevel(level, load)).toBeCloseTo(next),
)

test('nextLevel: a late tick counts for all intervals since the one before', () => {
  expect([nextLevel(0.1, 2, 3), nextLevel(0.9, 0, 10)].map((level) => level.toFixed(2))).toEqual(['0.40', '0.50'])
})

test('recentLimit: falls from 256 to a part of the average', () => {
  expect([0, 0.5, 1].map((level) => Math.round(recentLimit(level, 30)))).toEqual([256, 68, 18])
  expect([0.5, 1].map((level) => Math.round(recentLimit(level, 0)))).toEqual([16, 1])
})

test('behavior: the only visitor is not refused because another program keeps the processor busy', async () => {
  const { state, overload } = create()
  state.delay = 1_000
  const seen = new Set<string>()
  // 15 requests per interval count as load; advancing the clock keeps their sum near 216.
  const askLikeAPage = () => {
    state.time += 500
    for (let count = 0; count < 15; count++) seen.add(overload.admit('one'))
    return overload.level()
  }
  await expect.poll(askLikeAPage, { timeout: 10_000, interval: 20 }).toBe(1)
  for (let page = 0; page < 20; page++) askLikeAPage()
  expect([...seen]).toEqual(['admitted'])
})

const refuseAll: Overload = { ...createOverload(), admit: () => 'refused', startLookup: async () => undefined }

async function start(overload: Overload): Promise<Served> {
  const indexer = await startUpstream((_, response) => response.end('{}'))
  const served = await serve({ overload, settings: { indexers: [indexer.url] } })
  closing.push(served.close, indexer.close, overload.close)
  return served
}

test('behavior: an overloaded server answers 503 with Retry-After, and its health', async () => {
  const { url } = await start(refuseAll)
  for (const target of ['/', '/v1/communities', '/v1/config']) {
    const { status, headers, body } = await ask(url, target)
    expect([status, Number(headers['retry-after']) > 0, headers['content-type']]).toEqual([
      503,
      true,
      'application/problem+json',
    ])
    expect(JSON.parse(body.toString()).code).toBe('unavailable')
    expect(headers['x-content-type-options']).toBe('nosniff')
  }
  const posted = await ask(url, '/v1/rpc', { method: 'POST', body: 'x'.repeat(100_000) })
  expect(posted.status).toBe(503)
  expect((await ask(url, '/v1/health')).status).toBe(200)
})

test('behavior: a lookup beyond those the indexer may have is refused at once', async () => {
  const { url } = await start({ ...refuseAll, admit: () => 'admitted' })
  const { status, headers } = await ask(url, '/v1/communities')
  expect([status, headers['retry-after']]).toEqual([503, '1'])
})

test('attack: a lookup whose body is sent slowly takes no place before it is complete', async () => {
  const overload = createOverload({ readDelay: () => 0 })
  let admissions = 0
  const admit: Overload['admit'] = (...request) => {
    admissions++
    return overload.admit(...request)
  }
  const { url } = await start({ ...overload, admit })
  const sending = httpRequest(`${url}/v1/communities/demo/members/batch`, { method: 'POST' })
  const answered = new Promise<number | undefined>((resolve, reject) => {
    sending.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject)
  })
  sending.write('{"addresses":')
  await expect.poll(() => admissions).toBe(1)
  expect((await ask(url, '/v1/communities')).status).toBe(200)
  expect(overload.counts().lookups).toBe(0)
  sending.end('[]}')
  expect(await answered).toBe(200)
})
