import type { Address, Hex } from 'viem'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { setupKit } from '../../testing/setupKit.ts'
import { toWalletKitError } from '../lib/errors.ts'
import type { AuthenticationAdapter, AuthenticationConfig, Session } from '../state/authentication.ts'
import type { WalletKitConfig } from '../state/config.ts'

const privateKey: Hex = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const account: Address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const other: Address = '0x00000000219ab540356cBB839Cbe05303d7705Fa'
const hour = 3_600_000

const createSession = (change: Partial<Session> = {}): Session => ({
  address: account,
  chainId: 56,
  expiresAt: Date.now() + hour,
  ...change,
})

/** Creates an adapter with a new nonce for each message, which records its calls. */
function createAdapter(change: Partial<AuthenticationAdapter> = {}) {
  const calls: string[] = []
  const verified: { message: string; signature: Hex }[] = []
  let nonces = 0
  const adapter: AuthenticationAdapter = {
    getNonce: async () => {
      calls.push('nonce')
      return `nonce000${++nonces}`
    },
    createMessage: ({ nonce, address, chainId }) => `${nonce} ${address} ${chainId}`,
    verify: async (signed) => {
      calls.push('verify')
      verified.push(signed)
      return createSession({ address: signed.message.split(' ')[1] as Address })
    },
    signOut: async () => void calls.push('signOut'),
    ...change,
  }
  return { adapter, calls, verified }
}

type Options = Omit<WalletKitConfig, 'authentication' | 'appName' | 'chains' | 'transports' | 'wallets'>

function setup(
  change: Partial<AuthenticationAdapter> = {},
  config: Omit<Partial<AuthenticationConfig>, 'adapter'> & Partial<Options> = {},
) {
  const { required, covers, ...rest } = config
  const server = createAdapter(change)
  const authentication = { adapter: server.adapter, ...(required && { required }), ...(covers && { covers }) }
  const made = setupKit({ a: { privateKey, knownChains: [1, 56] }, authentication, ...rest })
  return { ...made, ...server }
}

const step = ({ kit }: ReturnType<typeof setup>) => {
  const { dialog, signIn } = kit.getState()
  return dialog.name === 'signIn' ? signIn : undefined
}
const reaches = (made: ReturnType<typeof setup>, name: string) => expect.poll(() => step(made)?.name).toBe(name)
/** Connects, and opens the dialog until its message is prepared. */
async function setupOpen(...parameters: Parameters<typeof setup>) {
  const made = setup(...parameters)
  await made.kit.connect({ walletId: 'a' })
  void made.kit.openSignInDialog()
  await reaches(made, 'idle')
  return made
}
const failure = async (promise: Promise<unknown>) => {
  const error = toWalletKitError(
    await promise.then(
      () => new Error('It did not fail.'),
      (thrown: unknown) => thrown,
    ),
  )
  return 'stage' in error ? `${error.name} ${error.stage}` : error.name
}

const unhandled: unknown[] = []
const onUnhandled = (reason: unknown) => void unhandled.push(reason)
beforeEach(() => void process.on('unhandledRejection', onUnhandled))
afterEach(() => {
  process.off('unhandledRejection', onUnhandled)
  localStorage.clear()
  expect(unhandled.splice(0)).toEqual([])
})

