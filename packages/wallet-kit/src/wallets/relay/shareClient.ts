import { AbortedError } from '../../core/lib/errors.ts'
import type { ConnectorContext } from '../../core/wallets/wallet.ts'
import type { LoadRelayClient, RelayClient, RelayEvent, RelayListener } from './loadRelayClient.ts'
import { createRelayStorage } from './relayStorage.ts'

/** A client and the kits that use it, each with the topic of its session. */
type SharedClient = {
  client: Promise<RelayClient>
  users: Map<object, string | undefined>
  /** Settles after the last task of `inTurn`. */
  turn: Promise<unknown>
}

type ShareParameters = {
  /** Kits with the same name share a client. */
  name: string
  /** Creates the client, for the first kit that needs it. */
  start: () => Promise<RelayClient>
  listeners: Record<RelayEvent, RelayListener>
  /** Fires when the kit is destroyed. */
  signal: AbortSignal
}

/** A kit's access to the page's client. */
export type ClientShare = {
  get: () => Promise<RelayClient>
  /**
   * Runs tasks one after the other, across all kits. Two concurrent pairings would each open a connection to an
   * unreachable relay, and the client would forget one of them together with its answers.
   */
  inTurn: <T>(task: () => Promise<T>) => Promise<T>
  setTopic: (topic: string | undefined) => void
  /** Checks whether the session belongs to another kit. */
  isTaken: (topic: string) => boolean
}

/**
 * Key of the page's clients on `globalThis`, shared by all kits and all copies of this package. The library stores
 * its connection there too: a second client on that connection would receive the answers meant for the first.
 */
const registry = Symbol.for('@lineage/wallet-kit/relay-clients')

function getClients(): Map<string, SharedClient> {
  const page = globalThis as { [registry]?: Map<string, SharedClient> }
  page[registry] ??= new Map()
  return page[registry]
}

/** Joins the page's client when it is first needed. A client without kits disconnects until the next kit joins. */
export function shareClient({ name, start, listeners, signal }: ShareParameters): ClientShare {
  const user = {}
  let shared: SharedClient | undefined
  let joining: Promise<RelayClient> | undefined
  const entries = Object.entries(listeners) as [RelayEvent, RelayListener][]

  const join = async () => {
    if (signal.aborted) throw new AbortedError('The kit was destroyed.')
    const clients = getClients()
    const known = clients.get(name)
    const joined = known ?? { client: start(), users: new Map(), turn: Promise.resolve() }
    if (known?.users.size === 0) known.client.then(resume, () => {})
    clients.set(name, joined)
    joined.users.set(user, undefined)
    shared = joined
    try {
      const client = await joined.client
      if (!signal.aborted) for (const [event, listener] of entries) client.on(event, listener)
      return client
    } catch (thrown) {
      if (clients.get(name) === joined) clients.delete(name)
      joining = undefined
      throw thrown
    }
  }

  signal.addEventListener('abort', () => {
    shared?.users.delete(user)
    shared?.client.then(
      (client) => {
        for (const [event, listener] of entries) client.off(event, listener)
        if (shared?.users.size === 0) pause(client)
      },
      () => {},
    )
  })

  return {
    get: () => {
      joining ??= join()
      return joining
    },
    inTurn: (task) => {
      if (!shared) return task()
      const done = shared.turn.then(task)
      shared.turn = done.catch(() => {})
      return done
    },
    setTopic: (topic) => {
      if (shared?.users.has(user)) shared.users.set(user, topic)
    },
    isTaken: (topic) => [...(shared?.users ?? [])].some(([other, taken]) => other !== user && taken === topic),
  }
}

function pause({ core }: RelayClient): void {
  core.heartbeat.stop()
  core.relayer.transportClose().catch(() => {})
}

function resume({ core }: RelayClient): void {
  core.heartbeat.stop()
  core.heartbeat.init().catch(() => {})
  // If it fails, the next request opens it.
  core.relayer.transportOpen().catch(() => {})
}

/**
 * Storage key of the session's chain. Without it, the provider ends sessions with namespaces by chain (`eip155:56`) after a
 * reload.
 */
export const chainKey = 'wc@2:ethereum_provider:/chainId'

type StartParameters = {
  load: LoadRelayClient
  projectId: string
  /** Prefix of the stored data, unique per project and relay. */
  name: string
} & Pick<ConnectorContext, 'app' | 'chainIds'>

/** Starts the page's provider and returns its inner client, which manages all sessions. */
export async function startClient({ load, projectId, name, app, chainIds }: StartParameters): Promise<RelayClient> {
  const { EthereumProvider } = await load()
  const { appName, appUrl = globalThis.location?.origin ?? '', appIcon, relayUrl } = app
  const { signer } = await EthereumProvider.init({
    projectId,
    ...(relayUrl && { relayUrl }),
    optionalChains: [...chainIds],
    metadata: { name: appName, description: appName, url: appUrl, icons: appIcon ? [appIcon] : [] },
    showQrModal: false,
    disableProviderPing: true,
    telemetryEnabled: false,
    customStoragePrefix: name,
    storage: createRelayStorage(),
    logger: 'silent',
  })
  // The provider handles one session at a time: it would resume the last one and request every chain that its wallet
  // reports. Here each kit handles its own session.
  signer.session = undefined
  shareMessages(signer.client, name)
  return signer.client
}

/**
 * Passes the messages of the relay on to the other tabs of the site. To the relay all tabs are one client, and it sends
 * each message to one of them only, also the answer to a request of another one. The client drops messages that it
 * knows, and those of other topics.
 */
function shareMessages({ core: { relayer } }: RelayClient, name: string): void {
  if (typeof window === 'undefined') return
  try {
    const channel = new BroadcastChannel(`walletKit.relay ${name}`)
    channel.onmessage = ({ data }) => relayer.handleBatchMessageEvents?.([data]).catch(() => {})
    relayer.events.on('relayer_message', (message) => channel.postMessage(message))
  } catch {
    // Firefox forbids it where it forbids storage.
  }
}
