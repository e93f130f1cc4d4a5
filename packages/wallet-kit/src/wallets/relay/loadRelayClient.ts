import type { RelayStorage } from './relayStorage.ts'

/** A session between a wallet and this page. */
export type RelaySession = {
  topic: string
  pairingTopic?: string
  /** Unix seconds. */
  expiry: number
  namespaces: Record<string, { accounts: string[]; methods: string[] }>
  /** `true` if the client opens the wallet's app for a request. */
  sessionConfig?: { disableDeepLink?: boolean }
}

export type RelayNamespace = { chains: string[]; methods: string[]; events: string[] }
type Reason = { code: number; message: string }

export type RelayEvent = 'session_event' | 'session_update' | 'session_delete' | 'session_expire'
export type RelayListener = (payload: { topic: string }) => void
type ProposalListener = (payload: { id: number }) => void

/** A request to connect and to sign in: parts of an EIP-4361 message, and the requests that the session allows. */
export type RelayAuthentication = Pick<RelayNamespace, 'chains' | 'methods'> & {
  domain: string
  uri: string
  nonce: string
  statement?: string
  resources?: string[]
  exp?: string
  nbf?: string
}

/** A request to connect and to sign in that the client keeps until it expires. */
export type RelayAuthenticationRequest = {
  id: number
  pairingTopic: string
  requester: { publicKey: string; metadata: unknown }
}

/** Events of the connection to the relay. */
type RelayerEvent = 'relayer_connect' | 'relayer_error' | 'relayer_message'

type RelayListen = {
  (event: RelayEvent, listener: RelayListener): unknown
  (event: 'proposal_expire', listener: ProposalListener): unknown
  (event: 'session_connect', listener: () => void): unknown
}

/** The used part of the provider's inner client. */
export type RelayClient = {
  core: {
    crypto: {
      keychain: { get: (topic: string) => string }
      setSymKey: (key: string, topic: string) => Promise<unknown>
      /** Returns the topic of the key that both sides share. */
      generateSharedKey: (publicKey: string, peerPublicKey: string) => Promise<string>
      decode: (topic: string, message: string, options: { receiverPublicKey?: string | undefined }) => Promise<unknown>
    }
    /** The requests that are to be answered. */
    history: { set(topic: string, request: { id: number; method: string; params: unknown }): void }
    expirer: { set: (id: number, expiry: number) => void }
    pairing: { disconnect: (parameters: { topic: string }) => Promise<void> }
    relayer: {
      connected: boolean
      events: Record<'on' | 'off', (event: RelayerEvent, listener: (payload: unknown) => void) => unknown> & {
        emit: (event: RelayerEvent, payload: unknown) => unknown
      }
      /** The messages of a topic by their hashes. */
      messages: { get: (topic: string) => Record<string, string> }
      subscribe: (topic: string) => Promise<unknown>
      transportOpen: () => Promise<void>
      transportClose: () => Promise<void>
      /** Handles messages as if the relay had sent them. Missing in old versions. */
      handleBatchMessageEvents?(messages: unknown[]): Promise<void>
    }
    heartbeat: { init: () => Promise<void>; stop: () => void }
    storage: { setItem: (key: string, value: unknown) => Promise<void> }
  }
  proposal: { getAll: () => { id: number; pairingTopic: string }[] }
  /** Missing in old versions. */
  auth?: {
    requests: { getAll: () => RelayAuthenticationRequest[] }
    /** The topics of the answers. */
    pairingTopics: { getAll: () => { topic: string; pairingTopic: string }[] }
  }
  session: {
    keys: string[]
    getAll: () => RelaySession[]
    set(topic: string, session: RelaySession): Promise<void>
    delete: (topic: string, reason: Reason) => Promise<void>
  }
  connect: (parameters: {
    optionalNamespaces: Record<string, RelayNamespace>
  }) => Promise<{ uri?: string; approval: () => Promise<RelaySession> }>
  /** Missing in old versions. */
  authenticate?: (parameters: RelayAuthentication) => Promise<{
    uri: string
    response: () => Promise<{ session?: RelaySession; auths?: unknown }>
  }>
  /** Writes the signed message. Throws for an invalid request. */
  formatAuthMessage(parameters: { request: unknown; iss: string }): string
  request: (parameters: {
    topic: string
    chainId: string
    request: { method: string; params: unknown }
  }) => Promise<unknown>
  disconnect: (parameters: { topic: string; reason: Reason }) => Promise<void>
  on: RelayListen
  off: RelayListen
}

/** The used part of `@walletconnect/ethereum-provider`. */
type RelayProvider = { signer: { client: RelayClient; session?: unknown } }

type RelayProviderOptions = {
  projectId: string
  relayUrl?: string
  optionalChains: [number, ...number[]]
  metadata: { name: string; description: string; url: string; icons: string[] }
  showQrModal: false
  disableProviderPing: true
  telemetryEnabled: false
  customStoragePrefix: string
  storage: RelayStorage
  logger: 'silent'
}

/** Loads the client: `() => import('@walletconnect/ethereum-provider')`. */
export type LoadRelayClient = () => Promise<{
  EthereumProvider: { init: (options: RelayProviderOptions) => Promise<RelayProvider> }
}>

/** Loads the client that is part of this package. */
export const loadRelayClient: LoadRelayClient = () => import('./relayClient.ts')