describe('optional', () => {
  test('connects without signing, signs in without a dialog', async () => {
    const { kit, a, verified } = setup()
    await kit.connect({ walletId: 'a' })
    expect(kit.getState()).toMatchObject({ status: 'connected', dialog: { name: 'none' } })
    expect(a.requests.map(({ method }) => method)).not.toContain('personal_sign')

    const session = await kit.signIn()
    expect(session).toMatchObject({ address: account, chainId: 56 })
    expect(kit.getState()).toMatchObject({ status: 'connected', session })
    expect(kit.getState()).not.toHaveProperty('signIn')
    expect(verified[0]?.message).toBe(`nonce0001 ${account} 56`)
    expect(verified[0]?.signature).toMatch(/^0x[0-9a-f]{130}$/)
  })

  test('closing the dialog leaves the wallet connected', async () => {
    const made = setup()
    await made.kit.connect({ walletId: 'a' })
    const opened = made.kit.openSignInDialog()
    await reaches(made, 'idle')
    made.kit.closeDialog()
    expect(await opened).toBeUndefined()
    expect(made.kit.getState().status).toBe('connected')
  })

  test('behavior: the dialog opens while the app’s signIn() prepares its message: one nonce, one signature', async () => {
    let resolveNonce = (_: string) => {}
    const getNonce = vi.fn(() => new Promise<string>((resolve) => (resolveNonce = resolve)))
    const { kit, a } = setup({ getNonce })
    await kit.connect({ walletId: 'a' })
    const signing = kit.signIn()
    await expect.poll(() => getNonce.mock.calls.length).toBe(1)
    const opened = kit.openSignInDialog()
    await vi.dynamicImportSettled()
    resolveNonce('nonce0001')
    expect(await signing).toMatchObject({ address: account })
    expect(await opened).toMatchObject({ address: account })
    expect(getNonce).toHaveBeenCalledTimes(1)
    expect(a.requests.filter(({ method }) => method === 'personal_sign')).toHaveLength(1)
  })

  test.each([
    ['the server gives no nonce', { getNonce: () => Promise.reject(new Error('offline')) }, 'SignInError preparing'],
    ['the server refuses it', { verify: () => Promise.reject(new Error('no')) }, 'SignInError verifying'],
  ])('error: signing in without the dialog, %s: no step stays', async (_, change, name) => {
    const { kit } = setup(change)
    await kit.connect({ walletId: 'a' })
    expect(await failure(kit.signIn())).toBe(name)
    expect(kit.getState()).not.toHaveProperty('signIn')
  })

  test('behavior: a double tap asks the wallet once', async () => {
    const { kit, a } = setup()
    await kit.connect({ walletId: 'a' })
    const [first, second] = await Promise.all([kit.signIn(), kit.signIn()])
    expect(second).toBe(first)
    expect(a.requests.filter(({ method }) => method === 'personal_sign')).toHaveLength(1)
  })
})

describe('behavior: the connection changes during sign-in', () => {
  test.each(['personal_sign', undefined] as const)(
    'without the dialog no step stays when the account changes (pending: %s)',
    async (pending) => {
      const { kit, a } = setup()
      await kit.connect({ walletId: 'a' })
      a.setBehaviour('personal_sign', pending ? 'hang' : 'reject')
      const signed = failure(kit.signIn())
      await expect.poll(() => kit.getState().signIn?.name).toBe(pending ? 'signing' : 'idle')
      a.setAccounts([other])
      expect(await signed).toBe(pending ? 'AbortedError' : 'UserRejectedError')
      expect(kit.getState().signIn).toBeUndefined()
    },
  )

  test('the dialog prepares a new message when the same account connects again', async () => {
    const made = setup({}, { required: true })
    await made.kit.connect({ walletId: 'a' })
    await reaches(made, 'idle')
    await made.kit.connect({ walletId: 'a' })
    await reaches(made, 'idle')
    await made.kit.signIn()
    expect(made.kit.getState().status).toBe('connected')
    expect(made.calls).toEqual(['nonce', 'nonce', 'verify'])
  })

  test('the dialog prepares a new message when the same account connects again while signing', async () => {
    const made = setup({}, { required: true })
    await made.kit.connect({ walletId: 'a' })
    await reaches(made, 'idle')
    made.a.setBehaviour('personal_sign', 'hang')
    const signed = failure(made.kit.signIn())
    await reaches(made, 'signing')
    await made.kit.connect({ walletId: 'a' })
    expect(await signed).toBe('AbortedError')
    await reaches(made, 'idle')
  })

  test('a listener that disconnects once the message is prepared: the wallet is not asked to sign', async () => {
    const { kit, a } = setup()
    await kit.connect({ walletId: 'a' })
    kit.subscribe(({ signIn }) => void (signIn?.name === 'idle' && kit.disconnect()))
    expect(await failure(kit.signIn())).toBe('AbortedError')
    expect(a.requests.map(({ method }) => method)).not.toContain('personal_sign')
  })
})

