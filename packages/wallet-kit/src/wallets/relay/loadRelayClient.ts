/** What a wallet and this page agreed on. */
export type RelaySession = {
  topic: string
  /** Unix seconds. */
  expiry: number
  namespaces: Record<string, { accounts: string[]; methods: string[] }>
}

type RelayNamespace = { chains: string[]; methods: string[]; events: string[] }
type Reason = { code: number; message: string }

/** The part of a WalletConnect sign client that is used. */
export type RelayClient = {
  core: {
    expirer: { set: (id: number, expiry: number) => void }
    pairing: { disconnect: (parameters: { topic: string }) => Promise<void> }
    relayer: { transportClose: () => Promise<void> }
    heartbeat: { stop: () => void }
    storage: {
      getItem: (key: string) => Promise<unknown>
      setItem: (key: string, value: unknown) => Promise<void>
    }
  }
  proposal: { getAll: () => { id: number; pairingTopic: string }[] }
  session: {
    keys: string[]
    getAll: () => RelaySession[]
    delete: (topic: string, reason: Reason) => Promise<void>
  }
  connect: (parameters: {
    optionalNamespaces: Record<string, RelayNamespace>
  }) => Promise<{ uri?: string; approval: () => Promise<RelaySession> }>
  request: (parameters: {
    topic: string
    chainId: string
    request: { method: string; params: unknown }
  }) => Promise<unknown>
  disconnect: (parameters: { topic: string; reason: Reason }) => Promise<void>
  on: (
    event: 'session_event' | 'session_update' | 'session_delete' | 'session_expire',
    listener: (payload: { topic: string }) => void,
  ) => unknown
}

type RelayClientOptions = {
  projectId: string
  relayUrl?: string
  metadata: { name: string; description: string; url: string; icons: string[] }
  telemetryEnabled: false
  logger: 'silent'
}

/** Loads a client, such as `() => import('@walletconnect/sign-client')`. */
export type LoadRelayClient = () => Promise<{
  SignClient: { init: (options: RelayClientOptions) => Promise<RelayClient> }
}>

/** The client that comes with this package. */
export const loadRelayClient: LoadRelayClient = () => import('./relayClient.ts')
