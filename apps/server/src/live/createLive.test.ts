import { get, type IncomingMessage } from 'node:http'
import { type LiveEvent, liveEvents } from '@lineage/referral-api/live'
import { getAddress } from 'viem'
import { afterEach, expect, test } from 'vitest'
import { ask, type ServeParameters, serve } from '../../test/serve.ts'
import { cookieOf, signer, signIn } from '../../test/signIn.ts'
import { startUpstream } from '../../test/upstream.ts'
import { createDeliveryStore } from '../alerts/deliveryStore.ts'
import { createDatabase } from '../database/database.ts'
import { addressOf, bind } from '../follow/test/tables.ts'
import type { IndexChange } from '../lookups/Index.ts'
import { createLive } from './createLive.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** Serves a community with one member at block 1. */
async function start(live: ServeParameters['live'] = {}, trustedProxies = 0) {
  const served = await serve({ settings: { trustedProxies }, step: { block: 1, events: [bind(1, 1, 0)] }, live })
  closing.push(served.close)
  return {
    ...served,
    /** Binds member `block` to the one before it, in that block. */
    grow: (block: number) => served.tables.step('demo', { block, events: [bind(block, block, block - 1)] }),
  }
}

type Open = { query?: string; cookie?: string; from?: string }

/** Opens a stream and collects its text. */
async function open(url: string, { query = '', cookie, from }: Open = {}) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { ...(cookie !== undefined && { cookie }), ...(from !== undefined && { 'x-forwarded-for': from }) }
    const request = get(`${url}/v1/communities/demo/live${query}`, { headers, agent: false }, resolve)
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
    /** Returns the changes with their ids. */
    changes: () =>
      [...text.matchAll(/event: (\w+)\nid: (.*)\ndata: (.*)\n\n/g)]
        .filter(([, event]) => event === 'change')
        .map(([, event, id, data = '']) => ({ id, ...liveEvents[event as LiveEvent].parse(JSON.parse(data)) })),
  }
}

const namesOf = (...indexes: number[]) => indexes.map((index) => getAddress(addressOf(index)))

test('behavior: a stream begins with the newest block, and has each change with the members that it concerns', async () => {
  const { url, grow } = await start()
  const stream = await open(url)
  expect(stream.response.headers).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store, no-transform',
    'x-content-type-options': 'nosniff',
  })
  await expect.poll(stream.changes).toMatchObject([{ id: '1', asOf: { block: 1 }, changed: [], count: 0, fork: null }])
  await grow(2)
  await expect
    .poll(() => stream.changes()[1])
    .toMatchObject({ id: '2', asOf: { block: 2 }, members: 2, changed: namesOf(2), count: 1, fork: null })
})

test('behavior: a reorganisation is a change that names its first block', async () => {
  const { url, grow, tables } = await start()
  const stream = await open(url)
  await grow(2)
  await expect.poll(() => stream.changes().length).toBe(2)
  await tables.step('demo', { fork: 2, block: 3, reorgs: 1, events: [bind(3, 3, 1)] })
  await expect.poll(() => stream.changes()[2]).toMatchObject({ id: '3', members: 2, fork: 2 })
})

test('behavior: a block without events is no change', async () => {
  const { url, grow, tables, index } = await start()
  const stream = await open(url)
  await tables.step('demo', { block: 2 })
  await expect.poll(() => index.stateOf('demo')?.asOf.block).toBe(2)
  await grow(3)
  await expect.poll(() => stream.changes().map(({ id }) => id)).toEqual(['1', '3'])
})

test('behavior: a team gets the changes that concern it, and no others', async () => {
  const { url, grow, tables } = await start()
  const [team, other] = [
    await open(url, { query: `?address=${getAddress(addressOf(1))}` }),
    await open(url, { query: `?address=${addressOf(9)}` }),
  ]
  const idsOf = (stream: typeof team) => stream.changes().map(({ id }) => id)
  await grow(2)
  await expect.poll(() => idsOf(team)).toEqual(['1', '2'])
  await tables.step('demo', { block: 3, events: [bind(3, 9, 8)] })
  await expect.poll(() => idsOf(other)).toEqual(['1', '3'])
  expect(idsOf(team)).toEqual(['1', '2'])
})

