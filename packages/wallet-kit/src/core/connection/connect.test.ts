import { beforeAll, describe, expect, test, vi } from 'vitest'
import { createScriptedAuthentication } from '../../testing/createScriptedAuthentication.ts'
import { createScriptedWallet } from '../../testing/createScriptedWallet.ts'
import { memoryStorage } from '../../testing/memoryStorage.ts'
import { setupKit } from '../../testing/setupKit.ts'
import type { ConnectingStep } from '../state/state.ts'
import type { WalletKit } from '../WalletKit.ts'
import type { ConnectorConnectParameters } from '../wallets/wallet.ts'

const accountA = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const accountB = '0x00000000219ab540356cBB839Cbe05303d7705Fa'

const step = (kit: WalletKit) => {
  const { dialog } = kit.getState()
  return dialog.name === 'connect' ? dialog.step : undefined
}
const phase = (kit: WalletKit) => (step(kit) as ConnectingStep | undefined)?.phase
const pick = (kit: WalletKit, walletId: string) => kit.dispatch({ type: 'pick', walletId })
/** Waits until the wallet was asked and its answer was handled. */
const settled = () => new Promise((resolve) => setTimeout(resolve))

// Loaded first, so that no import is in progress when a test expects no change.
beforeAll(() => import('./connected.ts'))

