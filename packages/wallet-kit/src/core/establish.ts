import type { Address } from 'viem'
import type { Session } from './authentication.ts'
import { describeConnection, storeConnection } from './connection.ts'
import { type KitContext, type LiveConnection, settleDialog } from './context.ts'
import type { Wallet } from './createWallets.ts'
import { WalletNotAvailableError } from './errors.ts'
import { followConnection } from './followConnection.ts'
import { resumeSession, showSignIn } from './session.ts'
import type { Connection } from './state.ts'
import { maxRecentWallets } from './storage.ts'
import { followTransactions, stopFollowing } from './transactions.ts'
import type { Connector, ConnectorConnection } from './wallet.ts'

type EstablishParameters = {
  wallet: Wallet
  connector: Connector
  answer: ConnectorConnection
  /** What the server knows of this browser. */
  session?: Session | undefined
  checksumAddress: (address: Address) => Address
}

/** Makes what a wallet granted the kit's connection: followed, remembered, and shown. */
export function establish(
  context: KitContext,
  { wallet, connector, answer, session, checksumAddress }: EstablishParameters,
): Connection {
  const { store, wallets } = context
  const [account] = answer.accounts
  if (!account) throw new WalletNotAvailableError('The wallet gave no account. Unlock it and try again.')
  const walletId = wallet.definition.id
  const connection: Connection = { walletId, address: checksumAddress(account), chainId: answer.chainId }

  const isAsked = context.attempt?.kind === 'connect'
  if (context.live) {
    context.live.unfollow()
    stopFollowing(context, context.live)
  }
  const live: LiveConnection = { walletId, connector, provider: answer.provider, checksumAddress, unfollow: () => {} }
  context.live = live
  delete context.attempt

  const recentWalletIds = [walletId, ...store.getState().recentWalletIds.filter((id) => id !== walletId)]
  recentWalletIds.splice(maxRecentWallets)
  context.storage.write('recentWallets', recentWalletIds)

  const { error: _, ...state } = store.getState()
  store.setState(
    {
      ...state,
      ...describeConnection(context, connection, session),
      walletId,
      dialog: { name: 'none' },
      recentWalletIds,
      wallets: wallets.list(recentWalletIds),
    },
    true,
  )
  if (state.session && !store.getState().session) context.signIn?.leave()
  storeConnection(context)
  followTransactions(context)
  if (store.getState().status === 'unauthenticated' && isAsked) showSignIn(context)
  else settleDialog(context, connection)
  // Whoever reads the state may have ended the connection already; and so may a wallet that reports when it is heard.
  if (context.live === live) live.unfollow = followConnection(context, live)
  if (context.live !== live) live.unfollow()
  if (!context.config.authentication?.required) resumeSession(context)
  return connection
}
