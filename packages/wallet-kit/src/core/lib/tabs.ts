import { storagePrefix } from './storage.ts'

/** The message for kits of the same page, which alone started at this time. */
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
