import fc from 'fast-check'
import { custom, type EIP1193Provider } from 'viem'
import { bsc } from 'viem/chains'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { announceWallet } from '../../testing/announceWallet.ts'
import { createScriptedWallet } from '../../testing/createScriptedWallet.ts'
import { parseStoredConnection } from '../connection/runEffects.ts'
import { createWalletKit } from '../createWalletKit.ts'
import { RelayUnreachableError, toWalletKitError, UserRejectedError } from '../lib/errors.ts'
import { storageKey } from '../lib/storage.ts'
import { graceTime, requestTimeout } from '../provider/eip1193.ts'
import type { Connection, WalletKitState } from '../state/state.ts'
import type { WalletKit } from '../WalletKit.ts'
import { injectedConnector } from '../wallets/injected.ts'
import type { ConnectorConnectParameters, ConnectorFactory, WalletDefinition } from '../wallets/wallet.ts'
import { type ConnectEvent, reduceConnect } from './steps.ts'

/** Wallets A and B are on the page, R uses a relay, D can be downloaded, N has no connector. */
const walletIds = ['a', 'b', 'r', 'd', 'n'] as const
type WalletId = (typeof walletIds)[number]
const present = ['a', 'b', 'r'] as const
type PresentId = (typeof present)[number]

const accounts = ['0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', '0x00000000219ab540356cBB839Cbe05303d7705Fa'] as const

/** A request to a wallet. Its answer counts until a newer request replaces it. */
type Try = {
  walletId: PresentId
  /** The id of its attempt in the dialog; `undefined` for requests of the app. */
  attempt?: number
  onUri?: (uri: string) => void
  onDeclined?: (() => void) | undefined
  settle: (answer: Answer) => void
  answer?: Answer
  /** Time limit for a wallet that granted accounts and does not return its chain. */
  deadline?: number
  /** Set when the kit was destroyed: whether the wallet was in use, and whether the page was closed. */
  orphaned?: { wasInUse: boolean; isLost: boolean }
}
type Answer = 'yes' | 'no' | 'fail' | 'empty' | 'alreadyOpen'

/** A call of the app. */
type Call = { controller: AbortController; uris: string[]; try?: Try; outcome?: Connection | Error }

/** A reconnect to a wallet that does not answer. */
type Restoring = Pick<Try, 'walletId' | 'answer' | 'attempt'> & { isRestoring: true; deadline: number }

/** The expected state. */
type Model = {
  dialog: WalletKitState['dialog']['name']
  current?: Try | Restoring
  live?: PresentId
  /** The wallet that is restored in the background, as soon as it gives its account. */
  background?: PresentId
  /** The connection that the next page restores. */
  stored?: PresentId
  /** The pending switch of the chain; `isLatest` tells whether the dialog shows it. */
  switching?: { isLatest: boolean }
}
type World = ReturnType<typeof createWorld>

