// A separate module, loaded while a wallet is asked for its accounts: the first paint needs neither this code nor the
// checksum hash.
import { type Account, type Address, type EIP1193Provider, getAddress, type Transport, type WalletClient } from 'viem'
import {
  AbortedError,
  assertParameters,
  ChainError,
  ConfigurationError,
  createNoAccountError,
  createNotConnectedError,
  toWalletKitError,
} from '../lib/errors.ts'
import { abortable, delay } from '../lib/promises.ts'
import { parseAccounts, parseChainId, readProperty } from '../lib/untrusted.ts'
import {
  graceTime,
  isReconnecting,
  requestProvider,
  requestTimeout,
  settleTimeout,
  watchProvider,
} from '../provider/eip1193.ts'
import { requestForViem } from '../provider/requestForViem.ts'
import type { WalletKitChain } from '../state/config.ts'
import { changeAccount, endSwitch, establish, startSwitch } from '../state/connectionTransitions.ts'
import {
  type EstablishConnectionParameters,
  forgetAwaited,
  type KitContext,
  type LeftWallets,
  signalWhile,
  update,
} from '../state/context.ts'
import { type Connection, type EstablishedState, isEstablished } from '../state/state.ts'
import { endConnection, maxRecentWallets } from '../state/transitions.ts'
import { readTransactions } from '../transactions/createTransactions.ts'

export { getAddress as checksumAddress } from 'viem'
export { createTransactions } from '../transactions/createTransactions.ts'

/** Connects the account that a wallet granted. */
export function establishConnection(
  context: KitContext,
  { attempt, connector, answer, session }: EstablishConnectionParameters,
): Connection {
  const [account] = answer.accounts
  if (!account) throw createNoAccountError()
  const { walletId, kind } = attempt
  const { provider, chainId } = answer
  const left = kind === 'connect' && { ...context.store.getState(), awaited: forgetAwaited(context) }
  const address = getAddress(account)
  update(context, (state) => {
    const others = state.recentWalletIds.filter((id) => id !== walletId)
    const recentWalletIds = [walletId, ...others].slice(0, maxRecentWallets)
    const account = { address, chainId, ...readTransactions(context, { address, chainId }) }
    const wallets = context.wallets.list(recentWalletIds)
    return establish(
      state,
      { ...account, attempt, connector, provider, session, recentWalletIds, wallets },
      context.config,
      Date.now(),
    )
  })
  if (left && left.provider !== provider) leaveWallets(context, left)
  return { walletId, address, chainId }
}

/**
 * Ends what is open in wallets that are left: the connection, or else the relay session of an earlier page; and the code whose
 * answer is no longer awaited. A new relay session ends the earlier one by itself.
 */
export function leaveWallets(context: KitContext, { connector, provider, awaited }: LeftWallets, revoke = false): void {
  const isRelay = context.store.getState().connector?.kind === relayKind
  if (provider && revoke) {
    const revocation = { method: 'wallet_revokePermissions', params: [{ eth_accounts: {} }] }
    void callQuietly(() => requestProvider(provider, revocation, requestTimeout))
  }
  if (provider && !(isRelay && connector?.kind === relayKind)) void callQuietly(() => connector?.disconnect?.(provider))
  if (!provider && !isRelay) void callQuietly(() => endStoredSession(context))
  if (awaited) void callQuietly(() => findRelay(context, awaited)?.resume?.({ signal: context.signal }))
}

/** Calls a wallet, whose failure is not shown. A connector of the app may throw at once, and return no promise. */
async function callQuietly(call: () => unknown): Promise<void> {
  try {
    await call()
  } catch {}
}

/** Ends the relay session that an earlier page stored, unless another one has taken its place. */
async function endStoredSession(context: KitContext): Promise<void> {
  const { storage, signal } = context
  const read = (key: string) => storage.read('session', (session) => readProperty(session, key))
  const topic = read('topic')
  const relay = topic ? findRelay(context, read('walletId')) : undefined
  const answer = await relay?.reconnect?.({ signal })
  if (!relay || read('topic') !== topic) return
  if (answer) return relay.disconnect?.(answer.provider)
  // It has expired, or its wallet has ended it. The next page need not load the relay for it.
  storage.read('session', (session) => storage.write('session', { ...Object(session), topic: undefined }))
}

