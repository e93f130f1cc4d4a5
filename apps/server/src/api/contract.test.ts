import {
  type DocumentedOperation,
  type FuzzedRequest,
  fillPath,
  readContract,
  requestsOf,
} from '@lineage/referral-api/testing'
import * as fc from 'fast-check'
import { getAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, type Served, serve } from '../../test/serve.ts'
import { cookieOf, signIn } from '../../test/signIn.ts'
import { startUpstream, type Upstream } from '../../test/upstream.ts'
import { addressOf, bind } from '../follow/test/tables.ts'

const { operations, faultOf } = readContract()
const address = getAddress(addressOf(1))
const unlimited = { burst: 1e9, perSecond: 1e9 }
let served: Served
let node: Upstream
let cookie = ''
let webhook = ''

beforeAll(async () => {
  // The server has a node, a name service and a community of two members.
  node = await startUpstream((request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      const calls = request.method === 'POST' ? [JSON.parse(text)].flat() : []
      const replies = calls.map(({ id }: { id: unknown }) => ({ jsonrpc: '2.0', id, result: '0x38' }))
      response.end(JSON.stringify(request.method === 'POST' ? replies : { data: 'a.eth' }))
    })
  })
  served = await serve({
    step: { block: 100, events: [bind(5, 1, 0)] },
    limits: { lookups: unlimited, rpc: unlimited, names: unlimited, labels: unlimited, signIn: unlimited },
    settings: { rpcUrls: [node.url], nameService: { url: node.url, apiKey: 'k3y', header: 'x-api-key' } },
  })
  cookie = cookieOf((await signIn(served.url)).answer)
  webhook = await addWebhook()
})

/** Adds a webhook whose URL is the node, which answers. */
async function addWebhook(): Promise<string> {
  const headers = { cookie, origin: served.url, 'content-type': 'application/json' }
  const body = JSON.stringify({ url: `${node.url}/hook` })
  const answer = await ask(served.url, '/v1/alerts/webhooks', { method: 'POST', headers, body })
  return JSON.parse(answer.body.toString()).id
}
afterAll(async () => {
  await served.close()
  await node.close()
})

type Sent = { target: string; type?: string; body?: string | undefined; headers?: Record<string, string> }

async function expectOfContract(operation: DocumentedOperation, { target, type, body, headers }: Sent) {
  const answer = await ask(served.url, `/v1${target}`, {
    method: operation.method,
    headers: { ...headers, ...(body !== undefined && type !== undefined && { 'content-type': type }) },
    ...(body !== undefined && { body }),
  })
  const answered = {
    status: answer.status,
    type: answer.headers['content-type'] ?? null,
    text: answer.body.toString(),
  }
  expect(faultOf(operation, answered)).toBeUndefined()
  return answer
}

const label = fc.record({ text: fc.string({ unit: 'grapheme' }), watched: fc.boolean() }, { noNullPrototype: true })
const call = fc.record({
  jsonrpc: fc.constantFrom('2.0', '2.0', '1.0'),
  id: fc.oneof(fc.nat(), fc.string(), fc.constant(null)),
  method: fc.constantFrom('eth_chainId', 'eth_call', 'eth_sendRawTransaction', '__proto__'),
  params: fc.oneof(fc.array(fc.jsonValue()), fc.jsonValue()),
})
const requests = requestsOf(
  operations,
  {
    community: fc.constant('demo'),
    address: fc.constantFrom(address, address.toLowerCase()),
    webhook: fc.constant('').map(() => webhook),
  },
  {
    saveWatch: fc.record({
      directs: fc.boolean(),
      team: fc.constantFrom('off', 'each', 'hour', 'day'),
      milestones: fc.boolean(),
      referrer: fc.boolean(),
      irregular: fc.boolean(),
      volumeFrom: fc.option(fc.bigInt({ min: 0n, max: 10n ** 30n }).map(String)),
    }),
    readAlerts: fc.record({ upTo: fc.maxSafeNat() }),
    addWebhook: fc.record({ url: fc.oneof(fc.webUrl(), fc.string()) }),
    saveLabel: label,
    mergeLabels: fc.record({
      items: fc.array(
        fc.record({
          address: fc.constantFrom(address, '0x'),
          text: fc.string(),
          watched: fc.boolean(),
          updatedAt: fc.integer(),
        }),
      ),
    }),
    rpc: fc.oneof(call, fc.array(call, { maxLength: 5 })),
    verify: fc.record({
      message: fc.string(),
      signature: fc.string({ unit: fc.constantFrom(...'0123456789abcdefx') }),
    }),
  },
)
/** The origin and the session cookie of a request, valid or not. */
const askers = fc.record({
  origin: fc.constantFrom('own', 'own', 'own', 'own', 'other', 'none'),
  cookie: fc.oneof(
    { weight: 3, arbitrary: fc.constant('own') },
    fc.constantFrom('', '__Host-siwe-session=', '__Host-siwe-session=a.b.c', 'siwe-session=%', '=;;='),
    fc.string({ unit: fc.constantFrom(...'abc=;%._ ') }),
  ),
})

