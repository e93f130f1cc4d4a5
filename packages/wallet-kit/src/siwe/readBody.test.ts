// @vitest-environment node
import { expect, test } from 'vitest'
import { readText } from '../core/lib/readText.ts'
import { readJson } from './readBody.ts'

const post = (body: BodyInit, type = 'application/json') =>
  new Request('https://app.example', { method: 'POST', body, headers: { 'content-type': type } })

/** Creates a body without a length, in two pieces that cut a letter in half. */
function stream() {
  const bytes = new TextEncoder().encode('"é"')
  let state: 'open' | 'cancelled' = 'open'
  const body = new ReadableStream({
    pull(controller) {
      controller.enqueue(bytes.subarray(0, 2))
      controller.enqueue(bytes.subarray(2))
      controller.close()
    },
    cancel() {
      state = 'cancelled'
    },
  })
  return { response: new Response(body), isCancelled: () => state === 'cancelled' }
}

test('readText: reads a body up to the limit, chunk by chunk', async () => {
  expect(await readText(stream().response, 4)).toBe('"é"')
  expect(await readText(new Response(null), 4)).toBe('')
})

test('readText: stops at the limit and cancels the rest', async () => {
  const { response, isCancelled } = stream()
  expect(await readText(response, 1)).toBeUndefined()
  expect(isCancelled()).toBe(true)
  expect(await readText(new Response('long', { headers: { 'content-length': '4' } }), 3)).toBeUndefined()
})

test.each([
  ['JSON', post('{"a":1}', 'Application/JSON; charset=utf-8'), { code: 'ok', json: { a: 1 } }],
  ['a form', post('{}', 'text/plain'), { code: 'unsupported_media_type' }],
  ['a longer type', post('{}', 'application/jsonp'), { code: 'unsupported_media_type' }],
  ['a long body', post(`"${'a'.repeat(99)}"`), { code: 'payload_too_large' }],
  ['half a body', post('{'), { code: 'malformed' }],
])('readJson: %s', async (_, request, expected) => {
  expect(await readJson(request, 100)).toMatchObject(expected)
})