const relayKind = 'walletConnect'

const findRelay = ({ wallets }: KitContext, walletId: unknown) =>
  wallets.get(String(walletId))?.connectors.find(({ kind, isReady }) => kind === relayKind && isReady())

/**
 * Follows the events of the connected wallet until the connection ends. A wallet may report no account, or that it is
 * disconnected, just before it reports another account, so it is asked for its accounts before the connection ends.
 */
export function watchConnection(
  context: KitContext,
  { connectionId, provider, walletId }: EstablishedState,
  onLocked: () => void,
): void {
  const { signal } = signalWhile(context, (state) => state.connectionId === connectionId)
  const read = <T>(parameters: Omit<EventReaderParameters<T>, 'provider' | 'signal'>) =>
    createEventReader({ provider, signal, ...parameters })
  /** `true` after `disconnect`: the connection is not restored on the next page. */
  let isForgotten = false
  const end = () => {
    // Another tab may have connected another wallet since.
    const stored = context.storage.read('connection', (value) => value)
    if (isForgotten && readProperty(stored, 'walletId') === walletId) context.storage.remove('connection')
    update(context, endConnection)
    if (!isForgotten) onLocked()
  }
  const accounts = read({
    method: 'eth_accounts',
    parse: parseAccounts,
    isFinal: ({ length }) => length > 0,
    current: () => context.store.getState().address,
    apply: ([account]: readonly Address[]) => {
      if (!account) return end()
      isForgotten = false
      const address = getAddress(account)
      if (address !== context.store.getState().address) changeConnection(context, { address })
    },
    fail: end,
  })
  const chain = read({
    method: 'eth_chainId',
    parse: parseChainId,
    current: () => context.store.getState().chainId,
    apply: (chainId: number) => changeChain(context, chainId),
  })
  const stopWatching = watchProvider(provider, {
    accountsChanged: accounts,
    chainChanged: chain,
    // Says on which chain a wallet is that was disconnected.
    connect: chain,
    disconnect: (reason) => {
      if (isReconnecting(reason)) return accounts(undefined)
      isForgotten = true
      accounts([])
    },
  })
  // While the browser keeps a page that was left, extensions close their connection to it, and their events are lost.
  const readAgain = ({ persisted }: PageTransitionEvent) => {
    if (!persisted) return
    accounts(undefined)
    chain(undefined)
  }
  // Extensions also lose events while their service worker starts again. An empty list of accounts then says little.
  const readShown = () => {
    if (document.hidden) return
    accounts(undefined, true)
    chain(undefined, true)
  }
  // The window is kept: test environments remove the global ones while wallets still answer.
  const page = typeof document === 'undefined' ? undefined : window
  page?.addEventListener('pageshow', readAgain)
  page?.addEventListener('visibilitychange', readShown)
  const stop = () => {
    stopWatching()
    page?.removeEventListener('pageshow', readAgain)
    page?.removeEventListener('visibilitychange', readShown)
  }
  // The wallet may have ended the connection synchronously, while listeners were added.
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop)
}

type EventReaderParameters<T> = {
  provider: EIP1193Provider
  signal: AbortSignal
  /** Method that requests the value if a payload cannot be parsed, or is not final. */
  method: string
  parse: (payload: unknown) => T | undefined
  /** Returns `false` for a value that another one may follow at once. Default: `true` for every value. */
  isFinal?: (value: T) => boolean
  /** Returns the value that the kit has. */
  current: () => unknown
  apply: (value: T) => void
  /** Called when the wallet does not say its value after one that is not final. */
  fail?: () => void
}

/**
 * Creates a listener for one kind of event. Drops answers that are older than the latest event or change. With `isHint`, only a
 * final answer counts, and one that is awaited already comes first.
 */
