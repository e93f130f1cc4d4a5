import fc from 'fast-check'
import { custom, type EIP1193Provider } from 'viem'
import { bsc } from 'viem/chains'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { announceWallet } from '../../testing/announceWallet.ts'
import { createScriptedWallet } from '../../testing/createScriptedWallet.ts'
import { memoryStorage } from '../../testing/memoryStorage.ts'
import { setupKit } from '../../testing/setupKit.ts'
import { createWalletKit } from '../createWalletKit.ts'
import { WalletKitError } from '../lib/errors.ts'
import { injectedConnector } from '../wallets/injected.ts'

const account = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const other = '0x00000000219ab540356cBB839Cbe05303d7705Fa'

const unhandled: unknown[] = []
const onUnhandled = (reason: unknown) => void unhandled.push(reason)
beforeEach(() => {
  unhandled.length = 0
  process.on('unhandledRejection', onUnhandled)
})
afterEach(() => {
  process.off('unhandledRejection', onUnhandled)
  expect(unhandled).toEqual([])
})
/** Waits until unhandled rejections were reported. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Creates a kit and an arbitrary wallet. */
function withWallet(provider: unknown) {
  const kit = setupKit()
  const info = { name: 'Odd', rdns: 'test.odd' }
  onTestFinished(announceWallet({ info, provider: provider as EIP1193Provider }))
  return { ...kit, connect: () => kit.kit.connect({ walletId: 'test.odd' }) }
}

/** Creates a wallet with these answers and no events. */
const answering = (answers: Record<string, unknown>, rest: object = {}) => ({
  ...rest,
  request: async ({ method }: { method: string }) => answers[method],
})