/** Waits for everything that does not depend on timers. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

function createWorld() {
  const tries: Try[] = []
  const calls: Call[] = []
  const opened: { kit: WalletKit; outcome?: Connection | undefined; isSettled: boolean; isChecked?: boolean }[] = []
  const restored: { isSettled: boolean }[] = []
  const switches: { isSettled: boolean; outcome?: unknown }[] = []
  const gone: { kit: WalletKit; state: WalletKitState }[] = []
  const wallets = {
    a: createScriptedWallet({ knownChains: [1, 56] }),
    b: createScriptedWallet({ knownChains: [1, 56] }),
    r: createScriptedWallet({ knownChains: [1, 56] }),
  }
  const muted = new Set<PresentId>()
  let givenBack = 0

  /** Holds each request for accounts until a step answers it. */
  const hold = (walletId: 'a' | 'b'): EIP1193Provider => {
    const { provider, setBehaviour } = wallets[walletId]
    const ask = (parameters: { method: string }) => provider.request(parameters as never)
    const request = (parameters: { method: string }) => {
      if (parameters.method !== 'eth_requestAccounts') return ask(parameters)
      return new Promise((resolve, reject) => {
        const settle = (answer: Answer) => {
          setBehaviour('eth_requestAccounts', behaviours[answer])
          ask(parameters).then(resolve, reject)
        }
        tries.push({ walletId, settle })
      })
    }
    return { ...provider, request } as EIP1193Provider
  }
  const relay: ConnectorFactory = () => ({
    kind: 'walletConnect',
    isReady: () => true,
    connect: ({ onUri, onDeclined }: ConnectorConnectParameters) =>
      new Promise((resolve, reject) => {
        const { provider } = wallets.r
        const grant = async () => {
          const accounts = await provider.request({ method: 'eth_requestAccounts' })
          resolve({ provider, accounts, chainId: Number(await provider.request({ method: 'eth_chainId' })) })
        }
        const settle = (answer: Answer) => {
          if (answer === 'yes') void grant()
          else if (answer === 'empty') resolve({ provider, accounts: [], chainId: 56 })
          else if (answer === 'no') reject(new UserRejectedError('The request was rejected in the wallet.'))
          else reject(new RelayUnreachableError('The relay cannot be reached.'))
        }
        tries.push({ walletId: 'r', settle, onUri, onDeclined })
      }),
    reconnect: async () => {
      const { provider } = wallets.r
      const accounts = await provider.request({ method: 'eth_accounts' })
      if (accounts.length === 0) return undefined
      return { provider, accounts, chainId: Number(await provider.request({ method: 'eth_chainId' })) }
    },
    disconnect: async () => void givenBack++,
  })
  const uninstalls = (['a', 'b'] as const).map((id) =>
    announceWallet({ info: { name: id, rdns: `test.${id}` }, provider: hold(id) }),
  )
  localStorage.clear()
  const createKit = () =>
    createWalletKit({
      appName: 'Test',
      chains: [bsc],
      transports: { [bsc.id]: custom({ request: async () => null }) },
      wallets: [{ groupName: 'Popular', wallets: walletIds.map((id) => define(id, relay)) }],
    })
  const world = {
    kit: createKit(),
    tries,
    calls,
    opened,
    restored,
    switches,
    gone,
    wallets,
    muted,
    givenBack: () => givenBack,
    /** Destroys the kit and creates another one with the same storage. */
    renew: () => {
      world.kit.destroy()
      gone.push({ kit: world.kit, state: world.kit.getState() })
      world.kit = createKit()
    },
    destroy: () => {
      world.kit.destroy()
      for (const uninstall of uninstalls) uninstall()
    },
  }
  return world
}

const behaviours = {
  yes: undefined,
  no: 'reject',
  fail: { error: new Error('Internal JSON-RPC error.') },
  empty: { result: [] },
  alreadyOpen: 'alreadyOpen',
} as const

const define = (id: WalletId, relay: ConnectorFactory): WalletDefinition => ({
  id,
  name: id,
  iconUrl: 'data:image/svg+xml,',
  iconBackground: '#fff',
  rdns: [`test.${id}`],
  connectors: [id === 'r' ? relay : injectedConnector()],
  ...(id === 'd' && {
    downloadUrls: { chrome: 'https://d.example', ios: 'https://d.example', macos: 'https://d.example' },
  }),
})

const readFlow = ({ kit }: World) => {
  const { dialog } = kit.getState()
  return dialog.name === 'connect' ? dialog : undefined
}

/** Returns the attempts of the dialog. */
const readAsked = (world: World) => {
  const flow = readFlow(world)
  return flow ? [...flow.history, flow.step].flatMap((step) => (step.name === 'connecting' ? [step] : [])) : []
}

const isPending = ({ phase }: { phase: string }) => phase === 'opening' || phase === 'alreadyOpen'

const isRestoring = (current: Model['current']): current is Restoring =>
  current !== undefined && 'isRestoring' in current

/** Returns whether a wallet with an earlier open request may connect: it is polled until it reports accounts. */
const mayResume = ({ current }: Model, walletId?: WalletId) =>
  current?.answer === 'alreadyOpen' && (walletId === undefined || current.walletId === walletId)

function connected(model: Model, walletId: PresentId): void {
  model.live = walletId
  model.stored = walletId
  model.dialog = 'none'
  delete model.current
  delete model.background
  delete model.switching
}

/** Restores the stored wallet in the background from now on, if it is on the page. */
function waited(model: Model): void {
  delete model.current
  if (model.stored === 'a' || model.stored === 'b') model.background = model.stored
}

/** Ends the connection. A pending attempt continues. */
function dropped(model: Model): void {
  delete model.live
  delete model.switching
  if (model.dialog !== 'connect') model.dialog = 'none'
}

