import { operations } from '@lineage/referral-api/operations'
import { afterEach, expect, test } from 'vitest'
import { ask, serve } from '../../test/serve.ts'
import { closed, portOf } from '../../test/upstream.ts'
import { deprecationHeaders } from '../http/headers.ts'
import { listen } from '../http/listen.ts'
import type { ObservedRequest } from '../monitoring/observe.ts'
import { createByteBudget } from '../rpc/byteBudget.ts'
import { createGate } from './gate.ts'
import { createLimits, defaultLimits, type LimitName } from './limits.ts'
import { createLoadQueue, type QueueParameters } from './loadQueue.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

type StartParameters = {
  tokens?: Partial<Record<LimitName, number>>
  queue?: QueueParameters
  turns?: 'none'
  rpcBytes?: number
}

/** Serves the gate in front of an app that answers 200 and counts what reaches it. */
async function start({ tokens = {}, queue, turns, rpcBytes = 1e9 }: StartParameters) {
  const bursts = Object.entries(tokens).map(([name, burst]) => [name, { burst, perSecond: 0.1 }])
  const reached: string[] = []
  const noted: ObservedRequest[] = []
  const admit = createGate({
    limits: createLimits({ ...defaultLimits, ...Object.fromEntries(bursts) }),
    queue: { ...createLoadQueue(queue), ...(turns === 'none' && { takeTurn: () => {} }) },
    rpcBytes: createByteBudget({ total: rpcBytes, perVisitor: 1e9 }),
    settings: { origins: ['https://lineage.example'], trustedProxies: 1 },
    note: (request) => noted.push(request),
  })
  const fetch = async ({ method, url }: Request) => {
    reached.push(`${method} ${new URL(url).pathname}`)
    return new Response('')
  }
  const server = await listen({ fetch, admit }, { port: 0 })
  closing.push(() => closed(server))
  const send = (request: string, body?: string, more: Record<string, string> = {}) => {
    const [method = '', path = ''] = request.split(' ')
    const headers = { 'x-request-id': 'mine', 'x-forwarded-for': '203.0.113.7', ...more }
    return ask(`http://127.0.0.1:${portOf(server)}`, path, { method, headers, ...(body !== undefined && { body }) })
  }
  return { send, reached, noted }
}

const member = '/v1/communities/demo/members/0x52908400098527886E0F7030069857D2E4169EE7'

test.each<[string, Partial<Record<LimitName, number>>]>([
  ['GET /v1/communities/demo/metrics', { lookups: 0 }],
  ['HEAD /v1/communities/demo/metrics', { lookups: 0 }],
  ['GET /v1/communities/demo/live', { lookups: 0 }],
  [`GET ${member}/referrals.csv`, { lookups: 19 }],
  ['POST /v1/communities/demo/members/batch', { lookups: 19 }],
  ['POST /mcp', { lookups: 0 }],
  ['POST /v1/rpc', { rpc: 0 }],
  ['GET /v1/resolve-ens?address=0x', { names: 0 }],
  ['GET /v1/labels', { labels: 0 }],
  ['POST /v1/alerts/webhooks/a/test', { labels: 19 }],
])('attack: %s above the limit of its visitor does not reach the app', async (request, tokens) => {
  const { send, reached, noted } = await start({ tokens })
  const { status, headers, body } = await send(request, request.startsWith('POST') ? '{}' : undefined)
  expect([status, reached, headers['x-request-id'], Number(headers['retry-after']) > 0]).toEqual([
    429,
    [],
    'mine',
    true,
  ])
  expect(headers).toMatchObject({
    'content-type': 'application/problem+json',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'strict-transport-security': 'max-age=31536000',
  })
  if (request.startsWith('HEAD')) expect(body).toHaveLength(0)
  else expect(JSON.parse(body.toString())).toMatchObject({ status: 429, code: 'rate_limited', requestId: 'mine' })
  await expect.poll(() => noted).toMatchObject([{ id: 'mine', status: 429, visitor: '203.0.113.7' }])
})

test('behavior: every answer says what is left of the limit, and its request has an id', async () => {
  const { send } = await start({ tokens: { lookups: 30, names: 30 } })
  const read = async (request: string) => (await send(request)).headers
  expect(await read(`GET ${member}`)).toMatchObject({
    'ratelimit-policy': '"lookups";q=30;w=300',
    ratelimit: '"lookups";r=29;t=10',
  })
  expect(await read(`GET ${member}/events.csv`)).toMatchObject({ ratelimit: '"lookups";r=10;t=200' })
  expect(await read('GET /v1/resolve-ens')).toMatchObject({ 'ratelimit-policy': '"names";q=30;w=300' })
  expect(await read('GET /v1/status')).not.toHaveProperty('ratelimit')
  const { headers } = await send('GET /', undefined, { 'x-request-id': 'not well-formed' })
  expect(headers['x-request-id']).toMatch(/^[\w-]{36}$/)
})

test('behavior: an operation that will end says since when, from when, and where to read what to use', () => {
  const deprecated = { since: '2026-12-01', sunset: '2027-06-01', instead: 'Use `teamMap`.' }
  expect(deprecationHeaders({ id: 'map', deprecated })).toEqual([
    ['deprecation', '@1796083200'],
    ['sunset', 'Tue, 01 Jun 2027 00:00:00 GMT'],
    ['link', '</v1/docs#map>; rel="deprecation"'],
  ])
  expect(deprecationHeaders({ id: 'map' })).toEqual([])
  for (const { deprecated: one } of operations)
    if (one) expect(Date.parse(one.sunset) - Date.parse(one.since)).toBeGreaterThan(180 * 86_400_000)
})

