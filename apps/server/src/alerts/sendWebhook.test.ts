import type { RequestListener } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { afterEach, expect, test } from 'vitest'
import { startUpstream } from '../../test/upstream.ts'
import type { JobDatabase } from '../database/database.ts'
import { openDatabase } from '../database/openDatabase.ts'
import { alertTables } from './alertTables.ts'
import { createDeliveries } from './createDeliveries.ts'
import { createWebhookSender, type SendWebhook } from './sendWebhook.ts'
import { createAlertStore } from './store/createAlertStore.ts'

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

/** Opens a store in which each account has webhooks, and then alerts. */
async function openStore(accounts: readonly { account: `0x${string}`; webhooks: number; alerts: number }[]) {
  const database = await openDatabase({ kind: 'embedded', directory: null })
  closing.push(() => database.close())
  await database.query('create schema if not exists lineage_accounts', [])
  for (const text of alertTables.split(';')) if (text.trim() !== '') await database.query(text, [])
  const store = createAlertStore(database)
  const jobs: JobDatabase = { kind: 'embedded', execute: database.execute }
  const ids: string[] = []
  for (const { account, webhooks } of accounts)
    for (let i = 0; i < webhooks; i++) ids.push((await store.addWebhook(account, `https://${account}.example/`)).id)
  for (const { account, alerts } of accounts)
    for (let i = 0; i < alerts; i++)
      await database.query(
        `insert into lineage_accounts.alerts (id, base, account, kind, time, details)
         values ($1, $1, $2, 'digest', 1, '{"members":1}'::jsonb)`,
        [`${account}-${i}`, account],
      )
  return { store, jobs, ids }
}

/** Delivers with a `send` of the test. */
function deliver({ store, jobs }: Awaited<ReturnType<typeof openStore>>, send: SendWebhook) {
  const deliveries = createDeliveries({ store, jobs, send, origin: 'https://lineage.example', turn: 0 })
  deliveries.request()
  closing.push(deliveries.close)
}

const sent = { at: 1, status: 200, milliseconds: 1, answer: '' }

test('attack: an account whose webhooks answer late does not hold those of others', async () => {
  const opened = await openStore([
    { account: '0xa', webhooks: 5, alerts: 1 },
    { account: '0xb', webhooks: 1, alerts: 1 },
  ])
  let release: () => void = () => undefined
  const late = new Promise<void>((resolve) => {
    release = resolve
  })
  const urls: string[] = []
  deliver(opened, async ({ url }) => {
    urls.push(url)
    if (url.includes('0xa')) await late
    return sent
  })
  await expect
    .poll(() => urls, { timeout: 3_000 })
    .toContain('https://0xb.example/')
    .finally(release)
  await expect.poll(() => urls.length, { timeout: 5_000 }).toBe(6)
}, 30_000)

test('behavior: webhooks take turns', async () => {
  const accounts = ['0x1', '0x2', '0x3', '0x4', '0x5'] as const
  const opened = await openStore(accounts.map((account) => ({ account, webhooks: 1, alerts: 3 })))
  const urls: string[] = []
  deliver(opened, async ({ url }) => {
    urls.push(url)
    return sent
  })
  await expect.poll(() => urls.length, { timeout: 5_000 }).toBe(15)
  expect(urls.lastIndexOf('https://0x1.example/')).toBeGreaterThan(urls.indexOf('https://0x5.example/'))
}, 30_000)

test('behavior: only a paused webhook is resumed, and late results change nothing', async () => {
  const { store, ids } = await openStore([{ account: '0xa', webhooks: 1, alerts: 2 }])
  const [id = ''] = ids
  const held = await store.findActive(id)
  if (!held) throw new Error('There is no webhook.')
  expect([await store.resumeWebhook('0xa', id), await store.resumeWebhook('0xb', id)]).toEqual([true, false])

  const [alert] = await store.readUnsent(held, 1)
  expect(await store.noteSent(held, alert?.number ?? 0)).toBe(true)
  expect(await store.noteFailure(held, 1)).toBe(false)
  await store.pause(held, 1)
  expect(await store.listWebhooks('0xa')).toMatchObject([{ state: 'active', failingSince: null }])

  const current = { ...held, sent: alert?.number ?? 0 }
  expect(await store.noteFailure(current, 1)).toBe(true)
  // A webhook that failed waits for its next try.
  expect([await store.listDue('not_failing'), await store.listDue('all')]).toEqual([[], [{ id, first: id }]])
  await store.pause(current, 1)
  expect([await store.listDue('all'), await store.findActive(id)]).toEqual([[], undefined])
  await store.resumeWebhook('0xa', id)
  expect(await store.listDue('not_failing')).toEqual([{ id, first: id }])
}, 30_000)
