import { account as accountSchema, alertSettings, alerts as alertsSchema } from '@lineage/referral-api/schemas'
import { parseAtomFeed } from 'feedsmith'
import { getAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { ask, type Served, serve } from '../../test/serve.ts'
import { cookieOf, signer, signIn } from '../../test/signIn.ts'
import { startUpstream, type Upstream } from '../../test/upstream.ts'
import { addressOf, bind as bindOf, timeOf } from '../follow/test/tables.ts'

const watched = getAddress(addressOf(1))
const rules = { directs: true, team: 'off', milestones: false, referrer: false, irregular: false, volumeFrom: null }

/** The newest block. Its time runs ahead of `timeOf` by `delay`. */
const chain = { block: 100, delay: 0, members: 1 }
let served: Served
let receiver: Upstream
const got: { id: string; type: string }[] = []
let status = 200

beforeAll(async () => {
  receiver = await startUpstream((request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      if (status === 200) got.push({ id: String(request.headers['webhook-id']), ...JSON.parse(text) })
      response.writeHead(status).end('noted')
    })
  })
  served = await serve({
    step: { block: chain.block, events: [bindOf(1, 1, 0)] },
    // All accounts of this file are one visitor, who asks every 50 ms until an answer has come.
    limits: { labels: { burst: 1e9, perSecond: 1e9 } },
    jobs: { firstRetry: 50, patience: 400, interval: 500, pollingInterval: 0.2 },
  })
})
afterAll(async () => {
  await served.close()
  await receiver.close()
})
afterEach(() => {
  got.length = 0
  status = 200
})

