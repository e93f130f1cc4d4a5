import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Status } from '@lineage/referral-api'
import { afterEach, expect, test } from 'vitest'
import { ask, serve } from '../../test/serve.ts'
import { startUpstream } from '../../test/upstream.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** Starts an indexer whose state, block and index a test can change. */
async function startIndexer({ block = 100, index = 'x' } = {}) {
  const self = {
    block,
    index,
    state: 'ready' as 'ready' | 'stale' | 'starting',
    fails: undefined as undefined | ((request: IncomingMessage, response: ServerResponse) => void),
    hangs: false,
    /** Fields of a version that this server does not know. */
    foreign: {} as object,
    asked: [] as IncomingMessage[],
    url: '',
    stop: async () => {},
  }
  const upstream = await startUpstream((request, response) => {
    const asOf = { block: self.block, timestamp: 1, finalizedBlock: 1 }
    response.setHeader('lineage-block', self.block).setHeader('lineage-index', self.index)
    if (request.url === '/v1/status') {
      if (self.hangs) return
      const reason = { code: 'stale', community: null, message: 'Old.', since: 1, age: 1 } as const
      const common = { headBlock: 1, note: null, warnings: [], spotChecks: [] }
      const status: Status =
        self.state === 'starting'
          ? { ...common, state: 'starting', progress: { phase: 'starting', done: 0, total: 0 }, asOf: null }
          : { ...common, state: 'ready', progress: null, asOf, reasons: self.state === 'stale' ? [reason] : [] }
      return response.end(JSON.stringify({ ...status, ...self.foreign }))
    }
    self.asked.push(request)
    if (self.fails) return self.fails(request, response)
    if (self.state === 'starting') return response.writeHead(503).end('{"code":"indexing"}')
    response.end(JSON.stringify({ asOf, from: self.url }))
  })
  Object.assign(self, { url: upstream.url, stop: upstream.close })
  closing.push(upstream.close)
  return self
}

type StartedIndexer = Awaited<ReturnType<typeof startIndexer>>

async function start(...indexers: StartedIndexer[]) {
  const served = await serve({ settings: { indexers: indexers.map(({ url }) => url), trustedProxies: 1 } })
  closing.unshift(served.close)
  const get = async (path: string, visitor = '203.0.113.1') => {
    const { status, headers, body } = await ask(served.url, path, { headers: { 'x-forwarded-for': visitor } })
    return { status, headers, body: JSON.parse(body.toString()) }
  }
  const states = async () => ((await get('/v1/status')).body as Status).indexers?.map(({ state }) => state)
  await expect.poll(states).not.toContain('unknown')
  return { get, states }
}

test('behavior: lookups are spread, and the status and readiness name each indexer', async () => {
  const [one, two] = [await startIndexer(), await startIndexer()]
  const { get } = await start(one, two)
  const hold: ServerResponse[] = []
  one.fails = two.fails = (_, response) => void hold.push(response)
  const asking = [1, 2, 3, 4].map((number) => get('/v1/communities', `203.0.113.${number}`))
  await expect.poll(() => [one.asked.length, two.asked.length]).toEqual([2, 2])
  for (const response of hold) response.end('{}')
  await Promise.all(asking)
  two.state = 'stale'
  const state = async () => (await get('/v1/ready')).body
  await expect.poll(state).toMatchObject({
    status: 'ready',
    indexers: [
      { name: `indexer 1 (${new URL(one.url).host})`, state: 'ready', block: 100, index: 'x' },
      { name: `indexer 2 (${new URL(two.url).host})`, state: 'answering', block: 100, index: 'x' },
    ],
  })
  one.state = 'stale'
  await expect.poll(async () => (await get('/v1/ready')).status).toBe(503)
})

test.each<[string, (one: StartedIndexer) => unknown]>([
  ['does not listen any more', (one) => one.stop()],
  ['breaks the connection', (one) => (one.fails = (_, response) => response.destroy())],
  ['has no index', (one) => (one.fails = (_, response) => response.writeHead(503).end('{"code":"indexing"}'))],
  ['has an error', (one) => (one.fails = (_, response) => response.writeHead(500).end('{}'))],
])('behavior: a lookup of an indexer that %s is answered by another one', async (_, fail) => {
  const [one, two] = [await startIndexer(), await startIndexer()]
  const { get } = await start(one, two)
  await fail(one)
  for (let count = 0; count < 3; count++) expect((await get('/v1/communities')).body).toMatchObject({ from: two.url })
})