type Asker = typeof askers extends fc.Arbitrary<infer asker> ? asker : never

/** Requests with the answer that each must get, which random ones would get by chance only. */
const sure: { answer: string; body?: object; cookie?: string; query?: string }[] = [
  { answer: 'labels 200' },
  { answer: 'labels 401', cookie: '' },
  { answer: 'rpc 200', body: { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] } },
  { answer: 'saveLabel 200', body: { text: 'a', watched: true } },
  { answer: 'name 200', query: `?address=${address}` },
  { answer: 'member 200' },
  { answer: 'communities 200' },
  { answer: 'live 200' },
  { answer: 'verify 400', body: { message: '', signature: '0x00' } },
  { answer: 'alerts 200' },
  { answer: 'testWebhook 200' },
]

function toRequest({ answer, body, cookie = 'own', query = '' }: (typeof sure)[number]): [FuzzedRequest, Asker] {
  const operation = operations.find((one) => one.operationId === answer.split(' ')[0])
  if (!operation) throw new Error(`The document has no operation for ${answer}.`)
  const target = fillPath(operation.path, { community: 'demo', address, webhook }) + query
  return [
    { operation, target, type: 'application/json', body: body && JSON.stringify(body) },
    { origin: 'own', cookie },
  ]
}

test('property: every response is one that the OpenAPI document has, never a 500', async () => {
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(requests, askers, async ({ operation, ...request }, asker) => {
      const origin = { own: served.url, other: 'https://evil.example', none: undefined }[asker.origin]
      const headers = {
        ...(origin && { origin }),
        ...(asker.cookie && { cookie: asker.cookie === 'own' ? cookie : asker.cookie }),
      }
      const { status } = await expectOfContract(operation, { ...request, headers })
      seen.add(`${operation.operationId} ${status}`)
      const isSignedOut = ['signOut', 'removeAccount'].includes(operation.operationId) && status === 204
      if (isSignedOut) cookie = cookieOf((await signIn(served.url)).answer)
      const isGone = ['removeAccount', 'removeWebhook'].includes(operation.operationId) && status === 204
      if (isGone) webhook = (await addWebhook()) ?? webhook
    }),
    { numRuns: Number(process.env.API_RUNS ?? 200), examples: sure.map(toRequest) },
  )
  for (const { answer } of sure) expect([...seen]).toContain(answer)
})

test('property: a method that a path does not have gets 405 with the allowed ones', async () => {
  const methods = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS')
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...operations), methods, async ({ path }, method) => {
      const allowed = operations.filter((one) => one.path === path).map((one) => one.method)
      fc.pre(!allowed.includes(method) && !(method === 'HEAD' && allowed.includes('GET')))
      const { status, headers } = await ask(
        served.url,
        `/v1${fillPath(path, { community: 'demo', address, webhook: 'a', token: 'a' })}`,
        {
          method,
        },
      )
      const expected = allowed.map((one) => (one === 'GET' ? 'GET, HEAD' : one)).join(', ')
      expect([status, headers.allow], `${method} ${path}`).toEqual([405, expected])
    }),
    { numRuns: 100 },
  )
})