test('behavior: a refusal says when the limit allows the request', async () => {
  const { send } = await start({ tokens: { lookups: 0 } })
  const { headers } = await send(`GET ${member}`)
  expect(headers).toMatchObject({ 'retry-after': '10', ratelimit: '"lookups";r=0;t=10' })
})

test.each<[string, 'public' | 'own']>([
  ['GET /v1/communities/demo/metrics', 'public'],
  ['POST /v1/communities/demo/members/batch', 'public'],
  [`GET ${member}/referrals.csv`, 'public'],
  ['GET /v1/communities/demo/live', 'public'],
  ['GET /v1/status', 'public'],
  ['GET /v1/openapi.json', 'public'],
  ['GET /v1/auth/nonce', 'own'],
  ['POST /v1/auth/verify', 'own'],
  ['GET /v1/labels', 'own'],
  ['DELETE /v1/account', 'own'],
  ['GET /v1/feeds/0123456789012345678901', 'own'],
  ['GET /v1/config', 'own'],
  ['POST /v1/rpc', 'own'],
  ['GET /v1/resolve-ens', 'own'],
  ['POST /mcp', 'own'],
  ['GET /', 'own'],
])('attack: pages of other sites may only read lookups: %s', async (request, kind) => {
  const [method = '', path] = request.split(' ')
  const { send, reached } = await start({ tokens: { lookups: 0 } })
  const other = { origin: 'https://other.example' }
  const { headers } = await send(request, method === 'POST' ? '{}' : undefined, other)
  const asking = { ...other, 'access-control-request-method': method, 'access-control-request-headers': 'content-type' }
  const preflight = await send(`OPTIONS ${path}`, undefined, asking)
  expect(headers['access-control-allow-credentials']).toBeUndefined()
  if (kind === 'own') {
    for (const given of [headers, preflight.headers]) expect(given).not.toHaveProperty('access-control-allow-origin')
    return
  }
  expect(headers).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-expose-headers': expect.stringContaining('ratelimit'),
    'cross-origin-resource-policy': 'cross-origin',
  })
  expect([preflight.status, preflight.body.length, reached.filter((one) => one.startsWith('OPTIONS'))]).toEqual([
    204,
    0,
    [],
  ])
  expect(preflight.headers).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-allow-methods': method,
    'access-control-allow-headers': 'content-type, lineage-at-least, x-request-id',
  })
})

test('attack: a visitor who keeps the server busy alone is told so, and others that the server is busy', async () => {
  const { send, reached } = await start({ queue: { running: 0, total: 0 } })
  const statusOf = async (visitor: string) =>
    (await send('GET /v1/communities', undefined, { 'x-forwarded-for': visitor })).status
  for (let count = 0; count < 16; count++) expect(await statusOf('203.0.113.7')).toBe(503)
  for (let count = 0; count < 4; count++) expect(await statusOf('203.0.113.7')).toBe(429)
  expect(await statusOf('198.51.100.1')).toBe(503)
  for (let visitor = 2; visitor < 250; visitor++) await statusOf(`198.51.100.${visitor}`)
  expect(await statusOf('203.0.113.7')).toBe(503)
  expect(reached).toEqual([])
})

test('attack: while the server has no time, lookups do not reach the app, and pages, files and sign-in do', async () => {
  const { send, reached } = await start({ queue: { running: 0, total: 0 }, rpcBytes: 1 })
  for (const request of ['GET /v1/communities', `GET ${member}/referrals.csv`, 'POST /v1/rpc']) {
    const { status, headers, body } = await send(request)
    expect([request, status, headers['retry-after']]).toEqual([request, 503, '1'])
    expect(JSON.parse(body.toString()).code).toBe('unavailable')
  }
  expect(reached).toEqual([])
  const others = [
    'GET /',
    'GET /assets/a.js',
    'GET /v1/auth/nonce',
    'POST /v1/auth/verify',
    'GET /v1/health',
    'OPTIONS /',
  ]
  for (const request of others) expect([request, (await send(request)).status]).toEqual([request, 200])
  expect(reached).toEqual(others)
})

test('behavior: the health is told while all other requests wait for their turn', async () => {
  const { send } = await start({ turns: 'none' })
  expect((await send('GET /v1/health')).status).toBe(200)
})

test('attack: with all places of CSV files taken, only another CSV file is refused', async () => {
  const { send, reached } = await start({ queue: { csv: 0 } })
  expect((await send(`GET ${member}/events.csv`)).status).toBe(503)
  expect((await send(`GET ${member}`)).status).toBe(200)
  expect(reached).toEqual([`GET ${member}`])
})

test.each(['/v1/communitie%73', 'http://127.0.0.1/v1/communities', '/v1/./communities'])(
  'attack: the limit holds for %s',
  async (path) => {
    const served = await serve({ limits: { lookups: { burst: 1, perSecond: 0.1 } } })
    closing.push(served.close)
    expect((await ask(served.url, '/v1/communities')).status).toBe(200)
    expect((await ask(served.url, path)).status).toBe(429)
  },
)
