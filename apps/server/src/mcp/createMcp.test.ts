import { byAmountKind } from '@lineage/referral-api/amounts'
import { operations } from '@lineage/referral-api/operations'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import * as fc from 'fast-check'
import { getAddress } from 'viem'
import { afterEach, expect, test, vi } from 'vitest'
import { pages } from '../../../web/src/paths.ts'
import { ask, type ServeParameters, serve } from '../../test/serve.ts'
import { addressOf, bind } from '../follow/test/tables.ts'
import { writeAmounts } from './amounts.ts'
import { linkOf } from './serveMessage.ts'
import { tools, toRequest } from './tools.ts'

const open: { close: () => Promise<void> }[] = []
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close()
})

const tokens = { ...byAmountKind(() => null), volume: { symbol: 'USDT', decimals: 18 } }
const [top, member] = [getAddress(addressOf(0)), getAddress(addressOf(1))]
const step = { block: 7, events: [bind(1, 1, 0)] }

type StartParameters = Pick<ServeParameters, 'settings' | 'step'> & { lookups?: { burst: number; perSecond: number } }

/** Serves the app with an empty community, unless `step` adds members. */
async function start({ lookups, ...parameters }: StartParameters = {}) {
  const served = await serve({ ...parameters, ...(lookups && { limits: { lookups } }) })
  open.push(served)
  return { url: served.url }
}

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

test('behavior: the tools are the lookups of the contract, read-only, with its schemas', async () => {
  const { url } = await start()
  const client = await connect(url)
  expect(client.getInstructions()).toContain('Who referred an address: `member`')
  const listed = (await client.listTools()).tools
  const lookups = operations.filter(({ tag, response }) => tag === 'lookups' && 'schema' in response)
  expect(listed.map(({ name, title, description }) => ({ name, title, description }))).toEqual(
    lookups.map(({ id, title, description }) => ({ name: id, title, description })),
  )
  expect(listed.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true)
  expect(listed.every(({ outputSchema }) => outputSchema?.type === 'object')).toBe(true)
  const advice = 'Agents read the whole list: shorten descriptions of parameters, or the schemas of long answers.'
  expect(JSON.stringify(listed).length, advice).toBeLessThan(70_000)
  const relation = listed.find(({ name }) => name === 'relation')
  const { properties, required, additionalProperties } = (relation ?? { inputSchema: {} }).inputSchema as {
    properties?: Record<string, object>
    required?: string[]
    additionalProperties?: boolean
  }
  expect(Object.keys(properties ?? {})).toEqual(['community', 'a', 'b', 'asOf', 'tz'])
  expect(required).toEqual(['community', 'a', 'b'])
  expect(additionalProperties).toBe(false)
  expect(properties?.a).toMatchObject({ pattern: '^0x[0-9a-fA-F]{40}$', description: expect.stringContaining('case') })
})

test('behavior: a tool answers as HTTP does, with a link', async () => {
  const { url } = await start({ step })
  const client = await connect(url)
  const place = '/v1/communities/demo'
  const post = { method: 'POST', headers: { 'content-type': 'application/json' } }
  const pair = { community: 'demo', a: member, b: top }
  for (const [name, given, path, sent] of [
    ['member', { community: 'demo', address: member }, `${place}/members/${member}`],
    ['growth', { community: 'demo', address: top, interval: 'month' }, `${place}/members/${top}/growth?interval=month`],
    ['relation', pair, `${place}/relation?a=${member}&b=${top}`],
    ['referrals', { community: 'demo', address: top, limit: 1 }, `${place}/members/${top}/referrals?limit=1`],
    [
      'batch',
      { community: 'demo', addresses: [member] },
      `${place}/members/batch`,
      { ...post, body: JSON.stringify({ addresses: [member] }) },
    ],
  ] as const) {
    const { isError, text } = await call(client, name, given)
    const { link, ...answer } = JSON.parse(text)
    const { body } = await ask(url, path, sent)
    expect([name, isError, new URL(link).origin]).toEqual([name, false, url])
    expect([name, writeAmounts(JSON.parse(body.toString()), () => tokens, 'demo')]).toEqual([name, answer])
  }
})