function createEventReader<T>(parameters: EventReaderParameters<T>) {
  const { provider, signal, method, parse, isFinal = () => true, current, apply, fail } = parameters
  let latest = 0
  /** The event whose answer is awaited. */
  let awaited: number | undefined
  const ask = async (event: number, value: T | undefined, isHint: boolean | undefined) => {
    const isLatest = () => event === latest && !signal.aborted
    const before = current()
    if (!isHint) awaited = event
    if (value !== undefined) await delay(graceTime, signal)
    if (!isLatest()) return
    const timeout = value === undefined ? requestTimeout : settleTimeout
    const answer = await requestProvider(provider, { method }, timeout, signal).catch(() => undefined)
    if (!isLatest()) return
    awaited = undefined
    const parsed = parse(answer)
    if (parsed === undefined) return value !== undefined && fail?.()
    if (value === undefined && current() !== before) return
    if (!isHint || isFinal(parsed)) apply(parsed)
  }
  return (payload: unknown, isHint?: boolean) => {
    if (isHint && awaited === latest) return
    const event = ++latest
    const value = parse(payload)
    if (value !== undefined && isFinal(value)) apply(value)
    else void ask(event, value, isHint)
  }
}

export type SwitchChainParameters<chainId extends number = number> = { chainId: chainId }

/** Switches the wallet to a chain of the configuration. */
export async function switchChain(context: KitContext, parameters: SwitchChainParameters): Promise<void> {
  assertParameters(parameters, 'chainId')
  const { chainId } = parameters
  const state = context.store.getState()
  if (!isEstablished(state)) throw createNotConnectedError()
  const chain = context.config.chains.find(({ id }) => id === chainId)
  if (!chain) throw new ConfigurationError(`The chain ${chainId} is not among the chains of this app.`)

  // Compared by identity, so that a later request replaces this one.
  const request = { chainId }
  update(context, (state) => startSwitch(state, request))
  try {
    await waitForChain(context, state, chain)
    update(context, (state) => endSwitch(state, request, 'done'))
  } catch (thrown) {
    const error = toWalletKitError(thrown)
    update(context, (state) => endSwitch(state, request, error))
    throw error
  }
}

/** Resolves once the wallet answers or reports the chain, whichever comes first: some wallets never answer. */
async function waitForChain(
  context: KitContext,
  { connectionId, provider }: EstablishedState,
  chain: WalletKitChain,
): Promise<void> {
  const isConnected = () => context.store.getState().connectionId === connectionId
  const before = context.store.getState()
  const { signal, release } = signalWhile(
    context,
    (state) => state === before || (state.connectionId === connectionId && state.chainId !== chain.id),
  )
  const request = context.chainRequest.load().then(async ({ requestChain }) => {
    await requestChain(provider, chain, context.signal)
    if (isConnected()) changeChain(context, chain.id)
  })
  try {
    await abortable(request, signal)
  } catch (thrown) {
    if (!signal.aborted) throw thrown
  } finally {
    release()
  }
  if (context.signal.aborted || !isConnected()) throw new AbortedError('The wallet was disconnected.')
}

/** Changes the chain of the connection, together with the account if the wallet approves accounts by chain. */
function changeChain(context: KitContext, chainId: number): void {
  const [account] = context.store.getState().connector?.getAccounts?.(chainId) ?? []
  changeConnection(context, { chainId, ...(account && { address: getAddress(account) }) })
}

/** Changes the account or chain of the connection. */
function changeConnection(
  { store, config, storage }: KitContext,
  change: Partial<Pick<Connection, 'address' | 'chainId'>>,
): void {
  update({ store }, (state) => {
    if (!isEstablished(state)) return state
    const account = { address: state.address, chainId: state.chainId, ...change }
    return changeAccount(state, { ...account, ...readTransactions({ storage }, account) }, config, Date.now())
  })
}

/** Loads a viem client that signs with the connected wallet. */
export async function getWalletClient({
  store,
  config,
}: KitContext): Promise<WalletClient<Transport, WalletKitChain, Account>> {
  const { createWalletClient, custom } = await import('../provider/publicClient.ts')
  const state = store.getState()
  if (!isEstablished(state)) throw createNotConnectedError()
  const chain = config.chains.find(({ id }) => id === state.chainId)
  if (!chain) throw new ChainError('The wallet is on a network that the app does not support. Switch networks first.')
  const request = (parameters: { method: string; params?: unknown }) => requestForViem(state.provider, parameters)
  return createWalletClient({ account: state.address, transport: custom({ request }), chain })
}
