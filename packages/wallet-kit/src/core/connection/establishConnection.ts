import { createNoAccountError, followWallet } from '../provider/requestAccounts.ts'
import { isReconnecting } from '../provider/watchProvider.ts'
import type { Session } from '../state/authentication.ts'
import { type KitContext, update, waitForState } from '../state/context.ts'
import type { Attempt, Connection } from '../state/state.ts'
import { establish } from '../state/transitions.ts'
import type { Granted } from './askWallet.ts'
import { maxRecentWallets } from './storedConnection.ts'

/** Follows the wallet until the attempt ends: it may change account or network while the session is read. */
export function followAnswer<T extends Granted>(context: KitContext, attempt: Attempt, granted: T): T {
  const answer = { ...granted.answer }
  const disconnect = (reason: unknown) => {
    if (!isReconnecting(reason)) answer.accounts = []
  }
  void waitForState(context, (state) => state.attempt !== attempt).then(followWallet(answer, { disconnect }))
  return { ...granted, answer }
}

type EstablishConnectionParameters = Granted & {
  attempt: Attempt
  /** The session of this browser at the server. */
  session: Session | undefined
}

/** Connects the account that a wallet granted. */
export function establishConnection(
  context: KitContext,
  { attempt, connector, answer, session }: EstablishConnectionParameters,
): Connection {
  const [account] = answer.accounts
  if (!account) throw createNoAccountError()
  const { walletId } = attempt
  const { provider, chainId } = answer
  const address = context.checksum.current?.checksumAddress(account) ?? account
  update(context, (state) => {
    const others = state.recentWalletIds.filter((id) => id !== walletId)
    const recentWalletIds = [walletId, ...others].slice(0, maxRecentWallets)
    const account = { address, chainId, ...context.transactions.read({ address, chainId }) }
    const wallets = context.wallets.list(recentWalletIds)
    return establish(
      state,
      { ...account, attempt, connector, provider, session, recentWalletIds, wallets },
      context.config,
      Date.now(),
    )
  })
  return { walletId, address, chainId }
}
