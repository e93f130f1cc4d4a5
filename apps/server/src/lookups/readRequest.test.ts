import { watchedBodyLimit } from '@lineage/referral-api/watched'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { type ProblemError, toResponse } from './problems.ts'
import { limitBody, readWatchedRequest, requireJson } from './readRequest.ts'

const app = new Hono()
app.post('/watched', requireJson, limitBody(watchedBodyLimit), async ({ req, json }) =>
  json(await readWatchedRequest(req)),
)
app.onError((error) => toResponse(error as ProblemError))

async function send(body: string, type = 'application/json') {
  const response = await app.request('/watched', { method: 'POST', body, headers: { 'content-type': type } })
  return [response.status, (await response.json()) as { code?: string }] as const
}
const address = `0x${'a'.repeat(40)}`

test('behavior: a list of addresses and a block, or none', async () => {
  for (const request of [
    { addresses: [address], after: 12 },
    { addresses: [], after: null },
  ])
    expect(await send(JSON.stringify(request))).toEqual([200, request])
})

test.each([
  ['no JSON', '{'],
  ['no object', '[]'],
  ['no block', JSON.stringify({ addresses: [address] })],
  ['a block that is no whole number', JSON.stringify({ addresses: [], after: 1.5 })],
  ['a block below 0', JSON.stringify({ addresses: [], after: -1 })],
  ['an address with upper case', JSON.stringify({ addresses: [address.toUpperCase()], after: 1 })],
  ['no addresses', JSON.stringify({ addresses: [1], after: 1 })],
])('error: %s is refused', async (_, body) => {
  expect(await send(body)).toMatchObject([400, { code: 'invalid_body' }])
})

test('error: a body of another type, or a larger one than all watches need, is refused', async () => {
  expect(await send('{}', 'text/plain')).toMatchObject([415, { code: 'unsupported_media_type' }])
  const addresses = Array.from({ length: watchedBodyLimit / 40 }, () => address)
  expect(await send(JSON.stringify({ addresses, after: 1 }))).toMatchObject([413, { code: 'payload_too_large' }])
})