describe('required', () => {
  test('sign-in follows the connection, and open() resolves once it is done', async () => {
    const made = setup({}, { required: true })
    const { kit } = made
    const opened = kit.openConnectDialog()
    kit.dispatch({ type: 'pick', walletId: 'a' })
    await reaches(made, 'idle')
    expect(kit.getState().status).toBe('unauthenticated')
    await kit.signIn()
    expect(await opened).toMatchObject({ address: account })
    expect(kit.getState()).toMatchObject({ status: 'connected', dialog: { name: 'none' } })
  })

  test('closing cancels and disconnects', async () => {
    const made = setup({}, { required: true })
    const { kit } = made
    const opened = kit.openConnectDialog()
    kit.dispatch({ type: 'pick', walletId: 'a' })
    await reaches(made, 'idle')
    kit.closeDialog()
    expect(await opened).toBeUndefined()
    expect(kit.getState()).toMatchObject({ status: 'disconnected', dialog: { name: 'none' } })
    expect(await made.createKit().reconnect()).toBeUndefined()
  })

  test('after a reload: unauthenticated without a dialog; open() then opens sign-in', async () => {
    const made = setup({}, { required: true })
    await made.kit.connect({ walletId: 'a' })
    const kit = made.createKit()
    await kit.reconnect()
    expect(kit.getState()).toMatchObject({ status: 'unauthenticated', dialog: { name: 'none' } })
    kit.openAccountDialog()
    kit.openNetworkDialog()
    expect(kit.getState().dialog.name).toBe('none')
    const opened = kit.openConnectDialog()
    expect(kit.getState().dialog.name).toBe('signIn')
    await kit.signIn()
    expect(await opened).toMatchObject({ address: account })
  })

  test('behavior: the session is restored before the status is connected', async () => {
    const made = setup({ getSession: async () => createSession() }, { required: true })
    await made.kit.connect({ walletId: 'a' })
    expect(made.kit.getState()).toMatchObject({ status: 'connected', session: { address: account } })
    const kit = made.createKit()
    const seen = new Set<string>()
    kit.subscribe(({ status }) => seen.add(status))
    await kit.reconnect()
    expect([...seen]).toEqual(['reconnecting', 'connected'])
  })

  test.each([
    ['is of another account', async () => createSession({ address: other })],
    ['has expired', async () => createSession({ expiresAt: Date.now() - 1 })],
    ['is invalid', async () => ({ address: 7 }) as unknown as Session],
    ['throws', async () => Promise.reject(new Error('offline'))],
  ])('behavior: a session that %s is ignored', async (_, getSession) => {
    const { kit } = setup({ getSession }, { required: true })
    await kit.connect({ walletId: 'a' })
    expect(kit.getState().status).toBe('unauthenticated')
    expect(kit.getState().session).toBeUndefined()
  })
})

