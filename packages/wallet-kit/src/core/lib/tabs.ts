import { type StorageKey, storageKey, storagePrefix } from './storage.ts'

/** A message that one tab of a site posts to the others. */
type TabMessage = 'disconnected' | 'transactions' | 'signedIn' | 'signedOut'

/** The channel to the other tabs of a site. */
export type Tabs = { post: (message: TabMessage) => void; destroy: () => void }

/** Storage keys whose change means a message, for browsers without `BroadcastChannel`. */
const messages: Partial<Record<StorageKey, TabMessage>> = { connection: 'disconnected', transactions: 'transactions' }

/** Connects to the other tabs of the site, by `BroadcastChannel` or else by the `storage` event. */
export function createTabs(listeners: Record<TabMessage, () => void>, id?: string): Tabs {
  const receive = (message: unknown) => {
    if (typeof message === 'string' && Object.hasOwn(listeners, message)) listeners[message as TabMessage]()
  }
  return joinChannel(receive, id) ?? joinStorage(receive, id)
}

function joinChannel(receive: (message: unknown) => void, id: string | undefined): Tabs | undefined {
  let channel: BroadcastChannel | undefined
  try {
    channel = new BroadcastChannel(storagePrefix(id))
  } catch {
    // Old browsers do not have it. Firefox forbids it where it forbids storage.
    return undefined
  }
  channel.onmessage = ({ data }) => receive(data)
  return {
    post: (message) => channel?.postMessage(message),
    destroy: () => {
      channel?.close()
      channel = undefined
    },
  }
}

function joinStorage(receive: (message: unknown) => void, id: string | undefined): Tabs {
  const listener = ({ key, newValue }: StorageEvent) => {
    for (const [name, message] of Object.entries(messages))
      if (key === storageKey(name as StorageKey, id) && (message !== 'disconnected' || newValue === null))
        receive(message)
  }
  window.addEventListener('storage', listener)
  return { post: () => {}, destroy: () => window.removeEventListener('storage', listener) }
}