test('behavior: the link of every tool is a page of the app, on the first origin', async () => {
  const origin = 'https://lineage.example'
  const given = { community: 'demo', address: member, a: member, b: top }
  for (const { name } of tools) {
    const link = new URL(linkOf(name, given, origin))
    expect(link.origin).toBe(origin)
    expect(Object.values(pages).map(({ path }) => path)).toContain(link.pathname)
    expect([...link.searchParams.values()]).not.toContain('undefined')
  }
  expect(linkOf('relation', given, origin)).toBe(
    `${origin}/referrers?view=relation&community=demo&address=${member}&to=${top}`,
  )
  const place = { community: 'demo', address: member }
  for (const [name, more, expected] of [
    [
      'member',
      { asOf: '2026-06-01', tz: 'Asia/Shanghai' },
      '/?community=demo&address=ADDRESS&asOf=2026-06-01&tz=Asia%2FShanghai',
    ],
    ['member', { asOf: '2026-06-01' }, '/?community=demo&address=ADDRESS&asOf=2026-06-01&tz=UTC'],
    [
      'compare',
      { from: '2026-06-01', to: '2026-07-01' },
      '/?community=demo&address=ADDRESS&dayFrom=2026-06-01&dayTo=2026-07-01&tz=UTC',
    ],
    ['compare', { from: '5', to: '7' }, '/?community=demo&address=ADDRESS&asOf=7'],
    ['metrics', { asOf: '7' }, '/metrics?community=demo&asOf=7'],
    ['map', { tz: 'Asia/Shanghai' }, '/metrics?community=demo&tz=Asia%2FShanghai'],
    ['events', { tz: 'Asia/Shanghai' }, '/metrics?community=demo&tz=Asia%2FShanghai'],
    [
      'risers',
      { from: '2026-06-01', to: '2026-06-30' },
      '/metrics?community=demo&dayFrom=2026-06-01&dayTo=2026-06-30&tz=UTC',
    ],
    ['risers', { from: '5' }, '/metrics?community=demo'],
    [
      'teamRisers',
      { from: '2026-06-01', to: '2026-06-30' },
      '/?community=demo&address=ADDRESS&dayFrom=2026-06-01&dayTo=2026-06-30&tz=UTC',
    ],
    [
      'referrals',
      { level: 1, sort: 'periodVolume', from: '2026-06-01', to: '2026-06-30' },
      '/referrals?community=demo&address=ADDRESS&dayFrom=2026-06-01&dayTo=2026-06-30&level=1&sort=periodVolume&tz=UTC',
    ],
    ['growth', { interval: 'week' }, '/?community=demo&address=ADDRESS&interval=week&tz=UTC'],
    ['teamMap', { by: 'volume' }, '/referrals?view=map&community=demo&address=ADDRESS&by=volume'],
    ['memberEvents', { kind: 'reward' }, '/search?community=demo&address=ADDRESS&kind=reward'],
    ['referrals', {}, '/referrals?community=demo&address=ADDRESS&level=1'],
    ['referrals', { sort: 'team' }, '/referrals?community=demo&address=ADDRESS&sort=team&level=1'],
    [
      'referrals',
      { from: '2026-06-01', tz: 'Asia/Shanghai' },
      '/referrals?community=demo&address=ADDRESS&tz=Asia%2FShanghai&dayFrom=2026-06-01&level=1&sort=joined',
    ],
    ['referrals', { level: 'all', sort: 'team' }, '/referrals?community=demo&address=ADDRESS&level=all&sort=team'],
    [
      'referrals',
      { minVolume: '0.5', levelTo: 3 },
      '/referrals?community=demo&address=ADDRESS&levelTo=3&minVolume=0.5',
    ],
    [
      'referrals',
      { joinedFrom: 1_780_272_000, joinedTo: 1_780_358_399 },
      '/referrals?community=demo&address=ADDRESS&joinedFrom=2026-06-01&joinedTo=2026-06-01&tz=UTC',
    ],
    [
      'referrals',
      { joinedFrom: 1_780_243_200, joinedTo: 1_780_358_399, tz: 'Asia/Shanghai' },
      '/referrals?community=demo&address=ADDRESS&tz=Asia%2FShanghai&joinedFrom=2026-06-01&joinedTo=1780358399',
    ],
    ['referrers', { asOf: '9' }, '/referrers?community=demo&address=ADDRESS&asOf=9'],
  ] as const)
    expect(linkOf(name, { ...place, ...more }, origin)).toBe(`${origin}${expected.replace('ADDRESS', member)}`)
  const { url } = await start({ step, settings: { origins: [origin, 'https://other.example'] } })
  const { text } = await call(await connect(url), 'member', { community: 'demo', address: member })
  expect(JSON.parse(text).link).toBe(`${origin}/?community=demo&address=${member}`)
})