describe('connect', () => {
  test('returns the connection and shows it in the state', async () => {
    const { kit, a } = setupKit()
    const asked = kit.connect({ walletId: 'a' })
    expect(kit.getState()).toMatchObject({ status: 'connecting', walletId: 'a' })
    expect(await asked).toEqual({ walletId: 'a', address: accountA, chainId: 56 })
    expect(kit.getState()).toMatchObject({
      status: 'connected',
      walletId: 'a',
      address: accountA,
      chainId: 56,
      isSupportedChain: true,
      recentWalletIds: ['a'],
    })
    expect(kit.provider).toBe(a.provider)
  })

  test('an address in lower case is returned with its checksum', async () => {
    const { kit } = setupKit({ a: { accounts: [accountA.toLowerCase() as `0x${string}`] } })
    expect(await kit.connect({ walletId: 'a' })).toMatchObject({ address: accountA })
  })

  test.each(['hex', 'decimal', 'number', 'bigint'] as const)('behavior: chain id as %s', async (chainIdFormat) => {
    const { kit } = setupKit({ a: { chainIdFormat } })
    expect(await kit.connect({ walletId: 'a' })).toMatchObject({ chainId: 56 })
  })

  test('behavior: a chain that the app does not support', async () => {
    const { kit } = setupKit({ a: { chainId: 137 } })
    await kit.connect({ walletId: 'a' })
    expect(kit.getState()).toMatchObject({ status: 'connected', chainId: 137, isSupportedChain: false })
  })

  test('behavior: user rejected request: no error in the state', async () => {
    const { kit } = setupKit({ a: { behaviours: { eth_requestAccounts: 'reject' } } })
    await expect(kit.connect({ walletId: 'a' })).rejects.toMatchObject({ name: 'UserRejectedError' })
    expect(kit.getState()).toMatchObject({ status: 'disconnected' })
    expect(kit.getState().error).toBeUndefined()
  })

  test.each([
    ['throws on the spot', 'throw', 'WalletKitError'],
    ['answers with an error', { error: { code: -32000, message: 'boom' } }, 'WalletKitError'],
    ['gives no account', { result: [] }, 'WalletNotAvailableError', 'noAccount'],
    ['gives nonsense', { result: 'nonsense' }, 'WalletNotAvailableError', 'noAccount'],
    ['gives nothing', { result: null }, 'WalletNotAvailableError', 'noAccount'],
  ] as const)('behavior: a wallet that %s', async (_, behaviour, name, reason?: string) => {
    const { kit } = setupKit({ a: { behaviours: { eth_requestAccounts: behaviour } } })
    await expect(kit.connect({ walletId: 'a' })).rejects.toMatchObject({ name, ...(reason && { reason }) })
    expect(kit.getState()).toMatchObject({ status: 'disconnected', error: { name } })
  })

  test('behavior: a wallet that is not installed, and an unknown id', async () => {
    const { kit } = setupKit()
    const reasons = { c: 'notInstalled', unknown: 'notReachable' }
    for (const [walletId, reason] of Object.entries(reasons))
      await expect(kit.connect({ walletId })).rejects.toMatchObject({ name: 'WalletNotAvailableError', reason })
  })

  test('behavior: a wallet that grants accounts but never returns its chain', async () => {
    vi.useFakeTimers()
    const { kit } = setupKit({ a: { behaviours: { eth_chainId: 'hang' } } })
    const asked = expect(kit.connect({ walletId: 'a' })).rejects.toMatchObject({ reason: 'noAnswer' })
    await vi.advanceTimersByTimeAsync(10_000)
    await asked
    vi.useRealTimers()
  })

  test('behavior: the account changes while the chain is read', async () => {
    const { kit, a } = setupKit({ a: { behaviours: { eth_chainId: 'wait' } } })
    const asked = kit.connect({ walletId: 'a' })
    await expect.poll(() => a.requests.at(-1)?.method).toBe('eth_chainId')
    a.setAccounts([accountB])
    a.release()
    expect(await asked).toMatchObject({ address: accountB })
  })

  test('behavior: events before the first answer: the answers win', async () => {
    const { kit, a } = setupKit({ a: { behaviours: { eth_requestAccounts: 'wait' } } })
    const asked = kit.connect({ walletId: 'a' })
    a.setChain(1)
    a.emit('accountsChanged', [accountB])
    a.emit('disconnect', undefined)
    expect(kit.getState()).toMatchObject({ status: 'connecting', walletId: 'a' })
    a.release()
    expect(await asked).toEqual({ walletId: 'a', address: accountA, chainId: 1 })
  })

  test('behavior: locked while the chain is read: the error says that no account was given', async () => {
    const { kit, a } = setupKit({ a: { behaviours: { eth_chainId: 'wait' } } })
    const asked = kit.connect({ walletId: 'a' })
    await expect.poll(() => a.requests.at(-1)?.method).toBe('eth_chainId')
    a.lock()
    a.release()
    await expect(asked).rejects.toMatchObject({ reason: 'noAccount' })
    expect(kit.getState()).toMatchObject({ status: 'disconnected' })
  })

  test('behavior: a wallet that never answers: another wallet can be connected', async () => {
    const { kit } = setupKit({ a: { behaviours: { eth_requestAccounts: 'hang' } } })
    const asked = expect(kit.connect({ walletId: 'a' })).rejects.toMatchObject({ name: 'AbortedError' })
    expect(await kit.connect({ walletId: 'b' })).toMatchObject({ walletId: 'b' })
    await asked
  })

  test.each(['noRemoveListener', 'none'] as const)('behavior: listeners: %s', async (listeners) => {
    const { kit, a } = setupKit({ a: { listeners } })
    await kit.connect({ walletId: 'a' })
    await kit.disconnect()
    a.setAccounts([accountB])
    expect(kit.getState()).toMatchObject({ status: 'disconnected', dialog: { name: 'none' } })
  })

  test('behavior: the signal is aborted', async () => {
    const { kit, a } = setupKit({ a: { behaviours: { eth_requestAccounts: 'wait' } } })
    const controller = new AbortController()
    const asked = kit.connect({ walletId: 'a', signal: controller.signal })
    controller.abort()
    await expect(asked).rejects.toMatchObject({ name: 'AbortedError' })
    a.release()
    await settled()
    expect(kit.getState().status).toBe('disconnected')
  })

  test('behavior: the signal was aborted before the call: the wallet is not asked', async () => {
    const { kit, a } = setupKit()
    await expect(kit.connect({ walletId: 'a', signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortedError',
    })
    expect(kit.getState().status).toBe('disconnected')
    expect(a.requests).toEqual([])
  })

  test('behavior: a listener connects another wallet at once: the first wallet is not asked', async () => {
    const { kit, a } = setupKit()
    const replaced = new Promise((resolve) => {
      const stop = kit.subscribe(({ status }) => {
        if (status !== 'connecting') return
        stop()
        resolve(kit.connect({ walletId: 'b' }))
      })
    })
    await expect(kit.connect({ walletId: 'a' })).rejects.toMatchObject({ name: 'AbortedError' })
    expect(await replaced).toMatchObject({ walletId: 'b' })
    expect(a.requests).toEqual([])
  })

  test('behavior: after destroy no wallet is asked, and the state stays as it is', async () => {
    const { kit, a, createKit, storage } = setupKit()
    kit.destroy()
    await expect(kit.connect({ walletId: 'a' })).rejects.toMatchObject({ name: 'AbortedError' })
    expect(kit.getState().status).toBe('disconnected')
    expect(a.requests).toEqual([])

    await createKit().connect({ walletId: 'a' })
    expect(storage.getItem('walletKit.v1.connection')).not.toBeNull()
    expect(await kit.reconnect()).toBeUndefined()
    expect(kit.getState().status).toBe('disconnected')
  })

  test('a new kit writes nothing to the storage', () => {
    const { storage } = setupKit()
    expect(storage.getItem('walletKit.v1.recentWallets')).toBeNull()
  })

  test('behavior: another wallet while connected: the first one is no longer watched', async () => {
    const { kit, a } = setupKit()
    await kit.connect({ walletId: 'a' })
    await kit.connect({ walletId: 'b' })
    expect(a.listenerCount()).toBe(0)
    expect(kit.getState()).toMatchObject({ walletId: 'b', recentWalletIds: ['b', 'a'] })
  })

  describe('behavior: another wallet while connected: the session with the first one is ended', () => {
    const failLater = async () => {
      throw new Error('The wallet does not answer.')
    }

    /** Sets up a kit with wallets of these kinds of connectors, connected to the first. Their `disconnect` fails. */
    async function setupSessions(kinds: readonly [string, string], fail: () => Promise<void> = failLater) {
      const ended: unknown[] = []
      const define = (kind: string, index: number) => {
        const { provider } = createScriptedWallet({ authorized: true })
        const connect = async () => ({ provider, accounts: [accountA] as const, chainId: 56 })
        const disconnect = (left: unknown) => {
          ended.push(left === provider ? index : 'another provider')
          return fail()
        }
        const connectors = [() => ({ kind, isReady: () => true, connect, disconnect })]
        return { id: String(index), name: 'Wallet', iconUrl: '', iconBackground: '#fff', connectors }
      }
      const { kit } = setupKit({ wallets: [{ groupName: 'Popular', wallets: kinds.map(define) }] })
      await kit.connect({ walletId: '0' })
      return { kit, ended }
    }

    test.each([
      ['walletConnect', 'coinbase'],
      ['coinbase', 'walletConnect'],
      ['coinbase', 'coinbase'],
    ])('%s, then %s', async (...kinds) => {
      const { kit, ended } = await setupSessions(kinds)
      expect(await kit.connect({ walletId: '1' })).toMatchObject({ walletId: '1' })
      expect(ended).toEqual([0])
      expect(kit.getState()).toMatchObject({ status: 'connected', walletId: '1' })
    })

    test.each<[string, () => unknown]>([
      [
        'throws at once',
        () => {
          throw new Error('The wallet does not answer.')
        },
      ],
      ['returns no promise', () => undefined],
    ])('behavior: the disconnect of a connector without types %s: connected, and disconnected', async (_, fail) => {
      const { kit, ended } = await setupSessions(['own', 'own'], fail as () => Promise<void>)
      expect(await kit.connect({ walletId: '1' })).toMatchObject({ walletId: '1' })
      await kit.disconnect()
      expect(ended).toEqual([0, 1])
    })

    test('two over the relay: by the relay itself, and the link to the new app is kept', async () => {
      const { kit, ended } = await setupSessions(['walletConnect', 'walletConnect'])
      await kit.connect({ walletId: '1' })
      expect(ended).toEqual([])
    })

    test('the same wallet with the same provider: stays', async () => {
      const { kit, ended } = await setupSessions(['coinbase', 'coinbase'])
      await kit.connect({ walletId: '0' })
      expect(ended).toEqual([])
    })
  })

  test('behavior: events of an earlier wallet without removeListener are ignored', async () => {
    const { kit, a } = setupKit({ a: { listeners: 'noRemoveListener' } })
    await kit.connect({ walletId: 'a' })
    await kit.connect({ walletId: 'b' })
    a.setChain(1)
    a.setAccounts([accountA])
    expect(kit.getState()).toMatchObject({ walletId: 'b', address: accountB, chainId: 56 })
  })

  test('behavior: another wallet rejects while connected: the connection stays', async () => {
    const { kit } = setupKit({ b: { behaviours: { eth_requestAccounts: 'reject' } } })
    await kit.connect({ walletId: 'a' })
    await expect(kit.connect({ walletId: 'b' })).rejects.toThrow()
    expect(kit.getState()).toMatchObject({ status: 'connected', walletId: 'a', address: accountA })
  })

  test('behavior: the connection ends while another wallet connects', async () => {
    const { kit, a, b } = setupKit({ b: { behaviours: { eth_requestAccounts: 'wait' } } })
    await kit.connect({ walletId: 'a' })
    const asked = kit.connect({ walletId: 'b' })
    a.lock()
    await expect.poll(() => kit.getState()).toMatchObject({ status: 'connecting', walletId: 'b' })
    expect(kit.getState().address).toBeUndefined()
    b.release()
    expect(await asked).toMatchObject({ walletId: 'b' })
  })

  test('a missing wallet attaches no listener to another provider', async () => {
    const { kit, a, b } = setupKit()
    await expect(kit.connect({ walletId: 'c' })).rejects.toThrow()
    expect(a.listenerCount() + b.listenerCount()).toBe(0)
  })

  test('no wallet is requested before a person picks it', () => {
    const { a, b } = setupKit()
    expect([...a.requests, ...b.requests]).toEqual([])
  })
})

describe('the connect dialog', () => {
  test('open → pick → connected: the promise resolves with the connection and the dialog closes', async () => {
    const { kit } = setupKit()
    const opened = kit.openConnectDialog()
    expect(step(kit)).toEqual({ name: 'list' })
    pick(kit, 'a')
    expect(phase(kit)).toBe('opening')
    expect(await opened).toMatchObject({ walletId: 'a' })
    expect(kit.getState().dialog).toEqual({ name: 'none' })
  })

  test('opened on a wallet: it is asked at once, in the same task; an open dialog moves to it', async () => {
    const { kit, a, b } = setupKit({ a: { behaviours: { eth_requestAccounts: 'wait' } } })
    const first = kit.openConnectDialog({ walletId: 'a' })
    expect(kit.getState().dialog).toMatchObject({ step: { name: 'connecting', walletId: 'a' } })
    const second = kit.openConnectDialog({ walletId: 'b' })
    expect(await Promise.all([first, second])).toMatchObject([{ walletId: 'b' }, { walletId: 'b' }])
    expect(
      [a, b].map(({ requests }) => requests.filter(({ method }) => method === 'eth_requestAccounts').length),
    ).toEqual([1, 1])
  })

  test.each([['test.late'], [undefined], [null], [5]])(
    'opened on %s, which is not on the list: the list',
    (walletId) => {
      const { kit } = setupKit()
      void kit.openConnectDialog({ walletId: walletId as 'a' })
      expect(kit.getState().dialog).toMatchObject({ name: 'connect', step: { name: 'list' } })
    },
  )

  test('opened by a press: the event is no wallet', () => {
    const { kit } = setupKit()
    const button = document.createElement('button')
    button.onclick = kit.openConnectDialog
    button.click()
    expect(kit.getState().dialog).toMatchObject({ name: 'connect', step: { name: 'list' } })
  })

  test('opened twice: both promises resolve with the connection; opened while connected: at once', async () => {
    const { kit } = setupKit()
    const [first, second] = [kit.openConnectDialog(), kit.openConnectDialog()]
    pick(kit, 'a')
    expect(await first).toEqual(await second)
    expect(await kit.openConnectDialog()).toEqual(await first)
  })

  test('behavior: closed by the person: the promise resolves with undefined', async () => {
    const { kit } = setupKit()
    const opened = kit.openConnectDialog()
    kit.closeDialog()
    expect(await opened).toBeUndefined()
  })

  test('behavior: closed while connecting: a later approval changes nothing and is not stored', async () => {
    const { kit, a, storage } = setupKit({ a: { behaviours: { eth_requestAccounts: 'wait' } } })
    const opened = kit.openConnectDialog()
    pick(kit, 'a')
    kit.closeDialog()
    expect(await opened).toBeUndefined()
    expect(kit.getState().status).toBe('disconnected')
    a.release()
    await settled()
    expect(kit.getState()).toMatchObject({ status: 'disconnected', recentWalletIds: [] })
    expect(storage.getItem('walletKit.v1.connection')).toBeNull()
  })

  test('behavior: a late approval is disconnected if the wallet can be', async () => {
    const { provider } = createScriptedWallet()
    let approve = () => {}
    const disconnect = vi.fn(async () => {})
    const connectors = [
      () => ({
        kind: 'walletConnect' as const,
        isReady: () => true,
        connect: () =>
          new Promise<never>((resolve) => {
            approve = () => resolve({ provider, accounts: [accountA], chainId: 56 } as never)
          }),
        disconnect,
      }),
    ]
    const definition = { id: 'relay', name: 'Relay', iconUrl: '', iconBackground: '#fff', connectors }
    const { kit } = setupKit({ wallets: [{ groupName: 'Popular', wallets: [definition] }] })
    void kit.openConnectDialog()
    pick(kit, 'relay')
    kit.closeDialog()
    approve()
    await expect.poll(() => disconnect).toHaveBeenCalledWith(provider)
    expect(kit.getState().status).toBe('disconnected')
  })

  test('behavior: an approval without an account is disconnected if the wallet can be', async () => {
    const { provider } = createScriptedWallet()
    const disconnect = vi.fn(async () => {})
    const connect = async () => ({ provider, accounts: [], chainId: 56 })
    const connectors = [() => ({ kind: 'walletConnect' as const, isReady: () => true, connect, disconnect })]
    const definition = { id: 'relay', name: 'Relay', iconUrl: '', iconBackground: '#fff', connectors }
    const { kit } = setupKit({ wallets: [{ groupName: 'Popular', wallets: [definition] }] })
    await expect(kit.connect({ walletId: 'relay' })).rejects.toMatchObject({ name: 'WalletNotAvailableError' })
    await expect.poll(() => disconnect).toHaveBeenCalledWith(provider)
  })

  test('behavior: closed at the moment of the approval: either connected, or disconnected and not stored', async () => {
    const outcomes = new Set<string>()
    const { createKit } = setupKit()
    for (let moment = 0; moment < 80; moment++) {
      const { provider } = createScriptedWallet()
      let approve = () => {}
      const disconnect = vi.fn(async () => {})
      const connect = () =>
        new Promise<never>((resolve) => {
          approve = () => resolve({ provider, accounts: [accountA], chainId: 56 } as never)
        })
      const connectors = [() => ({ kind: 'walletConnect' as const, isReady: () => true, connect, disconnect })]
      const definition = { id: 'relay', name: 'Relay', iconUrl: '', iconBackground: '#fff', connectors }
      const storage = memoryStorage()
      const kit = createKit({ wallets: [{ groupName: 'Popular', wallets: [definition] }], storage })
      const opened = kit.openConnectDialog()
      pick(kit, 'relay')
      approve()
      for (let passed = 0; passed < moment; passed++) await Promise.resolve()
      kit.closeDialog()
      const outcome = await opened
      await settled()
      const isConnected = outcome !== undefined
      outcomes.add(kit.getState().status)
      expect(kit.getState().status).toBe(isConnected ? 'connected' : 'disconnected')
      expect(storage.getItem('walletKit.v1.connection') !== null).toBe(isConnected)
      expect(disconnect).toHaveBeenCalledTimes(isConnected ? 0 : 1)
      kit.destroy()
    }
    expect(outcomes).toEqual(new Set(['connected', 'disconnected']))
  })

  test('behavior: callbacks of a connector after it has failed are ignored', async () => {
    let talk = (_: string) => {}
    const connectors = [
      () => ({
        kind: 'walletConnect' as const,
        isReady: () => true,
        connect: async ({ onUri }: ConnectorConnectParameters) => {
          talk = onUri
          throw new Error('The relay is gone.')
        },
      }),
    ]
    const definition = { id: 'relay', name: 'Relay', iconUrl: '', iconBackground: '#fff', connectors }
    const { kit } = setupKit({ wallets: [{ groupName: 'Popular', wallets: [definition] }] })
    void kit.openConnectDialog()
    pick(kit, 'relay')
    await expect.poll(() => phase(kit)).toBe('failed')
    talk('wc:late@2')
    expect(phase(kit)).toBe('failed')
    const onUri = vi.fn()
    await expect(kit.connect({ walletId: 'relay', onUri })).rejects.toThrow('The relay is gone.')
    talk('wc:late@2')
    expect(onUri).not.toHaveBeenCalled()
  })

  test('behavior: B is picked while A is pending: a late rejection of A does not affect B', async () => {
    const { kit, a } = setupKit({
      a: { behaviours: { eth_requestAccounts: 'wait', eth_chainId: 'reject' } },
      b: { behaviours: { eth_requestAccounts: 'wait' } },
    })
    const opened = kit.openConnectDialog()
    pick(kit, 'a')
    pick(kit, 'b')
    a.release()
    await settled()
    expect(step(kit)).toMatchObject({ name: 'connecting', walletId: 'b', phase: 'opening' })
    expect(kit.getState()).toMatchObject({ status: 'connecting', walletId: 'b' })
    kit.closeDialog()
    expect(await opened).toBeUndefined()
  })

  test('behavior: B is picked while A is pending: a late approval does not connect A', async () => {
    const { kit, a, b } = setupKit({
      a: { behaviours: { eth_requestAccounts: 'wait' } },
      b: { behaviours: { eth_requestAccounts: 'wait' } },
    })
    const opened = kit.openConnectDialog()
    pick(kit, 'a')
    pick(kit, 'b')
    a.release()
    await settled()
    b.release()
    expect(await opened).toMatchObject({ walletId: 'b', address: accountB })
  })

  test('behavior: Back from connecting cancels the attempt', async () => {
    const { kit, a } = setupKit({ a: { behaviours: { eth_requestAccounts: 'wait' } } })
    void kit.openConnectDialog()
    pick(kit, 'a')
    kit.dispatch({ type: 'back' })
    a.release()
    await settled()
    expect(kit.getState()).toMatchObject({ status: 'disconnected', dialog: { step: { name: 'list' } } })
  })

  test('behavior: user rejected request: no error, and Retry sends the request again', async () => {
    const { kit, a } = setupKit({ a: { behaviours: { eth_requestAccounts: 'reject' } } })
    const opened = kit.openConnectDialog()
    pick(kit, 'a')
    await expect.poll(() => phase(kit)).toBe('rejected')
    expect(kit.getState().error).toBeUndefined()
    a.setBehaviour('eth_requestAccounts', undefined)
    kit.dispatch({ type: 'retry' })
    expect(await opened).toMatchObject({ walletId: 'a' })
  })

  test('behavior: an immediate error is shown, and stays', async () => {
    const { kit } = setupKit({ a: { behaviours: { eth_requestAccounts: 'throw' } } })
    void kit.openConnectDialog()
    pick(kit, 'a')
    await expect.poll(() => phase(kit)).toBe('failed')
    await settled()
    expect(step(kit)).toMatchObject({ error: { shortMessage: 'eth_requestAccounts threw synchronously' } })
  })

  test('behavior: a request is already open: shown, and resumed when the wallet reports its accounts', async () => {
    vi.useFakeTimers()
    const { kit, a } = setupKit({ a: { behaviours: { eth_requestAccounts: 'alreadyOpen' } } })
    const opened = kit.openConnectDialog()
    pick(kit, 'a')
    await vi.advanceTimersByTimeAsync(500)
    expect(phase(kit)).toBe('alreadyOpen')
    expect(kit.getState()).toMatchObject({ status: 'connecting', error: { name: 'RequestPendingError' } })
    a.approve()
    // No time passes, so the poll cannot have detected it.
    expect(await opened).toMatchObject({ walletId: 'a' })
    expect(kit.getState().error).toBeUndefined()
    vi.useRealTimers()
  })

  test('behavior: a request is already open in a wallet without events: it is polled each second', async () => {
    vi.useFakeTimers()
    const { kit, a } = setupKit({ a: { listeners: 'none', behaviours: { eth_requestAccounts: 'alreadyOpen' } } })
    const opened = kit.openConnectDialog()
    pick(kit, 'a')
    await vi.advanceTimersByTimeAsync(1_500)
    expect(phase(kit)).toBe('alreadyOpen')
    a.approve()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await opened).toMatchObject({ walletId: 'a' })
    vi.useRealTimers()
  })

  test('behavior: closed while a request is already open: no further requests', async () => {
    vi.useFakeTimers()
    const { kit, a } = setupKit({ a: { behaviours: { eth_requestAccounts: 'alreadyOpen' } } })
    void kit.openConnectDialog()
    pick(kit, 'a')
    await vi.advanceTimersByTimeAsync(1_500)
    kit.closeDialog()
    const asked = a.requests.length
    a.approve()
    await vi.advanceTimersByTimeAsync(5_000)
    expect(a.requests.length).toBe(asked)
    expect(a.listenerCount()).toBe(0)
    expect(kit.getState().status).toBe('disconnected')
    vi.useRealTimers()
  })

  test('behavior: the app connects another wallet than the person picked: the dialog shows the attempt as cancelled', async () => {
    const { kit } = setupKit({
      a: { behaviours: { eth_requestAccounts: 'hang' } },
      b: { behaviours: { eth_requestAccounts: 'reject' } },
    })
    void kit.openConnectDialog()
    pick(kit, 'a')
    await expect(kit.connect({ walletId: 'b' })).rejects.toThrow()
    expect(step(kit)).toMatchObject({ name: 'connecting', walletId: 'a', phase: 'cancelled' })
  })

  test('dialogs of account and network open only while connected, and close on disconnect', async () => {
    const { kit } = setupKit()
    kit.openAccountDialog()
    kit.openNetworkDialog()
    expect(kit.getState().dialog).toEqual({ name: 'none' })
    await kit.connect({ walletId: 'a' })
    kit.openAccountDialog()
    expect(kit.getState().dialog).toEqual({ name: 'account' })
    await kit.disconnect()
    expect(kit.getState()).toMatchObject({ status: 'disconnected', dialog: { name: 'none' } })
  })

  test('two kits on a page do not mix', async () => {
    const { kit, createKit } = setupKit()
    const other = createKit()
    await kit.connect({ walletId: 'a' })
    expect(other.getState().status).toBe('disconnected')
  })
})