/** Ends a pending switch when the wallet is on its chain, for any reason. */
function arrived(model: Model): void {
  if (model.switching?.isLatest && model.dialog === 'network') model.dialog = 'none'
  delete model.switching
}

/** Each step performs an event and updates the expected state. */
type Step = { name: string; run: (model: Model, world: World) => unknown }

const person = (event: ConnectEvent): Step => ({
  name: 'walletId' in event ? `${event.type} ${event.walletId}` : event.type,
  run: (model, world) => {
    const { kit, tries } = world
    const [before, count] = [readAsked(world)[0], tries.length]
    const flow = readFlow(world)
    kit.dispatch(event)
    const after = readAsked(world)[0]
    const asked = tries[count]
    if (event.type === 'pick' && flow && event.walletId !== 'd' && event.walletId !== 'n') {
      const { step } = flow
      const isAsked = step.name === 'connecting' && step.walletId === event.walletId && isPending(step)
      expect(Boolean(asked)).toBe(!isAsked)
    }
    if (after && after.attempt !== before?.attempt) {
      delete model.background
      if (asked) model.current = Object.assign(asked, { attempt: after.attempt })
      else delete model.current
    } else {
      expect(asked).toBeUndefined()
      if (before && !after && model.current?.attempt === before.attempt) delete model.current
    }
  },
})

const open: Step = {
  name: 'open',
  run: (model, { kit, opened }) => {
    const promise: World['opened'][number] = { kit, isSettled: false }
    opened.push(promise)
    void kit.openConnectDialog().then((outcome) => Object.assign(promise, { outcome, isSettled: true }))
    if (!model.live) model.dialog = 'connect'
  },
}

const close: Step = {
  name: 'close',
  run: (model, { kit }) => {
    kit.closeDialog()
    if (model.dialog === 'connect' && !isRestoring(model.current)) delete model.current
    model.dialog = 'none'
  },
}

const show = (name: 'account' | 'network'): Step => ({
  name,
  run: (model, { kit }) => {
    if (name === 'account') kit.openAccountDialog()
    else kit.openNetworkDialog()
    if (model.live) model.dialog = name
  },
})

const disconnect: Step = {
  name: 'disconnect',
  run: (model, { kit }) => {
    void kit.disconnect()
    delete model.live
    delete model.current
    delete model.background
    delete model.stored
    delete model.switching
    model.dialog = 'none'
  },
}

/** A channel that delivers messages of another page at once. */
class Channel {
  static readonly open = new Set<Channel>()
  onmessage?: (event: { data: string }) => void
  constructor() {
    Channel.open.add(this)
  }
  postMessage() {}
  close() {
    Channel.open.delete(this)
  }
}

/** Another page of the site disconnects. */
const otherTab: Step = {
  name: 'disconnect in another tab',
  run: (model) => {
    localStorage.removeItem(storageKey('connection'))
    for (const channel of Channel.open) channel.onmessage?.({ data: 'disconnected' })
    delete model.stored
    delete model.background
    if (isRestoring(model.current)) delete model.current
    if (model.live) dropped(model)
  },
}

/** Destroys the kit, either together with its page, whose requests are never answered, or alone. */
const renew = (what: 'reload' | 'destroy'): Step => ({
  name: what,
  run: (model, world) => {
    for (const asked of world.tries)
      asked.orphaned = {
        wasInUse: asked.orphaned?.wasInUse ?? model.live === asked.walletId,
        isLost: what === 'reload' || asked.orphaned?.isLost === true,
      }
    world.renew()
    const { stored } = model
    for (const key of Object.keys(model)) delete model[key as keyof Model]
    Object.assign(model, { dialog: 'none', ...(stored && { stored }) })
  },
})

const reconnect: Step = {
  name: 'reconnect',
  run: async (model, { kit, wallets, muted, restored, tries }) => {
    const { live, current, stored } = model
    const [before, count] = [kit.getState(), tries.length]
    const grants = stored && (await wallets[stored].provider.request({ method: 'eth_accounts' })).length > 0
    const promise = { isSettled: false }
    restored.push(promise)
    void kit.reconnect().then(() => Object.assign(promise, { isSettled: true }))
    await settle()
    expect(tries).toHaveLength(count)
    if (live || current || !stored) return expect(kit.getState()).toBe(before)
    delete model.background
    if (!grants) return waited(model)
    if (muted.has(stored))
      model.current = { isRestoring: true, walletId: stored, deadline: Date.now() + requestTimeout }
    else connected(model, stored)
  },
}

