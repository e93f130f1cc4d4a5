import { forgetAwaited, type KitContext, update } from '../state/context.ts'
import { endAttempt, endConnection } from '../state/transitions.ts'

export type DisconnectParameters = {
  /** Also revoke the permission of this site in the wallet. @see https://eips.ethereum.org/EIPS/eip-2255 */
  revoke?: boolean | undefined
}

/** Forgets the connection in every tab at once; notifies the wallet in the background. */
export async function disconnect(context: KitContext, { revoke }: DisconnectParameters = {}): Promise<void> {
  const { connected, storage, store, tabs } = context
  const left = { ...store.getState(), awaited: forgetAwaited(context) }
  storage.remove('connection')
  update(context, (state) => endConnection(endAttempt(state, state.attempt?.id)))
  tabs?.post('disconnected')
  // At once if it can, so that a request to connect which follows finds the wallet without the permission.
  if (connected.current) connected.current.leaveWallets(context, left, revoke)
  // Without that code nothing is connected. An earlier page may have left a session or a code of the relay.
  else if (left.awaited || storage.read('session', (session) => (session as { topic?: string }).topic))
    connected.load().then(
      ({ leaveWallets }) => leaveWallets(context, left),
      () => {},
    )
}
