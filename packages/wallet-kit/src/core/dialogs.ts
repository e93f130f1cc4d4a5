import type { Session } from './authentication.ts'
import { cancelAttempt, connect } from './connect.ts'
import { getConnection, type KitContext, settleDialog } from './context.ts'
import { disconnect } from './disconnect.ts'
import { moveConnectDialog } from './moveConnectDialog.ts'
import { showSignIn } from './session.ts'
import type { Connection } from './state.ts'
import { type ConnectEvent, findAttempt, home } from './steps.ts'
import { whenIdle } from './whenIdle.ts'

/** Opens the connect dialog, or sign-in where that is still missing; a second call joins the first. */
export async function openConnectDialog(context: KitContext): Promise<Connection | undefined> {
  const connection = getConnection(context)
  if (connection && context.store.getState().status === 'connected') return connection
  if (context.dialogResult) return context.dialogResult.promise
  if (connection) showSignIn(context)
  else {
    context.wallets.refresh()
    context.store.setState({ dialog: { name: 'connect', ...home } })
    // A wallet may answer at once. What cannot be loaded now is said when it is needed.
    whenIdle(() => void context.loadChecksum().catch(() => {}))
  }
  let resolve = (_: Connection | undefined) => {}
  const promise = new Promise<Connection | undefined>((settle) => {
    resolve = settle
  })
  context.dialogResult = { promise, resolve }
  return promise
}

export function openAccountDialog(context: KitContext): void {
  if (context.store.getState().status === 'connected') context.store.setState({ dialog: { name: 'account' } })
}

export function openNetworkDialog(context: KitContext): void {
  if (context.store.getState().status !== 'connected') return
  context.store.setState({ dialog: { name: 'network' } })
  // A wallet that is another app opens only within the tap that asks for it.
  context.loadAskForChain().catch(() => {})
}

/** Opens sign-in, or has another message made where that failed. */
export async function openSignInDialog(context: KitContext): Promise<Session | undefined> {
  const { config, live, store, signal } = context
  const { dialog, session } = store.getState()
  if (!live || !config.authentication || session) return session
  if (dialog.name !== 'signIn' || dialog.step.name === 'unprepared') showSignIn(context)
  return new Promise((resolve) => {
    const end = () => {
      stop()
      resolve(store.getState().session)
    }
    const stop = store.subscribe(({ dialog }) => dialog.name !== 'signIn' && end())
    signal.addEventListener('abort', end)
  })
}

/**
 * Closes whichever dialog is open. Closing the connect dialog gives up the try that is under way; closing sign-in gives up
 * the connection that does not count without it.
 */
export function closeDialog(context: KitContext): void {
  const { dialog, status } = context.store.getState()
  if (dialog.name === 'none') return
  context.store.setState({ dialog: { name: 'none' } })
  if (dialog.name === 'connect' && context.attempt?.kind === 'connect') cancelAttempt(context)
  if (dialog.name === 'signIn' && status === 'unauthenticated') void disconnect(context)
  settleDialog(context, undefined)
}

/** What the person did in the connect dialog, and what follows for the wallets. */
export function dispatch(context: KitContext, event: ConnectEvent): void {
  const { dialog } = context.store.getState()
  if (dialog.name !== 'connect') return
  const id = context.lastAttempt + 1
  const flow = moveConnectDialog(context, dialog, event, id)
  const before = findAttempt(dialog)
  const after = findAttempt(flow)
  if (after?.attempt === id)
    // What becomes of the try is told by the step.
    connect(context, { walletId: after.walletId, attemptId: id }).catch(() => {})
  else if (before && !after && context.attempt?.id === before.attempt) cancelAttempt(context)
}
