import type { IncomingMessage, ServerResponse } from 'node:http'
import { operations } from '@lineage/referral-api/operations'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import * as fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { paths } from '../../../web/src/paths.ts'
import { ask, type Served, serve } from '../../test/serve.ts'
import { startUpstream, type Upstream } from '../../test/upstream.ts'
import type { Settings } from '../settings/settings.ts'
import { linkOf } from './linkOf.ts'
import { tools } from './tools.ts'

const open: (Upstream | Served | Client)[] = []
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close()
})

const member = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const other = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'
type Seen = { method: string | undefined; url: string | undefined; body: string }
type Answer = (response: ServerResponse, seen: Seen) => void

/** Serves the app with an indexer that records its requests and answers with `answer`. */
async function start({
  answer = (response) => json(response, 200, { asOf: { block: 7 } }),
  settings,
  lookups,
}: {
  answer?: Answer
  settings?: Partial<Settings>
  lookups?: { burst: number; perSecond: number }
} = {}) {
  const seen: Seen[] = []
  const upstream = await startUpstream((request, response) => {
    void readAll(request).then((body) => {
      const one = { method: request.method, url: request.url, body }
      seen.push(one)
      answer(response, one)
    })
  })
  const served = await serve({
    settings: { indexers: [upstream.url], ...settings },
    timeout: 2_000,
    ...(lookups && { limits: { lookups } }),
  })
  open.push(upstream, served)
  return { seen, url: served.url }
}

async function readAll(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

const json = (response: ServerResponse, status: number, body: unknown, headers = {}) =>
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))

async function connect(url: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)))
  open.push(client)
  return client
}

/** Calls a tool and returns whether it failed, and its JSON. */
async function call(client: Client, name: string, given: Record<string, unknown>) {
  const { isError = false, content } = await client.callTool({ name, arguments: given })
  const [first] = content as { type: 'text'; text: string }[]
  return { isError, text: first?.text ?? '' }
}

type Sent = { body?: string; headers?: Record<string, string>; method?: string }

/** Sends a message without a client. */
const post = (url: string, { headers, method = 'POST', body = message('ping') }: Sent = {}) =>
  ask(url, '/mcp', {
    method,
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    ...(method === 'POST' && { body }),
  })

const message = (method: string, params: object = {}) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
const codeOf = ({ body }: { body: Buffer }) => JSON.parse(body.toString()).code

test('behavior: the tools are the lookups of the contract, read-only, with its words and schemas', async () => {
  const { url } = await start()
  const client = await connect(url)
  expect(client.getInstructions()).toContain('Who referred an address: `member`')
  const listed = (await client.listTools()).tools
  const lookups = operations.filter(({ tag, id }) => tag === 'lookups' && !id.endsWith('Csv'))
  expect(listed.map(({ name, description }) => [name, description])).toEqual(
    lookups.map(({ id, summary }) => [id, `${summary}.`]),
  )
  expect(listed.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true)
  const relation = listed.find(({ name }) => name === 'relation')
  const { properties, required, additionalProperties } = (relation ?? { inputSchema: {} }).inputSchema as {
    properties?: Record<string, object>
    required?: string[]
    additionalProperties?: boolean
  }
  expect(Object.keys(properties ?? {})).toEqual(['community', 'a', 'b'])
  expect(required).toEqual(['community', 'a', 'b'])
  expect(additionalProperties).toBe(false)
  expect(properties?.a).toMatchObject({ pattern: '^0x[0-9a-fA-F]{40}$', description: expect.stringContaining('case') })
})

test.each([
  ['member', { community: 'demo', address: member }, 'GET', `/members/${member}`, ''],
  [
    'growth',
    { community: 'demo', address: member, interval: 'month' },
    'GET',
    `/members/${member}/growth?interval=month`,
    '',
  ],
  ['relation', { community: 'demo', a: member, b: other }, 'GET', `/relation?a=${member}&b=${other}`, ''],
  ['batch', { community: 'demo', addresses: [member] }, 'POST', '/members/batch', `{"addresses":["${member}"]}`],
])('behavior: %s asks the indexer as HTTP does', async (name, given, method, path, body) => {
  const { url, seen } = await start()
  const { isError, text } = await call(await connect(url), name, given)
  expect({ isError, ...JSON.parse(text) }).toMatchObject({
    isError: false,
    asOf: { block: 7 },
    link: expect.any(String),
  })
  expect(seen).toEqual([{ method, url: `/v1/communities/demo${path}`, body }])
})