describe('the message', () => {
  test('is prepared before the tap, which requests the signature synchronously', async () => {
    const made = setup()
    await made.kit.connect({ walletId: 'a' })
    void made.kit.openSignInDialog()
    expect(step(made)).toEqual({ name: 'preparing' })
    await reaches(made, 'idle')
    expect(made.calls).toEqual(['nonce'])
    const signed = made.kit.signIn()
    expect(made.a.requests.at(-1)?.method).toBe('personal_sign')
    expect(step(made)).toEqual({ name: 'signing' })
    await signed
  })

  test('behavior: rejected: idle without an error, and the unused nonce can still be signed', async () => {
    const made = await setupOpen()
    const { kit, a, calls } = made
    a.setBehaviour('personal_sign', 'reject')
    expect(await failure(kit.signIn())).toBe('UserRejectedError')
    expect(step(made)).toEqual({ name: 'idle' })
    expect(kit.getState().error).toBeUndefined()
    a.setBehaviour('personal_sign', undefined)
    await kit.signIn()
    expect(calls).toEqual(['nonce', 'verify'])
  })

  test.each([
    ['the server fails', { verify: async () => Promise.reject(new Error('401')) }, 'SignInError verifying'],
    ['the server returns no session', { verify: async () => 'ok' as unknown as Session }, 'SignInError verifying'],
    [
      'the session is of another account',
      { verify: async () => createSession({ address: other }) },
      'SignInError generic',
    ],
  ])('error: %s: shown, and a used nonce is never sent again', async (_, change, name) => {
    let isBroken = true
    const { adapter: good } = createAdapter()
    const nonces: string[] = []
    const made = await setupOpen({
      verify: (signed) => {
        nonces.push(signed.message.split(' ')[0] ?? '')
        return isBroken ? change.verify() : good.verify(signed)
      },
    })
    const { kit } = made
    expect(await failure(kit.signIn())).toBe(name)
    await reaches(made, 'idle')
    expect(step(made)).toMatchObject({ error: { stage: name.split(' ')[1] } })
    expect(kit.getState().session).toBeUndefined()
    isBroken = false
    await kit.signIn()
    expect(nonces).toEqual(['nonce0001', 'nonce0002'])
  })

  test.each([
    ['fails', { getNonce: async () => Promise.reject(new Error('offline')) }],
    [
      'throws synchronously',
      {
        getNonce: () => {
          throw new Error('no')
        },
      },
    ],
    ['returns no nonce', { getNonce: async () => ({ nonce: 1 }) as unknown as string }],
    ['returns a nonce with a line break', { getNonce: async () => 'nonce001\nURI: https://evil.example' }],
    ['returns no message', { createMessage: () => '' }],
    [
      'cannot create the message',
      {
        createMessage: () => {
          throw new Error('no')
        },
      },
    ],
  ])('error: the adapter %s: preparing can be retried', async (_, change) => {
    const made = setup(change)
    const { kit, adapter } = made
    await kit.connect({ walletId: 'a' })
    void kit.openSignInDialog()
    await reaches(made, 'unprepared')
    expect(step(made)).toMatchObject({ error: { stage: 'preparing' } })
    expect(await failure(kit.signIn())).toBe('SignInError preparing')
    Object.assign(adapter, createAdapter().adapter)
    void kit.openSignInDialog()
    await reaches(made, 'idle')
    expect(step(made)).toEqual({ name: 'idle' })
  })

  test.each<[string, Parameters<ReturnType<typeof setup>['a']['setBehaviour']>[1]]>([
    ['fails', { error: { code: -32603, message: 'Internal error' } }],
    ['throws', 'throw'],
    ['returns an invalid signature', { result: 'yes' }],
    ['returns null', { result: null }],
    ['has another request open', 'alreadyOpen'],
  ])('error: the wallet %s: shown, with a new nonce', async (_, behaviour) => {
    const made = await setupOpen()
    const { kit, a, calls } = made
    a.setBehaviour('personal_sign', behaviour)
    expect(await failure(kit.signIn())).toBe('SignInError signing')
    await reaches(made, 'idle')
    expect(step(made)).toMatchObject({ error: { stage: 'signing' } })
    a.setBehaviour('personal_sign', undefined)
    await kit.signIn()
    expect(calls).toEqual(['nonce', 'nonce', 'verify'])
  })
})

describe('with time', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }))
  afterEach(() => void vi.useRealTimers())
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

  async function opened(change: Partial<AuthenticationAdapter> = {}) {
    const made = setup(change)
    await made.kit.connect({ walletId: 'a' })
    void made.kit.openSignInDialog()
    await import('./createSignIn.ts')
    for (let round = 0; round < 5; round++) await settle()
    return made
  }

  test('behavior: a nonce is replaced before it expires', async () => {
    const made = await opened()
    expect(made.calls).toEqual(['nonce'])
    for (let minute = 0; minute < 10; minute++) {
      vi.advanceTimersByTime(60_000)
      await settle()
    }
    expect(made.calls).toEqual(['nonce', 'nonce'])
    expect(step(made)).toEqual({ name: 'idle' })
  })

  test('behavior: a page that was suspended does not sign a stale message', async () => {
    const made = await opened()
    vi.setSystemTime(Date.now() + 600_000)
    await made.kit.signIn()
    expect(made.calls).toEqual(['nonce', 'nonce', 'verify'])
  })

  test.each([
    ['getNonce', 'unprepared', 'preparing'],
    ['createMessage', 'unprepared', 'preparing'],
  ] as const)('error: %s never answers', async (name, to, stage) => {
    const made = await opened({ [name]: () => new Promise(() => {}) })
    expect(step(made)).toEqual({ name: 'preparing' })
    vi.advanceTimersByTime(10_000)
    await settle()
    expect(step(made)).toMatchObject({ name: to, error: { stage } })
  })

  test('error: verify never answers', async () => {
    const made = await opened({ verify: () => new Promise(() => {}) })
    const failed = failure(made.kit.signIn())
    await settle()
    await reaches(made, 'verifying')
    vi.advanceTimersByTime(10_000)
    expect(await failed).toBe('SignInError verifying')
  })

  test('behavior: a session that arrives too late is ended', async () => {
    const answers: ((session: Session) => void)[] = []
    const made = await opened({ verify: () => new Promise((resolve) => answers.push(resolve)) })
    const failed = failure(made.kit.signIn())
    await settle()
    await reaches(made, 'verifying')
    vi.advanceTimersByTime(10_000)
    expect(await failed).toBe('SignInError verifying')
    answers[0]?.(createSession())
    await settle()
    expect(made.calls).toContain('signOut')
    expect(made.kit.getState().session).toBeUndefined()
  })

  test('behavior: a session ends when it expires, also after months', async () => {
    const days = 40 * 24 * hour
    const made = await opened({ verify: async () => createSession({ expiresAt: Date.now() + days }) })
    await made.kit.signIn()
    vi.advanceTimersByTime(days - 1)
    expect(made.kit.getState().session).toBeDefined()
    vi.advanceTimersByTime(2)
    expect(made.kit.getState().session).toBeUndefined()
  })
})

