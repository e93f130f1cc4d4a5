import { requestProvider, requestTimeout } from '../provider/eip1193.ts'
import { forgetAwaited, type KitContext, update } from '../state/context.ts'
import { isEstablished } from '../state/state.ts'
import { endAttempt, endConnection } from '../state/transitions.ts'

export type DisconnectParameters = {
  /** Also revoke the permission of this site in the wallet. @see https://eips.ethereum.org/EIPS/eip-2255 */
  revoke?: boolean | undefined
}

/** Forgets the connection in every tab at once; notifies the wallet in the background. */
export async function disconnect(context: KitContext, { revoke = false }: DisconnectParameters = {}): Promise<void> {
  const state = context.store.getState()
  context.storage.remove('connection')
  forgetAwaited(context)
  update(context, (state) => endConnection(state.attempt ? endAttempt(state, state.attempt.id) : state))
  context.tabs?.post('disconnected')
  if (!isEstablished(state)) return
  const { connector, provider } = state
  // Not every wallet has this method; a failure is not shown.
  if (revoke)
    requestProvider(
      provider,
      { method: 'wallet_revokePermissions', params: [{ eth_accounts: {} }] },
      requestTimeout,
    ).catch(() => {})
  connector.disconnect?.(provider).catch(() => {})
}
