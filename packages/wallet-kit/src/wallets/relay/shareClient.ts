import { AbortedError } from '../../core/lib/errors.ts'
import { withTimeout } from '../../core/lib/promises.ts'
import type { ConnectorContext } from '../../core/wallets/wallet.ts'
import type { LoadRelayClient, RelayClient, RelayEvent, RelayListener, RelaySession } from './loadRelayClient.ts'
import { createRelayStorage } from './relayStorage.ts'

/** A kit that uses the page's client: the topic of its session, and what to call when another tab has ended one. */
type User = { topic?: string | undefined; onEnded: (topic: string) => void }

/** A client and the kits that use it. */
type SharedClient = {
  client: Promise<RelayClient>
  users: Set<User>
  /** Settles after the last task of `inTurn`. */
  turn: Promise<unknown>
  post: (message: TabMessage) => void
}

type ShareParameters = {
  /** Kits with the same name share a client. */
  name: string
  /** Creates the client, for the first kit that needs it. */
  start: () => Promise<RelayClient>
  listeners: Record<RelayEvent, RelayListener>
  /** Called with the topic of a session that another tab has ended. */
  onEnded: User['onEnded']
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
  /** Passes a new session on to the other tabs, whose clients read their storage only when they start. */
  pass: (client: RelayClient, session: RelaySession) => void
  /** Ends a session with the wallet, and in the other tabs. Never rejects. */
  end: (topic: string) => Promise<void>
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
export function shareClient({ name, start, listeners, onEnded, signal }: ShareParameters): ClientShare {
  const user: User = { onEnded }
  let shared: SharedClient | undefined
  let joining: Promise<RelayClient> | undefined
  const entries = Object.entries(listeners) as [RelayEvent, RelayListener][]

  const join = async () => {
    if (signal.aborted) throw new AbortedError('The kit was destroyed.')
    const clients = getClients()
    const known = clients.get(name)
    const joined = known ?? createShared(name, start)
    if (known?.users.size === 0) known.client.then(resume, () => {})
    clients.set(name, joined)
    joined.users.add(user)
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
      user.topic = topic
    },
    pass: ({ core }, session) => shared?.post({ session, key: core.crypto.keychain.get(session.topic) }),
    end: async (topic) => {
      shared?.post({ ended: topic })
      if (shared) await endSession(await shared.client, topic)
    },
    isTaken: (topic) => [...(shared?.users ?? [])].some((other) => other !== user && other.topic === topic),
  }
}

function createShared(name: string, start: () => Promise<RelayClient>): SharedClient {
  const client = start()
  const users = new Set<User>()
  const pauseUnused = (client: RelayClient) => users.size === 0 && pause(client)
  // `pause` does not close a connection that is being opened.
  client.then(
    (client) => client.core.relayer.events.on('relayer_connect', () => pauseUnused(client)),
    () => {},
  )
  return { client, users, turn: Promise.resolve(), post: connectTabs({ client, users }, name) }
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
  return signer.client
}

/** A message from one tab to the others: a message of the relay, a new session with its key, or the topic of an ended session. */
type TabMessage = { message: string; publishedAt: number } | { session: RelaySession; key: string } | { ended: string }

/**
 * Connects the client to those of the other tabs of the site. To the relay all tabs are one client, and it sends each
 * message to one of them only, also the answer to a request of another one: each tab passes them on. A client drops
 * messages that it knows, and those of other topics.
 */
function connectTabs({ client, users }: Pick<SharedClient, 'client' | 'users'>, name: string): SharedClient['post'] {
  if (typeof document === 'undefined') return () => {}
  try {
    const channel = new BroadcastChannel(`walletKit.relay ${name}`)
    channel.onmessage = ({ data }) => client.then((client) => receive(client, users, data)).catch(() => {})
    const post: SharedClient['post'] = (message) => channel.postMessage(message)
    client.then(
      ({ core }) => core.relayer.events.on('relayer_message', (message) => channel.postMessage(message)),
      () => channel.close(),
    )
    return post
  } catch {
    // Firefox forbids it where it forbids storage.
    return () => {}
  }
}

async function receive({ core, session }: RelayClient, users: Set<User>, posted: TabMessage): Promise<void> {
  if ('ended' in posted) {
    const topic = posted.ended
    for (const { onEnded } of users) onEnded(topic)
    return session.delete(topic, reason)
  }
  if (!('session' in posted)) return core.relayer.handleBatchMessageEvents?.([posted])
  const { topic } = posted.session
  await Promise.all([
    core.crypto.setSymKey(posted.key, topic),
    session.set(topic, posted.session),
    core.relayer.subscribe(topic),
  ])
}

const disconnectTimeout = 3_000
// https://specs.walletconnect.com/2.0/specs/clients/sign/error-codes
const reason = { code: 6000, message: 'User disconnected.' }

/** Ends a session with the wallet, or only on this side if the relay is unreachable. Never rejects. */
async function endSession(client: RelayClient, topic: string): Promise<void> {
  try {
    await withTimeout(
      client.disconnect({ topic, reason }),
      disconnectTimeout,
      () => new Error('The relay did not answer.'),
    )
  } catch {
    if (client.session.keys.includes(topic)) await client.session.delete(topic, reason).catch(() => {})
  }
}