describe('cancelled', () => {
  test('behavior: closed while signing: a late signature is not sent', async () => {
    const made = await setupOpen()
    const { kit, a, calls } = made
    a.setBehaviour('personal_sign', 'wait')
    const failed = failure(kit.signIn())
    kit.closeDialog()
    expect(await failed).toBe('AbortedError')
    a.release()
    await new Promise((resolve) => setImmediate(resolve))
    expect(calls).not.toContain('verify')
  })

  test('behavior: the server is lost while verifying: the next message fails too, and the first failure is shown', async () => {
    const failing = { is: false }
    const made = setup({
      getNonce: async () => (failing.is ? Promise.reject(new Error('offline')) : 'nonce00001'),
      verify: async () => {
        failing.is = true
        throw new Error('offline')
      },
    })
    await made.kit.connect({ walletId: 'a' })
    void made.kit.openSignInDialog()
    await reaches(made, 'idle')
    expect(await failure(made.kit.signIn())).toBe('SignInError verifying')
    await reaches(made, 'unprepared')
    expect(step(made)).toMatchObject({ error: { stage: 'verifying' } })
    expect(await failure(made.kit.signIn())).toBe('SignInError preparing')
    failing.is = false
    expect(await failure(made.kit.signIn())).toBe('SignInError verifying')
  })

  test('behavior: closed while verifying: the session is ended', async () => {
    const answers: ((session: Session) => void)[] = []
    const made = await setupOpen({ verify: () => new Promise((resolve) => answers.push(resolve)) })
    const { kit, calls } = made
    const failed = failure(kit.signIn())
    await reaches(made, 'verifying')
    kit.closeDialog()
    expect(await failed).toBe('AbortedError')
    answers[0]?.(createSession())
    await expect.poll(() => calls).toContain('signOut')
    expect(kit.getState().session).toBeUndefined()
  })

  test('behavior: the account changes while signing: another message is prepared', async () => {
    const made = await setupOpen()
    const { kit, a, verified } = made
    a.setBehaviour('personal_sign', 'wait')
    const failed = failure(kit.signIn())
    a.setAccounts([other])
    expect(await failed).toBe('AbortedError')
    await reaches(made, 'idle')
    a.setBehaviour('personal_sign', undefined)
    await kit.signIn()
    expect(verified[0]?.message).toContain(other)
  })

  test('behavior: the kit is destroyed while verifying: the session is ended', async () => {
    const answers: ((session: Session) => void)[] = []
    const made = await setupOpen({ verify: () => new Promise((resolve) => answers.push(resolve)) })
    const { kit, calls } = made
    const failed = failure(kit.signIn())
    await reaches(made, 'verifying')
    kit.destroy()
    expect(await failed).toBe('AbortedError')
    answers[0]?.(createSession())
    await expect.poll(() => calls).toContain('signOut')
  })

  test('behavior: the kit is destroyed', async () => {
    const made = setup()
    await made.kit.connect({ walletId: 'a' })
    const opened = made.kit.openSignInDialog()
    await reaches(made, 'idle')
    made.a.setBehaviour('personal_sign', 'hang')
    const failed = failure(made.kit.signIn())
    made.kit.destroy()
    expect(await failed).toBe('AbortedError')
    expect(await opened).toBeUndefined()
  })
})