test('behavior: the link of every tool is a page of the app, on the first origin', async () => {
  const origin = 'https://lineage.example'
  const given = { community: 'demo', address: member, a: member, b: other }
  for (const { name } of tools) {
    const link = new URL(linkOf(name, given, origin))
    expect(link.origin).toBe(origin)
    expect(Object.values(paths)).toContain(link.pathname)
    expect([...link.searchParams.values()]).not.toContain('undefined')
  }
  expect(linkOf('relation', given, origin)).toBe(
    `${origin}/referrers?view=relation&community=demo&address=${member}&to=${other}`,
  )
  const { url } = await start({ settings: { origins: [origin, 'https://other.example'] } })
  const { text } = await call(await connect(url), 'member', given.a ? { community: 'demo', address: member } : {})
  expect(JSON.parse(text).link).toBe(`${origin}/?community=demo&address=${member}`)
})

test('error: a problem of a lookup is an error of its tool', async () => {
  const { url } = await start({
    answer: (response) => json(response, 404, { code: 'member_not_found', detail: 'No member.' }),
  })
  const { isError, text } = await call(await connect(url), 'member', { community: 'demo', address: member })
  expect([isError, JSON.parse(text)]).toEqual([true, { code: 'member_not_found', detail: 'No member.' }])
})

test('error: while the indexer does not answer, the tool says so and when to ask again', async () => {
  const { url } = await start({ answer: (response) => response.destroy() })
  const { isError, text } = await call(await connect(url), 'communities', {})
  expect([isError, JSON.parse(text)]).toMatchObject([true, { code: 'unavailable', retryAfter: 5 }])
})

test('error: an answer of more than 1 MB is refused', async () => {
  const { url } = await start({ answer: (response) => json(response, 200, { items: ['x'.repeat(1_000_001)] }) })
  const { isError, text } = await call(await connect(url), 'communities', {})
  expect([isError, JSON.parse(text).code]).toEqual([true, 'too_costly'])
})

test('error: an answer that is not JSON is an internal error, and logged', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { url } = await start({ answer: (response) => response.end('<html>') })
  const { isError, text } = await call(await connect(url), 'communities', {})
  expect([isError, JSON.parse(text).code]).toEqual([true, 'internal'])
  expect(logged).toHaveBeenCalledOnce()
  logged.mockRestore()
})

test.each<[string, string, Record<string, unknown>]>([
  ['no arguments', 'member', {}],
  ['an invalid address', 'member', { community: 'demo', address: '0x1' }],
  ['an argument of another kind', 'growth', { community: 'demo', address: member, interval: 'hour' }],
  ['an unknown argument', 'member', { community: 'demo', address: member, admin: true }],
  ['too many addresses', 'batch', { community: 'demo', addresses: Array(501).fill('0x') }],
])('attack: %s never reach the indexer', async (_, name, given) => {
  const { url, seen } = await start()
  const { isError, text } = await call(await connect(url), name, given)
  expect(isError).toBe(true)
  expect(text).toMatch(/invalid/i)
  expect(seen).toEqual([])
})

test.each([
  ['a path', '../status'],
  ['dots', '..'],
  ['nothing', ''],
  ['half a character', '\ud800'],
  ['a long text', 'é'.repeat(10_000)],
])('attack: %s as the community is refused, or stays one segment of the path', async (_, community) => {
  const { url, seen } = await start({ answer: (response) => json(response, 404, { code: 'community_not_found' }) })
  const { isError, text } = await call(await connect(url), 'metrics', { community })
  expect(isError).toBe(true)
  expect(['not_found', 'community_not_found', 'invalid_parameter']).toContain(JSON.parse(text).code)
  for (const one of seen) expect(one.url).toMatch(/^\/v1\/communities\/[^/]+\/metrics$/)
})

