import fc from 'fast-check'
import { type Address, getAddress, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage, parseSiweMessage } from 'viem/siwe'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createSignInServer, origin } from '../../../test/createSignInServer.ts'
import { createRevoked, createTrap } from '../../../test/hostileObjects.ts'
import type { Behaviour, ScriptedWalletOptions } from '../../testing/createScriptedWallet.ts'
import { setupKit } from '../../testing/setupKit.ts'
import { readProperty } from '../lib/untrusted.ts'
import type { AuthenticationAdapter, Session } from '../state/authentication.ts'
import type { WalletKitConfig } from '../state/config.ts'
import { injectedConnector } from '../wallets/injected.ts'

const privateKey: Hex = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const account: Address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const other: Address = '0x00000000219ab540356cBB839Cbe05303d7705Fa'

type Options = Partial<WalletKitConfig> & {
  a?: ScriptedWalletOptions
  adapter?: Partial<AuthenticationAdapter>
  required?: boolean
}

function setup({ a, adapter, required = true, ...config }: Options = {}) {
  const server = createSignInServer(adapter)
  const made = setupKit({
    a: { privateKey, signInOnConnect: 'supported', ...a },
    authentication: { adapter: server.adapter, required },
    wallets: [
      {
        groupName: 'Popular',
        wallets: [
          {
            ...{ id: 'a', name: 'Wallet A', iconUrl: '', iconBackground: '#fff', rdns: ['test.a'] },
            connectors: [injectedConnector()],
            connectCapabilities: ['signInWithEthereum'],
          },
        ],
      },
    ],
    ...config,
  })
  const methods = () => made.a.requests.map(({ method }) => method)
  return { ...made, ...server, methods }
}

const answerOf = (signInWithEthereum: unknown, address: unknown = account) => ({
  accounts: [{ address, capabilities: { signInWithEthereum } }],
})
const asWallet = privateKeyToAccount(privateKey)

const unhandled: unknown[] = []
const onUnhandled = (reason: unknown) => void unhandled.push(reason)
beforeEach(() => void process.on('unhandledRejection', onUnhandled))
afterEach(() => {
  process.off('unhandledRejection', onUnhandled)
  localStorage.clear()
  expect(unhandled.splice(0)).toEqual([])
})

test('connects and signs in with one approval', async () => {
  const { kit, a, methods, calls } = setup()
  await kit.connect({ walletId: 'a' })
  expect(kit.getState()).toMatchObject({ status: 'connected', address: account, dialog: { name: 'none' } })
  expect(kit.getState().session).toMatchObject({ address: account, chainId: 56 })
  expect(methods()).toEqual(['wallet_connect', 'eth_chainId'])
  expect(calls).toEqual(['nonce', 'verify'])
  expect(a.requests[0]?.params).toEqual([
    {
      version: '1',
      capabilities: {
        signInWithEthereum: {
          ...{ version: '1', domain: 'app.example', uri: origin, statement: 'Welcome.', chainId: '0x38' },
          ...{ nonce: expect.stringMatching(/^[a-z0-9]{8,}$/i), issuedAt: expect.stringMatching(/^\d{4}-.*Z$/) },
        },
      },
    },
  ])
})

test('the dialog: one tap; the message is prepared when the dialog opens', async () => {
  const { kit, calls, methods } = setup()
  const opened = kit.openConnectDialog()
  await expect.poll(() => calls).toEqual(['nonce'])
  kit.dispatch({ type: 'pick', walletId: 'a' })
  expect(await opened).toMatchObject({ address: account })
  expect(kit.getState()).toMatchObject({ status: 'connected', session: { address: account } })
  expect(methods()).toEqual(['wallet_connect', 'eth_chainId'])
  expect(calls).toEqual(['nonce', 'verify'])
})

/** Expects that the sign-in dialog asks for a signature, like after connecting with any other wallet. */
async function signsAfterwards({ kit, methods }: ReturnType<typeof setup>) {
  expect(kit.getState()).toMatchObject({ status: 'unauthenticated', dialog: { name: 'signIn' } })
  await expect.poll(() => kit.getState().signIn?.name).toBe('idle')
  await kit.signIn()
  expect(kit.getState()).toMatchObject({ status: 'connected', session: { address: account } })
  expect(methods().at(-1)).toBe('personal_sign')
}