describe('account and chain', () => {
  test('another account ends the session, here and at the server', async () => {
    const { kit, a, calls } = setup()
    await kit.connect({ walletId: 'a' })
    await kit.signIn()
    a.setAccounts([other])
    expect(kit.getState()).toMatchObject({ status: 'connected', address: other })
    expect(kit.getState().session).toBeUndefined()
    await expect.poll(() => calls).toContain('signOut')
  })

  test('with required sign-in, another account closes the account dialog', async () => {
    const { kit, a } = setup({}, { required: true })
    await kit.connect({ walletId: 'a' })
    await kit.signIn()
    kit.openAccountDialog()
    a.setAccounts([other])
    expect(kit.getState()).toMatchObject({ status: 'unauthenticated', dialog: { name: 'none' } })
  })

  test('behavior: with `covers` a session can be valid for another account', async () => {
    const { kit, a, calls } = setup({}, { required: true, covers: () => true })
    await kit.connect({ walletId: 'a' })
    await kit.signIn()
    a.setAccounts([other])
    expect(kit.getState()).toMatchObject({ status: 'connected', session: { address: account } })
    expect(calls).not.toContain('signOut')
  })

  test('another chain keeps the session', async () => {
    const { kit, a } = setup()
    await kit.connect({ walletId: 'a' })
    await kit.signIn()
    a.setChain(1)
    expect(kit.getState().session).toBeDefined()
  })

  test('behavior: with `covers` a session can be limited to its chain', async () => {
    const { kit, a } = setup({}, { covers: (session, { chainId }) => session.chainId === chainId })
    await kit.connect({ walletId: 'a' })
    await kit.signIn()
    a.setChain(1)
    expect(kit.getState().session).toBeUndefined()
  })

  test('wrong network: nothing is signed; after a switch in the dialog the message is prepared', async () => {
    const made = setup()
    const { kit, a } = made
    await kit.connect({ walletId: 'a' })
    a.setChain(137)
    await expect(kit.signIn()).rejects.toMatchObject({
      name: 'ChainError',
      shortMessage: 'Wrong network detected, switch or disconnect to continue.',
    })
    void kit.openSignInDialog()
    expect(step(made)).toEqual({ name: 'wrongNetwork' })
    a.setBehaviour('wallet_switchEthereumChain', 'reject')
    expect(await failure(kit.switchChain({ chainId: 56 }))).toBe('UserRejectedError')
    expect(step(made)).toMatchObject({ name: 'wrongNetwork', error: { name: 'UserRejectedError' } })
    a.setBehaviour('wallet_switchEthereumChain', undefined)
    await kit.switchChain({ chainId: 56 })
    await reaches(made, 'idle')
    a.setChain(137)
    expect(step(made)).toEqual({ name: 'wrongNetwork' })
    expect(a.requests.map(({ method }) => method)).not.toContain('personal_sign')
  })
})

describe('signing out', () => {
  test('stays connected, and ends the session at the server', async () => {
    const { kit, calls } = setup()
    await kit.connect({ walletId: 'a' })
    await kit.signIn()
    await kit.signOut()
    expect(kit.getState().status).toBe('connected')
    expect(kit.getState().session).toBeUndefined()
    expect(calls.at(-1)).toBe('signOut')
  })

  test('error: the server is unreachable: signed out here, and the promise rejects', async () => {
    const { kit } = setup({ signOut: async () => Promise.reject(new Error('offline')) })
    await kit.connect({ walletId: 'a' })
    await kit.signIn()
    expect(await failure(kit.signOut())).toBe('SignInError generic')
    expect(kit.getState().session).toBeUndefined()
  })

  test('behavior: while the server verifies: stays signed out', async () => {
    let approve = () => {}
    const verify = () =>
      new Promise<Session>((resolve) => {
        approve = () => resolve(createSession())
      })
    const made = setup({ verify })
    await made.kit.connect({ walletId: 'a' })
    const signing = failure(made.kit.signIn())
    await expect.poll(() => made.kit.getState().signIn?.name).toBe('verifying')
    const signedOut = made.kit.signOut()
    approve()
    expect(await signing).toBe('AbortedError')
    await signedOut
    expect(made.kit.getState().session).toBeUndefined()
    expect(made.calls.at(-1)).toBe('signOut')
  })

  test('behavior: while the session of this browser is read: stays signed out', async () => {
    const answers: ((session: Session) => void)[] = []
    const made = setup({ getSession: () => new Promise((resolve) => answers.push(resolve)) })
    await made.kit.connect({ walletId: 'a' })
    await expect.poll(() => answers).toHaveLength(1)
    const signedOut = made.kit.signOut()
    answers[0]?.(createSession())
    await signedOut
    expect(made.kit.getState().session).toBeUndefined()
  })

  test.each<[string, (made: ReturnType<typeof setup>) => unknown]>([
    ['disconnect()', ({ kit }) => kit.disconnect()],
    ['the wallet ends the connection', ({ a }) => a.disconnect()],
    ['another wallet is connected', ({ kit }) => kit.connect({ walletId: 'b' })],
  ])('behavior: %s', async (_, act) => {
    const made = setup()
    await made.kit.connect({ walletId: 'a' })
    await made.kit.signIn()
    await act(made)
    await expect.poll(() => made.kit.getState().session).toBeUndefined()
    await expect.poll(() => made.calls.filter((call) => call === 'signOut')).toHaveLength(1)
  })

  test('error: no authentication was configured; not connected', async () => {
    const { kit } = setupKit()
    expect(await failure(kit.signIn())).toBe('ConfigurationError')
    expect(await kit.openSignInDialog()).toBeUndefined()
    expect(await failure(setup().kit.signIn())).toBe('WalletNotAvailableError')
  })
})

