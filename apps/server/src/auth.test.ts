import { privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'
import { afterEach, expect, test, vi } from 'vitest'
import { ask, type Served, serve } from '../test/serve.ts'
import { openAccounts } from './accounts/openAccounts.ts'

// A busy machine takes its time to open a database.
vi.setConfig({ testTimeout: 30_000 })

const signer = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')

const open: Pick<Served, 'close'>[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

async function start(parameters: Parameters<typeof serve>[0] = {}) {
  const accounts = openAccounts({ kind: 'embedded', directory: null })
  const served = await serve({ accounts, ...parameters })
  open.push(served, accounts)
  return served
}

const cookieOf = ({ headers }: Awaited<ReturnType<typeof ask>>) => headers['set-cookie']?.[0]?.split(';')[0] ?? ''

async function signIn(url: string, origin = url) {
  const nonced = await ask(url, '/v1/auth/nonce')
  const { nonce } = JSON.parse(nonced.body.toString())
  const { host } = new URL(origin)
  const { address } = signer
  // A host of an IP address and a port is one of viem's.
  const message = createSiweMessage({ version: '1', domain: host, uri: origin, chainId: 56, nonce, address })
  const body = JSON.stringify({ message, signature: await signer.signMessage({ message }) })
  const headers = { 'content-type': 'application/json', origin, cookie: cookieOf(nonced) }
  return { answer: await ask(url, '/v1/auth/verify', { method: 'POST', headers, body }), headers, body }
}

test('signs in, knows the session, signs out', async () => {
  const { url } = await start()
  const { answer, headers } = await signIn(url)
  expect([answer.status, JSON.parse(answer.body.toString()).address]).toEqual([200, signer.address])
  expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'cross-origin-resource-policy': 'same-origin' })
  const cookie = cookieOf(answer)
  const known = await ask(url, '/v1/auth/session', { headers: { cookie } })
  expect(JSON.parse(known.body.toString()).address).toBe(signer.address)
  const signedOut = await ask(url, '/v1/auth/signout', { method: 'POST', headers: { ...headers, cookie }, body: '{}' })
  expect(signedOut.status).toBe(204)
  expect((await ask(url, '/v1/auth/session', { headers: { cookie } })).body.toString()).toBe('null')
})

test('attack: two verifies race with one nonce on the database', async () => {
  const { url } = await start()
  const { answer, headers, body } = await signIn(url)
  expect(answer.status).toBe(200)
  const again = await Promise.all([1, 2].map(() => ask(url, '/v1/auth/verify', { method: 'POST', headers, body })))
  expect(again.map(({ body }) => JSON.parse(body.toString()).code)).toEqual(['nonce_used', 'nonce_used'])
})

test('attack: headers that name another host are not believed', async () => {
  const { url } = await start({ settings: { origins: ['https://lineage.example'] } })
  const { answer } = await signIn(url, 'https://evil.example')
  expect(JSON.parse(answer.body.toString()).code).toBe('cross_site')
  const nonced = await ask(url, '/v1/auth/nonce', {
    headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http', host: 'evil.example' },
  })
  expect(nonced.headers['set-cookie']?.[0]).toMatch(/^__Host-.*; Secure/)
})

test('error: accounts away: 503, and the rest goes on', async () => {
  const noted = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { url } = await start({ accounts: openAccounts({ kind: 'postgres', url: 'postgres://127.0.0.1:1/none' }) })
  const { answer } = await signIn(url)
  expect([answer.status, JSON.parse(answer.body.toString()).code]).toEqual([503, 'unavailable'])
  expect((await ask(url, '/v1/health')).status).toBe(200)
  expect(noted).toHaveBeenCalled()
  noted.mockRestore()
})

test.each(['/v1/auth/nothing', '/v1/auth/constructor', '/v1/auth/nonce/more'])('error: %s', async (target) => {
  const { url } = await start()
  expect((await ask(url, target)).status).not.toBe(200)
})
