import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { ask, type Served, serve } from '../test/serve.ts'
import { freePort, startUpstream, type Upstream } from '../test/upstream.ts'

type Call = { jsonrpc: '2.0'; id: number; method: string; params: unknown[] }

const open: (Upstream | Served)[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

/** A node that answers each call with its method and params, unless told otherwise. */
async function startNode(respond?: (calls: Call[], response: ServerResponse) => void) {
  const seen: Call[][] = []
  const upstream = await startUpstream((request: IncomingMessage, response: ServerResponse) => {
    request.setEncoding('utf8')
    let text = ''
    request.on('data', (chunk: string) => {
      text += chunk
    })
    request.on('end', () => {
      const asked = JSON.parse(text) as Call | Call[]
      const calls = [asked].flat()
      seen.push(calls)
      if (respond) return respond(calls, response)
      // Out of order, as the standard allows.
      const replies = calls
        .map(({ id, method, params }) => ({ jsonrpc: '2.0', id, result: [method, params] }))
        .reverse()
      response.end(JSON.stringify(Array.isArray(asked) ? replies : replies[0]))
    })
  })
  open.push(upstream)
  return { ...upstream, seen }
}

async function start(rpcUrls: string[], parameters: Parameters<typeof serve>[0] = {}) {
  const served = await serve({ patience: 2_000, ...parameters, settings: { rpcUrls, ...parameters.settings } })
  open.push(served)
  return {
    ...served,
    async post(body: unknown, headers: Record<string, string> = {}) {
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      const answer = await ask(served.url, '/v1/rpc', { method: 'POST', body: text, headers })
      return { ...answer, json: JSON.parse(answer.body.toString()) }
    },
  }
}
const call = (method: string, id: number | string = 1, params: unknown[] = []) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
})

describe('calls', () => {
  test('behavior: a single call', async () => {
    const { post } = await start([(await startNode()).url])
    const { status, json } = await post(call('eth_getBalance', 'x', ['0x1', 'latest']))
    expect(status).toBe(200)
    expect(json).toEqual({ jsonrpc: '2.0', id: 'x', result: ['eth_getBalance', ['0x1', 'latest']] })
  })

  test('behavior: a node that takes no batches', async () => {
    const node = await startUpstream((request, response) => {
      let text = ''
      request.on('data', (chunk) => {
        text += chunk
      })
      request.on('end', () => {
        const asked = JSON.parse(text)
        const error = { code: -32600, message: 'batches are not supported' }
        response.end(
          JSON.stringify({
            jsonrpc: '2.0',
            ...(asked.id === undefined ? { error } : { id: asked.id, result: '0x38' }),
          }),
        )
      })
    })
    open.push(node)
    const { post } = await start([node.url])
    expect((await post(call('eth_chainId', 9))).json).toEqual({ jsonrpc: '2.0', id: 9, result: '0x38' })
  })

  test('behavior: a notification is neither answered nor passed on', async () => {
    const node = await startNode()
    const { post, url } = await start([node.url])
    const notification = { jsonrpc: '2.0', method: 'eth_chainId' }
    for (const body of [notification, [notification]]) {
      const { status, body: bytes } = await ask(url, '/v1/rpc', { method: 'POST', body: JSON.stringify(body) })
      expect([status, bytes.length]).toEqual([204, 0])
    }
    expect(node.seen).toEqual([])
    expect((await post([notification, call('eth_chainId', 4)])).json).toMatchObject([{ id: 4 }])
  })

  test('behavior: a batch keeps its order and ids, refused calls in their places', async () => {
    const node = await startNode()
    const { post } = await start([node.url])
    const { json } = await post([call('eth_chainId', 7), call('eth_sign', 8), call('eth_blockNumber', 7), 5])
    expect(json).toEqual([
      { jsonrpc: '2.0', id: 7, result: ['eth_chainId', []] },
      { jsonrpc: '2.0', id: 8, error: { code: -32601, message: '"eth_sign" is not offered here: reads only.' } },
      { jsonrpc: '2.0', id: 7, result: ['eth_blockNumber', []] },
      { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'This is not a JSON-RPC 2.0 call with an id.' } },
    ])
    expect(node.seen).toHaveLength(1)
    expect(node.seen[0]?.map(({ method }) => method)).toEqual(['eth_chainId', 'eth_blockNumber'])
  })

  test('behavior: a node’s error passes with its data and is no reason to ask another', async () => {
    const error = { code: 3, message: 'execution reverted', data: '0x08c379a0' }
    const one = await startNode((calls, response) =>
      response.end(JSON.stringify(calls.map(({ id }) => ({ jsonrpc: '2.0', id, error })))),
    )
    const two = await startNode()
    const { post } = await start([one.url, two.url])
    expect((await post(call('eth_call'))).json).toEqual({ jsonrpc: '2.0', id: 1, error })
    expect(two.seen).toHaveLength(0)
  })

  test.each([
    'eth_sendTransaction',
    'eth_sign',
    'eth_accounts',
    'personal_unlockAccount',
    'anvil_setBalance',
    'debug_traceCall',
    'eth_sendRawTransaction',
    'constructor',
  ])('error: %s is refused', async (method) => {
    const node = await startNode()
    const { post } = await start([node.url])
    expect((await post(call(method))).json.error.code).toBe(-32601)
    expect(node.seen).toEqual([])
  })

  test('behavior: eth_sendRawTransaction passes in the demo', async () => {
    const { post, news } = await start([(await startNode()).url])
    news.receive({ type: 'demo', demo: { privateKeys: [`0x${'ab'.repeat(32)}`], contract: null } })
    expect((await post(call('eth_sendRawTransaction'))).json.result).toEqual(['eth_sendRawTransaction', []])
    expect((await post(call('anvil_setBalance'))).json.error.code).toBe(-32601)
  })

  test.each([
    ['no JSON', '{', -32700],
    ['nothing', '', -32700],
    ['an empty batch', '[]', -32600],
    ['null', 'null', -32600],
    ['a string', '"eth_chainId"', -32600],
    ['no version', '{"id":1,"method":"eth_chainId"}', -32600],
    ['a method that is no text', '{"jsonrpc":"2.0","id":1,"method":{}}', -32600],
    ['params that are no list', '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":"x"}', -32600],
    ['21 calls', JSON.stringify(Array(21).fill(call('eth_chainId'))), -32600],
  ])('error: %s', async (_, body, code) => {
    const node = await startNode()
    const { post } = await start([node.url])
    const { status, json } = await post(body)
    expect([status, json.error.code]).toEqual([200, code])
    expect(node.seen).toEqual([])
  })

  test('error: a body over 64 kB', async () => {
    const { post } = await start([(await startNode()).url])
    const { status, json } = await post(call('eth_call', 1, ['0'.repeat(66_000)]))
    expect([status, json.code]).toEqual([413, 'payload_too_large'])
  })

  test('error: GET', async () => {
    const { url } = await start([(await startNode()).url])
    const { status, headers } = await ask(url, '/v1/rpc')
    expect([status, headers.allow]).toEqual([405, 'POST'])
  })
})

