import { request as httpRequest } from 'node:http'
import { account as accountSchema } from '@lineage/referral-api/schemas'
import { afterEach, expect, test } from 'vitest'
import { ask, createDatabase, removeAccounts, type Served, serve } from '../../test/serve.ts'
import { cookieOf, signer, signIn, stranger } from '../../test/signIn.ts'
import { openAccounts } from '../accounts/openAccounts.ts'

const address = '0x52908400098527886E0F7030069857D2E4169EE7'

const open: Pick<Served, 'close'>[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

async function start() {
  await removeAccounts(signer.address, stranger.address)
  const served = await serve()
  open.push(served)
  const { url } = served
  return async (account = signer) => {
    const cookie = cookieOf((await signIn(url, url, account)).answer)
    return async (method: string, target: string, body?: object, origin = url) => {
      const headers = { cookie, origin, 'content-type': 'application/json' }
      const answer = await ask(url, target, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      const text = answer.body.toString()
      return { status: answer.status, headers: answer.headers, json: text === '' ? undefined : JSON.parse(text) }
    }
  }
}

test('behavior: an account gets all that is stored of it, and nothing of others', async () => {
  const openBrowser = await start()
  const [me, again, them] = [await openBrowser(), await openBrowser(), await openBrowser(stranger)]
  await me('PUT', `/v1/labels/${address}`, { text: '老王', watched: true })
  await them('PUT', `/v1/labels/${address}`, { text: 'theirs', watched: false })
  const { status, headers, json } = await again('GET', '/v1/account')
  expect([status, headers['cache-control'], headers['content-disposition']]).toEqual([
    200,
    'no-store, private',
    'attachment; filename="lineage-account.json"',
  ])
  expect(accountSchema.parse(json)).toEqual(json)
  expect(json).toMatchObject({ address: signer.address, labels: [{ address, text: '老王', watched: true }] })
  expect(json.sessions).toHaveLength(2)
  expect(Object.keys(json.sessions[0])).toEqual(['chainId', 'expiresAt'])
})

test('behavior: deleting an account deletes its labels and signs it out everywhere, and leaves others', async () => {
  const openBrowser = await start()
  const [me, again, them] = [await openBrowser(), await openBrowser(), await openBrowser(stranger)]
  for (const one of [me, them]) await one('PUT', `/v1/labels/${address}`, { text: 'mine', watched: false })
  expect((await me('DELETE', '/v1/account')).status).toBe(204)
  for (const one of [me, again]) expect((await one('GET', '/v1/account')).json.code).toBe('unauthenticated')
  expect((await again('GET', '/v1/auth/session')).json).toBeNull()
  expect((await (await openBrowser())('GET', '/v1/account')).json.labels).toEqual([])
  expect((await them('GET', '/v1/account')).json.labels).toMatchObject([{ text: 'mine' }])
})

test('attack: another site and a guest cannot delete an account', async () => {
  const openBrowser = await start()
  const me = await openBrowser()
  expect((await me('DELETE', '/v1/account', undefined, 'https://evil.example')).json.code).toBe('cross_site')
  expect((await me('GET', '/v1/account')).status).toBe(200)
})

/** Signs in and starts to save a label: sends the headers and only a part of the body. */
async function startSaving() {
  const accounts = openAccounts(await createDatabase())
  open.push(accounts)
  let looked = 0
  const findSession: typeof accounts.findSession = (id) => {
    looked++
    return accounts.findSession(id)
  }
  const served = await serve({ accounts: { ...accounts, findSession } })
  open.push(served)
  const { url } = served
  const headers = { cookie: cookieOf((await signIn(url)).answer), origin: url, 'content-type': 'application/json' }
  const known = looked
  const saving = httpRequest(`${url}/v1/labels/${address}`, { method: 'PUT', headers })
  const saved = new Promise<number | undefined>((resolve, reject) => {
    saving.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject)
  })
  saving.write('{"text":"late",')
  await expect.poll(() => looked).toBe(known + 1)
  const readSession = () => ask(url, '/v1/auth/session', { headers })
  await readSession()
  return { accounts, url, headers, saving, saved, readSession, looked: () => looked }
}

test('attack: deleting an account deletes the label whose body is still sent', async () => {
  const { accounts, url, headers, saving, saved, readSession, looked } = await startSaving()
  const before = looked()
  const removed = ask(url, '/v1/account', { method: 'DELETE', headers })
  await expect.poll(looked).toBe(before + 1)
  // Without the queue, the deletion would have finished by the time these are answered.
  for (let time = 0; time < 3; time++) await readSession()
  saving.end('"watched":true}')
  expect([await saved, (await removed).status]).toEqual([200, 204])
  expect(await accounts.labels.list(signer.address)).toEqual([])
})

test('attack: a label whose body is still sent while another server deletes the account is not saved', async () => {
  const { accounts, saving, saved } = await startSaving()
  await accounts.removeAccount(signer.address)
  saving.end('"watched":true}')
  expect(await saved).toBe(401)
  expect(await accounts.labels.list(signer.address)).toEqual([])
})