test('behavior: a sign of life comes in time, so that a connection is not idle, with the newest block', async () => {
  const { url, tables } = await start({ beat: 20 })
  const stream = await open(url)
  await expect.poll(() => stream.text().split(':\nevent: beat\n').length).toBeGreaterThan(3)
  await tables.step('demo', { block: 2 })
  await expect.poll(stream.text).toContain('event: beat\nid: 2\ndata: {"asOf":{"block":2,')
})

test('behavior: the streams of a community that is no longer served end', async () => {
  const { url, tables, index } = await start({ beat: 20 })
  const stream = await open(url)
  const ended = new Promise((resolve) => stream.response.once('end', resolve))
  await tables.check('demo', { withheld: 'The contract is another one.' })
  await ended
  expect(index.stateOf('demo')).toBeUndefined()
  const { status, headers } = await ask(url, '/v1/communities/demo/live')
  expect([status, headers['retry-after']]).toEqual([409, undefined])
})

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

test('attack: a network of /48 that has all streams loses its newest one to a visitor of another network', async () => {
  const { url, live } = await start({ limits: { perVisitor: 2, streams: 4 } }, 1)
  const attackers = ['2001:db8:1:1::1', '2001:db8:1:2::1', '2001:db8:1:3::1', '2001:db8:1:4::1']
  const streams: Awaited<ReturnType<typeof open>>[] = []
  for (const from of attackers) streams.push(await open(url, { from }))
  expect((await open(url, { from: '2001:db8:1:5::1' })).response.statusCode).toBe(503)
  for (const from of ['203.0.113.7', '2001:db8:2:1::1']) {
    const newcomer = await open(url, { from })
    expect(newcomer.response.statusCode).toBe(200)
    await expect.poll(newcomer.text).toContain('event: change')
  }
  await expect.poll(() => streams.map(({ response }) => response.destroyed)).toEqual([false, false, true, true])
  expect(live.size).toBe(4)
  expect((await open(url, { from: attackers[3] ?? '' })).response.statusCode).toBe(503)
})

test('attack: a reader who does not read is dropped, and what waits for it is bounded', async () => {
  const asOf = { block: 1, timestamp: 1, finalizedBlock: 0 }
  const change = { community: 'demo', asOf, members: 1, events: 'some', count: 100, fork: null, teams: [] } as const
  const changed = Array.from({ length: 100 }, (_, index) => addressOf(index))
  let report: (change: IndexChange) => void = () => undefined
  const live = createLive({
    limits: { waiting: 64 * 1024 },
    index: {
      communities: ['demo'],
      stateOf: () => ({ asOf, members: 1, name: 'a' }),
      refusalOf: () => undefined,
      subscribe(listener) {
        report = listener
        return () => undefined
      },
      watchTeam: () => () => undefined,
    },
  })
  const streams = await startUpstream((_, outgoing) =>
    live.open({ community: 'demo', team: null, visitor: 'a', outgoing }),
  )
  closing.push(streams.close, live.close)
  const stream = await open(streams.url)
  stream.response.pause()
  const other = await open(streams.url)
  // The system buffers some megabytes before the server has to wait.
  const reportMany = () => {
    for (let count = 0; count < 10; count++) report({ ...change, changed })
    return live.size
  }
  await expect.poll(reportMany, { interval: 1 }).toBe(1)
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
  const { url, accounts } = await start()
  const { answer } = await signIn(url)
  const mine = await open(url, { cookie: cookieOf(answer) })
  const [guest, forged] = [await open(url), await open(url, { cookie: `${cookieOf(answer)}0` })]
  const countAlerts = (stream: typeof mine) => stream.text().split('event: alerts\ndata: {}\n\n').length - 1
  // At the start, and after the first look for alerts.
  await expect.poll(() => countAlerts(mine)).toBe(2)
  const { id } = await accounts.alerts.addWebhook(signer.address, 'https://receiver.example/')
  const store = createDeliveryStore(createDatabase(accounts.pool))
  const webhook = await store.findActive(id)
  if (!webhook) throw new Error('There is no webhook.')
  // Raises an alert.
  await store.pause({ ...webhook, failingSince: 1 }, 2)
  await expect.poll(() => countAlerts(mine)).toBe(3)
  expect([countAlerts(guest), countAlerts(forged)]).toEqual([0, 0])
})