describe('fail-over', () => {
  test.each<[string, (calls: Call[], response: ServerResponse) => void]>([
    ['answers 500', (_, response) => response.writeHead(500).end('{}')],
    ['answers 429', (_, response) => response.writeHead(429).end('{}')],
    ['answers no JSON', (_, response) => response.end('<html>')],
    ['answers other ids', (_, response) => response.end('[{"jsonrpc":"2.0","id":9,"result":1}]')],
    ['answers null in a batch', (_, response) => response.end('[null]')],
    [
      'says it is over its limit',
      (_, response) => response.end('[{"id":0,"error":{"code":-32005,"message":"limit"}}]'),
    ],
    ['sends elsewhere', (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
    ['never answers', () => undefined],
    ['stops half way', (_, response) => response.write('[{"jsonrpc"')],
    ['hangs up', (_, response) => response.destroy()],
  ])('behavior: a node that %s is followed by the next and then rests', async (_, respond) => {
    const bad = await startNode(respond)
    const good = await startNode()
    const { post } = await start([bad.url, good.url], { patience: 150 })
    for (const id of [1, 2])
      expect((await post(call('eth_chainId', id))).json).toMatchObject({ id, result: ['eth_chainId', []] })
    expect(bad.seen).toHaveLength(1)
    expect(good.seen).toHaveLength(2)
  })

  test('error: no node left', async () => {
    const { post } = await start([`http://127.0.0.1:${await freePort()}`])
    const { status, json } = await post([call('eth_chainId', 4), call('eth_sign', 5)])
    expect(status).toBe(200)
    expect(json.map((one: { error: { code: number } }) => one.error.code)).toEqual([-32603, -32601])
  })

  test('behavior: a visitor who leaves ends the call and the node keeps its good name', async () => {
    let state = 'none'
    const slow = await startNode((_, response) => {
      state = 'open'
      response.on('close', () => {
        state = 'closed'
      })
    })
    const other = await startNode()
    const { url } = await start([slow.url, other.url], { patience: 60_000 })
    const leaving = new AbortController()
    const body = JSON.stringify(call('eth_chainId'))
    const response = fetch(`${url}/v1/rpc`, { method: 'POST', body, signal: leaving.signal })
    await vi.waitFor(() => expect(state).toBe('open'))
    leaving.abort()
    await expect(response).rejects.toThrow()
    await vi.waitFor(() => expect(state).toBe('closed'), 3_000)
    expect(other.seen).toEqual([])
  })
})

describe('rate limit', () => {
  const rateLimit = { burst: 4, perSecond: 0.1 }

  test('behavior: each call of a batch counts, then 429 with Retry-After', async () => {
    const { post } = await start([(await startNode()).url], { rateLimit })
    expect((await post([call('eth_chainId', 1), call('eth_chainId', 2), call('eth_chainId', 3)])).status).toBe(200)
    expect((await post('not even JSON')).status).toBe(200)
    const { status, headers, json } = await post(call('eth_chainId'))
    expect([status, headers['content-type'], json.code]).toEqual([429, 'application/problem+json', 'rate_limited'])
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(10)
  })

  test.each([
    ['behavior: a made-up forwarded address changes nothing', 0, 429],
    ['behavior: behind a trusted proxy each visitor has a share', 1, 200],
  ])('%s', async (_, trustedProxies, status) => {
    const { post } = await start([(await startNode()).url], { rateLimit, settings: { trustedProxies } })
    const batch = Array.from({ length: 4 }, (__, id) => call('eth_chainId', id))
    expect((await post(batch, { 'x-forwarded-for': '203.0.113.1' })).status).toBe(200)
    expect((await post(batch, { 'x-forwarded-for': '203.0.113.2' })).status).toBe(status)
  })
})
