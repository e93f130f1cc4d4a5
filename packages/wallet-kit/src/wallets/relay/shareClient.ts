import { AbortedError } from '../../core/errors.ts'
import type { RelayClient, RelayEvent, RelayListener } from './loadRelayClient.ts'

/** One client and the kits that use it, each with the topic of its session. */
type SharedClient = {
  client: Promise<RelayClient>
  users: Map<object, string | undefined>
  /** Settled once nothing is under way that is done in turn. */
  turn: Promise<unknown>
}

export type ShareParameters = {
  /** Kits that give the same name share a client. */
  name: string
  /** Makes the client, for the first that needs it. */
  start: () => Promise<RelayClient>
  listeners: Record<RelayEvent, RelayListener>
  /** Fires when the kit is destroyed. */
  signal: AbortSignal
}

/** A kit's share in the client of its page. */
export type ClientShare = {
  get: () => Promise<RelayClient>
  /**
   * Does one thing after the other, over all kits. Two pairings that find the relay away would each open a connection to
   * it, and of the two the client forgets one, with the answers that come over it.
   */
  inTurn: <T>(task: () => Promise<T>) => Promise<T>
  setTopic: (topic: string | undefined) => void
  /** Whether it is the session of another kit. */
  isTaken: (topic: string) => boolean
}

/**
 * Where the clients of a page are found, by every kit on it and by every copy of this package. The library keeps its
 * connection on `globalThis` too: a second client on that connection would take the answers meant for the first.
 */
const registry = Symbol.for('@lineage/wallet-kit/relay-clients')

function getClients(): Map<string, SharedClient> {
  const page = globalThis as { [registry]?: Map<string, SharedClient> }
  page[registry] ??= new Map()
  return page[registry]
}

/** Takes part in the client of the page once it is asked for. A client that no kit uses hangs up, and waits for the next. */
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
  // Whoever asks for something next opens it again, if it cannot be opened now.
  core.relayer.transportOpen().catch(() => {})
}
