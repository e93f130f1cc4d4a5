import { afterEach, expect, test } from 'vitest'
import { ask } from '../../test/serve.ts'
import { closed, portOf } from '../../test/upstream.ts'
import { listen } from '../http/listen.ts'
import { chooseRequestId, createLog, withRequestId } from '../lib/log.ts'
import type { Admit } from '../load/gate.ts'
import { createObserver, createRequestLog, type ObservedRequest, type ObserveParameters, routeOf } from './observe.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const address = '0x52908400098527886E0F7030069857D2E4169EE7'

/** Serves an app that answers all requests with `answer`, and observes them. */
async function serveApp(parameters: ObserveParameters, answer: (request: Request) => Promise<Response>) {
  const observe = createObserver(parameters)
  const admit: Admit = (incoming, outgoing, start) => {
    const id = chooseRequestId(incoming.headers['x-request-id']?.toString())
    observe(incoming, outgoing, incoming.headers['x-forwarded-for']?.toString() ?? '127.0.0.1', id)
    outgoing.setHeader('x-request-id', id)
    withRequestId(id, start)
  }
  const server = await listen({ fetch: answer, admit }, { port: 0 })
  closing.push(() => closed(server))
  return `http://127.0.0.1:${portOf(server)}`
}

/** Serves an app that logs a fault for each request, and collects the lines of the log. */
async function start(logVisitors: 'no' | 'yes') {
  const lines: Record<string, unknown>[] = []
  const write = (line: string) => lines.push(JSON.parse(line))
  const log = createLog({ format: 'json', write, redact: (text) => text.replace('k3y', '***') })
  const note = createRequestLog({ logVisitors }, write)
  const url = await serveApp({ note }, async (request) => {
    await Promise.resolve()
    log(`A fault with k3y: ${new URL(request.url).search}`)
    return new Response('busy', { status: 503 })
  })
  return { url, lines }
}

test('behavior: a request is a line with its id, which its faults and its response have too, without addresses', async () => {
  const { url, lines } = await start('no')
  const { headers } = await ask(url, `/v1/communities/demo/members/${address}?1`, {
    headers: { 'x-request-id': 'not mine' },
  })
  await expect.poll(() => lines).toHaveLength(2)
  const id = headers['x-request-id']
  expect(id).toMatch(/^[\w-]{36}$/)
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  expect(lines).toEqual([
    { time, level: 'error', message: 'A fault with ***: ?1', request: id },
    {
      time,
      level: 'info',
      message: 'request',
      request: id,
      method: 'GET',
      route: '/v1/communities/{community}/members/{address}',
      status: 503,
      milliseconds: expect.any(Number),
    },
  ])
  expect(JSON.stringify(lines)).not.toMatch(/127\.0\.0\.1|0x5290/)
})

test('behavior: a client or proxy names the request, and the visitor is logged when asked for', async () => {
  const { url, lines } = await start('yes')
  const asProxy = (id: string) => ({ 'x-request-id': id, 'x-forwarded-for': '203.0.113.7' })
  expect((await ask(url, '/?1', { headers: asProxy('abc-1') })).headers['x-request-id']).toBe('abc-1')
  expect((await ask(url, '/?2', { headers: asProxy('a b') })).headers['x-request-id']).not.toBe('a b')
  await expect.poll(() => lines).toHaveLength(4)
  expect(lines[1]).toMatchObject({ request: 'abc-1', route: 'page', visitor: '203.0.113.7' })
})

test('behavior: a visitor who leaves is a 499', async () => {
  const noted: ObservedRequest[] = []
  const leaving = new AbortController()
  const url = await serveApp({ note: (one) => noted.push(one) }, () => {
    leaving.abort()
    return new Promise<Response>(() => undefined)
  })
  await expect(fetch(`${url}/v1/health`, { signal: leaving.signal })).rejects.toThrow()
  await expect.poll(() => noted.map(({ status, route }) => [status, route])).toEqual([[499, '/v1/health']])
})

test.each([
  [
    'GET',
    '/v1/communities/demo/members/0xAb/referrals.csv?level=1',
    '/v1/communities/{community}/members/{address}/referrals.csv',
  ],
  ['POST', '/v1/communities/demo/members/batch', '/v1/communities/{community}/members/batch'],
  ['HEAD', '/v1/health', '/v1/health'],
  ['DELETE', '/v1/health', 'unknown'],
  ['GET', '/v1/../secret', 'unknown'],
  ['GET', '/assets/index.js', 'asset'],
  ['GET', '/demo/0xAb', 'page'],
  ['GET', '/v1', 'page'],
  ['POST', '/mcp', '/mcp'],
])('routeOf: %s %s is %s', (method, url, route) => expect(routeOf(method, url)).toBe(route))