describe('events of the wallet while the server is asked for the session', () => {
  /** Creates a kit whose server answers only once `answer` is called: it has a session of account A on chain 56. */
  function setupSlowServer() {
    const answers: (() => void)[] = []
    const session = { address: accountA, chainId: 56, expiresAt: Date.now() + 3_600_000 } as const
    const getSession = () => new Promise<typeof session>((resolve) => answers.push(() => resolve(session)))
    const adapter = { ...createScriptedAuthentication(), getSession }
    const made = setupKit({ a: { accounts: [accountA] }, authentication: { required: true, adapter } })
    /** Connects again as after a reload, with a session. */
    const reload = async () => {
      const connecting = made.kit.connect({ walletId: 'a' })
      await expect.poll(() => answers).toHaveLength(1)
      answers.pop()?.()
      await connecting
      made.kit.destroy()
      return made.createKit()
    }
    const answer = async () => {
      await expect.poll(() => answers).toHaveLength(1)
      await settled()
      return answers.pop()
    }
    return { ...made, reload, answer }
  }

  const switchSlowly = (wallet: ReturnType<typeof createScriptedWallet>) => {
    wallet.emit('accountsChanged', [])
    setTimeout(() => wallet.setAccounts([accountB]), 50)
  }
  const changes = [
    ['another account', (wallet) => wallet.setAccounts([accountB]), { status: 'unauthenticated', address: accountB }],
    ['another network', (wallet) => wallet.setChain(1), { status: 'connected', chainId: 1, isSupportedChain: true }],
    ['a lock', (wallet) => wallet.lock(), { status: 'disconnected' }],
    ['a disconnect', (wallet) => wallet.disconnect(), { status: 'disconnected' }],
    ['no account for a moment', (wallet) => wallet.emit('accountsChanged', []), { address: accountA }],
    ['no account, then another one', switchSlowly, { status: 'unauthenticated', address: accountB }],
    ['a disconnect for a moment', (wallet) => wallet.emit('disconnect', undefined), { address: accountA }],
  ] as const satisfies [string, (wallet: ReturnType<typeof createScriptedWallet>) => void, object][]

  test.each(changes)('connect: %s', async (_, change, expected) => {
    const { kit, a, answer } = setupSlowServer()
    const connecting = kit.connect({ walletId: 'a' }).catch(() => undefined)
    const answerSession = await answer()
    change(a)
    answerSession?.()
    await connecting
    expect(kit.getState()).toMatchObject(expected)
    expect(kit.getState().session !== undefined).toBe(kit.getState().status === 'connected')
    kit.destroy()
    expect(a.listenerCount()).toBe(0)
  })

  test.each(changes)('reconnect: %s', async (_, change, expected) => {
    const { a, reload, answer } = setupSlowServer()
    const kit = await reload()
    const reconnecting = kit.reconnect()
    const answerSession = await answer()
    change(a)
    answerSession?.()
    await reconnecting
    expect(kit.getState()).toMatchObject(expected)
    kit.destroy()
    expect(a.listenerCount()).toBe(0)
  })
})