test('attack: an unknown tool is an error', async () => {
  const { url } = await start()
  await expect(call(await connect(url), 'referralsCsv', {})).rejects.toThrow('referralsCsv')
})

test('attack: pages of other sites are refused, also one whose host name points here', async () => {
  const { url } = await start()
  for (const origin of ['https://evil.example', 'null', `http://evil.example:${new URL(url).port}`]) {
    const answer = await post(url, { headers: { origin, host: new URL(url).host.replace(/^[^:]+/, 'evil.example') } })
    expect([answer.status, codeOf(answer)]).toEqual([403, 'cross_site'])
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
  }
  expect((await post(url, { headers: { origin: url } })).status).toBe(200)
})

test.each<[string, Sent, number, string]>([
  ['a body of more than 64 kB', { body: `"${'x'.repeat(65_536)}"` }, 413, 'payload_too_large'],
  ['a batch', { body: `[${message('ping')}]` }, 400, 'invalid_body'],
  ['a body that is not JSON', { body: '{' }, 400, 'invalid_body'],
  ['deep nesting', { body: '['.repeat(60_000) }, 400, 'invalid_body'],
  ['null', { body: 'null' }, 400, 'invalid_body'],
  ['a form', { headers: { 'content-type': 'text/plain' } }, 415, 'unsupported_media_type'],
  ['GET', { method: 'GET' }, 405, 'method_not_allowed'],
  ['DELETE', { method: 'DELETE' }, 405, 'method_not_allowed'],
  ['OPTIONS', { method: 'OPTIONS' }, 405, 'method_not_allowed'],
])('attack: %s is refused with a problem', async (_, sent, status, code) => {
  const { url } = await start()
  const answer = await post(url, sent)
  expect([answer.status, codeOf(answer)]).toEqual([status, code])
  expect(answer.headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'")
})

test.each([
  ['an Accept that takes no answer', { headers: { accept: 'text/html' } }, 406],
  ['no JSON-RPC', { body: '{}' }, 400],
  ['an unknown protocol', { headers: { 'mcp-protocol-version': '1999-01-01' } }, 400],
])('attack: %s is an error of the protocol', async (_, sent, status) => {
  const { url } = await start()
  const answer = await post(url, sent)
  expect(answer.status).toBe(status)
  expect(JSON.parse(answer.body.toString())).toMatchObject({ jsonrpc: '2.0', error: { message: expect.any(String) } })
})

test('attack: no stream of changes can be opened', async () => {
  const { url } = await start()
  const version = '2026-07-28'
  const meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const answer = await post(url, {
    headers: { 'mcp-protocol-version': version, 'mcp-method': 'subscriptions/listen' },
    body: message('subscriptions/listen', { _meta: meta, notifications: { toolsListChanged: true } }),
  })
  expect(answer.body.toString()).toContain('Subscription limit reached')
})

/** Generates JSON-RPC messages, most of them calls of a tool with its arguments. */
function messages(): fc.Arbitrary<string> {
  const strange = fc.oneof(fc.jsonValue(), fc.constantFrom('__proto__', '../status', '\ud800', 'x'.repeat(60_000)))
  const mostly = <value>(fitting: fc.Arbitrary<value>) =>
    fc.oneof({ weight: 19, arbitrary: fitting }, { weight: 1, arbitrary: strange })
  const fitting = (key: string) => {
    if (key === 'community') return fc.constant('demo')
    if (key === 'addresses') return fc.array(fc.constantFrom(member, other))
    return /^(address|a|b|q|prefix)$/.test(key) ? fc.constantFrom(member, other) : strange
  }
  const params = fc.constantFrom(...tools).chain(({ name, inputSchema: { shape } }) => {
    const keys = Object.keys(shape)
    const given = fc.record(Object.fromEntries(keys.map((key) => [key, mostly(fitting(key))])), {
      requiredKeys: keys.filter((key) => !shape[key]?.safeParse(undefined).success),
    })
    return fc.record({ name: mostly(fc.constant(name)), arguments: mostly(given) })
  })
  return fc
    .record({
      jsonrpc: fc.constantFrom('2.0', '2.0', '2.0', '1.0'),
      id: fc.oneof(fc.nat(), fc.string(), fc.constant(null)),
      method: fc.constantFrom('tools/call', 'tools/call', 'tools/call', 'tools/list', 'initialize', 'resources/read'),
      params: mostly(params),
    })
    .map((one) => JSON.stringify(one))
}

test('property: whatever is sent, the answer is short and no failure of the server', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { url, seen } = await start({ lookups: { burst: 1e9, perSecond: 1e9 } })
  const bodies = fc.oneof({ weight: 8, arbitrary: messages() }, fc.json(), fc.string({ unit: 'binary' }))
  await fc.assert(
    fc.asyncProperty(bodies, async (body) => {
      const answer = await post(url, { body })
      expect([200, 202, 400, 413]).toContain(answer.status)
      expect(answer.body.length).toBeLessThan(130_000)
    }),
    { numRuns: 500 },
  )
  for (const one of seen) expect(one.url).toMatch(/^\/v1\/(communities|addresses)(\/|$)/)
  expect(seen.length).toBeGreaterThan(20)
  expect(logged).not.toHaveBeenCalled()
  logged.mockRestore()
})

