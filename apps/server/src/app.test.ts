import { connect } from 'node:net'
import { config } from '@lineage/referral-api/schemas'
import { afterEach, expect, test, vi } from 'vitest'
import { ask, type Served, type ServeParameters, serve } from '../test/serve.ts'
import { createLoadQueue } from './load/loadQueue.ts'
import { createPage } from './site/page.ts'

const open: Served[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

async function start(settings: ServeParameters['settings'] = {}) {
  const served = await serve({ settings })
  open.push(served)
  return served
}

test('behavior: /v1/config has what the web app needs', async () => {
  const { url } = await start({
    publicRpcUrls: ['https://bsc.example'],
    relayProjectId: 'abc',
    relayUrl: 'wss://relay.example',
  })
  const first = await ask(url, '/v1/config')
  expect(config.parse(JSON.parse(first.body.toString()))).toEqual({
    chainId: 56,
    rpcUrls: ['https://bsc.example', '/v1/rpc'],
    relayProjectId: 'abc',
    relayUrl: 'wss://relay.example',
    names: { service: false, bnb: true },
    demo: null,
  })
  const demo = { privateKeys: [`0x${'ab'.repeat(32)}`], contract: `0x${'12'.repeat(20)}` }
  const second = await ask((await start({ demo })).url, '/v1/config')
  expect(JSON.parse(second.body.toString())).toMatchObject({ demo, names: { service: false, bnb: false } })
})

test('behavior: /v1/health answers 200', async () => {
  const { url } = await start({})
  const { status, headers, body } = await ask(url, '/v1/health')
  expect([status, headers['cache-control'], body.toString()]).toEqual([200, 'no-store', '{"status":"ok"}'])
})

test.each(['/v1/config', '/v1/status', '/v1/health'])('error: POST %s', async (target) => {
  const { url } = await start({})
  const { status, headers } = await ask(url, target, { method: 'POST' })
  expect([status, headers.allow]).toEqual([405, 'GET, HEAD'])
})

test('behavior: without a web app only /v1 is served', async () => {
  const { url } = await start({})
  expect((await ask(url, '/')).status).toBe(404)
})

/** Sends raw bytes and returns the response, or closes the connection once they are sent. */
function send(url: string, bytes: string, then: 'read' | 'leave' = 'read'): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () =>
      socket.write(bytes, () => then === 'leave' && socket.destroy()),
    )
    socket.on('data', (chunk) => {
      text += chunk
      socket.end()
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(text))
  })
}

test('behavior: while too many lookups wait only lookups are refused', async () => {
  const shell = createPage('<!doctype html><head></head>')
  const site = { files: new Map(), shell, renderer: undefined, paths: ['/', '/metrics'] }
  const served = await serve({ site, queue: createLoadQueue({ running: 0, total: 0 }) })
  open.push(served)
  const refused = await ask(served.url, '/v1/communities')
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1'])
  expect(JSON.parse(refused.body.toString()).code).toBe('unavailable')
  for (const path of [
    '/',
    '/metrics?community=demo',
    '/v1/config',
    '/v1/status',
    '/v1/auth/nonce',
    '/v1/communities/demo/live',
  ])
    expect([path, (await ask(served.url, path)).status]).toEqual([path, 200])
})

test.each([
  ['an https origin', ['https://lineage.example'], 'max-age=31536000'],
  ['local origins only', ['http://localhost:5173'], undefined],
])('behavior: with %s Strict-Transport-Security is %s', async (_, origins, expected) => {
  const { url } = await start({ origins: origins as [string] })
  expect((await ask(url, '/v1/health')).headers['strict-transport-security']).toBe(expected)
})

test('behavior: HTTP/1.0 without a Host header is answered', async () => {
  const { url } = await start({})
  expect(await send(url, 'GET /v1/health HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 200 /)
})

test('error: a malformed request is answered with the security headers', async () => {
  const { url } = await start({})
  const answer = await send(url, 'GET / HTTP/1.1\r\nHost: a/b?c\r\n\r\n')
  expect(answer).toMatch(/^HTTP\/1.1 400 /)
  expect(answer).toContain('content-type: application/problem+json')
  expect(answer).toContain("content-security-policy: default-src 'none'; frame-ancestors 'none'")
  expect(answer).toContain('x-content-type-options: nosniff')
})

test('behavior: a visitor who leaves during a request is not logged', async () => {
  const noted = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { url } = await start({})
  await send(url, 'POST /v1/rpc HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc', 'leave')
  // These requests are answered after the aborted one was handled.
  await ask(url, '/v1/health')
  await ask(url, '/v1/health')
  expect(noted).not.toHaveBeenCalled()
  noted.mockRestore()
})