describe('onConnect and onDisconnect', () => {
  function follow(kit: WalletKit) {
    const seen: unknown[] = []
    const stops = [
      kit.onConnect(({ walletId, isRestored }) =>
        seen.push(isRestored ? `restored ${walletId}` : `connected ${walletId}`),
      ),
      kit.onDisconnect(({ walletId }) => seen.push(`disconnected ${walletId}`)),
    ]
    return { seen, stop: () => void stops.map((stop) => stop()) }
  }

  test('each connection begins once and ends once, also when another wallet takes its place', async () => {
    const { kit, a } = setupKit()
    const { seen, stop } = follow(kit)
    await kit.connect({ walletId: 'a' })
    a.setChain(1)
    await kit.connect({ walletId: 'b' })
    await kit.disconnect()
    expect(seen).toEqual(['connected a', 'disconnected a', 'connected b', 'disconnected b'])
    stop()
    await kit.connect({ walletId: 'a' })
    expect(seen).toHaveLength(4)
  })

  test('a rejected attempt is neither; a restored connection says so', async () => {
    const { kit, createKit, a } = setupKit({ a: { behaviours: { eth_requestAccounts: 'reject' } } })
    const { seen } = follow(kit)
    await expect(kit.connect({ walletId: 'a' })).rejects.toThrow()
    expect(seen).toEqual([])
    a.setBehaviour('eth_requestAccounts', undefined)
    await kit.connect({ walletId: 'a' })
    const next = createKit()
    const later = follow(next)
    await next.reconnect()
    expect(later.seen).toEqual(['restored a'])
  })

  test('with a required sign-in: connected once signed in', async () => {
    const { kit } = setupKit({
      a: { behaviours: { personal_sign: { result: '0x00' } } },
      authentication: { adapter: createScriptedAuthentication(), required: true },
    })
    const { seen } = follow(kit)
    await kit.connect({ walletId: 'a' })
    expect(seen).toEqual([])
    await kit.signIn()
    expect(seen).toEqual(['connected a'])
  })
})
