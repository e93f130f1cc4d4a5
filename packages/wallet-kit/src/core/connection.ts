import { getConnection, type KitContext, settleDialog } from './context.ts'
import { describeSession } from './session.ts'
import type { Connection, WalletKitState } from './state.ts'
import type { StoredConnection } from './storage.ts'
import { followTransactions, readTransactions, stopFollowing } from './transactions.ts'

/** The part of the state that follows from the account and the chain. */
export function describeConnection(
  context: KitContext,
  { address, chainId }: Pick<Connection, 'address' | 'chainId'>,
  session = context.store.getState().session,
) {
  const isSupportedChain = context.config.chains.some(({ id }) => id === chainId)
  const account = { address, chainId }
  return {
    ...account,
    isSupportedChain,
    ...describeSession(context, account, session),
    ...readTransactions(context, account),
  }
}

/** The account or the chain of the connection changed: all that depends on them follows. */
export function updateConnection(context: KitContext, change: Partial<Pick<Connection, 'address' | 'chainId'>>): void {
  const connection = getConnection(context)
  if (!connection) return
  const { session } = context.store.getState()
  context.store.setState(describeConnection(context, { ...connection, ...change }))
  if (session && !context.store.getState().session) context.signIn?.leave()
  storeConnection(context)
  followTransactions(context)
}

/** Ends the connection on this page. A try to reach another wallet goes on. */
export function dropConnection(context: KitContext): void {
  if (context.live) {
    context.live.unfollow()
    stopFollowing(context, context.live)
  }
  delete context.live
  if (context.store.getState().session) context.signIn?.leave()
  const { attempt, store } = context
  const isConnecting = attempt && store.getState().dialog.name === 'connect'
  showUnconnected(context, {
    ...(attempt ? { status: 'connecting', walletId: attempt.walletId } : { status: 'disconnected' }),
    ...(!isConnecting && { dialog: { name: 'none' } }),
  })
  if (!isConnecting) settleDialog(context, undefined)
}

/** Nothing of an earlier connection or try stays in the state. */
export function showUnconnected({ store }: KitContext, change: Partial<WalletKitState>): void {
  const { wallets, recentWalletIds, dialog, names } = store.getState()
  store.setState({ ...store.getInitialState(), wallets, recentWalletIds, dialog, names, ...change }, true)
}

/**
 * Keeps the connection for the next page. Of two providers that claim one rdns neither is kept: on the next page the
 * kit could not tell which of them the person meant.
 */
export function storeConnection(context: KitContext): void {
  const { live } = context
  const connection = getConnection(context)
  const wallet = connection && context.wallets.get(connection.walletId)
  // A wallet that surrounds the page is found there again.
  if (!live || !wallet || live.connector.surrounds) return
  const stored: StoredConnection = {
    ...connection,
    kind: live.connector.kind,
    ...(wallet.rdns && { rdns: wallet.rdns }),
  }
  if (wallet.verified) context.storage.write('connection', stored)
  else context.storage.remove('connection')
}