test('behavior: answers are structured, and short unless all is asked for', async () => {
  const { url } = await start({ step })
  const client = await connect(url)
  // The client checks structured answers against the schemas of the list.
  await client.listTools()
  const place = { community: 'demo', address: top }
  const given = { ...place, a: member, b: top, q: '0x00', from: '5', to: '7', addresses: [member] }
  for (const { name, inputSchema } of tools) {
    const own = Object.fromEntries(
      Object.entries(given).filter(([key]) => key in inputSchema.shape && (key !== 'address' || name !== 'compare')),
    )
    const more = 'detail' in inputSchema.shape ? [{}, { detail: 'full' }] : [{}]
    for (const one of more) {
      const { isError, structuredContent, content } = await client.callTool({
        name,
        arguments: { ...(name === 'compare' ? place : {}), ...own, ...one },
      })
      expect([name, isError ?? false, (content as object[])[0]]).toMatchObject([
        name,
        false,
        { type: 'text', text: JSON.stringify(structuredContent) },
      ])
    }
  }
  const short = await client.callTool({ name: 'metrics', arguments: { community: 'demo' } })
  expect(short.structuredContent).toMatchObject({ members: 1, leaders: { team: [{ address: top }] } })
  expect(short.structuredContent).not.toHaveProperty('series')
  const full = await client.callTool({ name: 'metrics', arguments: { community: 'demo', detail: 'full' } })
  expect(full.structuredContent).toHaveProperty('series')
})

test('attack: of a line of members, each below the last, a tool returns a hundred levels at once', async () => {
  const events = Array.from({ length: 250 }, (_, at) => bind(7, at + 1, at, at))
  const { url } = await start({ step: { block: 7, events } })
  const client = await connect(url)
  const read = async (name: string, given: object) =>
    JSON.parse((await call(client, name, { community: 'demo', ...given })).text)
  const levels = await read('levels', { address: top })
  expect([levels.items.length, levels.items[99].level, levels.next]).toEqual([100, 100, { levelFrom: 101 }])
  const later = await read('levels', { address: top, ...levels.next, levelTo: 202 })
  expect([later.items.length, later.items[0].level, later.next]).toEqual([100, 101, { levelFrom: 201 }])
  const last = await read('levels', { address: top, levelFrom: 201 })
  expect([last.items.length, last.next]).toEqual([50, undefined])
  const metrics = await read('metrics', { detail: 'full' })
  expect([metrics.depths.length, metrics.depths[99].depth, metrics.next]).toEqual([100, 99, { depthFrom: 100 }])
  const rest = await read('metrics', { detail: 'full', depthFrom: 200 })
  expect([rest.depths.length, rest.next]).toEqual([51, undefined])
  expect(await read('metrics', {})).not.toHaveProperty('next')
})

test('behavior: amounts are decimals with their token, and are asked for as such', () => {
  const given = {
    asOf: { block: 7 },
    ownVolume: '1500000000000000000',
    items: [{ kind: 'volume', amount: '1' }],
    team: 7,
  }
  expect(writeAmounts(given, () => tokens, 'demo')).toEqual({
    ...given,
    ownVolume: '1.5 USDT',
    items: [{ kind: 'volume', amount: '0.000000000000000001 USDT' }],
  })
  const referrals = tools.find(({ name }) => name === 'referrals')
  if (!referrals) throw new Error('There is no tool for referrals.')
  const ask = (minVolume: string) => toRequest(referrals, { community: 'demo', address: top, minVolume }, tokens).query
  expect(ask('1.5')).toMatchObject({ minVolume: '1500000000000000000', limit: 20 })
  expect(() => ask('1e5')).toThrow('number of tokens')
})

test('error: a problem of a lookup is an error of its tool', async () => {
  const { url } = await start()
  const { isError, text } = await call(await connect(url), 'member', { community: 'demo', address: member })
  expect([isError, JSON.parse(text)]).toMatchObject([true, { code: 'member_not_found', status: 404 }])
})