describe('connects, then asks for the signature', () => {
  const unsupported = [4100, 4200, 5700, -32601, -32602, -32004].map((code): [string, Behaviour] => [
    `the wallet does not know the method: ${code}`,
    { error: Object.assign(new Error('Not supported'), { code }) },
  ])
  test.each<[string, Behaviour]>([
    ...unsupported,
    [
      'the wallet answers the part that connects only',
      { result: { accounts: [{ address: account, capabilities: {} }] } },
    ],
    ['the wallet returns an error as the capability', { result: answerOf({ code: 4001, message: 'Rejected' }) }],
    ['the wallet returns accounts as texts', { result: { accounts: [account] } }],
    ['the wallet returns no account', { result: { accounts: [] } }],
    ['the wallet returns nothing', { result: null }],
    ['the wallet returns a trap as the accounts', { result: { accounts: createTrap([]) } }],
    ['the wallet returns a revoked proxy as the accounts', { result: { accounts: createRevoked([]) } }],
    ['the wallet returns a trap as the account', { result: { accounts: [createTrap({})] } }],
    ['the wallet returns a trap as the capability', { result: answerOf(createTrap({})) }],
  ])('%s', async (_, behaviour) => {
    const made = setup({ a: { behaviours: { wallet_connect: behaviour }, authorized: true } })
    await made.kit.connect({ walletId: 'a' })
    await signsAfterwards(made)
  })

  test('the server fails before the wallet is asked', async () => {
    let fails = true
    const made = setup({
      adapter: {
        createMessage: ({ nonce, address, chainId }) => {
          if (fails) throw new Error('The server failed.')
          return createSiweMessage({ version: '1', domain: 'app.example', uri: origin, nonce, address, chainId })
        },
      },
    })
    await made.kit.connect({ walletId: 'a' })
    fails = false
    expect(made.methods()[0]).toBe('eth_requestAccounts')
  })

  test('a server that does not answer: the wallet is asked after three seconds', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const made = setup({ adapter: { getNonce: () => new Promise(() => {}) } })
    const connected = made.kit.connect({ walletId: 'a' })
    await vi.advanceTimersByTimeAsync(2_900)
    expect(made.methods()).toEqual([])
    await vi.advanceTimersByTimeAsync(200)
    await connected
    expect(made.methods()).toEqual(['eth_requestAccounts', 'eth_chainId'])
  })

  test('a server that answers after the three seconds: no message is made of its nonce', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    let answer = (_: string) => {}
    const nonce = new Promise<string>((resolve) => {
      answer = resolve
    })
    const createMessage = vi.fn(() => 'A message')
    const made = setup({ adapter: { getNonce: () => nonce, createMessage } })
    const connected = made.kit.connect({ walletId: 'a' })
    await vi.advanceTimersByTimeAsync(3_100)
    answer('12345678')
    await connected
    await vi.advanceTimersByTimeAsync(0)
    // Once for the sign-in dialog, with the account.
    expect(createMessage.mock.calls).toEqual([[{ nonce: '12345678', address: account, chainId: 56 }]])
  })

  test('the app’s message does not follow EIP-4361', async () => {
    const made = setup({ adapter: { createMessage: ({ nonce, address }) => `${address} signs in with ${nonce}.` } })
    await made.kit.connect({ walletId: 'a' })
    expect(made.methods()[0]).toBe('eth_requestAccounts')
  })

  test('sign-in is optional: the wallet is not asked to sign', async () => {
    const { kit, methods, calls } = setup({ required: false })
    await kit.connect({ walletId: 'a' })
    expect(methods()).toEqual(['eth_requestAccounts', 'eth_chainId'])
    expect(calls).toEqual([])
  })

  test('the browser has a session: the wallet is not asked to sign again', async () => {
    const session = { address: account, chainId: 56, expiresAt: Date.now() + 3_600_000 }
    const { kit, methods } = setup({ adapter: { getSession: async () => session } })
    await kit.connect({ walletId: 'a' })
    expect(kit.getState()).toMatchObject({ status: 'connected', session })
    expect(methods()).toEqual(['eth_requestAccounts', 'eth_chainId'])
  })
})

