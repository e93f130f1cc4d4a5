import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { announceWallet } from '../../testing/announceWallet.ts'
import { createScriptedAuthentication } from '../../testing/createScriptedAuthentication.ts'
import {
  createScriptedWallet,
  type ScriptedWallet,
  type ScriptedWalletOptions,
} from '../../testing/createScriptedWallet.ts'
import { memoryStorage } from '../../testing/memoryStorage.ts'
import { setupKit } from '../../testing/setupKit.ts'
import type { KeyValueStorage } from '../lib/storage.ts'
import type { AuthenticationConfig } from '../state/authentication.ts'
import { injectedConnector } from '../wallets/injected.ts'
import type { ConnectorConnection } from '../wallets/wallet.ts'

const account = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const other = '0x00000000219ab540356cBB839Cbe05303d7705Fa'
const key = 'walletKit.v1.connection'
const stored = (changes = {}) =>
  JSON.stringify({ walletId: 'a', kind: 'injected', address: account, chainId: 56, ...changes })
const kept = (changes = {}) => memoryStorage({ [key]: stored(changes) })
const minute = 60_000
/** Lets promises settle that nothing waits for. */
const settlePromises = () => new Promise((resolve) => setTimeout(resolve))

// Loaded first, so that no import is in progress while a test passes time.
beforeAll(() => Promise.all([import('./waitForAnswer.ts'), import('./connected.ts')]))

test('restores the last connection without a prompt', async () => {
  const { kit, createKit, a } = setupKit()
  await kit.connect({ walletId: 'a' })
  kit.destroy()
  a.requests.length = 0
  const next = createKit()
  expect(await next.reconnect()).toEqual({ walletId: 'a', address: account, chainId: 56 })
  expect(next.getState()).toMatchObject({ status: 'connected', isSupportedChain: true })
  expect(a.requests.map(({ method }) => method)).toEqual(['eth_accounts', 'eth_chainId'])
})

test('shows the stored address while reconnecting', () => {
  const { kit } = setupKit({ storage: kept({ chainId: 137 }) })
  void kit.reconnect()
  expect(kit.getState()).toMatchObject({
    status: 'reconnecting',
    address: account,
    chainId: 137,
    isSupportedChain: false,
    walletId: 'a',
  })
})

test('does nothing when nothing is stored', async () => {
  const { kit, a } = setupKit({ a: { authorized: true } })
  expect(await kit.reconnect()).toBeUndefined()
  expect(a.requests).toEqual([])
})

test('concurrent calls share one attempt', async () => {
  const { kit, a } = setupKit({ storage: kept(), a: { authorized: true } })
  const [first, second] = await Promise.all([kit.reconnect(), kit.reconnect()])
  expect(first).toEqual(second)
  expect(a.requests.filter(({ method }) => method === 'eth_accounts')).toHaveLength(1)
})

test('restores the account that is selected now, not the stored one', async () => {
  const { kit } = setupKit({ storage: kept(), a: { authorized: true, accounts: [other] } })
  expect(await kit.reconnect()).toMatchObject({ address: other })
})

test.each([
  ['locked', { authorized: true, locked: true }],
  ['no longer allowed', { authorized: false }],
  ['broken', { authorized: true, behaviours: { eth_accounts: 'throw' } }],
  ['full of nonsense', { authorized: true, behaviours: { eth_accounts: { result: { a: 1 } } } }],
] as const)('behavior: a wallet that is %s: disconnected, with no error', async (_, a) => {
  const { kit } = setupKit({ storage: kept(), a })
  expect(await kit.reconnect()).toBeUndefined()
  expect(kit.getState().status).toBe('disconnected')
  expect(kit.getState().error).toBeUndefined()
  expect(kit.getState().address).toBeUndefined()
})

