import type { ProblemCode } from '@lineage/referral-api'
import { labelLimit } from '@lineage/referral-api/labels'
import { labels as labelsSchema, problem } from '@lineage/referral-api/schemas'
import type { SiweProblemCode } from '@lineage/wallet-kit/siwe-server'
import { afterEach, expect, expectTypeOf, test, vi } from 'vitest'
import { ask, createDatabase, removeAccounts, type Served, type ServeParameters, serve } from '../../test/serve.ts'
import { cookieOf, signer, signIn, stranger } from '../../test/signIn.ts'
import { openAccounts } from '../accounts/openAccounts.ts'

const address = '0x52908400098527886E0F7030069857D2E4169EE7'
const other = '0xde709f2102306220921060314715629080e2fb77'

const open: Pick<Served, 'close'>[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

async function start(parameters: ServeParameters = {}) {
  await removeAccounts(signer.address, stranger.address)
  const served = await serve(parameters)
  open.push(served)
  return served.url
}

type Given = { method?: string; body?: unknown; headers?: Record<string, string> }

/** Returns a function that sends requests like a page of the app, with a session cookie or as a guest. */
function browser(url: string, cookie?: string) {
  return async (target: string, { method = 'GET', body, headers }: Given = {}) => {
    const answer = await ask(url, `/v1/labels${target}`, {
      method,
      headers: {
        ...(method !== 'GET' && { origin: url, 'content-type': 'application/json' }),
        ...(cookie && { cookie }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = answer.body.toString()
    const isJson = answer.headers['content-type']?.includes('json')
    return { ...answer, text, json: isJson ? JSON.parse(text) : undefined }
  }
}

async function signedIn(url: string, account?: Parameters<typeof signIn>[2]) {
  return browser(url, cookieOf((await signIn(url, url, account)).answer))
}

test('saves, returns, changes and deletes a label', async () => {
  const me = await signedIn(await start())
  const put = await me(`/${address.toLowerCase()}`, { method: 'PUT', body: { text: ' 老王\u202e\n', watched: true } })
  expect([put.status, put.json]).toEqual([200, { address, text: '老王', watched: true, updatedAt: expect.any(Number) }])
  expect(labelsSchema.parse((await me('')).json).items).toEqual([put.json])
  await me(`/${address}`, { method: 'PUT', body: { text: 'Wang', watched: false } })
  expect((await me('')).json.items).toMatchObject([{ text: 'Wang', watched: false }])
  expect((await me(`/${address}`, { method: 'DELETE' })).status).toBe(204)
  // Deleting again is no error.
  expect((await me(`/${address}`, { method: 'DELETE' })).status).toBe(204)
  expect((await me('')).json.items).toEqual([])
})

test('behavior: deletes all labels of this account only', async () => {
  const url = await start()
  const [me, them] = [await signedIn(url), await signedIn(url, stranger)]
  for (const one of [me, them]) await one(`/${address}`, { method: 'PUT', body: { text: 'x', watched: false } })
  await me(`/${other}`, { method: 'PUT', body: { text: '', watched: true } })
  expect((await me('', { method: 'DELETE' })).status).toBe(204)
  expect([(await me('')).json.items.length, (await them('')).json.items.length]).toEqual([0, 1])
})

test('attack: guests and other accounts cannot read or change labels', async () => {
  const url = await start()
  const me = await signedIn(url)
  await me(`/${address}`, { method: 'PUT', body: { text: 'a secret', watched: true } })
  const guest = browser(url)
  for (const target of ['', `/${address}`, '?account=0x', '/', '/..', `/${address}/`, '.json']) {
    const { status, text } = await guest(target)
    expect(status, target).not.toBe(200)
    expect(text, target).not.toContain('secret')
  }
  for (const target of ['', `/${address}`]) {
    expect((await guest(target, { method: 'PUT', body: {} })).json.code).toBe('unauthenticated')
    expect((await guest(target, { method: 'DELETE' })).json.code).toBe('unauthenticated')
  }
  const them = await signedIn(url, stranger)
  const said = { 'x-account': '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', authorization: 'Bearer a' }
  for (const target of ['', `?account=0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266`])
    expect((await them(target, { headers: said })).text).not.toContain('secret')
  await them('', { method: 'DELETE' })
  await them(`/${address}`, { method: 'DELETE' })
  expect((await me('')).json.items).toMatchObject([{ text: 'a secret' }])
})

test('attack: an invalid or ended session counts as a guest', async () => {
  const url = await start()
  const { answer, headers } = await signIn(url)
  const cookie = cookieOf(answer)
  for (const altered of [`${cookie}0`, cookie.replace(/=./, '=x'), 'siwe-session=a.b', `${cookie}; ${cookie}`])
    expect((await browser(url, altered)('')).json.code).toBe('unauthenticated')
  expect((await browser(url, cookie)('')).status).toBe(200)
  await ask(url, '/v1/auth/signout', { method: 'POST', headers: { ...headers, cookie }, body: '{}' })
  expect((await browser(url, cookie)('')).json.code).toBe('unauthenticated')
})

test('behavior: no response may be cached', async () => {
  const url = await start()
  const me = await signedIn(url)
  const guest = browser(url)
  const put = { method: 'PUT', body: { text: 'x', watched: false } }
  for (const answer of [
    await me(`/${address}`, put),
    await me(''),
    await guest(''),
    await me('', { method: 'DELETE' }),
  ]) {
    expect(answer.headers['cache-control']).toBe('no-store, private')
    expect(answer.headers.vary?.toLowerCase()).toContain('cookie')
    expect(answer.headers.etag).toBeUndefined()
  }
})

test('attack: requests of other sites are refused', async () => {
  const url = await start()
  const me = await signedIn(url)
  const evil: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ]
  for (const headers of evil)
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect((await me('', { method, headers, ...(method === 'PUT' && { body: { items: [] } }) })).json.code).toBe(
        'cross_site',
      )
  // Without a preflight, another site can send only these types.
  const form = { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: { items: [] } }
  expect((await me('', form)).json.code).toBe('unsupported_media_type')
  expect((await me('', { method: 'POST', body: {} })).json.code).toBe('method_not_allowed')
})

test('behavior: merging keeps the newer label, can be repeated, and caps times in the future', async () => {
  const me = await signedIn(await start())
  const { json: kept } = await me(`/${address}`, { method: 'PUT', body: { text: 'kept', watched: false } })
  const items = [
    { address, text: 'older', watched: true, updatedAt: kept.updatedAt - 60 },
    { address: other, text: 'first', watched: true, updatedAt: 5 },
    { address: other, text: 'second', watched: true, updatedAt: 4_000_000_000 },
    { address: '0x0000000000000000000000000000000000000001', text: '', watched: false, updatedAt: 5 },
  ]
  for (let time = 0; time < 2; time++) {
    const { json } = await me('', { method: 'PUT', body: { items } })
    expect(json.items.map(({ text }: { text: string }) => text).sort()).toEqual(['kept', 'second'])
  }
  // A label saved by hand is the newest.
  await me(`/${other}`, { method: 'PUT', body: { text: 'third', watched: false } })
  await me('', { method: 'PUT', body: { items: items.slice(1, 2) } })
  expect((await me('')).json.items).toContainEqual(expect.objectContaining({ address: other, text: 'third' }))
})

test.each([
  ['malformed JSON', '{', 'invalid_label'],
  ['null', 'null', 'invalid_label'],
  ['neither text nor watched', { text: ' \u200b', watched: false }, 'invalid_label'],
  ['too long', { text: '名'.repeat(61), watched: false }, 'invalid_label'],
  ['wrong types', { text: 1, watched: 'yes' }, 'invalid_label'],
  ['2 MB', { text: 'x'.repeat(2_000_000), watched: false }, 'payload_too_large'],
])('error: a label body with %s', async (_, body, code) => {
  const me = await signedIn(await start())
  const { json } = await me(`/${address}`, { method: 'PUT', body })
  expect(problem.parse(json).code).toBe(code)
  expect((await me('')).json.items).toEqual([])
})

test.each(['/0x12', '/drop', `/${address}0`])('error: the address %s', async (target) => {
  const me = await signedIn(await start())
  const put = { method: 'PUT', body: { text: 'x', watched: false } }
  expect((await me(target, put)).json.code).toBe('invalid_address')
})

test('error: more labels than the limit change nothing', async () => {
  const me = await signedIn(await start())
  const items = Array.from({ length: labelLimit + 1 }, (_, index) => ({
    address: `0x${index.toString(16).padStart(40, '0')}`,
    text: '六十个字'.repeat(15),
    watched: true,
    updatedAt: 1,
  }))
  const refused = await me('', { method: 'PUT', body: { items } })
  expect([refused.status, refused.json.code]).toEqual([409, 'too_many_labels'])
  expect(refused.json.detail).toContain('2000')
  expect((await me('', { method: 'PUT', body: { items: items.slice(1) } })).json.items).toHaveLength(labelLimit)
  const more = { method: 'PUT', body: { text: 'x', watched: false } }
  expect((await me(`/${address}`, more)).json.code).toBe('too_many_labels')
})

test('attack: large merges use up the limit of the visitor, and simultaneous ones of an account wait', async () => {
  const mine = await signedIn(await start())
  const items = Array.from({ length: labelLimit }, (_, index) => ({
    address: `0x${index.toString(16).padStart(40, '0')}`,
    text: 'one',
    watched: false,
    updatedAt: 1,
  }))
  expect((await mine('', { method: 'PUT', body: { items } })).status).toBe(200)
  const { status, headers } = await mine('', { method: 'PUT', body: { items } })
  expect([status, Number(headers['retry-after'])]).toEqual([429, expect.any(Number)])
  expect((await mine('')).json.items).toHaveLength(labelLimit)
  const saves = Array.from({ length: 30 }, () =>
    mine(`/${address}`, { method: 'PUT', body: { text: 'a', watched: false } }),
  )
  const statuses = (await Promise.all(saves)).map((answer) => answer.status)
  for (const one of statuses) expect([200, 409, 429]).toContain(one)
  expect(statuses).toContain(409)
})

test('error: without its database it answers 503, and other routes work', async () => {
  const noted = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const working = openAccounts(await createDatabase())
  open.push(working)
  const away = { ...working.labels, list: () => Promise.reject(new Error('away')) }
  const url = await start({ accounts: { ...working, labels: away } })
  const { json, headers } = await (await signedIn(url))('')
  expect([json.code, headers['retry-after']]).toEqual(['unavailable', '5'])
  expect((await ask(url, '/v1/health')).status).toBe(200)
  expect(noted).toHaveBeenCalled()
  noted.mockRestore()
})

test('types: every problem code of sign-in is in the API contract', () => {
  expectTypeOf<SiweProblemCode>().toExtend<ProblemCode>()
})