describe('answers of a wallet', () => {
  test.each<[string, unknown]>([
    ['in lower case', [account.toLowerCase()]],
    ['with a checksum that is wrong', [account.replace('d8dA', 'D8da')]],
    ['given twice', [account, account]],
    ['after something else', [null, account]],
    ['ten thousand times', Array(10_000).fill(account)],
  ])('an account %s is accepted', async (_, accounts) => {
    const { connect } = withWallet(answering({ eth_requestAccounts: accounts, eth_chainId: '0x38' }))
    expect(await connect()).toMatchObject({ address: account })
  })

  test.each<[string, unknown]>([
    ['objects', [{ address: account }]],
    ['a single text', account],
    ['nothing', undefined],
    ['too short', ['0x12']],
    ['too long', [`${account}00`]],
    ['no list, though it has a length', { length: 1, 0: account }],
  ])('behavior: accounts that are %s: the error asks the person to choose one', async (_, accounts) => {
    const { connect } = withWallet(answering({ eth_requestAccounts: accounts, eth_chainId: '0x38' }))
    await expect(connect()).rejects.toMatchObject({ name: 'WalletNotAvailableError' })
  })

  test.each<[unknown]>([['0x38'], ['0X38'], ['0x038'], [' 56 '], ['56'], [56], [56n], [{ chainId: '0x38' }]])(
    'chain id %o is 56',
    async (chainId) => {
      const { connect } = withWallet(answering({ eth_requestAccounts: [account], eth_chainId: chainId }))
      expect(await connect()).toMatchObject({ chainId: 56 })
    },
  )

  test.each<[unknown]>([[Number.NaN], [-56], ['-0x38'], [0], [56.5], ['0x'], ['fifty-six'], [null], [Symbol('56')]])(
    'behavior: chain id %o is invalid, with an error',
    async (chainId) => {
      const { connect } = withWallet(answering({ eth_requestAccounts: [account], eth_chainId: chainId }))
      await expect(connect()).rejects.toMatchObject({ message: expect.stringContaining('which network') })
    },
  )

  test('behavior: a chain id that cannot be converted to a string', async () => {
    const { connect } = withWallet(answering({ eth_requestAccounts: [account], eth_chainId: Object.create(null) }))
    await expect(connect()).rejects.toMatchObject({ message: expect.stringContaining('which network') })
  })

  test('behavior: a synchronous answer instead of a promise', async () => {
    const answers: Record<string, unknown> = { eth_requestAccounts: [account], eth_chainId: '0x38' }
    const { connect } = withWallet({ request: ({ method }: { method: string }) => answers[method] })
    expect(await connect()).toMatchObject({ address: account, chainId: 56 })
  })

  test('behavior: a custom thenable that throws', async () => {
    const { connect } = withWallet({
      request: () =>
        Object.defineProperty({}, 'then', {
          get: () => {
            throw new Error('trap')
          },
        }),
    })
    await expect(connect()).rejects.toMatchObject({ name: 'WalletKitError', message: 'trap' })
  })

  test('behavior: a wallet from before EIP-1193, with callbacks only, is not listed', () => {
    const { kit } = withWallet({ sendAsync: () => {}, send: () => {}, isMetaMask: true })
    expect(kit.getState().wallets.map(({ id }) => id)).not.toContain('test.odd')
  })

  test('property: any answer, error or event gives a kit error or a correct connection, and other wallets still work', async () => {
    const answer = fc.oneof(
      fc.anything(),
      fc.constantFrom<unknown>([account], [other, account], '0x38', 56, '0x1', [], null),
    )
    const how = fc.constantFrom('give', 'throw', 'reject')
    const answers = fc.record({
      eth_requestAccounts: fc.tuple(how, answer),
      eth_chainId: fc.tuple(how, answer),
      eth_accounts: fc.tuple(how, answer),
    })
    const news = fc.array(fc.tuple(fc.constantFrom('accountsChanged', 'chainChanged', 'disconnect'), answer), {
      maxLength: 4,
    })
    const listening = fc.constantFrom('atOnce', 'later', 'throws', 'rejects', 'none')

    await fc.assert(
      fc.asyncProperty(answers, news, listening, async (answers, news, listening) => {
        const listeners: ((payload: unknown) => void)[] = []
        const on = (event: string, listener: (payload: unknown) => void): unknown => {
          if (listening === 'throws') throw new Error('on')
          if (listening === 'rejects') return Promise.reject(new Error('on'))
          for (const [name, payload] of news)
            if (name === event && listening === 'atOnce') listener(payload)
            else if (name === event) listeners.push(() => listener(payload))
          return undefined
        }
        const provider = {
          request: ({ method }: { method: keyof typeof answers }) => {
            const [how, value] = answers[method] ?? ['reject', undefined]
            if (how === 'throw') throw value
            return how === 'give' ? value : Promise.reject(value)
          },
          ...(listening !== 'none' && { on }),
        }
        const { kit, createKit, uninstallAll } = setupHostile(provider)
        try {
          const outcome = await kit.connect({ walletId: 'test.odd' }).catch((error: unknown) => error)
          if (outcome instanceof Error) expect(outcome).toBeInstanceOf(WalletKitError)
          for (const listener of listeners) listener(undefined)
          await settle()
          const { status, address, chainId } = kit.getState()
          expect(status).toBe(kit.provider ? 'connected' : 'disconnected')
          expect([address, chainId].every((it) => (it !== undefined) === (status === 'connected'))).toBe(true)
          if (address) expect(address).toMatch(/^0x[0-9a-fA-F]{40}$/)
          if (chainId) expect(Number.isSafeInteger(chainId)).toBe(true)
          await kit.reconnect()
          expect(await kit.connect({ walletId: 'b' })).toMatchObject({ walletId: 'b', chainId: 56 })
          for (const listener of listeners) listener(undefined)
          expect(kit.getState()).toMatchObject({ walletId: 'b', address: other, chainId: 56 })
          await createKit().reconnect()
          await settle()
        } finally {
          uninstallAll()
        }
      }),
      { numRuns: 300 },
    )
    expect(unhandled).toEqual([])
  })
})

const define = (id: string) => ({
  id,
  name: id,
  iconUrl: 'data:image/svg+xml,',
  iconBackground: '#fff',
  rdns: [`test.${id}`],
  connectors: [injectedConnector()],
})

/**
 * Sets up a hostile provider for a property test, like `withWallet`: removes the wallet from the page after each run.
 */