test('behavior: a wallet that never answers: disconnected after ten seconds, and usable all the time', async () => {
  vi.useFakeTimers()
  const { kit } = setupKit({ storage: kept(), a: { behaviours: { eth_accounts: 'hang' } } })
  const restored = kit.reconnect()
  void kit.openConnectDialog()
  expect(kit.getState().dialog.name).toBe('connect')
  await vi.advanceTimersByTimeAsync(9_900)
  expect(kit.getState().status).toBe('reconnecting')
  await vi.advanceTimersByTimeAsync(200)
  expect(await restored).toBeUndefined()
  expect(kit.getState()).toMatchObject({ status: 'disconnected', dialog: { name: 'connect' } })
  vi.useRealTimers()
})

describe('an earlier page awaited the answer to a code', () => {
  const sessionKey = 'walletKit.v1.session'
  type Options = {
    lifetime?: number
    authentication?: AuthenticationConfig
    whileRestored?: (storage: KeyValueStorage) => void
    /** Whether the connect dialog showed the code. */
    isShown?: boolean
  }

  /** Sets up a kit with a wallet over the relay whose answer is awaited for a minute, or as long as given. */
  function setupAwaited(
    connection = {},
    options: ScriptedWalletOptions = {},
    { lifetime = minute, whileRestored, isShown = true, ...config }: Options = {},
  ) {
    const pairing = { walletId: 'relayed', topic: 'topic', expiry: Date.now() + lifetime, isShown }
    const storage = memoryStorage({ ...connection, [sessionKey]: JSON.stringify({ pairing, topic: 'earlier' }) })
    const asked: AbortSignal[] = []
    const ended: unknown[] = []
    let settle: (answer?: ConnectorConnection) => void = () => {}
    let fail: (error: unknown) => void = () => {}
    const answered = new Promise<ConnectorConnection | undefined>((resolve, reject) => {
      settle = resolve
      fail = reject
    })
    const resume = ({ signal }: { signal: AbortSignal }) => {
      asked.push(signal)
      return answered
    }
    const { provider } = createScriptedWallet({ authorized: true })
    const shown = { name: 'Wallet', iconUrl: '', iconBackground: '#fff' }
    const connect = async () => ({ provider, accounts: [other] as const, chainId: 56 })
    let isExpired = false
    const reconnect = async () => {
      whileRestored?.(storage)
      return isExpired ? undefined : connect()
    }
    const disconnect = async (provider: unknown) => void ended.push(provider)
    const connector = { kind: 'walletConnect', isReady: () => true, connect, resume, reconnect, disconnect }
    const wallets = [
      { ...shown, id: 'a', rdns: ['test.a'], connectors: [injectedConnector()] },
      { ...shown, id: 'relayed', connectors: [() => connector] },
    ]
    const { kit, createKit, a } = setupKit({
      storage,
      a: options,
      wallets: [{ groupName: 'Popular', wallets }],
      ...config,
    })
    return {
      ...{ kit, createKit, a, asked, ended, provider, storage },
      answer: () => void connect().then(settle),
      expire: () => settle(),
      fail: (error: unknown) => fail(error),
      expireSession: () => {
        isExpired = true
      },
    }
  }

  test('it is connected once the answer comes; until then nothing is, and other calls do not give it up', async () => {
    const { kit, asked, answer } = setupAwaited()
    expect(await kit.reconnect()).toBeUndefined()
    expect(kit.getState()).toMatchObject({ status: 'disconnected', attempt: { kind: 'background' } })
    expect(await kit.reconnect()).toBeUndefined()
    expect(asked.map(({ aborted }) => aborted)).toEqual([false])
    answer()
    await expect.poll(() => kit.getState()).toMatchObject({ status: 'connected', walletId: 'relayed', address: other })
  })

  test('behavior: the last wallet is locked: hidden, and the awaited one is connected', async () => {
    const { kit, answer } = setupAwaited({ [key]: stored() }, { authorized: true, locked: true })
    expect(await kit.reconnect()).toBeUndefined()
    answer()
    await expect.poll(() => kit.getState()).toMatchObject({ status: 'connected', walletId: 'relayed' })
  })

  test('behavior: the last wallet answers: the awaited answer is given up', async () => {
    const { kit, asked } = setupAwaited({ [key]: stored() }, { authorized: true })
    expect(await kit.reconnect()).toMatchObject({ walletId: 'a' })
    expect(asked.map(({ aborted }) => aborted)).toEqual([true])
  })

  test('behavior: a wallet is picked meanwhile: the awaited answer is given up', async () => {
    const { kit, asked } = setupAwaited()
    await kit.reconnect()
    expect(await kit.connect({ walletId: 'a' })).toMatchObject({ walletId: 'a' })
    expect(asked[0]?.aborted).toBe(true)
  })

  test('behavior: no answer comes: nothing is connected, and the attempt ends', async () => {
    const { kit, expire } = setupAwaited()
    await kit.reconnect()
    expire()
    await expect.poll(() => kit.getState()).not.toHaveProperty('attempt')
    expect(kit.getState().status).toBe('disconnected')
  })

  test('behavior: the person rejects it in the wallet: the dialog says so, and asks again', async () => {
    const { kit, fail, provider } = setupAwaited()
    await kit.reconnect()
    fail({ code: 5000, message: 'User rejected.' })
    const shown = () => kit.getState().dialog as { step?: object }
    await expect.poll(shown).toMatchObject({ name: 'connect', step: { walletId: 'relayed', phase: 'rejected' } })
    expect(kit.getState()).toMatchObject({ status: 'disconnected' })
    expect(kit.getState()).not.toHaveProperty('error')
    kit.dispatch({ type: 'retry' })
    await expect.poll(() => kit.getState().provider).toBe(provider)
  })

  test.each<[string, unknown, (kit: ReturnType<typeof setupAwaited>['kit']) => void, Options?]>([
    ['something else fails', new Error('The relay does not answer.'), () => {}],
    ['the person has opened the dialog', { code: 5000 }, (kit) => void kit.openConnectDialog()],
    ['the app showed the code without the dialog', { code: 5000 }, () => {}, { isShown: false }],
  ])('behavior: %s: the rejected step is not shown', async (_, error, act, options) => {
    const { kit, fail } = setupAwaited({}, {}, options)
    await kit.reconnect()
    act(kit)
    const { dialog } = kit.getState()
    fail(error)
    await expect.poll(() => kit.getState()).not.toHaveProperty('attempt')
    expect(kit.getState().dialog).toEqual(dialog)
  })

  test('behavior: the code has expired: not asked', async () => {
    const { kit, asked } = setupAwaited({}, {}, { lifetime: -1 })
    expect(await kit.reconnect()).toBeUndefined()
    expect(asked).toEqual([])
  })

  describe('it answers, and the server is asked for the session', () => {
    /** Sets up a kit whose server does not answer yet, and whose awaited wallet has answered. */
    async function setupAnswered(connection = {}) {
      const getSession = vi.fn(() => new Promise<undefined>(() => {}))
      const adapter = { ...createScriptedAuthentication(), getSession }
      const made = setupAwaited(connection, { authorized: true }, { authentication: { adapter, required: true } })
      void made.kit.reconnect()
      await expect.poll(() => made.asked).toHaveLength(1)
      made.answer()
      await expect.poll(() => getSession.mock.calls.length).toBeGreaterThan(0)
      return made
    }

    test.each<[string, (made: Awaited<ReturnType<typeof setupAnswered>>) => void]>([
      ['picks another wallet', ({ kit }) => void kit.connect({ walletId: 'a' }).catch(() => {})],
      ['picks the same wallet again', ({ kit }) => void kit.connect({ walletId: 'relayed' }).catch(() => {})],
      ['disconnects', ({ kit }) => void kit.disconnect()],
      ['leaves the page', ({ kit }) => kit.destroy()],
    ])('behavior: the person %s before: its session is ended', async (_, act) => {
      const made = await setupAnswered()
      act(made)
      await expect.poll(() => made.ended).toEqual([made.provider])
    })

    test('behavior: another tab has connected it meanwhile: its session stays', async () => {
      const made = await setupAnswered()
      made.storage.setItem(key, stored({ walletId: 'relayed', kind: 'walletConnect' }))
      made.kit.destroy()
      await settlePromises()
      expect(made.ended).toEqual([])
    })
  })

  test('behavior: it answers after the attempt has ended: its session is ended', async () => {
    const { kit, asked, ended, provider, answer } = setupAwaited()
    await kit.reconnect()
    await kit.connect({ walletId: 'a' })
    expect(asked[0]?.aborted).toBe(true)
    answer()
    await expect.poll(() => ended).toEqual([provider])
    expect(kit.getState()).toMatchObject({ status: 'connected', walletId: 'a' })
  })

  describe('an earlier page left a session', () => {
    /** Sets up a kit that has not restored the session of the wallet over the relay. */
    function setupLeft(options: Options = {}) {
      const made = setupAwaited({}, {}, options)
      made.storage.setItem(sessionKey, JSON.stringify({ topic: 'left', walletId: 'relayed' }))
      return made
    }

    test.each<[string, (kit: ReturnType<typeof setupAwaited>['kit']) => Promise<unknown>]>([
      ['connects another wallet', (kit) => kit.connect({ walletId: 'a' })],
      ['disconnects', (kit) => kit.disconnect()],
    ])('behavior: the person %s before it is restored: ended', async (_, act) => {
      const { kit, ended, provider } = setupLeft()
      await act(kit)
      await expect.poll(() => ended).toEqual([provider])
      expect(kit.getState().walletId).not.toBe('relayed')
    })

    test('behavior: the session has ended: the next page does not look for it', async () => {
      const whileRestored = vi.fn()
      const { kit, createKit, expireSession, storage } = setupLeft({ whileRestored })
      expireSession()
      await kit.connect({ walletId: 'a' })
      await expect.poll(() => whileRestored).toHaveBeenCalledOnce()
      expect(JSON.parse(storage.getItem(sessionKey) ?? '')).toEqual({ walletId: 'relayed' })
      await createKit().disconnect()
      await settlePromises()
      expect(whileRestored).toHaveBeenCalledOnce()
    })

    test('behavior: values of the wrong kind in the storage: ignored', async () => {
      const { kit, storage } = setupLeft()
      const walletId = { toString: 1 }
      const pairing = { walletId, topic: 'topic', expiry: Date.now() + minute }
      storage.setItem(sessionKey, JSON.stringify({ topic: 'left', walletId, pairing }))
      expect(await kit.connect({ walletId: 'a' })).toMatchObject({ walletId: 'a' })
    })

    test('behavior: the person connects its wallet anew: the connector itself replaces it', async () => {
      const { kit, ended } = setupLeft()
      await kit.connect({ walletId: 'relayed' })
      await settlePromises()
      expect(ended).toEqual([])
    })

    test('behavior: another session takes its place meanwhile: that one stays', async () => {
      const whileRestored = vi.fn((storage: KeyValueStorage) =>
        storage.setItem(sessionKey, JSON.stringify({ topic: 'new', walletId: 'relayed' })),
      )
      const { kit, ended } = setupLeft({ whileRestored })
      await kit.disconnect()
      await expect.poll(() => whileRestored).toHaveBeenCalledOnce()
      await settlePromises()
      expect(ended).toEqual([])
    })
  })

  test('it is connected: its session is not ended', async () => {
    const { kit, ended, answer } = setupAwaited()
    await kit.reconnect()
    answer()
    await expect.poll(() => kit.getState().status).toBe('connected')
    await settlePromises()
    expect(ended).toEqual([])
  })

  test.each<[string, (kit: ReturnType<typeof setupAwaited>['kit']) => Promise<unknown>]>([
    ['connects another wallet', (kit) => kit.connect({ walletId: 'a' })],
    ['disconnects', (kit) => kit.disconnect()],
  ])('behavior: the person %s: the next page does not await it', async (_, act) => {
    const { kit, storage } = setupAwaited()
    await act(kit)
    expect(JSON.parse(storage.getItem(sessionKey) ?? '')).toMatchObject({ topic: 'earlier', pairing: { expiry: 0 } })
  })

  // Its connector then withdraws the code, or ends the session that the wallet has approved.
  test.each<[string, (kit: ReturnType<typeof setupAwaited>['kit']) => Promise<unknown>]>([
    ['connects another wallet', (kit) => kit.connect({ walletId: 'a' })],
    ['disconnects', (kit) => kit.disconnect()],
  ])('behavior: the person %s before the page waits: the wallet is asked for what is left', async (_, act) => {
    const { kit, asked, storage, answer } = setupAwaited()
    await act(kit)
    await expect.poll(() => asked).toHaveLength(1)
    expect(JSON.parse(storage.getItem(sessionKey) ?? '')).toMatchObject({ pairing: { expiry: 0 } })
    answer()
    await settlePromises()
    expect(kit.getState().walletId).not.toBe('relayed')
    await kit.disconnect()
    await settlePromises()
    expect(asked).toHaveLength(1)
  })

  describe('another tab gets the answer', () => {
    const replaced = JSON.stringify({ topic: 'new', walletId: 'relayed' })

    test.each([
      ['is not connected yet', undefined],
      ['is connected', stored({ walletId: 'relayed', kind: 'walletConnect' })],
    ])('behavior: that tab %s: this one goes on with its session', async (_, connection) => {
      const { kit, storage, ended, expire } = setupAwaited()
      await kit.reconnect()
      storage.setItem(sessionKey, replaced)
      if (connection) storage.setItem(key, connection)
      expire()
      await expect.poll(() => kit.getState()).toMatchObject({ status: 'connected', walletId: 'relayed' })
      expect(ended).toEqual([])
    })

    test('behavior: that tab has connected another wallet: this one stays disconnected', async () => {
      const { kit, storage, expire } = setupAwaited()
      await kit.reconnect()
      storage.setItem(sessionKey, replaced)
      storage.setItem(key, stored())
      expire()
      await expect.poll(() => kit.getState()).not.toHaveProperty('attempt')
      expect(kit.getState().status).toBe('disconnected')
    })
  })
})

