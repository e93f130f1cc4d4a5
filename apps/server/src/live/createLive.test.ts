import { EventEmitter } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { type LiveBind, type LiveCounts, type LiveLine, type LiveStep, liveId } from '@lineage/referral-api/live'
import { afterEach, expect, test } from 'vitest'
import { ask, emptyAccounts, type Served, serve } from '../../test/serve.ts'
import { cookieOf, signer, signIn } from '../../test/signIn.ts'
import { startUpstream, type Upstream } from '../../test/upstream.ts'
import type { Accounts } from '../accounts/openAccounts.ts'
import { createIndexers } from '../indexer/createIndexers.ts'
import { createLive, type LiveParameters } from './createLive.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const addressOf = (index: number) => `0x${index.toString(16).padStart(40, '0')}` as const
const toCounts = (block: number): LiveCounts => ({
  asOf: { block, timestamp: block, finalizedBlock: 0 },
  members: block,
})

/** Returns the bind of address `block` to the one before it; its upline are all addresses before it. */
function toStep(block: number): LiveStep {
  const bind: LiveBind = {
    address: addressOf(block),
    referrer: addressOf(block - 1),
    status: 'bound',
    block,
    logIndex: 0,
    timestamp: block,
    hash: `0x${'0'.repeat(63)}${block}`,
  }
  const teams = Array.from({ length: block + 1 }, (_, index) => addressOf(index)).toReversed()
  return { id: liveId(bind), at: Date.now(), event: 'bind', block, items: [{ bind, teams }] }
}

/** Serves streams of an indexer whose lines the test sends. */
async function start({ accounts, ...parameters }: Partial<LiveParameters> & { accounts?: Accounts } = {}) {
  const news = new EventEmitter()
  let feeds = 0
  let team = 1
  let log: LiveStep[] = [toStep(1)]
  const indexer: Upstream = await startUpstream((request, response) => {
    if (request.url?.endsWith('/batch')) {
      const card = { ...cardOf(addressOf(1)), team }
      response.end(JSON.stringify({ asOf: toCounts(1).asOf, items: [{ input: addressOf(1), card, error: null }] }))
      return
    }
    if (request.url !== '/v1/communities/demo/feed') {
      response.writeHead(404).end(JSON.stringify({ code: 'community_not_found' }))
      return
    }
    feeds++
    const send = (line: LiveLine) => response.write(`${JSON.stringify(line)}\n`)
    send({ type: 'log', floor: 'start', steps: log, counts: toCounts(log.length) })
    news.on('line', send)
    response.on('close', () => {
      feeds--
      news.off('line', send)
    })
  })
  closing.push(indexer.close)
  const indexers = createIndexers({ urls: [indexer.url] })
  const live = createLive({ indexers, ...parameters })
  const served: Served = await serve({ live, indexers, ...(accounts && { accounts }) })
  closing.push(served.close)
  return {
    ...served,
    live,
    indexer,
    feeds: () => feeds,
    grow() {
      team++
    },
    setLog(steps: LiveStep[]) {
      log = steps
    },
    report(...steps: LiveStep[]) {
      log = [...log, ...steps]
      news.emit('line', { type: 'change', steps, counts: toCounts(steps.at(-1)?.block ?? 0) } satisfies LiveLine)
    },
  }
}

const cardOf = (address: string) => ({
  address,
  status: 'member',
  referrer: null,
  root: address,
  depth: 0,
  joinedAt: 1,
  block: 1,
  directs: 1,
  team: 1,
  maxLevel: 1,
  ownVolume: '0',
  teamVolume: '0',
  largestLeg: '0',
  otherLegs: '0',
  rewards: '0',
  tx: null,
})

type Open = { query?: string; id?: string; community?: string; cookie?: string }

/** Opens a stream and collects its text. */
async function open(url: string, { query = '', id, community = 'demo', cookie }: Open = {}) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { ...(id !== undefined && { 'last-event-id': id }), ...(cookie !== undefined && { cookie }) }
    const request = get(`${url}/v1/communities/${community}/live${query}`, { headers, agent: false }, resolve)
    request.on('error', reject)
    closing.push(() => request.destroy())
  })
  let text = ''
  response.setEncoding('utf8')
  response.on('data', (chunk) => {
    text += chunk
  })
  response.on('error', () => undefined)
  return {
    response,
    text: () => text,
    /** Returns the events and ids, without the signs of life. */
    events: () =>
      [...text.matchAll(/event: (\w+)\nid: (.*)\ndata: (.*)\n\n/g)]
        .map(([, event, at, data = '']) => ({ event, id: at, data: JSON.parse(data) }))
        .filter(({ event }) => event !== 'beat'),
  }
}
const names = (stream: Awaited<ReturnType<typeof open>>) => stream.events().map(({ event }) => event)