function setupHostile(provider: unknown) {
  const uninstalls = [
    announceWallet({ info: { name: 'Odd', rdns: 'test.odd' }, provider: provider as EIP1193Provider }),
    announceWallet({
      info: { name: 'B', rdns: 'test.b' },
      provider: createScriptedWallet({ accounts: [other] }).provider,
    }),
  ]
  const kits: { destroy: () => void }[] = []
  const storage = memoryStorage()
  const createKit = () => {
    const kit = createWalletKit({
      appName: 'Test',
      chains: [bsc],
      transports: { [bsc.id]: custom({ request: async () => null }) },
      wallets: [{ groupName: 'Popular', wallets: [define('b')] }],
      storage,
    })
    kits.push(kit)
    return kit
  }
  const uninstallAll = () => {
    for (const kit of kits) kit.destroy()
    for (const uninstall of uninstalls) uninstall()
  }
  return { kit: createKit(), createKit, uninstallAll }
}

describe('events of a wallet', () => {
  test('behavior: locked while listeners are added: disconnected', async () => {
    const { provider, listenerCount, lock } = createScriptedWallet()
    let heard = 0
    const on = (event: string, listener: (payload: unknown) => void) => {
      Reflect.apply(provider.on, provider, [event, listener])
      // Listeners are added while the chain is read, until the connection is established, and then for as long as it lasts.
      if (event === 'accountsChanged' && ++heard === 3) lock()
    }
    const { kit, connect } = withWallet({ ...provider, on })
    await connect()
    await expect.poll(() => kit.getState().status).toBe('disconnected')
    expect(kit.provider).toBeUndefined()
    kit.destroy()
    expect(listenerCount()).toBe(0)
  })

  test('behavior: a listener disconnects as soon as the state is connected', async () => {
    const { kit, a } = setupKit()
    kit.subscribe(({ status }) => {
      if (status === 'connected') void kit.disconnect()
    })
    await kit.connect({ walletId: 'a' })
    expect(kit.getState().status).toBe('disconnected')
    expect(kit.provider).toBeUndefined()
    expect(a.listenerCount()).toBe(0)
  })

  test('behavior: events during disconnect and afterwards are ignored', async () => {
    const wallet = createScriptedWallet()
    const removeListener = (event: string, listener: (payload: unknown) => void) => {
      wallet.emit('accountsChanged', [other])
      wallet.emit('chainChanged', '0x1')
      Reflect.apply(wallet.provider.removeListener, wallet.provider, [event, listener])
    }
    const { kit, connect } = withWallet({ ...wallet.provider, removeListener })
    await connect()
    await kit.disconnect()
    wallet.setAccounts([other])
    expect(kit.getState()).toMatchObject({ status: 'disconnected' })
    expect(kit.getState().address).toBeUndefined()
  })

  test('behavior: events of an earlier wallet do not change the next connection', async () => {
    const wallet = createScriptedWallet({ listeners: 'noRemoveListener' })
    const { kit, connect } = withWallet(wallet.provider)
    await connect()
    await kit.connect({ walletId: 'b' })
    for (const [event, payload] of [
      ['accountsChanged', [account]],
      ['accountsChanged', []],
      ['chainChanged', '0x1'],
      ['disconnect', undefined],
    ] as const)
      wallet.emit(event, payload)
    expect(kit.getState()).toMatchObject({ status: 'connected', walletId: 'b', address: other, chainId: 56 })
  })

  const returnToPage = () => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))

  test('behavior: account and chain changed while the browser kept the page: read again on the way back', async () => {
    const answers: Record<string, unknown> = { eth_requestAccounts: [account], eth_chainId: '0x38' }
    const { kit, connect } = withWallet(answering(answers))
    await connect()
    Object.assign(answers, { eth_accounts: [other], eth_chainId: '0x1' })
    returnToPage()
    await expect.poll(() => kit.getState()).toMatchObject({ address: other, chainId: 1 })
  })

  test('behavior: locked while the browser kept the page: disconnected on the way back', async () => {
    const { kit, connect } = withWallet(
      answering({ eth_requestAccounts: [account], eth_chainId: '0x38', eth_accounts: [] }),
    )
    await connect()
    returnToPage()
    await expect.poll(() => kit.getState().status).toBe('disconnected')
  })

  const show = () => document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))

  test('behavior: account and chain changed without an event while the tab was hidden: read when it is shown', async () => {
    const answers: Record<string, unknown> = { eth_requestAccounts: [account], eth_chainId: '0x38' }
    const { kit, connect } = withWallet(answering(answers))
    await connect()
    Object.assign(answers, { eth_accounts: [other], eth_chainId: '0x1' })
    show()
    await expect.poll(() => kit.getState()).toMatchObject({ address: other, chainId: 1 })
  })

  test('behavior: a wallet that answers without accounts when the tab is shown stays connected', async () => {
    const { kit, connect } = withWallet(
      answering({ eth_requestAccounts: [account], eth_chainId: '0x38', eth_accounts: [] }),
    )
    await connect()
    show()
    await settle()
    expect(kit.getState()).toMatchObject({ status: 'connected', address: account })
  })

  /** Creates a connected wallet whose answers to `method` the test gives. */
  async function withHeld(method: string) {
    const wallet = createScriptedWallet()
    const answers: ((value: unknown) => void)[] = []
    let isHeld = false
    const request = async (parameters: { method: string }) => {
      if (parameters.method === 'wallet_switchEthereumChain') return null
      if (!isHeld || parameters.method !== method) return wallet.provider.request(parameters as never)
      return new Promise((resolve) => answers.push(resolve))
    }
    const { kit, connect } = withWallet({ ...wallet.provider, request })
    await connect()
    isHeld = true
    return { kit, wallet, answers }
  }

  test('behavior: the wallet reports another account after the tab is shown: an older answer changes nothing', async () => {
    const { kit, wallet, answers } = await withHeld('eth_accounts')
    show()
    wallet.emit('accountsChanged', [other])
    answers[0]?.([account])
    await settle()
    expect(kit.getState().address).toBe(other)
  })

  test.each([
    ['before', true],
    ['after', false],
  ])('behavior: the wallet reports no account %s the tab is shown: disconnected', async (_, isBefore) => {
    const { kit, wallet, answers } = await withHeld('eth_accounts')
    if (!isBefore) show()
    wallet.emit('accountsChanged', [])
    if (isBefore) show()
    answers.shift()?.([account])
    await expect.poll(() => answers.length).toBe(1)
    answers[0]?.([])
    await expect.poll(() => kit.getState().status).toBe('disconnected')
  })

  test('behavior: the app switches the chain after the tab is shown: an older answer changes nothing', async () => {
    const { kit, wallet, answers } = await withHeld('eth_chainId')
    wallet.emit('chainChanged', '0x1')
    show()
    const switched = kit.switchChain({ chainId: 56 })
    await expect.poll(() => answers.length).toBe(2)
    answers[1]?.('0x38')
    await switched
    answers[0]?.('0x1')
    await settle()
    expect(kit.getState().chainId).toBe(56)
  })

  test('behavior: a test environment removes its window before the wallet disconnects: no error', async () => {
    const wallet = createScriptedWallet()
    const { kit, connect } = withWallet(wallet.provider)
    await connect()
    vi.stubGlobal('window', undefined)
    vi.stubGlobal('document', undefined)
    onTestFinished(() => void vi.unstubAllGlobals())
    await kit.disconnect()
    // Listeners report errors to the runner.
    expect(kit.getState().status).toBe('disconnected')
  })

  test('behavior: a wallet that does not answer on the way back stays connected', async () => {
    const { kit, connect } = withWallet(answering({ eth_requestAccounts: [account], eth_chainId: '0x38' }))
    await connect()
    returnToPage()
    await settle()
    expect(kit.getState()).toMatchObject({ status: 'connected', address: account })
  })

  test('behavior: a wallet whose `on` returns a promise that rejects', async () => {
    const fail = () => Promise.reject(new Error('no events'))
    const { kit, connect } = withWallet({ ...createScriptedWallet().provider, on: fail, removeListener: fail })
    await connect()
    await kit.disconnect()
    await settle()
    expect(kit.getState().status).toBe('disconnected')
  })
})

