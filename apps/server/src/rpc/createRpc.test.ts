import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { ask, type Served, serve } from '../../test/serve.ts'
import { closedPort, startUpstream, type Upstream } from '../../test/upstream.ts'
import { createByteBudget } from './byteBudget.ts'
import { createRpc, rpcBudget } from './createRpc.ts'

type Call = { jsonrpc: '2.0'; id: number; method: string; params: unknown[] }

const open: (Upstream | Served)[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

/** Starts a node that answers each call with its method and params, unless `respond` is given. */
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
      // Replies in another order, as the standard allows.
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
  const served = await serve({ timeout: 2_000, ...parameters, settings: { rpcUrls, ...parameters.settings } })
  open.push(served)
  return {
    ...served,
    async post(body: unknown, headers: Record<string, string> = {}) {
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      const sent = { 'content-type': 'application/json', ...headers }
      const answer = await ask(served.url, '/v1/rpc', { method: 'POST', body: text, headers: sent })
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

  test('behavior: a node that does not accept batches', async () => {
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

  test('behavior: a node with user and password is asked with them', async () => {
    const seen: unknown[] = []
    const node = await startUpstream((request, response) => {
      seen.push(request.headers.authorization, request.url)
      response.end('{"id":0,"result":"0x38"}')
    })
    open.push(node)
    const { post } = await start([`${node.url.replace('//', '//me:pa%24s@')}/key`])
    expect((await post(call('eth_chainId'))).json.result).toBe('0x38')
    expect(seen).toEqual([`Basic ${Buffer.from('me:pa$s').toString('base64')}`, '/key'])
  })

  test('behavior: a node that fails is named by position and host only', async () => {
    const noted = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const { post } = await start([`http://me:pass@127.0.0.1:${closedPort}/k3y`])
    await post(call('eth_chainId'))
    const text = noted.mock.calls.join('\n')
    noted.mockRestore()
    expect(text).toContain(`Node 1 (127.0.0.1:${closedPort}) did not answer /v1/rpc`)
    expect(text).not.toMatch(/k3y|pass/)
  })

  test('behavior: a notification gets 204 and is not passed on', async () => {
    const node = await startNode()
    const { post, url } = await start([node.url])
    const notification = { jsonrpc: '2.0', method: 'eth_chainId' }
    for (const body of [notification, [notification]]) {
      const { status, body: bytes } = await ask(url, '/v1/rpc', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      expect([status, bytes.length]).toEqual([204, 0])
    }
    expect(node.seen).toEqual([])
    expect((await post([notification, call('eth_chainId', 4)])).json).toMatchObject([{ id: 4 }])
  })

  test('behavior: a batch keeps the order and ids of its calls, also of refused ones', async () => {
    const node = await startNode()
    const { post } = await start([node.url])
    const { json } = await post([call('eth_chainId', 7), call('eth_sign', 8), call('eth_blockNumber', 7), 5])
    expect(json).toEqual([
      { jsonrpc: '2.0', id: 7, result: ['eth_chainId', []] },
      { jsonrpc: '2.0', id: 8, error: { code: -32601, message: 'The method "eth_sign" is not available here.' } },
      { jsonrpc: '2.0', id: 7, result: ['eth_blockNumber', []] },
      { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'The call is not valid JSON-RPC 2.0 with an id.' } },
    ])
    expect(node.seen).toHaveLength(1)
    expect(node.seen[0]?.map(({ method }) => method)).toEqual(['eth_chainId', 'eth_blockNumber'])
  })

  test.each([
    ['another site', { origin: 'https://evil.example' }, 403, 'cross_site'],
    ['a page without an origin', { origin: 'null' }, 403, 'cross_site'],
    ['another site without an origin', { 'sec-fetch-site': 'cross-site' }, 403, 'cross_site'],
    ['a form', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
  ])('attack: a call of %s is refused', async (_, headers, status, code) => {
    const node = await startNode()
    const { post, url } = await start([node.url])
    const answer = await post(call('eth_chainId'), headers as Record<string, string>)
    expect([answer.status, answer.json.code]).toEqual([status, code])
    expect((await post(call('eth_chainId'), { origin: url, 'sec-fetch-site': 'same-origin' })).status).toBe(200)
    expect(node.seen).toHaveLength(1)
  })

  test('attack: overrides and too much gas are refused', async () => {
    const node = await startNode()
    const { post } = await start([node.url])
    const { json } = await post([
      call('eth_call', 1, [{ to: '0x1' }, 'latest', { '0x1': { code: '0x5b5956' } }]),
      call('eth_call', 2, [{ to: '0x1', gas: '0xffffffffffff' }, 'latest']),
      call('eth_call', 3, [{ to: '0x1' }, 'latest']),
    ])
    expect(json.map(({ error }: { error?: { code: number } }) => error?.code)).toEqual([-32602, -32602, undefined])
    expect(node.seen).toHaveLength(1)
  })

  test('behavior: a node’s own words are not passed on', async () => {
    const error = { code: -32003, message: 'key k3y of https://me:pass@node.example has no plan', data: 'k3y' }
    const node = await startNode((calls, response) => response.end(JSON.stringify({ ...calls[0], error })))
    const { post } = await start([node.url])
    expect((await post(call('eth_call'))).json.error).toEqual({ code: -32000, message: 'The node refused the call.' })
  })

  test('attack: a node whose answer is nested too deep to be written counts as one that fails', async () => {
    const noted = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
    const one = await startNode((_, response) => response.end(`{"jsonrpc":"2.0","id":0,"result":${deep}}`))
    const two = await startNode()
    const { post } = await start([one.url, two.url])
    const { status, json } = await post(call('eth_call'))
    expect([status, json.result]).toEqual([200, ['eth_call', []]])
    expect(noted.mock.calls).toEqual([[expect.stringContaining('an invalid answer')]])
    noted.mockRestore()
  })

  test('behavior: a JSON-RPC error of a node is passed on with its data', async () => {
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

  test('behavior: eth_sendRawTransaction is passed on in the demo', async () => {
    const demo = { privateKeys: [`0x${'ab'.repeat(32)}`], contract: null }
    const { post } = await start([(await startNode()).url], { settings: { demo } })
    expect((await post(call('eth_sendRawTransaction'))).json.result).toEqual(['eth_sendRawTransaction', []])
    expect((await post(call('anvil_setBalance'))).json.error.code).toBe(-32601)
  })

  test.each([
    ['malformed JSON', '{', -32700],
    ['an empty body', '', -32700],
    ['an empty batch', '[]', -32600],
    ['null', 'null', -32600],
    ['a string', '"eth_chainId"', -32600],
    ['no version', '{"id":1,"method":"eth_chainId"}', -32600],
    ['a method that is not text', '{"jsonrpc":"2.0","id":1,"method":{}}', -32600],
    ['params that are text', '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":"x"}', -32600],
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
    ['exceeds its own limit', (_, response) => response.end('[{"id":0,"error":{"code":-32005,"message":"limit"}}]')],
    [
      'refuses a call as too many',
      (_, response) => response.end('[{"id":0,"error":{"code":-32007,"message":"50/second request limit reached"}}]'),
    ],
    ['redirects', (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
    ['never answers', () => undefined],
    ['stops halfway', (_, response) => response.write('[{"jsonrpc"')],
  ])('behavior: a node that %s is replaced by the next and then asked last', async (_, respond) => {
    const bad = await startNode(respond)
    const good = await startNode()
    const { post } = await start([bad.url, good.url], { timeout: 1_500 })
    for (const id of [1, 2])
      expect((await post(call('eth_chainId', id))).json).toMatchObject({ id, result: ['eth_chainId', []] })
    expect(bad.seen).toHaveLength(1)
    expect(good.seen).toHaveLength(2)
  })

  test('behavior: a call whose connection breaks, as after a second at some proxies, is sent again', async () => {
    const errors = vi.spyOn(console, 'error')
    let broken = 0
    const node = await startNode(([one], response) => {
      if (broken++ === 0) response.destroy()
      else response.end(JSON.stringify({ jsonrpc: '2.0', id: one?.id, result: 'again' }))
    })
    const { post } = await start([node.url])
    expect((await post(call('eth_chainId'))).json).toMatchObject({ result: 'again' })
    expect([node.seen.length, errors.mock.calls]).toEqual([2, []])
  })

  test('behavior: a node that hangs up twice is replaced by the next and then asked last', async () => {
    const bad = await startNode((_, response) => response.destroy())
    const good = await startNode()
    const { post } = await start([bad.url, good.url])
    for (const id of [1, 2])
      expect((await post(call('eth_chainId', id))).json).toMatchObject({ id, result: ['eth_chainId', []] })
    expect([bad.seen.length, good.seen.length]).toEqual([2, 2])
  })

  test('error: no node answers', async () => {
    const { post } = await start([`http://127.0.0.1:${closedPort}`])
    const { status, json } = await post([call('eth_chainId', 4), call('eth_sign', 5)])
    expect(status).toBe(200)
    expect(json.map((one: { error: { code: number } }) => one.error.code)).toEqual([-32603, -32601])
  })

  test('behavior: a visitor who leaves cancels the call, which does not count as a failure of the node', async () => {
    let state = 'none'
    const slow = await startNode((_, response) => {
      state = 'open'
      response.on('close', () => {
        state = 'closed'
      })
    })
    const other = await startNode()
    const { url } = await start([slow.url, other.url], { timeout: 60_000 })
    const leaving = new AbortController()
    const body = JSON.stringify(call('eth_chainId'))
    const response = fetch(`${url}/v1/rpc`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      signal: leaving.signal,
    })
    await expect.poll(() => state).toBe('open')
    leaving.abort()
    await expect(response).rejects.toThrow()
    await expect.poll(() => state).toBe('closed')
    expect(other.seen).toEqual([])
  })
})

test('attack: a visitor who leaves is charged for the part of the answer that was read', async () => {
  const sent = 600_000
  const node = await startNode((_, response) => void response.write(`{"id":0,"result":"${'x'.repeat(sent)}`))
  const budget = createByteBudget(rpcBudget)
  const rpc = createRpc({ urls: [node.url], origins: [], timeout: 60_000, budget })
  const leaving = new AbortController()
  const charged: { bytes: number; milliseconds: number }[] = []
  const request = new Request('http://127.0.0.1/v1/rpc', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(call('eth_getLogs')),
    signal: leaving.signal,
  })
  const answer = rpc(request, {
    mode: 'live',
    visitor: 'a',
    limit: () => undefined,
    charge: (one) => charged.push(one),
    onClose: (listener) => leaving.signal.addEventListener('abort', listener),
  })
  await expect.poll(budget.inFlight).toBeGreaterThan(sent)
  leaving.abort()
  await answer
  expect(charged).toEqual([{ bytes: expect.any(Number), milliseconds: expect.any(Number) }])
  expect(charged[0]?.bytes).toBeGreaterThan(sent)
  expect(charged[0]?.milliseconds).toBeGreaterThan(0)
})

test('behavior: a visitor is not charged for nodes that do not answer', async () => {
  vi.spyOn(console, 'error').mockImplementationOnce(() => undefined)
  const charged: object[] = []
  const rpc = createRpc({ urls: [`http://127.0.0.1:${closedPort}`], origins: [], timeout: 60_000 })
  const body = JSON.stringify(call('eth_getLogs'))
  const headers = { 'content-type': 'application/json' }
  await rpc(new Request('http://127.0.0.1/v1/rpc', { method: 'POST', headers, body }), {
    mode: 'live',
    visitor: 'a',
    limit: () => undefined,
    charge: (one) => charged.push(one),
    onClose: () => undefined,
  })
  expect(charged).toEqual([])
})

describe('answers', () => {
  /** Answers each call with a result of as many bytes as its first param says. */
  const startLargeNode = () =>
    startNode((calls, response) => {
      const replies = calls.map(({ id, params }) => ({ id, result: 'x'.repeat(Number(params[0] ?? 0)) }))
      response.end(JSON.stringify(replies.length === 1 ? replies[0] : replies))
    })

  test('behavior: an answer over 1 MB is an error of the call, and the node is asked on', async () => {
    const [node, other] = [await startLargeNode(), await startNode()]
    const { post } = await start([node.url, other.url])
    const { status, json } = await post([call('eth_getLogs', 1, [1_100_000]), call('eth_sign', 2)])
    expect([status, json[0].error.code, json[1].error.code]).toEqual([200, -32000, -32601])
    expect((await post(call('eth_getLogs', 2, [1_000_000]))).json.result).toHaveLength(1_000_000)
    expect([node.seen.length, other.seen.length]).toEqual([2, 0])
  })

  test('behavior: a limit on logs sends the call to the next node, and others still to the first', async () => {
    const error = { code: -32005, message: 'query returned more than 10000 results' }
    const first = await startNode((calls, response) => {
      const [asked] = calls
      response.end(JSON.stringify(asked?.method === 'eth_getLogs' ? { id: 0, error } : { id: 0, result: '0x38' }))
    })
    const second = await startNode()
    const { post } = await start([first.url, second.url])
    expect((await post(call('eth_getLogs'))).json.result).toEqual(['eth_getLogs', []])
    expect((await post(call('eth_chainId'))).json.result).toBe('0x38')
  })

  test('attack: large answers use up the limit of the visitor', async () => {
    const { post } = await start([(await startLargeNode()).url], { limits: { rpc: { burst: 20, perSecond: 0.1 } } })
    expect((await post(call('eth_getLogs', 1, [1_000_000]))).status).toBe(200)
    expect((await post(call('eth_chainId'))).status).toBe(429)
  })

  test('attack: a visitor who does not read cannot hold more than its part, and others are answered', async () => {
    const node = await startLargeNode()
    const limits = { rpc: { burst: 1e9, perSecond: 1e9 } }
    const { url, post } = await start([node.url], { limits, settings: { trustedProxies: 1 } })
    const body = JSON.stringify(call('eth_getLogs', 1, [1_000_000]))
    const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined)
    socket.pause()
    const head = `POST /v1/rpc HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 203.0.113.1\r\nContent-Type: application/json\r\n`
    const statusOf = async (visitor: string) =>
      (await post(call('eth_getLogs', 1, [1_000_000]), { 'x-forwarded-for': visitor })).status
    await expect
      .poll(() => {
        // Once the buffers of the system are full, the answers stay in memory.
        for (let count = 0; count < 4; count++) socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body}`)
        return statusOf('203.0.113.1')
      })
      .toBe(429)
    expect(await statusOf('203.0.113.2')).toBe(200)
    socket.destroy()
    await expect.poll(() => statusOf('203.0.113.1')).toBe(200)
  })

  test('attack: while the nodes are silent, visitors with many calls leave places to another', async () => {
    let slow = 0
    const node = await startNode(([asked], response) => {
      if (asked?.method === 'eth_getLogs') slow++
      else response.end(JSON.stringify({ id: 0, result: '0x38' }))
    })
    const limits = { rpc: { burst: 1e9, perSecond: 1e9 } }
    const { post } = await start([node.url], { limits, timeout: 60_000, settings: { trustedProxies: 1 } })
    const ended: number[] = []
    const flood = Array.from({ length: 8 * 16 }, (_, index) =>
      post(call('eth_getLogs'), { 'x-forwarded-for': `203.0.113.${index % 8}` }).then(
        ({ status }) => ended.push(status),
        () => undefined,
      ),
    )
    await expect.poll(() => slow).toBe(8 * 16)
    expect((await post(call('eth_getLogs'), { 'x-forwarded-for': '203.0.113.1' })).status).toBe(429)
    expect((await post(call('eth_chainId'), { 'x-forwarded-for': '203.0.113.99' })).json).toMatchObject({
      result: '0x38',
    })
    await expect.poll(() => ended).toEqual([429])
    await node.close()
    await Promise.all(flood)
  })
})

describe('rate limit', () => {
  const limits = { rpc: { burst: 4, perSecond: 0.1 } }

  test('behavior: each call of a batch counts, then 429 with Retry-After', async () => {
    const { post } = await start([(await startNode()).url], { limits })
    expect((await post([call('eth_chainId', 1), call('eth_chainId', 2), call('eth_chainId', 3)])).status).toBe(200)
    expect((await post('not even JSON')).status).toBe(200)
    const { status, headers, json } = await post(call('eth_chainId'))
    expect([status, headers['content-type'], json.code]).toEqual([429, 'application/problem+json', 'rate_limited'])
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(10)
  })

  test.each([
    ['behavior: an untrusted X-Forwarded-For is ignored', 0, 429],
    ['behavior: behind a trusted proxy each visitor has an own limit', 1, 200],
  ])('%s', async (_, trustedProxies, status) => {
    const { post } = await start([(await startNode()).url], { limits, settings: { trustedProxies } })
    const batch = Array.from({ length: 4 }, (__, id) => call('eth_chainId', id))
    expect((await post(batch, { 'x-forwarded-for': '203.0.113.1' })).status).toBe(200)
    expect((await post(batch, { 'x-forwarded-for': '203.0.113.2' })).status).toBe(status)
  })
})
