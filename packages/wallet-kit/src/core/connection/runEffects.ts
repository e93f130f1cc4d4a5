import { prepareSignIn, resumeSession } from '../signIn/session.ts'
import type { KitContext } from '../state/context.ts'
import type { WalletKitState } from '../state/state.ts'
import { isEstablished, toConnection } from '../state/transitions.ts'
import type { StoredConnection } from './storedConnection.ts'
import { watchConnection } from './watchConnection.ts'

/**
 * Runs the effects of state changes: watches the wallet and its transactions, stores the connection, ends the session of an
 * account that is left, and prepares sign-in.
 */
export function runEffects(context: KitContext): void {
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
      watchConnection(context, state.connectionId, state.provider)
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
  // `reconnect` finds a wallet that surrounds the page without it.
  if (!isEstablished(state) || !connection || !wallet || state.connector.surrounds) return
  const { kind } = state.connector
  const stored: StoredConnection = { ...connection, kind, ...(wallet.rdns && { rdns: wallet.rdns }) }
  if (wallet.verified) storage.write('connection', stored)
  else storage.remove('connection')
}
