import { UserRejectedError } from '../core/lib/errors.ts'
import { injectedConnector } from '../core/wallets/injected.ts'
import type { ConnectorConnection, ConnectorConnectParameters, ConnectorFactory } from '../core/wallets/wallet.ts'

export type ScriptedRelayOptions = {
  /** The pairing URIs, one per proposal. If empty, no URI ever comes. */
  uris?: readonly string[]
  /** Makes `connect` fail. */
  error?: Error
}

type ScriptedRelay = {
  connector: ConnectorFactory
  approve: (connection: ConnectorConnection) => void
  /** Lets the person reject the proposal; the next URI follows. */
  decline: () => void
  /** Number of aborted attempts. */
  cancelled: () => number
}

/** Creates a connector without a relay, for tests and stories. */
export function createScriptedRelay({ uris = [], error }: ScriptedRelayOptions = {}): ScriptedRelay {
  let cancelled = 0
  let given = 0
  let asked: ConnectorConnectParameters | undefined
  let settle: { resolve: (connection: ConnectorConnection) => void; reject: (error: Error) => void } | undefined
  const giveUri = () => {
    const uri = uris[given++]
    if (uri) asked?.onUri(uri)
  }
  return {
    connector: () => ({
      kind: 'walletConnect',
      isReady: () => true,
      connect: (parameters) => {
        if (error) return Promise.reject(error)
        asked = parameters
        parameters.signal.addEventListener('abort', () => cancelled++)
        giveUri()
        return new Promise((resolve, reject) => {
          settle = { resolve, reject }
        })
      },
    }),
    approve: (connection) => settle?.resolve(connection),
    decline: () => {
      if (!asked?.onDeclined) return settle?.reject(new UserRejectedError('The request was rejected in the wallet.'))
      asked.onDeclined()
      giveUri()
    },
    cancelled: () => cancelled,
  }
}

/** Creates a connector for a wallet on the page that is known to stay on these chains, for tests and stories. */
export const staysOn =
  (chainIds: number | Iterable<number>): ConnectorFactory =>
  (context, definition) => ({
    ...injectedConnector()(context, definition),
    canSwitchTo: (target) => (typeof chainIds === 'number' ? [chainIds] : [...chainIds]).includes(target),
  })