test('behavior: a stream begins with the counts, and has each bind with its block and id', async () => {
  const { url, report } = await start()
  const stream = await open(url)
  expect(stream.response.headers).toMatchObject({
    'content-type': 'text/event-stream',
    'x-content-type-options': 'nosniff',
  })
  await expect.poll(() => names(stream)).toEqual(['counts'])
  report(toStep(2))
  await expect.poll(() => names(stream)).toEqual(['counts', 'bind', 'counts'])
  const [, bind, counts] = stream.events()
  expect(bind).toMatchObject({ id: toStep(2).id, data: { address: addressOf(2), block: 2, status: 'bound' } })
  expect(counts).toEqual({ event: 'counts', id: toStep(2).id, data: toCounts(2) })
})

test('behavior: binds retracted by a reorganisation are sent, also to a reader who resumes', async () => {
  const { url, report } = await start()
  const taken = toStep(2)
  report(taken, { ...taken, id: toStep(1).id, event: 'retracted' })
  const stream = await open(url, { id: taken.id })
  await expect
    .poll(() => stream.events()[0])
    .toMatchObject({
      event: 'retracted',
      id: toStep(1).id,
      data: { block: 2, items: [{ address: addressOf(2) }] },
    })
})

test('behavior: a reader who resumes gets the missed events and no others', async () => {
  const { url, report } = await start()
  report(toStep(2), toStep(3))
  const stream = await open(url, { id: toStep(2).id })
  await expect
    .poll(() => stream.events().map(({ event, id }) => [event, id]))
    .toEqual([
      ['bind', toStep(3).id],
      ['counts', toStep(3).id],
    ])
})

test('behavior: a state that is not known any more is answered with reset', async () => {
  const { url } = await start()
  const stream = await open(url, { id: '7-abc-0' })
  await expect.poll(() => names(stream)).toEqual(['reset', 'counts'])
})

test('behavior: a team gets its binds and its counts, not those of others', async () => {
  const { url, report, grow } = await start()
  const team = await open(url, { query: `?address=${addressOf(1)}` })
  const other = await open(url, { query: `?address=${addressOf(9)}` })
  await expect.poll(() => team.events()[0]).toMatchObject({ event: 'counts', data: { address: addressOf(1), team: 1 } })
  grow()
  report(toStep(2))
  await expect.poll(() => names(team)).toEqual(['counts', 'bind', 'counts'])
  expect(team.events().at(-1)?.data).toMatchObject({ team: 2, directs: 1 })
  expect(names(other)).toEqual([])
})

test('behavior: many streams share one connection to the indexer, which ends after the last one', async () => {
  const { url, feeds, live } = await start({ limits: { perVisitor: 50 } })
  const streams = await Promise.all(Array.from({ length: 20 }, () => open(url)))
  expect([feeds(), live.size]).toEqual([1, 20])
  for (const { response } of streams) response.destroy()
  await expect.poll(() => [feeds(), live.size]).toEqual([0, 0])
  await open(url)
  expect(feeds()).toBe(1)
})

test('behavior: a sign of life comes in time, so that a connection is not idle', async () => {
  const { url } = await start({ beat: 20 })
  const stream = await open(url)
  await expect.poll(() => stream.text().split(':\nevent: beat\n').length).toBeGreaterThan(3)
})

test('behavior: when the indexer ends the streams end, and resume at the next one', async () => {
  const { url, report, indexer } = await start()
  const stream = await open(url)
  report(toStep(2))
  await expect.poll(() => names(stream)).toContain('bind')
  const ended = new Promise((resolve) => stream.response.once('close', resolve))
  await indexer.close()
  await ended
  const { status, headers } = await ask(url, '/v1/communities/demo/live')
  expect([status, headers['retry-after']]).toEqual([503, '5'])
})

test('behavior: when an indexer ends the streams move on to another one, without a gap or a repeat', async () => {
  const [one, two] = [await startFeed([toStep(1), toStep(2)]), await startFeed([toStep(1), toStep(2), toStep(3)])]
  const indexers = createIndexers({ urls: [one.url, two.url] })
  const live = createLive({ indexers })
  const served = await serve({ live, indexers })
  closing.push(served.close)
  await expect.poll(() => indexers.all.map(({ state }) => state)).toEqual(['ready', 'ready'])
  const stream = await open(served.url)
  await expect.poll(() => names(stream)).toEqual(['counts'])
  await one.close()
  await expect.poll(() => names(stream)).toEqual(['counts', 'bind', 'counts'])
  expect([one.asked, two.asked]).toEqual([['0'], ['2']])
  expect(stream.events()[1]).toMatchObject({ id: toStep(3).id })
  // The stream continues instead of starting again, and ends once there is no other indexer.
  const ended = new Promise((resolve) => stream.response.once('close', resolve))
  await two.close()
  await ended
  expect(names(stream)).toEqual(['counts', 'bind', 'counts'])
})

test('behavior: an indexer is told the block of the reader who resumes first, so that it is not behind', async () => {
  const indexer = await startFeed([toStep(1), toStep(2)])
  const served = await serve({ settings: { indexers: [indexer.url] } })
  closing.push(served.close)
  const stream = await open(served.url, { id: toStep(1).id })
  await expect.poll(() => names(stream)).toEqual(['bind', 'counts'])
  expect(indexer.asked).toEqual(['1'])
})

