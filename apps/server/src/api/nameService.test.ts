import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { ask, type Served, serve } from '../../test/serve.ts'
import { startUpstream, type Upstream } from '../../test/upstream.ts'
import { createNameService } from './nameService.ts'

const address = `0x${'aB'.repeat(20)}`
const avatar = 'data:image/png;base64,AAAA'
const open: (Upstream | Served)[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

/** Starts a name service that records its requests. */
async function startService(respond: unknown | ((response: ServerResponse) => void)) {
  const seen: IncomingMessage[] = []
  const upstream = await startUpstream((request, response) => {
    seen.push(request)
    if (typeof respond === 'function') respond(response)
    else response.end(JSON.stringify(respond))
  })
  open.push(upstream)
  return { ...upstream, seen }
}

async function setup(
  respond: unknown | ((response: ServerResponse) => void),
  parameters: Parameters<typeof serve>[0] = {},
) {
  const { url, seen } = await startService(respond)
  const nameService = { url: `${url}/api`, apiKey: 'k3y', header: 'x-api-key' }
  const served = await serve({ ...parameters, settings: { nameService } })
  open.push(served)
  return {
    seen,
    async get(target = `/v1/resolve-ens?address=${address}`, headers: Record<string, string> = {}) {
      const answer = await ask(served.url, target, { headers })
      return { ...answer, json: JSON.parse(answer.body.toString()) }
    },
  }
}

test('behavior: the service gets the API key and nothing of the visitor', async () => {
  const { get, seen } = await setup({ data: 'a.eth', avatar, more: 1 })
  const { status, headers, json } = await get(undefined, {
    cookie: 'a=b',
    'x-api-key': 'mine',
    'x-forwarded-for': '1.1.1.1',
  })
  expect([status, json]).toEqual([200, { data: 'a.eth', avatar }])
  expect([headers['content-type'], headers['cache-control']]).toEqual(['application/json', 'private, max-age=60'])
  const [request] = seen
  expect([request?.url, request?.headers['x-api-key']]).toEqual([
    `/api/v1/resolve-ens?address=${address.toLowerCase()}`,
    'k3y',
  ])
  expect(request?.headers).not.toHaveProperty('cookie')
  expect(request?.headers).not.toHaveProperty('x-forwarded-for')
  expect(JSON.stringify([json, headers])).not.toContain('k3y')
})

test.each([
  ['no name', { data: null }, { data: null }],
  ['an empty name', { data: '' }, { data: null }],
  ['no data', { message: 'none' }, { data: null }],
  ['a name that is too long', { data: 'a'.repeat(256) }, { data: null }],
  ['a wrapped answer', { data: { data: 'a.eth', avatar } }, { data: 'a.eth', avatar }],
  ['an avatar on another host', { data: 'a.eth', avatar: 'https://evil.example/a.png' }, { data: 'a.eth' }],
  ['an avatar that is not text', { data: 'a.eth', avatar: 7 }, { data: 'a.eth' }],
  ['an avatar without a name', { data: null, avatar }, { data: null }],
])('behavior: %s', async (_, answer, expected) => {
  const { get } = await setup(answer)
  expect((await get()).json).toEqual(expected)
})

test.each<[string, unknown]>([
  ['silent', () => {}],
  ['silent after half an answer', (response: ServerResponse) => response.write('{')],
  ['failing', (response: ServerResponse) => response.writeHead(500).end('k3y')],
  ['refusing the API key', (response: ServerResponse) => response.writeHead(401).end()],
  ['redirecting', (response: ServerResponse) => response.writeHead(302, { location: '/elsewhere' }).end()],
  ['closing the connection', (response: ServerResponse) => response.destroy()],
  ['malformed JSON', (response: ServerResponse) => response.end('<html>')],
  ['an array', []],
  ['a name that is not text', { data: 7 }],
  ['sending too much', { data: 'a.eth', avatar: `data:image/png;base64,${'A'.repeat(70_000)}` }],
  [
    'sending too much without a content-length',
    (response: ServerResponse) => {
      for (let part = 0; part < 20; part++) response.write(' '.repeat(8_192))
      response.end('{"data":"a.eth"}')
    },
  ],
])('error: a service (%s) is unavailable, and its failure is not cached', async (_, respond) => {
  const { get, seen } = await setup(respond, { timeout: 1_000 })
  for (const times of [1, 2]) {
    const { status, headers, json } = await get()
    expect([status, headers['content-type'], json.code]).toEqual([503, 'application/problem+json', 'unavailable'])
    expect(JSON.stringify(json)).not.toMatch(/k3y|127\.0/)
    expect(seen).toHaveLength(times)
  }
})

test.each(['', '?address=', '?address=0x12', '?address=a.eth', `?address=${address}%2f..`])(
  'error: %s is not an address',
  async (query) => {
    const { get, seen } = await setup({ data: 'a.eth' })
    expect((await get(`/v1/resolve-ens${query}`)).json).toMatchObject({ status: 400, code: 'invalid_address' })
    expect(seen).toEqual([])
  },
)

test('behavior: each visitor has a rate limit', async () => {
  const { get } = await setup({ data: 'a.eth' }, { limits: { names: { burst: 1, perSecond: 0.01 } } })
  expect((await get()).status).toBe(200)
  const { status, headers, json } = await get()
  expect([status, json.code, headers['retry-after']]).toEqual([429, 'rate_limited', '100'])
})

test('error: without a name service it answers 404', async () => {
  const served = await serve()
  open.push(served)
  const { status, body } = await ask(served.url, `/v1/resolve-ens?address=${address}`)
  expect([status, JSON.parse(body.toString()).code]).toEqual([404, 'not_found'])
})

test('behavior: an answer is cached for a minute', async () => {
  const { url, seen } = await startService({ data: 'a.eth' })
  let time = 0
  const answer = createNameService({ url, timeout: 10_000, apiKey: null, header: 'x-api-key', now: () => time })
  await Promise.all([answer(address), answer(address.toLowerCase())])
  time = 59_999
  expect(await (await answer(address)).json()).toEqual({ data: 'a.eth' })
  expect(seen).toHaveLength(1)
  expect(seen[0]?.headers).not.toHaveProperty('x-api-key')
  time = 60_000
  await answer(address)
  expect(seen).toHaveLength(2)
})

test('behavior: the cache drops the oldest answer', async () => {
  const { url, seen } = await startService({ data: null })
  const answer = createNameService({ url, timeout: 10_000, apiKey: null, header: 'x-api-key', now: () => 0 })
  const nth = (index: number) => `0x${index.toString(16).padStart(40, '0')}`
  for (let index = 0; index <= 256; index++) await answer(nth(index))
  await answer(nth(1))
  expect(seen).toHaveLength(257)
  await answer(nth(0))
  expect(seen).toHaveLength(258)
})