describe('announcements', () => {
  const list = (kit = setupKit().kit) => kit.getState().wallets
  const say = (info: object, provider: unknown = createScriptedWallet().provider) =>
    window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info, provider } }))

  test('behavior: a thousand announcements: the list is limited and stays fast', () => {
    const { kit } = setupKit()
    const onChange = vi.fn()
    kit.subscribe(onChange)
    for (let n = 0; n < 1_000; n++) say({ name: `Flood ${n}`, rdns: `flood.n${n}`, uuid: `u${n}` })
    expect(list(kit).length).toBeLessThanOrEqual(110)
    expect(onChange.mock.calls.length).toBeLessThanOrEqual(100)
    expect(
      list(kit)
        .slice(0, 2)
        .map(({ id }) => id),
    ).toEqual(['a', 'b'])
  })

  test('behavior: a second announcement with other fields is ignored', async () => {
    const { kit } = setupKit()
    const info = { name: 'Good', rdns: 'test.good', uuid: 'one' }
    const { provider } = createScriptedWallet()
    say(info, provider)
    Object.assign(info, { name: 'MetaMask', rdns: 'io.metamask' })
    say(info, provider)
    say({ name: 'Good', rdns: 'test.good', uuid: 'one' })
    expect(list(kit).filter(({ rdns }) => rdns === 'test.good')).toEqual([expect.objectContaining({ name: 'Good' })])
    await kit.connect({ walletId: 'test.good' })
    expect(kit.provider).toBe(provider)
  })

  test('behavior: an rdns equal to the id of another wallet does not replace that wallet', async () => {
    const { kit } = setupKit()
    const second = createScriptedWallet().provider
    say({ name: 'Wallet A', rdns: 'test.a', uuid: 'second' }, second)
    say({ name: 'Wallet A', rdns: 'test.a#second', uuid: 'x' })
    await kit.connect({ walletId: 'test.a#second' })
    expect(kit.provider).toBe(second)
  })

  test.each([
    ['letters that are blank', '\u3164\u115f\uffa0'],
    ['a blank of braille', '\u2800\u2800'],
  ])('behavior: a name of %s is replaced by the rdns', (_, name) => {
    const { kit } = setupKit()
    say({ name, rdns: 'test.blank', uuid: 'u' })
    expect(list(kit).find(({ rdns }) => rdns === 'test.blank')?.name).toBe('test.blank')
  })
})

