import { cancelAttempt, prepareConnect, runAttempt, signsInOnConnect } from '../connection/connect.ts'
import { disconnect } from '../connection/disconnect.ts'
import { whenIdle } from '../lib/promises.ts'
import { prepareSignIn } from '../signIn/session.ts'
import type { Session } from '../state/authentication.ts'
import { type KitContext, update, waitForState } from '../state/context.ts'
import { type Connection, isEstablished, toConnection, type WalletKitState } from '../state/state.ts'
import { closeDialog as close, findAttempt, openDialog, openSignIn } from '../state/transitions.ts'
import type { WalletId } from '../wallets/wallet.ts'
import { type ConnectEvent, initialFlow, reduceConnect } from './steps.ts'

const isConnectOpen = ({ dialog }: WalletKitState) => dialog.name === 'connect' || dialog.name === 'signIn'

export type OpenConnectParameters<id extends string = WalletId> = {
  /**
   * The id of a configured wallet, or the rdns of an announced one that no definition claims, which is picked at once.
   * Where it is not on the list, the person sees the list.
   */
  walletId?: id | undefined
}

/** Opens the connect dialog, or sign-in if only that is missing. Resolves when the dialog closes. */
export async function openConnectDialog(
  context: KitContext,
  { walletId }: OpenConnectParameters = {},
): Promise<Connection | undefined> {
  const { config, store, wallets, connected } = context
  const state = store.getState()
  if (state.status === 'connected') return toConnection(state)
  if (!isConnectOpen(state)) {
    if (isEstablished(state)) update(context, openSignIn)
    else {
      wallets.refresh()
      update(context, (state) => openDialog(state, { name: 'connect', ...initialFlow }))
      // Loaded and compiled early, because a wallet may answer at once. A failure is reported when the code is needed.
      whenIdle(() => {
        connected.load().then(
          ({ checksumAddress }) => checksumAddress(`0x${'0'.repeat(40)}`),
          () => {},
        )
        // A wallet can open its window only during a tap.
        if (config.wallets !== 'announced' && config.wallets.some(({ wallets }) => wallets.some(signsInOnConnect)))
          void prepareConnect(context)
      })
    }
  }
  // Before anything is awaited, because wallets and phones open a window only during a tap.
  if (typeof walletId === 'string') dispatch(context, { type: 'pick', walletId })
  const closed = await waitForState(context, (state) => !isConnectOpen(state))
  return closed && toConnection(closed)
}

/** Opens the account dialog while connected. */
export function openAccountDialog(context: KitContext): void {
  update(context, (state) => (state.status === 'connected' ? openDialog(state, { name: 'account' }) : state))
}

/** Opens the network dialog while connected. */
export function openNetworkDialog(context: KitContext): void {
  if (context.store.getState().status !== 'connected') return
  update(context, (state) => openDialog(state, { name: 'network' }))
  // Loaded early, because phones open another app only during a tap.
  context.chainRequest.load().catch(() => {})
}

/** Opens sign-in, or prepares another message if that failed. Resolves with the session when the dialog closes. */
export async function openSignInDialog(context: KitContext): Promise<Session | undefined> {
  const state = context.store.getState()
  if (!isEstablished(state) || !context.config.authentication || state.session) return state.session
  if (state.dialog.name !== 'signIn') update(context, openSignIn)
  else if (state.signIn?.name === 'unprepared') prepareSignIn(context)
  await waitForState(context, ({ dialog }) => dialog.name !== 'signIn')
  return context.store.getState().session
}

/** Closes the open dialog. Cancels the attempt of the connect dialog; disconnects if sign-in is required. */
export function closeDialog(context: KitContext): void {
  const { dialog, status, attempt } = context.store.getState()
  if (dialog.name === 'none') return
  if (dialog.name === 'signIn' && status === 'unauthenticated') return void disconnect(context)
  update(context, close)
  if (dialog.name === 'connect' && attempt?.kind === 'connect') cancelAttempt(context, attempt.id)
}

/** Applies the person's event to the connect dialog, and starts or cancels its attempt. */
export function dispatch(context: KitContext, event: ConnectEvent): void {
  const { dialog, wallets } = context.store.getState()
  if (dialog.name !== 'connect') return
  const id = context.createAttemptId()
  const wallet = (walletId: string) => wallets.find(({ id }) => id === walletId)
  const flow = reduceConnect(dialog, event, { wallet, attempt: id })
  if (flow === dialog) return
  update(context, (state) => openDialog(state, { ...flow, name: 'connect' }))
  const before = findAttempt(dialog)
  const after = findAttempt(flow)
  if (after?.attempt === id) {
    // The dialog shows the outcome.
    runAttempt(context, { id, kind: 'connect', walletId: after.walletId }, { isShown: true }).catch(() => {})
  } else if (before && !after) cancelAttempt(context, before.attempt)
}