test('behavior: a message costs as much as a lookup, its call nothing more, and a batch 20', async () => {
  const slow = { burst: 22, perSecond: 0.001 }
  const { url } = await start({ lookups: slow })
  const batch = message('tools/call', { name: 'batch', arguments: { community: 'demo', addresses: [] } })
  expect((await post(url, { body: batch })).body.toString()).toContain('asOf')
  expect((await post(url, { body: message('tools/call', { name: 'communities' }) })).body.toString()).toContain('asOf')
  expect((await post(url)).status).toBe(200)
  const refused = await post(url)
  expect([refused.status, codeOf(refused), refused.headers['retry-after']]).toEqual([429, 'rate_limited', '1000'])
})

test('error: a call that the visitor has no share for is an error of the tool', async () => {
  const { url, seen } = await start({ lookups: { burst: 10, perSecond: 0.001 } })
  const batch = message('tools/call', { name: 'batch', arguments: { community: 'demo', addresses: [] } })
  expect((await post(url, { body: batch })).body.toString()).toContain('rate_limited')
  expect(seen).toEqual([])
})

test('behavior: a client that leaves frees its place once the indexer has answered', async () => {
  let end = () => {}
  const { url, seen } = await start({
    answer: (response, { url: asked }) => {
      end = () => json(response, 200, { asOf: 1 })
      if (asked !== '/v1/communities') end()
    },
  })
  const leaving = new AbortController()
  const left = fetch(`${url}/mcp`, {
    method: 'POST',
    signal: leaving.signal,
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: message('tools/call', { name: 'communities' }),
  }).then((response) => response.text())
  left.catch(() => undefined)
  await expect.poll(() => seen.length).toBe(1)
  leaving.abort()
  await expect(left).rejects.toThrow()
  end()
  const { isError } = await call(await connect(url), 'metrics', { community: 'demo' })
  expect(isError).toBe(false)
})

test('behavior: with `off` there is nothing at /mcp, and llms.txt does not name it', async () => {
  const { url } = await start({ settings: { mcp: 'off' } })
  const answer = await post(url)
  expect([answer.status, codeOf(answer)]).toEqual([404, 'not_found'])
  expect((await ask(url, '/llms.txt')).body.toString()).not.toContain('/mcp')
})

test('behavior: llms.txt names the MCP address, the OpenAPI document and every lookup', async () => {
  const { url } = await start({ settings: { origins: ['https://lineage.example'] } })
  const { status, headers, body } = await ask(url, '/llms.txt')
  const text = body.toString()
  expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=UTF-8'])
  expect(text).toMatch(/^# Lineage\n\n/)
  expect(text).toContain('(https://lineage.example/mcp)')
  expect(text).toContain('(https://lineage.example/v1/openapi.json)')
  for (const { id, path } of operations.filter(({ tag }) => tag === 'lookups')) {
    expect(text).toContain(`- ${id}: \``)
    expect(text).toContain(path)
  }
  expect((await ask(url, '/llms.txt', { method: 'HEAD' })).status).toBe(200)
})