describe('several behind window.ethereum', () => {
  const page = window as unknown as Record<string, unknown>
  afterEach(() => {
    delete page.ethereum
  })
  const installed = () => {
    const kit = createWalletKit({
      appName: 'Test',
      chains: [bsc],
      transports: { [bsc.id]: custom({ request: async () => null }) },
      wallets: [{ groupName: 'Popular', wallets: [define('c')] }],
      storage: memoryStorage(),
    })
    onTestFinished(() => kit.destroy())
    return kit.getState().wallets.flatMap(({ id, installed }) => (installed ? [id] : []))
  }

  test.each<[string, (ethereum: object) => unknown]>([
    ['itself', (ethereum) => [ethereum]],
    ['itself, often', (ethereum) => Array(50).fill(ethereum)],
    ['nothing that is a wallet', () => [null, 1, {}, { request: 'me' }]],
    [
      'itself as a list',
      () => {
        const list: unknown[] = []
        list.push(list)
        return list
      },
    ],
  ])('behavior: the list holds %s: the wallet is listed once', (_, providers) => {
    const ethereum: Record<string, unknown> = { ...createScriptedWallet().provider, isMetaMask: true }
    ethereum.providers = providers(ethereum)
    page.ethereum = ethereum
    expect(installed()).toEqual(['browserWallet'])
  })

  test('behavior: frozen objects', () => {
    const provider = Object.freeze({ ...createScriptedWallet().provider })
    page.ethereum = Object.freeze({ ...provider, providers: Object.freeze([provider]) })
    expect(installed()).toEqual(['browserWallet'])
  })
})