describe('refuses a message that differs from what was asked', () => {
  const changes: [string, (message: string) => string][] = [
    ['another domain', (message) => message.replace('app.example wants', 'evil.example wants')],
    ['another account', (message) => message.replace(account, other)],
    ['the account in lower case', (message) => message.replace(account, account.toLowerCase())],
    ['another nonce', (message) => message.replace(/Nonce: \w+/, 'Nonce: 12345678')],
    ['another chain', (message) => message.replace('Chain ID: 56', 'Chain ID: 1')],
    ['another statement', (message) => message.replace('Welcome.', 'I give everything.')],
    ['a line more', (message) => `${message}\nResources:\n- https://evil.example`],
    ['a space more', (message) => `${message} `],
  ]
  test.each(changes)('%s', async (_, change) => {
    const made = setup()
    const { kit, a, calls } = made
    const request = a.provider.request
    a.provider.request = (async (parameters: { method: string }) => {
      const answer = await request(parameters as never)
      if (parameters.method !== 'wallet_connect') return answer
      const [granted] = (answer as { accounts: { capabilities: { signInWithEthereum: { message: string } } }[] })
        .accounts
      const message = change(granted?.capabilities.signInWithEthereum.message ?? '')
      return answerOf({ message, signature: await asWallet.signMessage({ message }) })
    }) as never
    await kit.connect({ walletId: 'a' })
    expect(kit.getState().signIn).toMatchObject({
      name: 'preparing',
      error: { name: 'SignInError', stage: 'mismatch' },
    })
    expect(calls).not.toContain('verify')
    await signsAfterwards(made)
  })
})

test('another account is chosen while the session is read: the first one is not signed in', async () => {
  const answers: (() => void)[] = []
  // The first answer lets the wallet be asked; the second one is that of the connection.
  const getSession = () =>
    new Promise<undefined>((resolve) => {
      if (answers.push(() => resolve(undefined)) === 1) resolve(undefined)
    })
  const { kit, a, calls } = setup({ adapter: { getSession } })
  const other = '0x00000000219ab540356cBB839Cbe05303d7705Fa'
  void kit.openConnectDialog()
  await expect.poll(() => calls).toContain('nonce')
  const connecting = kit.connect({ walletId: 'a' })
  await expect.poll(() => a.requests.map(({ method }) => method)).toEqual(['wallet_connect', 'eth_chainId'])
  // The answer of the wallet has been handled.
  await new Promise((resolve) => setTimeout(resolve))
  a.setAccounts([other])
  for (const answer of answers) answer()
  await connecting
  expect(kit.getState()).toMatchObject({ status: 'unauthenticated', address: other })
  expect(calls).not.toContain('verify')
  expect(kit.getState().signIn).not.toHaveProperty('error')
})

test('the server refuses the signature: its error is shown, and the person can sign', async () => {
  const made = setup()
  const { kit, a, codes } = made
  const request = a.provider.request
  a.provider.request = (async (parameters: { method: string }) => {
    const answer = (await request(parameters as never)) as ReturnType<typeof answerOf>
    if (parameters.method !== 'wallet_connect') return answer
    const message = String(readProperty(answer.accounts[0]?.capabilities.signInWithEthereum, 'message'))
    return answerOf({ message, signature: await asWallet.signMessage({ message: 'Another text' }) })
  }) as never
  await kit.connect({ walletId: 'a' })
  expect(codes).toHaveLength(1)
  expect(kit.getState().signIn).toMatchObject({ error: { stage: 'verifying' } })
  await signsAfterwards(made)
})

test('the message of another wallet was fetched meanwhile: another one is prepared, since servers keep one for a browser', async () => {
  const made = setup({ a: { behaviours: { wallet_connect: 'reject' } } })
  const { kit, a, calls, codes } = made
  await kit.connect({ walletId: 'a' }).catch(() => {})
  a.setBehaviour('wallet_connect', { result: null })
  await kit.connect({ walletId: 'a' })
  await signsAfterwards(made)
  await kit.disconnect()
  a.setBehaviour('wallet_connect', undefined)
  await kit.connect({ walletId: 'a' })
  expect(kit.getState()).toMatchObject({ status: 'connected', session: { address: account } })
  expect(calls.filter((call) => call === 'nonce')).toHaveLength(3)
  expect(codes).toEqual([])
})