const answers = (method: string) => (a: ScriptedWallet) => {
  a.setBehaviour(method, undefined)
  a.release(method)
}
const waitsFor = (...methods: string[]): ScriptedWalletOptions => ({
  authorized: true,
  behaviours: Object.fromEntries(methods.map((method) => [method, 'wait'])),
})
type Late = [name: string, wallet: ScriptedWalletOptions, appears: (a: ScriptedWallet) => void]

describe.each<Late>([
  ['answers late', waitsFor('eth_accounts'), answers('eth_accounts')],
  ['gives its chain late', waitsFor('eth_chainId'), answers('eth_chainId')],
  [
    'lost the first requests, and answers later ones',
    { authorized: true, behaviours: { eth_accounts: 'hang' } },
    (a) => a.setBehaviour('eth_accounts', undefined),
  ],
  ['is unlocked late', { authorized: true, locked: true }, (a) => a.approve()],
  ['is allowed late', { authorized: false }, (a) => a.approve()],
  [
    'fails at first',
    { authorized: true, behaviours: { eth_accounts: 'throw' } },
    (a) => {
      a.setBehaviour('eth_accounts', undefined)
      a.emit('connect', { chainId: '0x38' })
    },
  ],
])('a wallet that %s', (_, wallet, appear) => {
  const setup = async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const made = setupKit({ storage: kept(), a: wallet })
    const restored = made.kit.reconnect()
    await vi.advanceTimersByTimeAsync(2 * minute)
    expect(await restored).toBeUndefined()
    expect(made.kit.getState().status).toBe('disconnected')
    return made
  }
  const settle = () => vi.advanceTimersByTimeAsync(2 * minute)

  test('behavior: restored as soon as it gives its account', async () => {
    const { kit, a } = await setup()
    appear(a)
    await settle()
    expect(kit.getState()).toMatchObject({ status: 'connected', walletId: 'a', address: account })
  })

  test.each<[string, (made: ReturnType<typeof setupKit>) => unknown, object]>([
    ['connects another wallet', ({ kit }) => kit.connect({ walletId: 'b' }), { status: 'connected', walletId: 'b' }],
    [
      'picks another wallet and rejects',
      ({ kit, b }) => {
        b.setBehaviour('eth_requestAccounts', 'reject')
        return kit.connect({ walletId: 'b' }).catch(() => {})
      },
      { status: 'disconnected' },
    ],
    ['disconnects', ({ kit }) => kit.disconnect(), { status: 'disconnected' }],
    ['disconnects in another tab', ({ storage }) => storage.removeItem(key), { status: 'disconnected' }],
    [
      'connects another wallet in another tab',
      ({ createKit }) => createKit().connect({ walletId: 'b' }),
      { status: 'disconnected' },
    ],
    ['leaves the page', ({ kit }) => kit.destroy(), { status: 'disconnected' }],
  ])('behavior: the person %s before: not restored', async (_, act, expected) => {
    const made = await setup()
    await act(made)
    appear(made.a)
    await settle()
    expect(made.kit.getState()).toMatchObject(expected)
  })

  test('behavior: reconnect() once more: restored, and no listener stays after destroy', async () => {
    const { kit, a } = await setup()
    const again = kit.reconnect()
    appear(a)
    await settle()
    await again
    expect(kit.getState()).toMatchObject({ status: 'connected', walletId: 'a' })
    kit.destroy()
    expect(a.listenerCount()).toBe(0)
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('late injection', () => {
  const late = { walletId: 'test.late', rdns: 'test.late' }

  test('behavior: injected within three seconds: restored', async () => {
    vi.useFakeTimers()
    const { kit } = setupKit({ storage: kept(late) })
    const restored = kit.reconnect()
    await vi.advanceTimersByTimeAsync(2_000)
    const { provider } = createScriptedWallet({ authorized: true })
    const uninstall = announceWallet({ info: { name: 'Late', rdns: 'test.late' }, provider })
    await vi.advanceTimersByTimeAsync(200)
    vi.useRealTimers()
    expect(await restored).toMatchObject({ walletId: 'test.late' })
    uninstall()
  })

  test('behavior: never injected: disconnected after three seconds', async () => {
    vi.useFakeTimers()
    const { kit } = setupKit({ storage: kept(late) })
    const restored = kit.reconnect()
    await vi.advanceTimersByTimeAsync(3_100)
    expect(await restored).toBeUndefined()
    expect(kit.getState().status).toBe('disconnected')
    vi.useRealTimers()
  })

  const announceLate = () => {
    const { provider } = createScriptedWallet({ authorized: true })
    return announceWallet({ info: { name: 'Late', rdns: 'test.late' }, provider })
  }
  const setEthereum = () => {
    Object.assign(window, { ethereum: createScriptedWallet({ authorized: true, flags: { isLate: true } }).provider })
    return () => void Reflect.deleteProperty(window, 'ethereum')
  }
  const definition = {
    ...{ id: 'late', name: 'Late', iconUrl: 'data:image/svg+xml,', iconBackground: '#fff' },
    ...{ rdns: ['test.late'], flags: ['isLate'], connectors: [injectedConnector()] },
  }

  test.each<[string, number, () => () => void]>([
    ['announced', 4_000, announceLate],
    ['announced', 30 * minute, announceLate],
    ['in window.ethereum', 4_000, setEthereum],
    ['in window.ethereum', 30 * minute, setEthereum],
  ])('behavior: %s after %d ms: restored', async (_, after, appear) => {
    vi.useFakeTimers()
    const wallets = [{ groupName: 'Popular', wallets: [definition] }]
    const { kit } = setupKit({ wallets, storage: kept({ walletId: 'late', rdns: 'test.late' }) })
    const restored = kit.reconnect()
    await vi.advanceTimersByTimeAsync(after)
    expect(await restored).toBeUndefined()
    const remove = appear()
    await vi.advanceTimersByTimeAsync(2_000)
    vi.useRealTimers()
    remove()
    expect(kit.getState()).toMatchObject({ status: 'connected', walletId: 'late' })
  })

  test('behavior: announced late by two providers: neither is restored', async () => {
    vi.useFakeTimers()
    const { kit } = setupKit({ storage: kept(late) })
    void kit.reconnect()
    await vi.advanceTimersByTimeAsync(minute)
    const removes = [announceLate(), announceLate()]
    await vi.advanceTimersByTimeAsync(minute)
    vi.useRealTimers()
    for (const remove of removes) remove()
    expect(kit.getState().status).toBe('disconnected')
  })

  test('behavior: the person picks another wallet before: that one is connected', async () => {
    vi.useFakeTimers()
    const { kit } = setupKit({ storage: kept(late) })
    const restored = kit.reconnect()
    void kit.openConnectDialog()
    kit.dispatch({ type: 'pick', walletId: 'b' })
    await vi.advanceTimersByTimeAsync(5_000)
    vi.useRealTimers()
    await expect.poll(() => kit.getState()).toMatchObject({ status: 'connected', walletId: 'b' })
    await restored
    expect(kit.getState().walletId).toBe('b')
  })
})

test('a wallet that got a definition since is found by its rdns', async () => {
  const { kit } = setupKit({ storage: kept({ walletId: 'test.a', rdns: 'test.a' }), a: { authorized: true } })
  expect(await kit.reconnect()).toMatchObject({ walletId: 'a' })
})

describe('two providers of one rdns', () => {
  test('behavior: neither is restored silently', async () => {
    const { kit, createKit, a } = setupKit({ a: { authorized: true } })
    const { provider } = createScriptedWallet({ authorized: true })
    const uninstall = announceWallet({ info: { name: 'Wallet A', rdns: 'test.a', uuid: 'twin' }, provider })
    for (const walletId of ['a', 'test.a#twin']) {
      await kit.connect({ walletId })
      const next = createKit()
      expect(await next.reconnect()).toBeUndefined()
    }
    uninstall()
    expect(a.requests.some(({ method }) => method === 'eth_accounts')).toBe(false)
  })

  test('behavior: the second one was installed since: neither is restored', async () => {
    const { provider } = createScriptedWallet({ authorized: true })
    const uninstall = announceWallet({ info: { name: 'Wallet A', rdns: 'test.a' }, provider })
    const { kit, a } = setupKit({ storage: kept(), a: { authorized: true } })
    expect(await kit.reconnect()).toBeUndefined()
    uninstall()
    expect(a.requests).toEqual([])
  })

  test('behavior: the second one appears while connected to the first: not stored', async () => {
    const { kit, storage } = setupKit()
    await kit.connect({ walletId: 'a' })
    expect(storage.getItem(key)).not.toBeNull()
    const { provider } = createScriptedWallet()
    announceWallet({ info: { name: 'Wallet A', rdns: 'test.a' }, provider })()
    expect(storage.getItem(key)).toBeNull()
  })
})

test.each([
  ['null', 'null'],
  ['no JSON', '{'],
  ['a list', '[]'],
  ['an address that is none', stored({ address: 'javascript:alert(1)' })],
  ['a chain that is none', stored({ chainId: 'NaN' })],
])('behavior: storage holds %s', async (_, text) => {
  const { kit } = setupKit({
    storage: memoryStorage({ [key]: text, 'walletKit.v1.recentWallets': text, 'walletKit.v1.transactions': text }),
    a: { authorized: true },
  })
  expect(await kit.reconnect()).toBeUndefined()
  expect(await kit.connect({ walletId: 'a' })).toMatchObject({ walletId: 'a' })
  expect(kit.getState().transactions).toEqual([])
})