/** Reloads the page and reconnects, possibly to a wallet that does not answer. */
const load = (isMute: boolean): Step => ({
  name: isMute ? 'reload beside a mute wallet' : 'reload and reconnect',
  run: async (model, world) => {
    renew('reload').run(model, world)
    if (isMute && (model.stored === 'a' || model.stored === 'b')) mute(model.stored, true).run(model, world)
    await reconnect.run(model, world)
  },
})

/** The app switches the chain; the wallet agrees, rejects, fails, or does not answer. */
const switchChain = (how: 'yes' | 'no' | 'fail' | 'open'): Step => ({
  name: `switch chain, ${how}`,
  run: async (model, { kit, wallets, switches }) => {
    const { live } = model
    const before = kit.getState()
    if (how === 'open' && before.chainId === bsc.id) return
    const answers = {
      yes: undefined,
      no: 'reject',
      fail: { error: { code: 4200, message: 'no' } },
      open: 'hang',
    } as const
    if (live) wallets[live].setBehaviour('wallet_switchEthereumChain', answers[how])
    const promise: (typeof switches)[number] = { isSettled: false }
    switches.push(promise)
    kit.switchChain({ chainId: bsc.id }).then(
      () => Object.assign(promise, { isSettled: true }),
      (outcome) => Object.assign(promise, { isSettled: true, outcome }),
    )
    await settle()
    if (!live) {
      expect(kit.getState()).toBe(before)
      return expect(toWalletKitError(promise.outcome).name).toBe('WalletNotAvailableError')
    }
    wallets[live].setBehaviour('wallet_switchEthereumChain', undefined)
    if (how === 'yes') {
      expect([kit.getState().chainId, promise.outcome]).toEqual([bsc.id, undefined])
      model.switching = { isLatest: true }
      return arrived(model)
    }
    expect(promise.isSettled).toBe(how !== 'open')
    if (how === 'open') model.switching = { isLatest: true }
    else {
      if (model.switching) model.switching.isLatest = false
      expect(toWalletKitError(promise.outcome).name).toBe(how === 'no' ? 'UserRejectedError' : 'ChainError')
      if (model.dialog === 'network') expect(kit.getState().dialog).toMatchObject({ error: promise.outcome })
    }
  },
})

/** Rejects a later switch while an earlier one is pending; then the wallet performs the earlier one. */
const overtake: Step = {
  name: 'switch chain, pending, then rejected, then switched',
  run: async (model, world) => {
    const { live } = model
    if (!live) return
    await wallet(live, 'changes chain', (it) => it.setChain(137), { chainId: 137 }).run(model, world)
    for (const step of [show('network'), switchChain('open'), switchChain('no')]) await step.run(model, world)
    await wallet(live, 'changes chain back', (it) => it.setChain(56), { chainId: 56 }).run(model, world)
  },
}

const connect = (walletId: WalletId): Step => ({
  name: `app connects ${walletId}`,
  run: (model, { kit, tries, calls }) => {
    const count = tries.length
    const call: Call = { controller: new AbortController(), uris: [] }
    calls.push(call)
    const { controller, uris } = call
    kit.connect({ walletId, signal: controller.signal, onUri: (uri) => uris.push(uri) }).then(
      (outcome) => Object.assign(call, { outcome }),
      (outcome) => Object.assign(call, { outcome }),
    )
    const asked = tries[count]
    delete model.current
    delete model.background
    if (!asked) return
    call.try = asked
    model.current = asked
  },
})

const abort = (index: number): Step => ({
  name: `app cancels ${index}`,
  run: (model, { calls }) => {
    const call = calls.at(-1 - index)
    call?.controller.abort()
    if (call?.try && call.try === model.current) delete model.current
  },
})

