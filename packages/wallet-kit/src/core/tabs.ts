import { type StorageKey, storageKey, storagePrefix } from './storage.ts'

/** What the tabs of a site tell each other. */
type News = 'disconnected' | 'transactions' | 'signedIn' | 'signedOut'

export type Tabs = { tell: (news: News) => void; destroy: () => void }

const newsOfKey: Partial<Record<StorageKey, News>> = { connection: 'disconnected', transactions: 'transactions' }

/** Joins the tabs of a site. Without `BroadcastChannel` the change of `localStorage` itself is the news. */
export function createTabs(onNews: Record<News, () => void>, id?: string): Tabs {
  const hear = (news: unknown) => {
    if (typeof news === 'string' && Object.hasOwn(onNews, news)) onNews[news as News]()
  }
  const channel = openChannel(id)
  if (channel) {
    channel.onmessage = ({ data }) => hear(data)
    return { tell: (news) => channel.postMessage(news), destroy: () => channel.close() }
  }
  const listener = ({ key, newValue }: StorageEvent) => {
    for (const [name, news] of Object.entries(newsOfKey))
      if (key === storageKey(name as StorageKey, id) && (news !== 'disconnected' || newValue === null)) hear(news)
  }
  window.addEventListener('storage', listener)
  return { tell: () => {}, destroy: () => window.removeEventListener('storage', listener) }
}

function openChannel(id: string | undefined): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(storagePrefix(id))
  } catch {
    // Old browsers have none; Firefox forbids it where it forbids storage.
    return undefined
  }
}
