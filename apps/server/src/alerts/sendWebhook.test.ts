import type { RequestListener } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { afterEach, expect, test } from 'vitest'
import { startUpstream } from '../../test/upstream.ts'
import { createWebhookSender } from './sendWebhook.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const secret = `whsec_${Buffer.from('twenty-four bytes secret').toString('base64')}`
const message = { secret, id: 'an-id', body: { type: 'alert.direct', data: { member: '0x1' } } }
const local = async () => ['127.0.0.1']

/** Starts a receiver that records the requests it gets. */
async function start(answer: RequestListener = (_, response) => void response.end('thanks')) {
  const seen: { url: string | undefined; headers: Record<string, string>; body: string }[] = []
  const upstream = await startUpstream((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      seen.push({ url: request.url, headers: request.headers as Record<string, string>, body })
      answer(request, response)
    })
  })
  closing.push(upstream.close)
  return { ...upstream, seen }
}

test('behavior: a receiver verifies the signature with the library, and its answer is returned', async () => {
  const { url, seen } = await start()
  const send = createWebhookSender({ scope: 'any', resolve: local })
  const delivery = await send({ ...message, url: `${url}/hook?a=b` })
  expect(delivery).toEqual({
    at: expect.any(Number),
    status: 200,
    answer: 'thanks',
    milliseconds: expect.any(Number),
  })
  const [got] = seen
  expect([got?.url, got?.headers['webhook-id']]).toEqual(['/hook?a=b', 'an-id'])
  expect(new Webhook(secret).verify(got?.body ?? '', got?.headers ?? {})).toEqual(message.body)
  const other = new Webhook(`whsec_${Buffer.from('another secret of bytes').toString('base64')}`)
  expect(() => other.verify(got?.body ?? '', got?.headers ?? {})).toThrow()
})

test('attack: a redirect is not followed', async () => {
  const inside = await start()
  const { url } = await start((_, response) => void response.writeHead(307, { location: inside.url }).end())
  const send = createWebhookSender({ scope: 'any', resolve: local })
  expect(await send({ ...message, url })).toMatchObject({ status: 307 })
  expect(inside.seen).toEqual([])
})

test('attack: DNS that changes its answer is asked once, and the connection goes to the first answer', async () => {
  const { port, seen } = await start()
  const answers = [['127.0.0.1'], ['127.0.0.2']]
  const send = createWebhookSender({ scope: 'any', resolve: async () => answers.shift() ?? [] })
  const url = `http://hooks.example:${port}/`
  expect(await send({ ...message, url })).toMatchObject({ status: 200 })
  expect([seen[0]?.headers.host, answers.length]).toEqual([`hooks.example:${port}`, 1])
})

test.each([['127.0.0.1'], ['::1'], ['::ffff:127.0.0.1'], ['169.254.169.254'], ['10.1.2.3']])(
  'attack: nothing is sent to a host that resolves to %s',
  async (address) => {
    const { port, seen } = await start()
    const send = createWebhookSender({ scope: 'public', resolve: async () => [address] })
    expect(await send({ ...message, url: `https://hooks.example:${port}/` })).toMatchObject({
      status: null,
      answer: 'The host is unknown, or does not lead to public addresses.',
    })
    expect(seen).toEqual([])
  },
)

test('attack: of a long answer 200 characters are kept, without those that hide others', async () => {
  const { url } = await start((_, response) => {
    response.writeHead(200)
    const write = () => {
      while (!response.destroyed && response.write(`<b>\u202e\0${'x'.repeat(10_000)}`));
      if (!response.destroyed) response.once('drain', write)
    }
    write()
  })
  const send = createWebhookSender({ scope: 'any', resolve: local })
  const { status, answer } = await send({ ...message, url })
  expect([status, answer.length, answer.slice(0, 6)]).toEqual([200, 200, '<b> xx'])
})

test.each([100, 10_000])('behavior: the status of an answer that never ends counts, within %i ms', async (timeout) => {
  const { url } = await start((_, response) => void response.writeHead(200).write('a'))
  const send = createWebhookSender({ scope: 'any', resolve: local, timeout })
  expect(await send({ ...message, url })).toMatchObject({ status: 200, answer: 'a' })
})

test('behavior: the next address is tried when one refuses the connection', async () => {
  const { port } = await start()
  const send = createWebhookSender({ scope: 'any', resolve: async () => ['127.0.0.2', '127.0.0.1'] })
  expect(await send({ ...message, url: `http://hooks.example:${port}/` })).toMatchObject({ status: 200 })
})

test('error: a receiver that never answers is given up', async () => {
  const { url } = await start(() => undefined)
  const send = createWebhookSender({ scope: 'any', resolve: local, timeout: 100 })
  expect(await send({ ...message, url })).toMatchObject({ status: null, answer: 'No answer within 0.1 s.' })
})

test('error: no connection', async () => {
  const send = createWebhookSender({ scope: 'any', resolve: local })
  expect(await send({ ...message, url: 'http://127.0.0.1:2/' })).toMatchObject({
    status: null,
    answer: expect.stringContaining('No connection'),
  })
})