/** Signs in, and returns a function that sends requests as the account. */
async function open(account = signer) {
  const cookie = cookieOf((await signIn(served.url, served.url, account)).answer)
  return async (method: string, target: string, body?: object) => {
    const headers = { cookie, origin: served.url, 'content-type': 'application/json' }
    const answer = await ask(served.url, `/v1${target}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = answer.body.toString()
    const isJson = answer.headers['content-type']?.includes('json')
    return { ...answer, text, json: isJson ? JSON.parse(text) : undefined }
  }
}
type Account = Awaited<ReturnType<typeof open>>

/** Adds a block in which new members bind to the watched address. Returns the last of them. */
async function bind(count = 1): Promise<string> {
  chain.block++
  const timestamp = timeOf(chain.block) + chain.delay
  const events = Array.from({ length: count }, (_, logIndex) => ({
    ...bindOf(chain.block, ++chain.members, 1, logIndex),
    timestamp,
  }))
  await served.tables.step('demo', { block: chain.block, time: timestamp, events })
  await expect.poll(() => served.index.stateOf('demo')?.asOf.block).toBe(chain.block)
  return getAddress(addressOf(chain.members))
}

const stranger = () => privateKeyToAccount(`0x${(++strangers).toString(16).padStart(64, '0')}`)
let strangers = 4_000
const list = async (me: Account) => alertsSchema.parse((await me('GET', '/alerts')).json)
const kinds = async (me: Account) => (await list(me)).items.map(({ kind }) => kind)

test('behavior: an alert is listed, read, delivered once and in the feed; history raises none', async () => {
  const me = await open()
  await bind()
  expect((await me('PUT', `/alerts/watches/demo/${watched.toLowerCase()}`, rules)).json).toMatchObject({
    community: 'demo',
    address: watched,
    rules,
  })
  const hook = (await me('POST', '/alerts/webhooks', { url: receiver.url })).json
  expect(hook.secret).toMatch(/^whsec_/)
  const member = await bind()
  await expect.poll(() => kinds(me)).toEqual(['direct'])
  const { items, unread } = await list(me)
  expect([unread, items[0]?.isRead]).toEqual([1, false])
  expect(items[0]).toMatchObject({ member, referrer: watched, block: chain.block, address: watched })
  await expect.poll(() => got.map(({ id, type }) => [id, type])).toEqual([[items[0]?.id, 'alert.direct']])
  expect((await me('PUT', '/alerts/read', { upTo: items[0]?.number })).status).toBe(204)
  expect(await list(me)).toMatchObject({ unread: 0, items: [{ isRead: true }] })

  const { path } = (await me('PUT', '/alerts/feed')).json
  const feed = await ask(served.url, `${path}?lang=en`)
  expect(feed.headers['cache-control']).toBe('private, max-age=60')
  expect(parseAtomFeed(feed.body.toString())).toMatchObject({
    title: { value: 'Lineage alerts' },
    entries: [
      { id: `urn:lineage:alert:${items[0]?.id}`, title: { value: expect.stringContaining('new direct referral') } },
    ],
  })
  // Renew the link, then delete it.
  const renewed = (await me('PUT', '/alerts/feed')).json.path
  expect([(await ask(served.url, path)).status, (await ask(served.url, renewed)).status]).toEqual([404, 200])
  await me('DELETE', '/alerts/feed')
  expect((await ask(served.url, renewed)).status).toBe(404)
  // A delivery is noted once its receiver has answered.
  await expect
    .poll(async () => alertSettings.parse((await me('GET', '/alerts/settings')).json))
    .toMatchObject({
      feed: 'off',
      watches: [{ address: watched }],
      webhooks: [{ state: 'active', deliveries: [{ alert: items[0]?.id, status: 200, answer: 'noted' }] }],
    })
})

test('behavior: a webhook that fails is retried, then paused with a notice, and resumed without a gap', async () => {
  const me = await open(stranger())
  await me('PUT', `/alerts/watches/demo/${watched}`, rules)
  const { id } = (await me('POST', '/alerts/webhooks', { url: receiver.url })).json
  status = 503
  await bind()
  await expect.poll(() => kinds(me)).toEqual(['webhook_paused', 'direct'])
  const findWebhook = async () => (await me('GET', '/alerts/settings')).json.webhooks[0]
  expect(await findWebhook()).toMatchObject({ state: 'paused' })
  // The last failure is noted after the pause.
  const readStatuses = async () => (await findWebhook()).deliveries.map((one: { status: number }) => one.status)
  await expect.poll(async () => (await readStatuses()).slice(0, 2)).toEqual([503, 503])
  await bind()
  await expect.poll(() => kinds(me)).toEqual(['direct', 'webhook_paused', 'direct'])
  const own = (await list(me)).items.filter(({ kind }) => kind === 'direct').map((one) => one.id)
  expect(got.filter((one) => own.includes(one.id))).toEqual([])
  status = 200
  expect((await me('POST', `/alerts/webhooks/${id}/resume`)).status).toBe(204)
  await expect.poll(() => got.map((one) => one.id).filter((one) => own.includes(one))).toEqual(own.toReversed())
})

test('behavior: a receiver that is gone is paused at once, and a test tells its answer', async () => {
  const me = await open(stranger())
  await me('PUT', `/alerts/watches/demo/${watched}`, rules)
  const { id } = (await me('POST', '/alerts/webhooks', { url: receiver.url })).json
  expect((await me('POST', `/alerts/webhooks/${id}/test`)).json).toMatchObject({
    alert: null,
    status: 200,
    answer: 'noted',
  })
  expect(got).toMatchObject([{ type: 'test' }])
  status = 410
  await bind()
  await expect.poll(() => kinds(me)).toEqual(['webhook_paused', 'direct'])
  expect((await me('DELETE', `/alerts/webhooks/${id}`)).status).toBe(204)
  for (const [method, path] of [
    ['DELETE', ''],
    ['POST', '/test'],
    ['POST', '/resume'],
  ] as const)
    expect((await me(method, `/alerts/webhooks/${id}${path}`)).json.code).toBe('webhook_not_found')
})

test('behavior: a digest counts who joined in an hour, once its blocks are final', async () => {
  const me = await open(stranger())
  await me('PUT', `/alerts/watches/demo/${watched}`, { ...rules, directs: false, team: 'hour' })
  await bind(3)
  const joinedAt = timeOf(chain.block) + chain.delay
  const ends = joinedAt - (joinedAt % 3_600) + 3_600
  chain.delay += 3_700
  await expect
    .poll(async () => {
      // With each block an earlier one becomes final.
      chain.block += 10
      await served.tables.step('demo', { block: chain.block, time: timeOf(chain.block) + chain.delay })
      return kinds(me)
    })
    .toEqual(['digest'])
  expect((await list(me)).items).toMatchObject([{ kind: 'digest', members: 3, time: ends, address: watched }])
})

test('error: limits, wrong rules, unknown communities and addresses that webhooks must not reach', async () => {
  const me = await open(stranger())
  const put = async (path: string, body: object) => (await me('PUT', `/alerts/watches/${path}`, body)).json.code
  expect(await put(`demo/${watched}`, { ...rules, directs: false })).toBe('invalid_watch')
  expect(await put(`demo/${watched}`, { ...rules, team: 'week' })).toBe('invalid_watch')
  expect(await put(`demo/0x1`, rules)).toBe('invalid_address')
  expect(await put(`other/${watched}`, rules)).toBe('community_not_found')
  const added = Array.from({ length: 5 }, () => me('POST', '/alerts/webhooks', { url: receiver.url }))
  expect((await Promise.all(added)).map((answer) => answer.status)).toEqual([200, 200, 200, 200, 200])
  expect((await me('POST', '/alerts/webhooks', { url: receiver.url })).json).toMatchObject({
    code: 'too_many_webhooks',
    detail: expect.stringContaining('5 webhooks'),
  })
  expect((await me('POST', '/alerts/webhooks', { url: 'nothing' })).json.code).toBe('invalid_webhook')
  for (let index = 0; index < 50; index++) {
    const address = `0x${(index + 1).toString(16).padStart(40, '0')}` as const
    const watch = { community: 'demo', address, rules: { ...rules, team: 'off' as const }, updatedAt: 1 }
    await served.accounts.alerts.saveWatch(
      privateKeyToAccount(`0x${strangers.toString(16).padStart(64, '0')}`).address,
      watch,
      { block: chain.block, finalizedBlock: 0 },
    )
  }
  expect(await put(`demo/${watched}`, rules)).toBe('too_many_watches')
})

test('behavior: an account exports and deletes all of it; nothing comes afterwards, and others keep theirs', async () => {
  const [me, them] = [await open(stranger()), await open(stranger())]
  for (const one of [me, them]) {
    await one('PUT', `/alerts/watches/demo/${watched}`, rules)
    await one('POST', '/alerts/webhooks', { url: receiver.url })
  }
  await bind()
  await expect.poll(() => kinds(me)).toEqual(['direct'])
  const { json } = await me('GET', '/account')
  expect(accountSchema.parse(json)).toEqual(json)
  expect(json).toMatchObject({
    watches: [{ address: watched }],
    alerts: [{ kind: 'direct' }],
    webhooks: [{ state: 'active' }],
  })
  expect(JSON.stringify(json)).not.toContain('whsec_')
  const { path } = (await me('PUT', '/alerts/feed')).json
  expect((await me('DELETE', '/account')).status).toBe(204)
  expect((await me('GET', '/alerts')).json.code).toBe('unauthenticated')
  expect((await ask(served.url, path)).status).toBe(404)
  await bind()
  await expect.poll(() => kinds(them)).toEqual(['direct', 'direct'])
  const again = await open(privateKeyToAccount(`0x${(strangers - 1).toString(16).padStart(64, '0')}`))
  expect(await list(again)).toEqual({ items: [], unread: 0, nextCursor: null })
})

test('attack: guests, other sites and other accounts', async () => {
  const [me, them] = [await open(stranger()), await open(stranger())]
  const { id } = (await me('POST', '/alerts/webhooks', { url: receiver.url })).json
  for (const path of ['', '/test', '/resume'])
    expect((await them(path === '' ? 'DELETE' : 'POST', `/alerts/webhooks/${id}${path}`)).json.code).toBe(
      'webhook_not_found',
    )
  expect((await them('GET', '/alerts/settings')).json.webhooks).toEqual([])
  const guest = (method: string, target: string, origin = served.url) =>
    ask(served.url, `/v1${target}`, { method, headers: { origin } }).then(
      ({ body }) => JSON.parse(body.toString()).code,
    )
  for (const [method, target] of [
    ['GET', '/alerts'],
    ['GET', '/alerts/settings'],
    ['PUT', '/alerts/feed'],
    ['POST', `/alerts/webhooks/${id}/test`],
  ] as const) {
    expect(await guest(method, target)).toBe('unauthenticated')
    expect(await guest(method, target, 'https://evil.example')).toBe('cross_site')
  }
  expect(await guest('GET', `/feeds/${'a'.repeat(22)}`)).toBe('feed_not_found')
})
