import { dropConnection } from './connection.ts'
import { abandonAttempt, type KitContext } from './context.ts'
import { request, requestTimeout } from './request.ts'

export type DisconnectParameters = {
  /** Also take this site's permission back in the wallet. It ends the connection of every tab for good. */
  revoke?: boolean
}

/** Forgets the connection here and in every tab at once; the wallet is told in the background. */
export async function disconnect(context: KitContext, { revoke = false }: DisconnectParameters = {}): Promise<void> {
  const { live } = context
  abandonAttempt(context)
  context.storage.remove('connection')
  dropConnection(context)
  context.tabs?.tell('disconnected')
  if (!live) return
  const { connector, provider } = live
  // A wallet that does not know the request, or does not answer, has nothing that could be said to the person.
  if (revoke)
    request(provider, { method: 'wallet_revokePermissions', params: [{ eth_accounts: {} }] }, requestTimeout).catch(
      () => {},
    )
  connector.disconnect?.(provider).catch(() => {})
}
