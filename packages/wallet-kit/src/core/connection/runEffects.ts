import type { Address } from 'viem'
import { connected, createTabs } from '../lib/storage.ts'
import { isAddress, isRecord, readProperty } from '../lib/untrusted.ts'
import { prepareSignIn, resumeSession } from '../signIn/session.ts'
import type { WalletKitConfig } from '../state/config.ts'
import { type KitContext, update } from '../state/context.ts'
import { isEstablished, type WalletKitState } from '../state/state.ts'
import { endConnection, maxRecentWallets } from '../state/transitions.ts'
import type { ListedWalletId } from '../wallets/wallet.ts'
import { cancelAttempt } from './connect.ts'

/**
 * Runs the effects of state changes: watches the wallet and its transactions, stores the connection, ends the session of an
 * account that is left, and prepares sign-in. Calls `onLocked` when the wallet has no account any more.
 */
export function runEffects(context: KitContext, onLocked: () => void): void {
  const { store, storage, signIn, connected, signal } = context
  const stop = store.subscribe((state, before) => {
    if (state.recentWalletIds !== before.recentWalletIds) storage.write('recentWallets', state.recentWalletIds)
    if (!isSameAccount(state, before)) {
      const transactions = connected.current?.transactions
      if (isEstablished(before) && state.connectionId !== before.connectionId)
        transactions?.leaveConnection(before.connectionId)
      if (before.session && !state.session) signIn.current?.leave()
      storeConnection(context)
      transactions?.watch()
    }
    const isNewConnection = state.connectionId !== before.connectionId
    if (isEstablished(state) && isNewConnection) {
      connected.current?.watchConnection(context, state, onLocked)
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
export function storeConnection({ store, storage, wallets, tabs }: KitContext): void {
  const state = store.getState()
  if (!isEstablished(state)) return
  const { walletId, address, chainId, connector } = state
  const wallet = wallets.get(walletId)
  // `reconnect` finds a wallet that contains the page without it.
  if (!wallet || connector.containsPage) return
  // JSON leaves out a missing rdns.
  const stored = { walletId, address, chainId, kind: connector.kind, rdns: wallet.rdns }
  if (wallet.verified) storage.write('connection', stored)
  else storage.remove('connection')
  tabs?.post(connected)
}

/**
 * Connects to the other tabs of the site and the other kits of the page, unless the app sets its own storage, which they
 * may not share.
 */
export function joinTabs(
  { id, storage }: WalletKitConfig,
  signal: AbortSignal,
  getContext: () => KitContext,
  restore: (context: KitContext) => void,
) {
  if (typeof document === 'undefined' || storage) return undefined
  const disconnected = () => {
    const context = getContext()
    const { attempt, provider } = context.store.getState()
    if (attempt && attempt.kind !== 'connect') cancelAttempt(context, attempt.id)
    // The kit that disconnected also ends the session at the server.
    context.signIn.current?.forget()
    if (provider) update(context, endConnection)
  }
  const tabs = createTabs(
    {
      [connected]: () => {
        const context = getContext()
        const { attempt, walletId } = context.store.getState()
        const stored = context.storage.read('connection', parseStoredConnection)
        // A person who is asked here decides. The wallet itself reports its accounts and chains.
        if (!stored || attempt?.kind === 'connect' || walletId === stored.walletId) return
        disconnected()
        restore(context)
      },
      disconnected,
      signedIn: () => getContext().store.getState().provider && resumeSession(getContext()),
      signedOut: () => getContext().signIn.current?.forget(),
      transactions: () => getContext().connected.current?.transactions.refresh(),
    },
    id,
  )
  signal.addEventListener('abort', () => tabs?.destroy())
  return tabs
}

/** The last connection as stored, to restore it without a prompt. */
export type StoredConnection = {
  walletId: ListedWalletId
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
  return { walletId: walletId as ListedWalletId, kind, address, chainId, ...(typeof rdns === 'string' && { rdns }) }
}

/** Parses the wallet whose answer to a code an earlier page awaited, from the stored relay session. */
export function parseAwaited(value: unknown): Pick<StoredConnection, 'walletId' | 'kind'> | undefined {
  const pairing = readProperty(value, 'pairing')
  const walletId = readProperty(pairing, 'walletId')
  if (typeof walletId !== 'string' || !(Number(readProperty(pairing, 'expiry')) > Date.now())) return undefined
  return { walletId: walletId as ListedWalletId, kind: 'walletConnect' }
}

/** Parses the stored ids of recent wallets. Returns `undefined` for other values. */
export function parseRecentWallets(value: unknown): ListedWalletId[] | undefined {
  if (!Array.isArray(value)) return undefined
  return [...new Set(value.filter((id): id is ListedWalletId => typeof id === 'string'))].slice(0, maxRecentWallets)
}
