import { account as accountSchema } from '@lineage/referral-api/schemas'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, expect, test } from 'vitest'
import { ask, type Served, serve } from '../test/serve.ts'
import { cookieOf, signer, signIn } from '../test/signIn.ts'
import { openAccounts } from './accounts/openAccounts.ts'

const stranger = privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d')
const address = '0x52908400098527886E0F7030069857D2E4169EE7'

const open: Pick<Served, 'close'>[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

async function start() {
  const accounts = openAccounts({ kind: 'embedded', directory: null })
  const served = await serve({ accounts })
  open.push(served, accounts)
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

test('attack: another site cannot delete an account, nor can a guest', async () => {
  const openBrowser = await start()
  const me = await openBrowser()
  expect((await me('DELETE', '/v1/account', undefined, 'https://evil.example')).json.code).toBe('cross_site')
  expect((await me('GET', '/v1/account')).status).toBe(200)
})