describe('tabs', () => {
  test('sign in and out together, and the server is called once', async () => {
    let session: Session | undefined
    const made = setup({ getSession: async () => session }, { required: true })
    const verify = made.adapter.verify
    made.adapter.verify = async (signed) => {
      session = await verify(signed)
      return session
    }
    const [here, there] = [made.createKit({ storage: undefined }), made.createKit({ storage: undefined })]
    await here.connect({ walletId: 'a' })
    await there.reconnect()
    expect(there.getState().status).toBe('unauthenticated')
    await here.signIn()
    await expect.poll(() => there.getState().status).toBe('connected')
    await here.signOut()
    await expect.poll(() => there.getState().status).toBe('unauthenticated')
    expect(made.calls.filter((call) => call === 'signOut')).toHaveLength(1)
  })

  test('behavior: a thousand messages that another tab has signed in: the server is asked twice', async () => {
    const answers: ((session: Session) => void)[] = []
    const getSession = vi.fn(() => new Promise<Session>((resolve) => answers.push(resolve)))
    const { kit } = setup({ getSession }, { storage: undefined })
    await kit.connect({ walletId: 'a' })
    await expect.poll(() => answers).toHaveLength(1)
    const tab = new BroadcastChannel('walletKit.v1')
    const heard = vi.fn()
    const listener = new BroadcastChannel('walletKit.v1')
    listener.onmessage = heard
    for (let count = 0; count < 1_000; count++) tab.postMessage('signedIn')
    await expect.poll(() => heard.mock.calls).toHaveLength(1_000)
    answers[0]?.(createSession({ address: other }))
    await expect.poll(() => answers).toHaveLength(2)
    const session = createSession()
    answers[1]?.(session)
    await expect.poll(() => kit.getState().session).toEqual(session)
    await vi.dynamicImportSettled()
    expect(getSession).toHaveBeenCalledTimes(2)
    for (const channel of [tab, listener]) channel.close()
  })

  test('behavior: signed out between two of these messages: the answer before it is not shown after it', async () => {
    const answers: ((session: Session | undefined) => void)[] = []
    const getSession = () => new Promise<Session | undefined>((resolve) => answers.push(resolve))
    const { kit } = setup({ getSession }, { storage: undefined })
    await kit.connect({ walletId: 'a' })
    await expect.poll(() => answers).toHaveLength(1)
    const tab = new BroadcastChannel('walletKit.v1')
    const send = async () => {
      tab.postMessage('signedIn')
      await new Promise((resolve) => setTimeout(resolve))
    }
    await send()
    void kit.signOut()
    await send()
    answers[0]?.(undefined)
    await expect.poll(() => answers).toHaveLength(2)
    answers[1]?.(createSession())
    await expect.poll(() => answers).toHaveLength(3)
    answers[2]?.(undefined)
    await new Promise((resolve) => setTimeout(resolve))
    expect(kit.getState().session).toBeUndefined()
    tab.close()
  })

  test('disconnect in one tab calls the server once', async () => {
    const made = setup({ getSession: async () => createSession() })
    const [here, there] = [made.createKit({ storage: undefined }), made.createKit({ storage: undefined })]
    await here.connect({ walletId: 'a' })
    await there.reconnect()
    for (const kit of [here, there]) await expect.poll(() => kit.getState().session).toBeDefined()
    await here.disconnect()
    await expect.poll(() => there.getState().status).toBe('disconnected')
    await expect.poll(() => made.calls).toContain('signOut')
    expect(made.calls.filter((call) => call === 'signOut')).toHaveLength(1)
  })
})