/** The wallet answers one of its pending requests. */
const answer = (index: number, answer: Answer): Step => ({
  name: `answer ${answer} to ${index}`,
  run: async (model, world) => {
    const { kit, tries, muted, givenBack } = world
    const asked = tries.at(-1 - index)
    if (!asked || asked.answer || asked.orphaned?.isLost) return
    asked.answer = answer === 'alreadyOpen' && asked.walletId === 'r' ? 'fail' : answer
    const [before, returned] = [kit.getState(), givenBack()]
    const isCurrent = asked === model.current
    const isInUse = asked.orphaned
      ? asked.orphaned.wasInUse
      : model.live === asked.walletId || model.current?.walletId === asked.walletId
    asked.settle(asked.answer)
    await settle()
    if (!isCurrent) {
      if (!mayResume(model, asked.walletId)) expect(kit.getState()).toBe(before)
      const isReturned = asked.walletId === 'r' && (answer === 'yes' || answer === 'empty') && !isInUse
      return expect(givenBack() - returned).toBe(isReturned ? 1 : 0)
    }
    if (asked.answer === 'alreadyOpen') return
    if (asked.answer === 'yes' && asked.walletId !== 'r' && muted.has(asked.walletId))
      asked.deadline = Date.now() + requestTimeout
    else if (asked.answer === 'yes') connected(model, asked.walletId)
    else {
      delete model.current
      const phase = asked.answer === 'no' ? 'rejected' : 'failed'
      if (asked.attempt !== undefined) expect(readAsked(world)).toMatchObject([{ phase }])
    }
  },
})

/** The relay returns a URI, again after it has expired, or the person rejects. */
const relay = (index: number, event: 'uri' | 'decline'): Step => ({
  name: `${event} of ${index}`,
  run: async (model, world) => {
    const { kit, tries, calls } = world
    const asked = tries.at(-1 - index)
    if (!asked?.onUri || asked.orphaned?.isLost) return
    const before = kit.getState()
    const call = calls.find((call) => call.try === asked)
    const count = call?.uris.length ?? 0
    const isCurrent = asked === model.current
    const uri = `wc:${tries.length}.${count}@2`
    if (event === 'uri') asked.onUri(uri)
    else asked.onDeclined?.()
    if (!isCurrent) {
      expect(kit.getState()).toBe(before)
      expect(call?.uris.length ?? 0).toBe(count)
    } else if (event === 'uri' && call) expect(call.uris.at(-1)).toBe(uri)
    else if (event === 'uri') expect(readAsked(world)[0]).toMatchObject({ phase: 'opening', uri })
    else if (asked.attempt !== undefined) expect(readAsked(world)[0]).toMatchObject({ declined: true })
  },
})

/** Fires an event of a wallet. It counts only while the wallet is connected. */
const wallet = (
  walletId: PresentId,
  name: string,
  fire: (wallet: World['wallets'][PresentId]) => void,
  then: Partial<WalletKitState> | 'end',
): Step => ({
  name: `${walletId} ${name}`,
  run: async (model, world) => {
    const { kit, wallets, muted } = world
    const before = kit.getState()
    fire(wallets[walletId])
    await settle()
    if (model.live === walletId && then === 'end') await wait(graceTime).run(model, world)
    if (model.live === walletId) {
      if (then !== 'end') {
        expect(kit.getState()).toMatchObject(then)
        if ('chainId' in then && then.chainId === bsc.id) arrived(model)
        return
      }
      dropped(model)
      // A locked wallet can be restored; a connection that the wallet ended cannot.
      if (name === 'disconnects') delete model.stored
      else if (!model.current) waited(model)
    } else if (model.background === walletId && name === 'approves' && !muted.has(walletId)) {
      expect(kit.getState()).toMatchObject({ status: 'connected', walletId })
    } else if (!mayResume(model, walletId) && model.background !== walletId) expect(kit.getState()).toBe(before)
  },
})

type WalletEvent = [name: string, emit: Parameters<typeof wallet>[2], then: Parameters<typeof wallet>[3]]

const mute = (walletId: 'a' | 'b', isMuted: boolean): Step => ({
  name: `${walletId} ${isMuted ? 'stops answering' : 'answers again'}`,
  run: (_, { wallets, muted }) => {
    wallets[walletId].setBehaviour('eth_chainId', isMuted ? 'hang' : undefined)
    if (isMuted) muted.add(walletId)
    else muted.delete(walletId)
  },
})

const wait = (milliseconds: number): Step => ({
  name: `wait ${milliseconds} ms`,
  run: async (model) => {
    for (let passed = 0; passed < milliseconds; passed += 1_000) {
      vi.advanceTimersByTime(Math.min(milliseconds, 1_000))
      await settle()
    }
    const { current } = model
    if (current?.deadline === undefined || Date.now() < current.deadline) return
    if (isRestoring(current)) waited(model)
    else delete model.current
  },
})

