/**
 * The part of `localStorage` that the kit uses.
 *
 * @see https://html.spec.whatwg.org/multipage/webstorage.html#the-storage-interface
 */
export type KeyValueStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** The storage of one kit, with JSON values. Never throws. */
export type KitStorage = {
  /** Returns the stored value after `parse`; `undefined` when it is missing, not JSON or refused by `parse`. */
  read: <T>(key: StorageKey, parse: (value: unknown) => T | undefined) => T | undefined
  write: (key: StorageKey, value: unknown) => void
  remove: (key: StorageKey) => void
}

/** The names under which values are stored. `session` is the relay session. */
export type StorageKey = 'connection' | 'session' | 'recentWallets' | 'transactions' | 'names'

/** Returns the prefix of all keys of the kits with this id, including the version of the format. */
const storagePrefix = (id?: string): string => (id === undefined ? 'walletKit.v1' : `walletKit.v1.${id}`)

/** Returns the name of a key in `localStorage`. */
export const storageKey = (key: StorageKey, id?: string): string => `${storagePrefix(id)}.${key}`

/** Creates a storage that keeps values in memory if the given storage refuses them. Default: `localStorage`. */
export function createStorage(given: KeyValueStorage | undefined, id?: string): KitStorage {
  const keyOf = (key: StorageKey) => storageKey(key, id)
  const unsaved = new Map<string, string>()
  // `localStorage` is missing on servers, `null` in some WebViews, and throws where cookies are blocked.
  const getStorage = () => given ?? (typeof document === 'undefined' ? undefined : window.localStorage)

  const load = (key: string): string | null | undefined => {
    try {
      return getStorage()?.getItem(key)
    } catch {
      return undefined
    }
  }

  return {
    read: (key, parse) => {
      const text = unsaved.get(keyOf(key)) ?? load(keyOf(key))
      try {
        return typeof text === 'string' ? parse(JSON.parse(text)) : undefined
      } catch {
        return undefined
      }
    },
    write: (key, value) => {
      const text = JSON.stringify(value)
      unsaved.set(keyOf(key), text)
      try {
        getStorage()?.setItem(keyOf(key), text)
      } catch {
        return
      }
      if (load(keyOf(key)) === text) unsaved.delete(keyOf(key))
    },
    remove: (key) => {
      unsaved.delete(keyOf(key))
      try {
        getStorage()?.removeItem(keyOf(key))
      } catch {
        // An unreachable storage has nothing to restore.
      }
    },
  }
}

/** The message for the other kits of this page: pages differ in the time at which they started. */
export const connected = `connected ${performance.timeOrigin}` as const

/** A message that a kit posts to those of the other tabs, or of its page. */
type TabMessage = typeof connected | 'disconnected' | 'transactions' | 'signedIn' | 'signedOut'

/** The channel to the other tabs of a site, and to the other kits of the page. */
export type Tabs = { post: (message: TabMessage) => void; destroy: () => void }

/** Connects to the other kits with this id. Returns `undefined` where the browser forbids it. */
export function createTabs(listeners: Partial<Record<TabMessage, () => void>>, id?: string): Tabs | undefined {
  let channel: BroadcastChannel | undefined
  try {
    channel = new BroadcastChannel(storagePrefix(id))
  } catch {
    // Firefox forbids it where it forbids storage.
    return undefined
  }
  channel.onmessage = ({ data }) => {
    if (typeof data === 'string' && Object.hasOwn(listeners, data)) listeners[data as TabMessage]?.()
  }
  return {
    post: (message) => channel?.postMessage(message),
    destroy: () => {
      channel?.close()
      channel = undefined
    },
  }
}
