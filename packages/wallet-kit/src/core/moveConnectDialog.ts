import type { KitContext } from './context.ts'
import { type AttemptEvent, type ConnectEvent, type ConnectFlow, reduceConnect } from './steps.ts'

/** What became of a try, for the dialog that still remembers it. */
export function reportAttempt(context: KitContext, event: AttemptEvent): void {
  const { dialog } = context.store.getState()
  if (dialog.name === 'connect') moveConnectDialog(context, dialog, event, context.lastAttempt)
}

/** Moves the open connect dialog by one event. */
export function moveConnectDialog(
  context: KitContext,
  from: ConnectFlow,
  event: ConnectEvent | AttemptEvent,
  attempt: number,
): ConnectFlow {
  const wallet = (walletId: string) => context.store.getState().wallets.find(({ id }) => id === walletId)
  const flow = reduceConnect(from, event, { wallet, attempt })
  if (flow !== from) context.store.setState({ dialog: { ...flow, name: 'connect' } })
  return flow
}
