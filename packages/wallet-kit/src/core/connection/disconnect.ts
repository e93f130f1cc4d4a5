import { forgetAwaited, type KitContext, update } from '../state/context.ts'
import { endAttempt, endConnection } from '../state/transitions.ts'

export type DisconnectParameters = {
  /** Also revoke the permission of this site in the wallet. @see https://eips.ethereum.org/EIPS/eip-2255 */
  revoke?: boolean | undefined
}

/** Forgets the connection in every tab at once; notifies the wallet in the background. */
export async function disconnect(context: KitContext, { revoke }: DisconnectParameters = {}): Promise<void> {
  const state = context.store.getState()
  context.storage.remove('connection')
  const left = { ...state, awaited: forgetAwaited(context) }
  update(context, (state) => endConnection(endAttempt(state, state.attempt?.id)))
  context.tabs?.post('disconnected')
  const { connected } = context
  // At once if it can, so that a request to connect which follows finds the wallet without the permission.
  if (connected.current) connected.current.leaveWallets(context, left, revoke)
  else
    connected.load().then(
      ({ leaveWallets }) => leaveWallets(context, left, revoke),
      () => {},
    )
}