const steps = {
  person: fc.oneof(
    fc.record({ type: fc.constant('pick' as const), walletId: fc.constantFrom(...walletIds) }).map(person),
    fc.constantFrom<ConnectEvent>({ type: 'choose', walletId: 'd' }, { type: 'choose', walletId: 'a' }).map(person),
    fc
      .constantFrom('learn', 'get', 'retry', 'back', 'mobile', 'extension', 'desktop', 'continue', 'connect')
      .map((type) => person({ type } as ConnectEvent)),
    fc.constantFrom(open, open, close, disconnect, show('account'), show('network')),
  ),
  app: fc.oneof(
    fc.constantFrom(...walletIds).map(connect),
    fc.nat(2).map(abort),
    fc.constantFrom('yes', 'no', 'fail', 'open').map(switchChain),
    fc.constant(overtake),
  ),
  page: fc.constantFrom(reconnect, load(false), load(true), renew('reload'), renew('destroy'), otherTab, otherTab),
  answers: fc
    .tuple(fc.nat(3), fc.constantFrom<Answer>('yes', 'yes', 'no', 'fail', 'empty', 'alreadyOpen'))
    .map(([index, what]) => answer(index, what)),
  relay: fc.tuple(fc.nat(3), fc.constantFrom('uri', 'decline')).map(([index, event]) => relay(index, event)),
  wallet: fc.oneof(
    fc
      .tuple(
        fc.constantFrom(...present),
        fc.constantFrom<WalletEvent>(
          ['changes account', (it) => it.setAccounts([accounts[1], accounts[0]]), { address: accounts[1] }],
          ['changes account back', (it) => it.setAccounts([accounts[0]]), { address: accounts[0] }],
          ['changes chain', (it) => it.setChain(137), { chainId: 137 }],
          ['changes chain back', (it) => it.setChain(56), { chainId: 56 }],
          ['approves', (it) => it.approve(), {}],
          ['is locked', (it) => it.lock(), 'end'],
          ['disconnects', (it) => it.disconnect(), 'end'],
          ['loses its node', (it) => it.emit('disconnect', { code: 1013 }), {}],
          ['reports an invalid chain', (it) => it.emit('chainChanged', 'nonsense'), {}],
        ),
      )
      .map(([id, what]) => wallet(id, ...what)),
    fc.tuple(fc.constantFrom('a' as const, 'b' as const), fc.boolean()).map(([id, isMuted]) => mute(id, isMuted)),
  ),
  time: fc.constantFrom(1_000, 3_000, 10_000).map(wait),
}

/** Checks the invariants after each step. */
function verify(model: Model, world: World): void {
  const { kit, opened, calls } = world
  const state = kit.getState()

  const resumed = mayResume(model) ? model.current : undefined
  const call = calls.find((call) => call.try === resumed)
  if (resumed && (call ? call.outcome : state.status === 'connected')) connected(model, resumed.walletId)
  const restoring = isRestoring(model.current) ? model.current.walletId : model.background
  if (restoring && state.status === 'connected') connected(model, restoring)
  // A wallet that was locked meanwhile.
  else if (isRestoring(model.current) && state.status === 'disconnected') waited(model)
  const { current, live } = model

  expect(state.dialog.name).toBe(model.dialog)
  const pending = isRestoring(current) ? 'reconnecting' : 'connecting'
  expect(state.status).toBe(live ? 'connected' : current ? pending : 'disconnected')
  expect(state.walletId).toBe(live ?? current?.walletId)
  expect(kit.provider !== undefined).toBe(live !== undefined)
  const hasAccount = live !== undefined || isRestoring(current)
  expect([state.address, state.chainId].map((it) => it !== undefined)).toEqual([hasAccount, hasAccount])
  expect(state.isSupportedChain).toBe(!hasAccount || state.chainId === 56)
  const kept: unknown = JSON.parse(localStorage.getItem(storageKey('connection')) ?? 'null')
  expect(parseStoredConnection(kept)?.walletId).toBe(model.stored)
  if (live) expect(state.error).toBeUndefined()
  expect(state.error?.name).not.toBe('UserRejectedError')

  const asked = readAsked(world)
  expect(asked.length).toBeLessThanOrEqual(1)
  for (const step of asked) {
    expect(isPending(step)).toBe(current?.attempt === step.attempt)
    if (isPending(step)) expect(step.walletId).toBe(current?.walletId)
  }
  if (current?.attempt !== undefined) expect(asked.map(({ attempt }) => attempt)).toEqual([current.attempt])

  let flow = readFlow(world)
  for (let left = flow?.history.length ?? 0; flow && left > 0; left--)
    flow = { ...flow, ...reduceConnect(flow, { type: 'back' }, { wallet: () => undefined, attempt: 0 }) }
  if (flow) expect(flow.step.name).toBe('list')

  for (const promise of opened) {
    const [isNew, isOpen] = [!promise.isChecked, model.dialog === 'connect']
    if (promise === opened.at(-1)) expect(promise.isSettled).toBe(!isOpen)
    else if (!isOpen) expect(promise.isSettled).toBe(true)
    if (!promise.isSettled || !isNew) continue
    promise.isChecked = true
    // Promises of a destroyed kit settle independently of the next kit.
    expect(promise.outcome?.walletId).toBe(promise.kit === kit ? live : undefined)
  }
  for (const call of calls) {
    const isOpen = call.try !== undefined && call.try === current
    expect(call.outcome === undefined).toBe(isOpen)
    if (call.controller.signal.aborted && call.try && !call.try.answer)
      expect(toWalletKitError(call.outcome).name).toBe('AbortedError')
  }
  for (const { isSettled } of world.restored.slice(0, -1)) expect(isSettled || isRestoring(current)).toBe(true)
  expect(world.restored.at(-1)?.isSettled ?? true).toBe(!isRestoring(current))
  if (!model.switching) for (const { isSettled } of world.switches) expect(isSettled).toBe(true)
  for (const { kit, state } of world.gone) expect(kit.getState()).toBe(state)
  expect(unhandled).toEqual([])
}

