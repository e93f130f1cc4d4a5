import { UserRejectedError } from '../core/errors.ts'
import type { ConnectorConnection, ConnectorConnectParameters, ConnectorFactory } from '../core/wallet.ts'

export type ScriptedRelayOptions = {
  /** What it gives, one after the other. None: it never gives one. */
  uris?: readonly string[]
  /** What it throws instead. */
  error?: Error
}

export type ScriptedRelay = {
  connector: ConnectorFactory
  approve: (connection: ConnectorConnection) => void
  /** The person says no, and the next URI is given. */
  decline: () => void
  /** The tries that were given up. */
  cancelled: () => number
}

/** Stands in for the relay and the wallet behind it, for tests and stories of what is shown meanwhile. */
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