test('behavior: streams move on when another index is served', async () => {
  const old = await startFeed([toStep(1), toStep(2)], 'old')
  const changed = await startFeed([toStep(1), toStep(2), toStep(3)], 'new')
  changed.state = 'starting'
  const indexers = createIndexers({ urls: [changed.url, old.url] })
  const served = await serve({ indexers })
  closing.push(served.close)
  await expect.poll(() => indexers.all.map(({ state }) => state)).toEqual(['starting', 'ready'])
  const stream = await open(served.url)
  await expect.poll(() => names(stream)).toEqual(['counts'])
  changed.state = 'ready'
  await expect.poll(() => names(stream)).toEqual(['counts', 'bind', 'counts'])
  expect([changed.asked, old.asked]).toEqual([['2'], ['0']])
})

/** Starts an indexer that is ready and sends these steps. `asked` lists the blocks that it was asked to wait for. */
async function startFeed(steps: LiveStep[], index = 'x') {
  const self = { state: 'ready', asked: [] as (string | undefined)[] }
  const counts = toCounts(steps.length)
  const upstream = await startUpstream((request, response) => {
    response.setHeader('lineage-index', index)
    if (request.url === '/v1/status') {
      const common = { progress: null, headBlock: 1, note: null, warnings: [], spotChecks: [] }
      response.end(JSON.stringify({ state: self.state, asOf: counts.asOf, ...common }))
      return
    }
    self.asked.push(request.headers['lineage-at-least']?.toString())
    const send = (line: LiveLine) => response.write(`${JSON.stringify(line)}\n`)
    send({ type: 'log', floor: 'start', steps, counts })
    send({ type: 'beat', asOf: counts.asOf })
  })
  closing.push(upstream.close)
  return Object.assign(self, upstream)
}

test('behavior: streams end when the server stops', async () => {
  const { url, live } = await start()
  const stream = await open(url)
  const ended = new Promise((resolve) => stream.response.once('end', resolve))
  live.close()
  await ended
})

test('attack: one visitor gets a few streams, and all together a number', async () => {
  const { url } = await start({ limits: { perVisitor: 2, streams: 3 } })
  const first = await open(url)
  await open(url)
  expect((await open(url)).response.statusCode).toBe(429)
  first.response.destroy()
  await expect.poll(async () => (await open(url)).response.statusCode).toBe(200)

  const full = await start({ limits: { perVisitor: 9, streams: 2 } })
  await open(full.url)
  await open(full.url)
  expect((await open(full.url)).response.statusCode).toBe(503)
})

test('attack: a reader who does not read is dropped, and what waits for it is bounded', async () => {
  const { url, live, report } = await start({ limits: { waiting: 64 * 1024 } })
  const stream = await open(url)
  stream.response.pause()
  const other = await open(url)
  // The system buffers some megabytes before the server has to wait.
  let block = 2
  await expect
    .poll(
      () => {
        for (let count = 0; count < 200; count++)
          report({ ...toStep(2), items: Array(20).fill(toStep(2).items[0]), event: 'retracted', id: `${block++}-a-0` })
        return live.size
      },
      { interval: 10 },
    )
    .toBe(1)
  expect(other.response.destroyed).toBe(false)
})

test.each([
  ['an unknown community', '/v1/communities/other/live', 404, 'community_not_found'],
  ['an invalid address', '/v1/communities/demo/live?address=0x1', 400, 'invalid_address'],
])('error: %s', async (_, target, status, code) => {
  const { url } = await start()
  const answer = await ask(url, target)
  expect([answer.status, JSON.parse(answer.body.toString()).code]).toEqual([status, code])
})

test('behavior: HEAD is answered without a stream', async () => {
  const { url, live } = await start()
  const { status, headers, body } = await ask(url, '/v1/communities/demo/live', { method: 'HEAD' })
  expect([status, headers['content-type'], body.length, live.size]).toEqual([200, 'text/event-stream', 0, 0])
})

test('behavior: the stream of a signed-in account tells it of new alerts, and no other stream', async () => {
  const accounts = await emptyAccounts(signer.address)
  const { url } = await start({ accounts })
  const { answer } = await signIn(url)
  const mine = await open(url, { cookie: cookieOf(answer) })
  const [guest, forged] = [await open(url), await open(url, { cookie: `${cookieOf(answer)}0` })]
  const countTold = (stream: typeof mine) => stream.text().split('event: alerts\ndata: {}\n\n').length - 1
  // At the start, and after the first look for alerts.
  await expect.poll(() => countTold(mine), { timeout: 10_000 }).toBe(2)
  const { id } = await accounts.alerts.addWebhook(signer.address, 'https://receiver.example/')
  const webhook = await accounts.alerts.findWebhook(signer.address, id)
  if (!webhook) throw new Error('There is no webhook.')
  // Raises an alert.
  await accounts.alerts.pause({ ...webhook, failingSince: 1 }, 2)
  await expect.poll(() => countTold(mine), { timeout: 10_000 }).toBe(3)
  expect([countTold(guest), countTold(forged)]).toEqual([0, 0])
  await expect.poll(() => [guest, forged].map(names)).toEqual([['counts'], ['counts']])
}, 60_000)