/** Checks that in any state the dialog can be closed, opened, and a wallet connected. */
async function verifyWayOut(model: Model, world: World): Promise<void> {
  const { tries, wallets } = world
  const play = async ({ run }: Step) => {
    await run(model, world)
    await settle()
    verify(model, world)
  }
  for (const step of [mute('a', false), mute('b', false), close, disconnect, wait(30_000)]) await play(step)
  for (const { listenerCount } of Object.values(wallets)) expect(listenerCount()).toBe(0)
  await play(open)
  await play(person({ type: 'learn' }))
  await play(person({ type: 'back' }))
  expect(readFlow(world)?.step).toEqual({ name: 'list' })
  await play(person({ type: 'pick', walletId: 'b' }))
  expect(tries.at(-1)?.walletId).toBe('b')
  await play(answer(0, 'yes'))
  expect(world.kit.getState()).toMatchObject({ status: 'connected', walletId: 'b', dialog: { name: 'none' } })
}

const unhandled: unknown[] = []
const onUnhandled = (reason: unknown) => void unhandled.push(reason)

// Loaded first, so that no import is in progress when a step expects no change.
beforeAll(() => Promise.all([import('../connection/connected.ts'), import('../connection/waitForAnswer.ts')]))
beforeEach(() => {
  vi.stubGlobal('BroadcastChannel', Channel)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  process.on('unhandledRejection', onUnhandled)
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
  process.off('unhandledRejection', onUnhandled)
})

test('property: any sequence of events leaves the kit consistent and usable', async () => {
  let played = 0
  const command = ({ name, run }: Step): fc.AsyncCommand<Model, World> => ({
    check: () => true,
    toString: () => name,
    run: async (model, world) => {
      played++
      await run(model, world)
      await settle()
      verify(model, world)
    },
  })
  const { person, app, page, answers, relay, wallet, time } = steps
  const any = fc.oneof(
    { weight: 8, arbitrary: person },
    { weight: 3, arbitrary: app },
    { weight: 3, arbitrary: page },
    { weight: 6, arbitrary: answers },
    { weight: 2, arbitrary: relay },
    { weight: 4, arbitrary: wallet },
    { weight: 1, arbitrary: time },
  )
  const property = fc.asyncProperty(
    fc.commands([any.map(command)], { maxCommands: 60, size: 'max' }),
    async (commands) => {
      const world = createWorld()
      const model: Model = { dialog: 'none' }
      try {
        await fc.asyncModelRun(() => ({ model, real: world }), commands)
        await verifyWayOut(model, world)
      } finally {
        world.destroy()
      }
      for (const { listenerCount } of Object.values(world.wallets)) expect(listenerCount()).toBe(0)
    },
  )
  await fc.assert(property, { numRuns: 150 })
  expect(played).toBeGreaterThan(2_000)
})
