import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'
import { ask } from './serve.ts'

export const signer = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')

/** Another account. */
export const stranger = privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d')

export const cookieOf = ({ headers }: Awaited<ReturnType<typeof ask>>) =>
  headers['set-cookie']?.[0]?.split(';')[0] ?? ''

/** Signs in like a page of `origin`. */
export async function signIn(url: string, origin = url, account: PrivateKeyAccount = signer) {
  const nonced = await ask(url, '/v1/auth/nonce')
  const { nonce } = JSON.parse(nonced.body.toString())
  const { host } = new URL(origin)
  const { address } = account
  // viem accepts an IP address with a port as a domain.
  const message = createSiweMessage({ version: '1', domain: host, uri: origin, chainId: 56, nonce, address })
  const body = JSON.stringify({ message, signature: await account.signMessage({ message }) })
  const headers = { 'content-type': 'application/json', origin, cookie: cookieOf(nonced) }
  return { answer: await ask(url, '/v1/auth/verify', { method: 'POST', headers, body }), headers, body }
}