test('error: while nothing is indexed, the tool says so and when to ask again', async () => {
  const { url } = await start({ step: null })
  const { isError, text } = await call(await connect(url), 'communities', {})
  expect([isError, JSON.parse(text)]).toMatchObject([true, { code: 'indexing' }])
})

test('attack: wrong arguments are refused with the codes of the API', async () => {
  const { url } = await start()
  const client = await connect(url)
  const place = { community: 'demo', address: member }
  for (const [name, given, code, detail] of [
    ['member', {}, 'invalid_parameter', 'The argument "community" is missing.'],
    ['member', { community: 'demo', address: '0x1' }, 'invalid_address', 'hex digits'],
    ['member', { ...place, asof: '5' }, 'invalid_parameter', 'did you mean "asOf"?'],
    ['member', { ...place, admin: true }, 'invalid_parameter', 'Unknown parameter "admin"'],
    ['member', { ...place, asOf: { day: 5 } }, 'invalid_parameter', 'a text or a number'],
    ['member', { community: { toString: 1 }, address: member }, 'invalid_parameter', 'a text or a number'],
    ['member', { community: 'demo', address: [{ toString: 1 }] }, 'invalid_parameter', 'a text or a number'],
    ['member', { ...place, asOf: [['5']] }, 'invalid_parameter', 'a text or a number'],
    ['referrals', { ...place, minVolume: [['1']] }, 'invalid_parameter', 'a text or a number'],
    ['batch', { community: 'demo', addresses: [{ toString: 1 }] }, 'invalid_body', 'Invalid request body'],
    ['growth', { ...place, interval: 'hour' }, 'invalid_parameter', 'day, week, month'],
    ['levels', { ...place, levelFrom: 'x' }, 'invalid_parameter', 'Invalid parameter "levelFrom"'],
    ['levels', { ...place, levelTo: 0 }, 'invalid_parameter', 'Invalid parameter "levelTo"'],
    ['levels', { ...place, levelFrom: 5, levelTo: 4 }, 'contradictory_filter', '"levelFrom" is greater'],
    ['metrics', { community: 'demo', detail: 'all' }, 'invalid_parameter', 'summary or full'],
    ['batch', { community: 'demo', addresses: Array(501).fill('0x') }, 'invalid_body', 'Too many addresses'],
    ['batch', { community: 'demo', addresses: 'x' }, 'invalid_body', 'Invalid request body'],
  ] as const) {
    const { isError, text } = await call(client, name, given)
    expect([name, isError, JSON.parse(text)]).toMatchObject([name, true, { code, type: `${url}/v1/docs#${code}` }])
    expect(text.replaceAll('\\"', '"')).toContain(detail)
  }
})

test.each([
  ['a path', '../status'],
  ['dots', '..'],
  ['nothing', ''],
  ['half a character', '\ud800'],
  ['a long text', 'é'.repeat(10_000)],
])('attack: %s as the community is none', async (_, community) => {
  const { url } = await start()
  const { isError, text } = await call(await connect(url), 'metrics', { community })
  expect(isError).toBe(true)
  expect(JSON.parse(text).code).toBe('community_not_found')
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
    if (key === 'addresses') return fc.array(fc.constantFrom(member, top))
    return /^(address|a|b|q|prefix)$/.test(key) ? fc.constantFrom(member, top) : strange
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
  const { url } = await start({ step, lookups: { burst: 1e9, perSecond: 1e9 } })
  let answered = 0
  const bodies = fc.oneof({ weight: 8, arbitrary: messages() }, fc.json(), fc.string({ unit: 'binary' }))
  await fc.assert(
    fc.asyncProperty(bodies, async (body) => {
      const answer = await post(url, { body })
      expect([200, 202, 400, 413]).toContain(answer.status)
      expect(answer.body.length).toBeLessThan(130_000)
      if (answer.body.includes('asOf')) answered++
    }),
    { numRuns: 250 },
  )
  expect(answered).toBeGreaterThan(20)
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
  const { url } = await start({ lookups: { burst: 10, perSecond: 0.001 } })
  const batch = message('tools/call', { name: 'batch', arguments: { community: 'demo', addresses: [] } })
  expect((await post(url, { body: batch })).body.toString()).toContain('rate_limited')
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
