import type { Query, QueryClient } from '@tanstack/react-query'
import type { LiveCommunities } from './api.ts'

/**
 * Time limits in milliseconds: `first` until the first event of a stream, `silence` between two of its signs of life, `again`
 * between two tries, `apart` between two updates. Pages wait up to `spread` before an update, or all would ask at one moment.
 */
export type LiveTimes = { first: number; silence: number; again: number; apart: number; spread: number }

/** The server shows every 10 s that a stream lives. */
const defaultTimes: LiveTimes = { first: 5_000, silence: 25_000, again: 30_000, apart: 1_000, spread: 300 }

/**
 * Follows the stream of a community, and asks anew for what the page shows when it tells of a change. While there is no stream,
 * or a proxy holds it back, the queries ask as often as without one. Returns a function that ends it.
 */
export function followCommunity(
  queryClient: QueryClient,
  url: string,
  community: string,
  times = defaultTimes,
): () => void {
  const live = liveCommunities(queryClient)
  let source: EventSource | undefined
  let watch: ReturnType<typeof setTimeout> | undefined
  let update: ReturnType<typeof setTimeout> | undefined
  let updatedAt = Number.NEGATIVE_INFINITY

  const ask = () => void queryClient.invalidateQueries({ queryKey: [community], predicate: isAskedAgain })
  const refresh = () => {
    updatedAt = performance.now()
    update = undefined
    ask()
  }
  /** Soon, and at most once in a while: in a rush of binds one answer stands for many. */
  const refreshSoon = () => {
    const wait = Math.max(0, updatedAt + times.apart - performance.now())
    update ??= setTimeout(refresh, wait + Math.random() * times.spread)
  }

  const open = () => {
    let state: 'new' | 'known' = 'new'
    source = new EventSource(url)
    watchFor(times.first)
    const onSign = () => {
      live?.add(community)
      watchFor(times.silence)
    }
    const onChange = () => {
      onSign()
      // The first event says where the stream begins: what came before it is asked for by the queries themselves.
      if (state === 'known') refreshSoon()
      state = 'known'
    }
    source.addEventListener('beat', onSign)
    for (const name of ['bind', 'retracted', 'counts', 'reset']) source.addEventListener(name, onChange)
    source.addEventListener('error', () => {
      // The browser opens it again by itself, unless it was refused.
      if (source?.readyState === EventSource.CLOSED) fallBack()
    })
  }
  const watchFor = (milliseconds: number) => {
    clearTimeout(watch)
    watch = setTimeout(fallBack, milliseconds)
  }
  /** Asks as without a stream, and tries again later. */
  const fallBack = () => {
    close()
    watch = setTimeout(open, times.again)
  }
  const close = () => {
    source?.close()
    clearTimeout(watch)
    clearTimeout(update)
    update = undefined
    // Queries decide anew how often they ask once they were answered.
    if (live?.delete(community)) ask()
  }
  const onVisibility = () => {
    close()
    if (document.visibilityState === 'visible') open()
  }

  if (document.visibilityState === 'visible') open()
  document.addEventListener('visibilitychange', onVisibility)
  return () => {
    document.removeEventListener('visibilitychange', onVisibility)
    close()
  }
}

/** Tells if a query asks again by itself. Long lists do not: each of their pages would be asked for. */
const isAskedAgain = (query: Query): boolean =>
  query.observers.some(({ options: { refetchInterval } }) =>
    Boolean(typeof refetchInterval === 'function' ? refetchInterval(query as never) : refetchInterval),
  )

/** Returns the communities of which streams tell, which `refreshEvery` reads. */
export const liveCommunities = (queryClient: QueryClient): LiveCommunities | undefined =>
  queryClient.getDefaultOptions().queries?.meta?.live
