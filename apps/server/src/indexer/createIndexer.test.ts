import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterEach, expect, test, vi } from 'vitest'
import { ask, type Served, serve } from '../../test/serve.ts'
import { closedPort, startUpstream, type Upstream } from '../../test/upstream.ts'
import { openAccounts } from '../accounts/openAccounts.ts'
import { createOverload } from '../load/overload.ts'

const open: (Upstream | Served)[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

async function behind(listener: (request: IncomingMessage, response: ServerResponse) => void, timeout = 2_000) {
  const upstream = await startUpstream(listener)
  const served = await serve({ settings: { indexers: [upstream.url] }, timeout })
  open.push(served, upstream)
  return served
}
const json = (body: Buffer) => JSON.parse(body.toString())

test('behavior: status, ETag and Server-Timing are passed on, connection headers and CORS are not', async () => {
  const seen: IncomingMessage[] = []
  const { url } = await behind((request, response) => {
    seen.push(request)
    response.writeHead(404, {
      'content-type': 'application/problem+json',
      etag: 'W/"7"',
      'server-timing': 'app;dur=1',
      'cache-control': 'max-age=1',
      'access-control-allow-origin': '*',
      'set-cookie': 'a=b',
      'x-powered-by': 'x',
    })
    response.end('{"code":"member_not_found"}')
  })
  const { status, headers, body } = await ask(url, '/v1/communities/demo/members/0xAB?level=all&q=%2F', {
    headers: { 'if-none-match': 'W/"6"', accept: 'application/json', cookie: 'c=d', origin: 'https://x.example' },
  })
  expect(status).toBe(404)
  expect(body.toString()).toBe('{"code":"member_not_found"}')
  expect(headers).toMatchObject({ etag: 'W/"7"', 'server-timing': 'app;dur=1', 'cache-control': 'max-age=1' })
  for (const name of ['access-control-allow-origin', 'set-cookie', 'x-powered-by'])
    expect(headers[name]).toBeUndefined()
  expect(seen[0]?.url).toBe('/v1/communities/demo/members/0xAB?level=all&q=%2F')
  expect(seen[0]?.headers).toMatchObject({ 'if-none-match': 'W/"6"', accept: 'application/json' })
  expect(seen[0]?.headers.cookie).toBeUndefined()
  expect(seen[0]?.headers.origin).toBeUndefined()
})

test('behavior: 304 is passed on without a body', async () => {
  const { url } = await behind((_, response) => response.writeHead(304, { etag: 'W/"7"' }).end())
  const { status, headers } = await ask(url, '/v1/communities', { headers: { 'if-none-match': 'W/"7"' } })
  expect([status, headers.etag]).toEqual([304, 'W/"7"'])
})

const batch = '/v1/communities/demo/members/batch'

test('behavior: a POST is passed on with its body', async () => {
  const { url } = await behind((request, response) => request.pipe(response))
  const answer = await ask(url, batch, { method: 'POST', body: '{"addresses":[]}' })
  expect([answer.status, answer.body.toString()]).toEqual([200, '{"addresses":[]}'])
})

test('behavior: long responses are compressed', async () => {
  const long = JSON.stringify({ items: Array(2_000).fill('member') })
  const { url } = await behind((_, response) =>
    response.writeHead(200, { 'content-type': 'application/json', etag: 'W/"7"' }).end(long),
  )
  const { headers, body } = await ask(url, '/v1/communities', { headers: { 'accept-encoding': 'gzip' } })
  expect(headers).toMatchObject({ 'content-encoding': 'gzip', etag: 'W/"7"' })
  expect(gunzipSync(body).toString()).toBe(long)
})

test('behavior: a response that the indexer compressed arrives complete', async () => {
  const { url } = await behind((_, response) =>
    response.writeHead(200, { 'content-type': 'text/csv', 'content-encoding': 'gzip' }).end(gzipSync('a,b')),
  )
  const { headers, body } = await ask(url, '/v1/communities/demo/members/0x1/referrals.csv')
  expect([headers['content-encoding'], body.toString()]).toEqual([undefined, 'a,b'])
})

test('behavior: responses are streamed', async () => {
  let finish = () => {}
  const { url } = await behind((_, response) => {
    response.writeHead(200, { 'content-type': 'text/csv' })
    response.write('first\n')
    finish = () => response.end('last\n')
  })
  const reader = (
    await fetch(`${url}/v1/communities/demo/members/0x1/referrals.csv`, { headers: { 'accept-encoding': 'identity' } })
  ).body?.getReader()
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('first\n')
  finish()
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('last\n')
})

test('behavior: a visitor downloads three CSV files at once; one that has ended makes room', async () => {
  const ends: (() => void)[] = []
  const { url } = await behind((_, response) => {
    response.writeHead(200, { 'content-type': 'text/csv' })
    response.write('first\n')
    ends.push(() => response.end('last\n'))
  })
  const download = () =>
    fetch(`${url}/v1/communities/demo/members/0x1/events.csv`, { headers: { 'accept-encoding': 'identity' } })
  const three = [await download(), await download(), await download()]
  expect(three.map(({ status }) => status)).toEqual([200, 200, 200])
  const refused = await download()
  expect([refused.status, await refused.json()]).toMatchObject([429, { code: 'rate_limited' }])
  ends[0]?.()
  await three[0]?.text()
  await expect.poll(async () => (await download()).status).toBe(200)
})

test('behavior: a visitor who leaves cancels the request to the indexer', async () => {
  let state = 'none'
  const { url } = await behind((_, response) => {
    state = 'open'
    response.writeHead(200, { 'content-type': 'text/csv' })
    response.write('first\n')
    response.on('close', () => {
      state = 'closed'
    })
  }, 60_000)
  const leaving = new AbortController()
  const response = await fetch(`${url}/v1/communities/demo/members/0x1/referrals.csv`, { signal: leaving.signal })
  expect([response.status, state]).toEqual([200, 'open'])
  leaving.abort()
  await expect.poll(() => state).toBe('closed')
})

test('behavior: a visitor who leaves a compressed response cancels the request to the indexer', async () => {
  let state = 'none'
  const { url } = await behind((_, response) => {
    state = 'open'
    response.writeHead(200, { 'content-type': 'text/csv' })
    const row = `${'0x12,'.repeat(2_000)}\n`
    const write = () => {
      while (state === 'open' && response.write(row));
    }
    response.on('drain', write)
    response.on('close', () => {
      state = 'closed'
    })
    write()
  }, 60_000)
  const leaving = new AbortController()
  const response = await fetch(`${url}/v1/communities/demo/members/0x1/referrals.csv`, { signal: leaving.signal })
  expect([response.status, response.headers.get('content-encoding')]).toEqual([200, 'gzip'])
  await response.body?.getReader().read()
  leaving.abort()
  await expect.poll(() => state).toBe('closed')
})

test('behavior: a visitor who reads slowly slows the indexer down', async () => {
  let written = 0
  const { url } = await behind((_, response) => {
    response.writeHead(200, { 'content-type': 'text/csv' })
    const row = Buffer.alloc(64 * 1024, 'a')
    const write = () => {
      do written += row.length
      while (response.write(row) && written < 2 ** 30)
    }
    response.on('drain', write)
    write()
  }, 60_000)
  const leaving = new AbortController()
  const response = await fetch(`${url}/v1/communities/demo/members/0x1/referrals.csv`, {
    headers: { 'accept-encoding': 'identity' },
    signal: leaving.signal,
  })
  await response.body?.getReader().read()
  // The server stops writing once all buffers are full.
  let before = -1
  const hasStopped = () => {
    const stopped = written === before
    before = written
    return stopped
  }
  await expect.poll(hasStopped, { interval: 250 }).toBe(true)
  expect(written).toBeLessThan(64 * 2 ** 20)
  leaving.abort()
})

test('attack: a visitor who leaves before the response keeps its place, and is charged for the work', async () => {
  const asked: ServerResponse[] = []
  let state = 'open'
  const upstream = await startUpstream((_, response) => {
    asked.push(response)
    if (asked.length > 1) response.end('{}')
    else
      response.on('close', () => {
        state = 'closed'
      })
  })
  const overload = createOverload({ readDelay: () => 0 })
  const limits = { lookups: { burst: 62, perSecond: 0.5 } }
  const served = await serve({ overload, limits, settings: { indexers: [upstream.url] }, timeout: 60_000 })
  open.push(served, upstream)
  const leaving = httpRequest(`${served.url}/v1/communities`).on('error', () => undefined)
  leaving.end()
  await expect.poll(() => asked.length).toBe(1)
  leaving.destroy()
  // By the time these are answered, the server has noticed that the visitor left.
  for (let time = 0; time < 3; time++) expect((await ask(served.url, '/v1/communities')).status).toBe(200)
  expect([state, overload.counts().lookups]).toEqual(['open', 1])
  asked[0]?.writeHead(200, { 'server-timing': 'work;dur=100' }).write('more follows')
  await expect.poll(() => overload.counts().lookups).toBe(0)
  await expect.poll(() => state).toBe('closed')
  expect((await ask(served.url, '/v1/communities')).status).toBe(429)
})

test('error: the indexer does not listen', async () => {
  const served = await serve({ settings: { indexers: [`http://127.0.0.1:${closedPort}`] } })
  open.push(served)
  const { status, headers, body } = await ask(served.url, '/v1/communities')
  expect([status, headers['retry-after'], headers['content-type']]).toEqual([503, '5', 'application/problem+json'])
  expect(json(body)).toMatchObject({ code: 'unavailable', status: 503 })
})

test('error: the indexer does not listen yet, with the progress of the start', async () => {
  const served = await serve({ settings: { indexers: [`http://127.0.0.1:${closedPort}`] } })
  open.push(served)
  const progress = { phase: 'chain', done: 40, total: 800 }
  served.startup.receive({ type: 'progress', progress, note: 'The demo chain is being made.' })
  const { status, headers, body } = await ask(served.url, '/v1/communities')
  expect([status, headers['retry-after']]).toEqual([503, '2'])
  expect(json(body)).toMatchObject({ code: 'indexing', progress, detail: 'The demo chain is being made.' })
})

test('error: the indexer does not answer in time', async () => {
  const { url } = await behind(() => undefined, 100)
  const { status, body } = await ask(url, '/v1/communities')
  expect([status, json(body).code]).toEqual([503, 'unavailable'])
})

test.each([
  ['stops halfway', (response: ServerResponse) => response.write('half'), 100],
  ['breaks halfway', (response: ServerResponse) => response.write('half', () => response.destroy()), 5_000],
])('error: an indexer that %s is not taken for a complete response', async (_, act, timeout) => {
  const { url } = await behind((__, response) => {
    response.writeHead(200, { 'content-type': 'text/csv' })
    act(response)
  }, timeout)
  const outcome = await ask(url, '/v1/communities/demo/members/0x1/referrals.csv').then(
    ({ status }) => (status < 500 ? 'complete' : 'refused'),
    () => 'cut off',
  )
  expect(outcome).not.toBe('complete')
})

test('error: a body over 64 kB', async () => {
  const { url } = await behind((request, response) => request.pipe(response))
  const { status, body } = await ask(url, batch, { method: 'POST', body: 'a'.repeat(70_000) })
  expect([status, json(body).code]).toEqual([413, 'payload_too_large'])
})

test('error: too many lookups by one visitor', async () => {
  const upstream = await startUpstream((_, response) => response.end('{}'))
  const served = await serve({
    settings: { indexers: [upstream.url], trustedProxies: 1 },
    limits: { lookups: { burst: 41, perSecond: 0.5 } },
  })
  open.push(upstream, served)
  const from = (visitor: string, method = 'GET', target = '/v1/communities') =>
    ask(served.url, target, { method, headers: { 'x-forwarded-for': visitor } })
  expect((await from('203.0.113.1', 'POST', batch)).status).toBe(200)
  expect((await from('203.0.113.1', 'GET', '/v1/communities/demo/members/0x1/referrals.csv')).status).toBe(200)
  expect((await from('203.0.113.1')).status).toBe(200)
  const { status, headers, body } = await from('203.0.113.1')
  expect([status, headers['retry-after'], json(body).code]).toEqual([429, '2', 'rate_limited'])
  expect((await from('203.0.113.2')).status).toBe(200)
})

test.each([
  ['a filter, also under a limit below its cost', '?minTeam=1', 429],
  ['no filter', '', 200],
])('attack: the work of a CSV with %s is charged before it is read', async (_, query, next) => {
  const upstream = await startUpstream((__, response) => response.end('a'))
  const served = await serve({
    settings: { indexers: [upstream.url] },
    limits: { lookups: { burst: 50, perSecond: 0.5 } },
  })
  open.push(upstream, served)
  const csv = await ask(served.url, `/v1/communities/demo/members/0x1/referrals.csv${query}`)
  expect([csv.status, (await ask(served.url, '/v1/communities')).status]).toEqual([200, next])
})

test('error: lookups that cost the indexer much time', async () => {
  const upstream = await startUpstream((_, response) => {
    response.setHeader('server-timing', 'work;dur=79.9, app;dur=80.1')
    response.end('{}')
  })
  const served = await serve({
    settings: { indexers: [upstream.url], trustedProxies: 1 },
    limits: { lookups: { burst: 62, perSecond: 0.5 } },
  })
  open.push(upstream, served)
  const from = (visitor: string) => ask(served.url, '/v1/communities', { headers: { 'x-forwarded-for': visitor } })
  expect([(await from('203.0.113.1')).status, (await from('203.0.113.1')).status]).toEqual([200, 200])
  const { status, headers } = await from('203.0.113.1')
  // Two requests, and a surcharge of 59 for each.
  expect([status, headers['retry-after']]).toEqual([429, String((2 + 2 * 59 - 62 + 1) * 2)])
  expect((await from('203.0.113.2')).status).toBe(200)
})

test.each(['GET', 'POST', 'PUT'])('error: %s on a path that the API does not have', async (method) => {
  const { url } = await behind((_, response) => response.end('reached'))
  const { status, body } = await ask(url, '/v1/communities/demo', { method })
  expect([status, json(body).code]).toEqual([404, 'not_found'])
})

test.each(['PUT', 'DELETE', 'OPTIONS', 'PATCH'])('error: %s', async (method) => {
  const { url } = await behind((_, response) => response.end('reached'))
  const { status, headers, body } = await ask(url, '/v1/communities', { method })
  expect([status, headers.allow, json(body).code]).toEqual([405, 'GET, HEAD', 'method_not_allowed'])
})

test.each([
  '/v1/../metrics',
  '/v1/%2e%2e/metrics',
  '/v1/.%2E/metrics',
  '/v1/..%2fmetrics',
  '/v1/..%5cmetrics',
  '/v1/a%2fb',
  '/v1/%252e%252e/metrics',
  '/v1//metrics',
  '/v1/./metrics',
  '/v1/\\..\\metrics',
  '/v1/a%00b',
  '/v1/',
  '/v1',
  '/v1?x',
  '/v1x/y',
  '//127.0.0.1/v1/x',
  'http://127.0.0.1/v1/x',
  '/metrics',
  '/graphql',
])('error: %s never reaches the indexer', async (target) => {
  const reached: string[] = []
  const { url } = await behind((request, response) => {
    reached.push(request.url ?? '')
    response.end('reached')
  })
  const { status, headers } = await ask(url, target)
  expect(status).toBe(target.includes('\\') ? 400 : 404)
  expect(headers['content-type']).toBe('application/problem+json')
  expect(reached).toEqual([])
})

test.each([
  ['indexing', 'Said by the start.'],
  ['ready', null],
])('behavior: while the indexer is %s the note of the start script is %s', async (state, note) => {
  const answer = {
    state,
    progress: null,
    asOf: { block: 9, timestamp: Math.floor(Date.now() / 1_000), finalizedBlock: 7 },
    headBlock: 9,
    note: null,
    warnings: [],
    spotChecks: [],
  }
  const { url, startup } = await behind((request, response) => {
    response.end(request.url === '/v1/status' ? JSON.stringify(answer) : '')
  })
  startup.receive({ type: 'progress', progress: null, note: 'Said by the start.' })
  const { status, body } = await ask(url, '/v1/status')
  expect(status).toBe(200)
  expect(json(body)).toEqual({ ...answer, note })
})

test.each([
  ['starting', null],
  ['starting', { phase: 'starting', done: 0, total: 0 }],
  ['indexing', { phase: 'chain', done: 1, total: 2 }],
])('behavior: without the indexer the status is %s', async (state, progress) => {
  const { url, startup } = await behind((_, response) => response.end('not a status'))
  startup.receive({ type: 'progress', progress, note: 'n' })
  const { status, body } = await ask(url, '/v1/status')
  expect(status).toBe(200)
  expect(json(body)).toEqual({ state, progress, asOf: null, headBlock: null, note: 'n', warnings: [], spotChecks: [] })
})

test('behavior: the status holds nothing of a node’s URL but its host', async () => {
  const warning = { kind: 'node_silent', community: null, node: 'me:s3cret@node.example' }
  const status = { state: 'ready', progress: null, asOf: null, headBlock: null, spotChecks: [] }
  const upstream = await startUpstream((_, response) =>
    response.end(
      JSON.stringify({
        ...status,
        note: 'https://me:s3cret@node.example/progress/0123456789abcdef failed',
        warnings: [{ ...warning, message: 'no answer of project 0123456789abcdef' }],
      }),
    ),
  )
  const rpcUrls = ['https://me:s3cret@node.example/progress/0123456789abcdef']
  const served = await serve({ settings: { indexers: [upstream.url], rpcUrls } })
  open.push(served, upstream)
  const { body } = await ask(served.url, '/v1/status')
  expect(body.toString()).not.toMatch(/s3cret|0123456789abcdef/)
  expect(json(body)).toMatchObject({ progress: null, note: 'node.example failed' })
})

test.each([
  [500, { code: 'internal', detail: 'connect postgres://me:s3cret@db' }],
  [502, {}],
])('error: a %i of the indexer is a 503 in plain words', async (status, body) => {
  const noted = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { url } = await behind((_, response) => response.writeHead(status).end(JSON.stringify(body)))
  const answer = await ask(url, '/v1/communities/demo/events')
  expect([answer.status, json(answer.body).code, answer.headers['retry-after']]).toEqual([503, 'unavailable', '5'])
  expect(answer.body.toString()).not.toContain('s3cret')
  expect(noted).toHaveBeenCalledOnce()
  noted.mockRestore()
})

const readyStatus = {
  state: 'ready',
  progress: null,
  asOf: { block: 9, timestamp: 1_700_000_000, finalizedBlock: 8 },
  headBlock: 9,
  note: null,
  warnings: [],
  spotChecks: [],
}
const because = (code: string, message: string) => ({ code, community: null, message, since: 1_700_000_000, age: 42 })
const progress = { phase: 'indexing', done: 1, total: 2 }

test.each<[string, object | undefined, [status: number, code: string | undefined, detail: string | undefined]]>([
  ['an index that is ready', { ...readyStatus, reasons: [] }, [200, undefined, undefined]],
  [
    'an old block that the indexer does not call too old',
    { ...readyStatus, asOf: { block: 1, timestamp: 1, finalizedBlock: 0 } },
    [200, undefined, undefined],
  ],
  [
    'a community withheld',
    { ...readyStatus, reasons: [because('community_withheld', 'Swapped.')] },
    [200, undefined, undefined],
  ],
  ...['stale', 'index_stuck', 'disk_full', 'database_unavailable', 'nodes_unavailable', 'chain_replaced'].map(
    (code): [string, object, [number, string, string]] => [
      code,
      { ...readyStatus, reasons: [because('community_withheld', 'Swapped.'), because(code, `It is ${code}.`)] },
      [503, 'unavailable', `It is ${code}.`],
    ],
  ),
  [
    'an index that is being made',
    { ...readyStatus, state: 'indexing', asOf: null, progress, reasons: [because('indexing', 'Being read.')] },
    [503, 'indexing', 'Being read.'],
  ],
  ['no indexer', undefined, [503, 'unavailable', 'The index does not answer yet.']],
])('behavior: /v1/ready and /v1/status with %s', async (_, status, [expected, code, detail]) => {
  const { url } = await behind((_, response) => {
    if (status) response.end(JSON.stringify(status))
    else response.destroy()
  })
  const ready = await ask(url, '/v1/ready')
  expect([ready.status, Number(ready.headers['retry-after'] ?? 0) > 0]).toEqual([expected, expected === 503])
  const reasons = (status as { reasons?: object[] } | undefined)?.reasons
  expect(json(ready.body)).toMatchObject({ ...(code && { code, detail }), reasons: reasons ?? [] })
  expect(json((await ask(url, '/v1/status')).body).reasons).toEqual(reasons)
})

test('behavior: without accounts /v1/ready stays 200, and tells it as /v1/status does', async () => {
  const upstream = await startUpstream((_, response) => response.end(JSON.stringify(readyStatus)))
  const accounts = openAccounts({ kind: 'postgres', url: `postgres://me:s3cret@127.0.0.1:${closedPort}/none` })
  await accounts.findSession('a').catch(() => undefined)
  const served = await serve({ accounts, settings: { indexers: [upstream.url] } })
  open.push(served, upstream)
  for (const target of ['/v1/ready', '/v1/status']) {
    const { status, body } = await ask(served.url, target)
    expect([status, json(body).warnings]).toEqual([
      200,
      [
        {
          kind: 'accounts_unavailable',
          node: null,
          community: null,
          message: expect.stringMatching(
            /^The accounts database has not answered for \d+ s, so signing in does not work\./,
          ),
        },
      ],
    ])
    expect(body.toString()).not.toContain('s3cret')
  }
})
