import type { Address, EIP1193Provider } from 'viem'
import { delay } from '../lib/promises.ts'
import { createTabs } from '../lib/tabs.ts'
import { isAddress, isRecord, parseAccounts, parseChainId } from '../lib/untrusted.ts'
import {
  graceTime,
  isReconnecting,
  requestProvider,
  requestTimeout,
  settleTimeout,
  watchProvider,
} from '../provider/eip1193.ts'
import { prepareSignIn, resumeSession } from '../signIn/session.ts'
import type { WalletKitConfig } from '../state/config.ts'
import { type KitContext, signalWhile, update } from '../state/context.ts'
import type { EstablishedState, WalletKitState } from '../state/state.ts'
import { endConnection, isEstablished, toConnection } from '../state/transitions.ts'
import { cancelAttempt, changeChain, changeConnection, checksum, maxRecentWallets } from './connect.ts'

/**
 * Runs the effects of state changes: watches the wallet and its transactions, stores the connection, ends the session of an
 * account that is left, and prepares sign-in. Calls `onLocked` when the wallet has no account any more.
 */
export function runEffects(context: KitContext, onLocked: () => void): void {
  const { store, storage, transactions, signIn, signal } = context
  const stop = store.subscribe((state, before) => {
    if (state.recentWalletIds !== before.recentWalletIds) storage.write('recentWallets', state.recentWalletIds)
    if (!isSameAccount(state, before)) {
      if (isEstablished(before) && state.connectionId !== before.connectionId)
        transactions.leaveConnection(before.connectionId)
      if (before.session && !state.session) signIn.current?.leave()
      storeConnection(context)
      transactions.watch()
    }
    const isNewConnection = state.connectionId !== before.connectionId
    if (isEstablished(state) && isNewConnection) {
      watchConnection(context, state, onLocked)
      if (!context.config.authentication?.required) resumeSession(context)
    }
    if (state.dialog.name === 'signIn' && (isNewConnection || before.dialog.name !== 'signIn')) prepareSignIn(context)
  })
  signal.addEventListener('abort', stop)
}

function isSameAccount(a: WalletKitState, b: WalletKitState): boolean {
  return a.connectionId === b.connectionId && a.address === b.address && a.chainId === b.chainId
}

/**
 * Stores the connection for the next page. A wallet whose rdns another provider claims is not stored: the next page could
 * not tell them apart.
 */
export function storeConnection({ store, storage, wallets }: KitContext): void {
  const state = store.getState()
  const connection = toConnection(state)
  const wallet = connection && wallets.get(connection.walletId)
  // `reconnect` finds a wallet that contains the page without it.
  if (!isEstablished(state) || !connection || !wallet || state.connector.containsPage) return
  const { kind } = state.connector
  const stored: StoredConnection = { ...connection, kind, ...(wallet.rdns && { rdns: wallet.rdns }) }
  if (wallet.verified) storage.write('connection', stored)
  else storage.remove('connection')
}

/**
 * Follows the events of the connected wallet until the connection ends. A wallet may report no account, or that it is
 * disconnected, just before it reports another account, so it is asked for its accounts before the connection ends.
 */
function watchConnection(
  context: KitContext,
  { connectionId, provider }: EstablishedState,
  onLocked: () => void,
): void {
  const { signal } = signalWhile(context, (state) => state.connectionId === connectionId)
  const read = <T>(parameters: Omit<EventReaderParameters<T>, 'provider' | 'signal'>) =>
    createEventReader({ provider, signal, ...parameters })
  /** `true` after `disconnect`: the connection is not restored on the next page. */
  let isForgotten = false
  const end = () => {
    if (isForgotten) context.storage.remove('connection')
    update(context, endConnection)
    if (!isForgotten) onLocked()
  }
  const accounts = read({
    method: 'eth_accounts',
    parse: parseAccounts,
    isFinal: ({ length }) => length > 0,
    apply: ([account]: readonly Address[]) => {
      if (!account) return end()
      isForgotten = false
      const address = checksum(context, account)
      if (address !== context.store.getState().address) changeConnection(context, { address })
    },
    fail: end,
  })
  const chain = read({
    method: 'eth_chainId',
    parse: parseChainId,
    apply: (chainId: number) => changeChain(context, chainId),
  })
  const stop = watchProvider(provider, {
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
  apply: (value: T) => void
  /** Called when the wallet does not say its value after one that is not final. */
  fail?: () => void
}

/** Creates a listener for one kind of event. Drops answers that are older than the latest event. */
function createEventReader<T>(parameters: EventReaderParameters<T>) {
  const { provider, signal, method, parse, isFinal = () => true, apply, fail } = parameters
  let latest = 0
  const ask = async (event: number, value: T | undefined) => {
    const isCurrent = () => event === latest && !signal.aborted
    if (value !== undefined) await delay(graceTime, signal)
    if (!isCurrent()) return
    const timeout = value === undefined ? requestTimeout : settleTimeout
    const answer = await requestProvider(provider, { method }, timeout, signal).catch(() => undefined)
    if (!isCurrent()) return
    const parsed = parse(answer)
    if (parsed !== undefined) apply(parsed)
    else if (value !== undefined) fail?.()
  }
  return (payload: unknown) => {
    const event = ++latest
    const value = parse(payload)
    if (value !== undefined && isFinal(value)) apply(value)
    else void ask(event, value)
  }
}

/** Connects to the other tabs of the site, unless the app sets its own storage, which the tabs may not share. */
export function joinTabs({ id, storage }: WalletKitConfig, signal: AbortSignal, getContext: () => KitContext) {
  if (typeof window === 'undefined' || storage) return undefined
  const tabs = createTabs(
    {
      disconnected: () => {
        const context = getContext()
        const { attempt, provider } = context.store.getState()
        if (attempt && attempt.kind !== 'connect') cancelAttempt(context, attempt.id)
        // The tab that disconnected also ends the session at the server.
        context.signIn.current?.forget()
        if (provider) update(context, endConnection)
      },
      signedIn: () => getContext().store.getState().provider && resumeSession(getContext()),
      signedOut: () => getContext().signIn.current?.forget(),
      transactions: () => getContext().transactions.refresh(),
    },
    id,
  )
  signal.addEventListener('abort', tabs.destroy)
  return tabs
}

/** The last connection as stored, to restore it without a prompt. */
export type StoredConnection = {
  walletId: string
  rdns?: string
  /** The kind of the connector. */
  kind: string
  address: Address
  chainId: number
}

/** Parses a stored connection. Returns `undefined` for other values. */
export function parseStoredConnection(value: unknown): StoredConnection | undefined {
  if (!isRecord(value)) return undefined
  const { walletId, rdns, kind, address, chainId } = value
  if (typeof walletId !== 'string' || typeof kind !== 'string' || !isAddress(address)) return undefined
  if (typeof chainId !== 'number' || !Number.isSafeInteger(chainId)) return undefined
  return { walletId, kind, address, chainId, ...(typeof rdns === 'string' && { rdns }) }
}

/** Parses the stored ids of recent wallets. Returns `undefined` for other values. */
export function parseRecentWallets(value: unknown): string[] | undefined {
  if (!Array.isArray(value)) return undefined
  return [...new Set(value.filter((id): id is string => typeof id === 'string'))].slice(0, maxRecentWallets)
}
