import { afterEach, expect, test, vi } from 'vitest'
import { ask, type Served, serve } from '../../test/serve.ts'
import { cookieOf, signer, signIn, stranger } from '../../test/signIn.ts'
import { startUpstream } from '../../test/upstream.ts'
import { openAccounts } from '../accounts/openAccounts.ts'

const open: Pick<Served, 'close'>[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

async function start(parameters: Parameters<typeof serve>[0] = {}) {
  const served = await serve(parameters)
  open.push(served)
  return served
}

test('signs in, returns the session, signs out', async () => {
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

test('attack: headers that name another host are ignored', async () => {
  const { url } = await start({ settings: { origins: ['https://lineage.example'] } })
  const { answer } = await signIn(url, 'https://evil.example')
  expect(JSON.parse(answer.body.toString()).code).toBe('cross_site')
  const nonced = await ask(url, '/v1/auth/nonce', {
    headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http', host: 'evil.example' },
  })
  expect(nonced.headers['set-cookie']?.[0]).toMatch(/^__Host-.*; Secure/)
})

test('attack: one of two nodes confirms every signature: sign-in is refused', async () => {
  const say = (result: string) =>
    startUpstream((_, response) => void response.end(JSON.stringify({ jsonrpc: '2.0', id: 0, result })))
  const [lying, honest] = await Promise.all([say('0x01'), say('0x00')])
  open.push(lying, honest)
  const { url } = await start({ settings: { rpcUrls: [lying.url, honest.url] } })
  const { answer } = await signIn(url, url, { ...stranger, address: signer.address })
  expect([answer.status, JSON.parse(answer.body.toString()).code]).toEqual([503, 'unavailable'])
  expect(answer.headers['set-cookie']).toBeUndefined()
})

test('error: without its database it answers 503, and other routes work', async () => {
  const noted = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { url } = await start({ accounts: openAccounts('postgres://127.0.0.1:1/none') })
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
