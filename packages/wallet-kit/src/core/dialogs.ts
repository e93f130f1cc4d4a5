import { cancelAttempt, connect } from './connect.ts'
import { getConnection, settleDialog } from './connection.ts'
import type { KitContext } from './context.ts'
import { moveConnectDialog } from './moveConnectDialog.ts'
import type { Connection } from './state.ts'
import { type ConnectEvent, findAttempt, home } from './steps.ts'

/** Opens the connect dialog; a second call joins the first. */
export async function openConnectDialog(context: KitContext): Promise<Connection | undefined> {
  const connection = getConnection(context)
  if (connection) return connection
  if (context.dialogResult) return context.dialogResult.promise
  context.wallets.refresh()
  context.store.setState({ dialog: { name: 'connect', ...home } })
  let resolve = (_: Connection | undefined) => {}
  const promise = new Promise<Connection | undefined>((settle) => {
    resolve = settle
  })
  context.dialogResult = { promise, resolve }
  return promise
}

export function openAccountDialog(context: KitContext): void {
  if (context.live) context.store.setState({ dialog: { name: 'account' } })
}

export function openNetworkDialog(context: KitContext): void {
  if (context.live) context.store.setState({ dialog: { name: 'network' } })
}

/** Closes whichever dialog is open. Closing the connect dialog gives up the try that is under way. */
export function closeDialog(context: KitContext): void {
  const { dialog } = context.store.getState()
  if (dialog.name === 'none') return
  context.store.setState({ dialog: { name: 'none' } })
  if (dialog.name === 'connect' && context.attempt?.kind === 'connect') cancelAttempt(context)
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