test('a session of another account is ended', async () => {
  const verify = async () => ({ address: other, chainId: 56, expiresAt: Date.now() + 3_600_000 })
  const { kit, calls } = setup({ adapter: { verify } })
  await kit.connect({ walletId: 'a' })
  expect(kit.getState()).toMatchObject({ status: 'unauthenticated', signIn: { error: { stage: 'generic' } } })
  expect(kit.getState().session).toBeUndefined()
  await expect.poll(() => calls).toContain('signout')
})

test('behavior: user rejected request: disconnected, and the same message is asked again', async () => {
  const { kit, a, calls } = setup({ a: { behaviours: { wallet_connect: 'reject' } } })
  await expect(kit.connect({ walletId: 'a' })).rejects.toMatchObject({ name: 'UserRejectedError' })
  expect(kit.getState().status).toBe('disconnected')
  a.setBehaviour('wallet_connect', undefined)
  await kit.connect({ walletId: 'a' })
  expect(kit.getState().status).toBe('connected')
  expect(calls).toEqual(['nonce', 'verify'])
})

test('behavior: cancelled while the server verifies: not connected, and the late session is ended', async () => {
  let answer = (_: Session) => {}
  const verify = () =>
    new Promise<Session>((resolve) => {
      answer = resolve
    })
  const asked = vi.fn(verify)
  const { kit, calls } = setup({ adapter: { verify: asked } })
  const controller = new AbortController()
  const connected = kit.connect({ walletId: 'a', signal: controller.signal })
  await expect.poll(() => asked.mock.calls.length).toBe(1)
  controller.abort()
  await expect(connected).rejects.toMatchObject({ name: 'AbortedError' })
  answer({ address: account, chainId: 56, expiresAt: Date.now() + 3_600_000 })
  await expect.poll(() => calls).toContain('signout')
  expect(kit.getState()).toMatchObject({ status: 'disconnected' })
})

test('property: no answer of a wallet signs in without the message and a signature of its account', async () => {
  const odd = fc.oneof(fc.anything(), fc.constantFrom(account, other, getAddress(other), '0x', `0x${'1'.repeat(130)}`))
  const signed = fc.oneof(odd, fc.record({ message: odd, signature: odd }, { requiredKeys: [] }))
  const entry = fc.oneof(
    odd,
    fc.record({ address: odd, capabilities: fc.oneof(odd, fc.record({ signInWithEthereum: signed })) }),
    signed.map((signInWithEthereum) => ({ address: account, capabilities: { signInWithEthereum } })),
  )
  const answer = fc.oneof(odd, fc.record({ accounts: fc.oneof(odd, fc.array(entry, { maxLength: 3 })) }))
  await fc.assert(
    fc.asyncProperty(answer, async (result) => {
      const { kit, calls } = setup({ a: { behaviours: { wallet_connect: { result } } } })
      await kit.connect({ walletId: 'a' }).catch(() => {})
      expect(kit.getState().session).toBeUndefined()
      expect(['unauthenticated', 'disconnected']).toContain(kit.getState().status)
      expect(calls).not.toContain('verify')
      kit.destroy()
    }),
    { numRuns: 200 },
  )
})

test('the message that the wallet writes is the one that the app would ask to sign', async () => {
  const verified: string[] = []
  const { kit, adapter } = setup({
    adapter: {
      createMessage: ({ nonce, address, chainId }) =>
        createSiweMessage({
          ...{
            version: '1',
            domain: 'app.example:8443',
            scheme: 'https',
            uri: `${origin}/start`,
            nonce,
            address,
            chainId,
          },
          ...{ issuedAt: new Date(0), expirationTime: new Date(1e12), notBefore: new Date(1), requestId: 'r1' },
          resources: ['https://app.example/terms', 'https://app.example/privacy'],
        }),
      verify: async ({ message }) => {
        verified.push(message)
        return { address: account, chainId: 56, expiresAt: Date.now() + 3_600_000 }
      },
    },
  })
  await kit.connect({ walletId: 'a' })
  const { nonce = '' } = parseSiweMessage(verified[0] ?? '')
  expect(verified).toEqual([await adapter.createMessage({ nonce, address: account, chainId: 56 })])
  expect(kit.getState().status).toBe('connected')
})