test('behavior: a lookup of an indexer that hangs is answered by another one once a check has found out', async () => {
  const [one, two] = [await startIndexer(), await startIndexer()]
  const { get, states } = await start(one, two)
  one.fails = () => undefined
  one.hangs = true
  expect((await get('/v1/communities')).body).toMatchObject({ from: two.url })
  expect(one.asked).toHaveLength(1)
  expect(await states()).toEqual(['silent', 'ready'])
})

test('behavior: a POST is not repeated, and an answer that has begun neither', async () => {
  const [one, two] = [await startIndexer(), await startIndexer()]
  const { get } = await start(one, two)
  one.fails = (_, response) => {
    response.write('{"items":[')
    setImmediate(() => response.destroy())
  }
  await expect(get('/v1/communities')).rejects.toThrow()
  expect(two.asked).toHaveLength(0)
})

test('behavior: a visitor is not sent back to an older block, and an indexer is told the block to wait for', async () => {
  const [one, two] = [await startIndexer({ block: 100 }), await startIndexer({ block: 101 })]
  const { get } = await start(one, two)
  expect((await get('/v1/communities', '203.0.113.9')).body.from).toBe(one.url)
  await one.stop()
  expect((await get('/v1/communities')).body.asOf.block).toBe(101)
  const three = await startIndexer({ block: 99 })
  const { get: getOther } = await start(two, three)
  expect((await getOther('/v1/communities')).body.asOf.block).toBe(101)
  await two.stop()
  await getOther('/v1/communities')
  expect(three.asked.map(({ headers }) => headers['lineage-at-least'])).toEqual(['101'])
  // No indexer has reached that block: the visitor continues at the block of this one.
  await getOther('/v1/communities')
  expect(three.asked.at(-1)?.headers['lineage-at-least']).toBe('99')
})

test('behavior: answers of an indexer of another version: unknown fields of warnings are left out, unknown reasons count', async () => {
  const [one, two] = [await startIndexer(), await startIndexer()]
  const { states } = await start(one, two)
  one.foreign = { warnings: [{ kind: 'of_tomorrow', node: null, community: null, message: 'Odd.' }] }
  two.foreign = { reasons: [{ code: 'of_tomorrow', community: null, message: 'Odd.', since: 1, age: 1 }] }
  await expect.poll(states).toEqual(['ready', 'answering'])
})

test('behavior: headers between the server and its indexers are hidden from visitors in both directions', async () => {
  const [one, two] = [await startIndexer(), await startIndexer()]
  const served = await serve({ settings: { indexers: [one.url, two.url] } })
  closing.unshift(served.close)
  const { headers } = await ask(served.url, '/v1/communities', { headers: { 'lineage-at-least': '999' } })
  expect(Object.keys(headers).filter((name) => name.startsWith('lineage'))).toEqual([])
  expect([...one.asked, ...two.asked].map((request) => request.headers['lineage-at-least'])).toEqual([undefined])
})

test('behavior: another index listed first takes over once it is ready, and no lookup is mixed with the old one', async () => {
  const [changed, old] = [await startIndexer({ index: 'new' }), await startIndexer({ index: 'old' })]
  changed.state = 'starting'
  const { get, states } = await start(changed, old)
  expect(await states()).toEqual(['starting', 'ready'])
  expect((await get('/v1/communities')).body.from).toBe(old.url)
  changed.state = 'ready'
  await expect.poll(async () => (await get('/v1/communities')).body.from).toBe(changed.url)
  const before = old.asked.length
  changed.fails = (_, response) => response.writeHead(503).end('{"code":"unavailable"}')
  expect((await get('/v1/communities')).status).toBe(503)
  expect(old.asked).toHaveLength(before)
  await changed.stop()
  await expect.poll(async () => (await get('/v1/communities')).body.from).toBe(old.url)
})
