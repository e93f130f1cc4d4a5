import type { Query, QueryClient } from '@tanstack/react-query'
import type { LiveCommunities } from './api.ts'

/**
 * Time limits in milliseconds: `first` until the first event of a stream, `silence` between two signs of life,
 * `again` between two attempts, `apart` between two updates, `behind` until a state that was older than the change is
 * asked for again. Each page waits a random time up to `spread` before an update, so that not all ask at once.
 */
export type LiveTimes = {
  first: number
  silence: number
  again: number
  apart: number
  behind: number
  spread: number
}

/** First part of the keys of the account's alerts, which the stream of a signed-in visitor tells. */
const alerts = 'alerts'

/** Default times. The server sends a sign of life every 10 s. */
const defaultTimes: LiveTimes = {
  first: 5_000,
  silence: 25_000,
  again: 30_000,
  apart: 1_000,
  behind: 5_000,
  spread: 300,
}

/**
 * Follows the stream of a community, and reloads the queries of the page when a change arrives. Without a working
 * stream the queries refresh at their normal rate. Returns a function that stops it.
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
  let late: ReturnType<typeof setTimeout> | undefined
  let updatedAt = Number.NEGATIVE_INFINITY
  /** Block of the latest change. */
  let changedAt = 0

  const ask = () => queryClient.invalidateQueries({ queryKey: [community], predicate: isAskedAgain })
  const askAlerts = () => void queryClient.invalidateQueries({ queryKey: [alerts], predicate: isAskedAgain })
  /** Reloads. A server that has not reached the change yet, or saves costly lookups, is asked once more later. */
  const refresh = (isLast = false) => {
    updatedAt = performance.now()
    update = undefined
    const reached = changedAt
    void ask().then(() => {
      if (!isLast && live?.has(community) && isBehind(queryClient, community, reached))
        late = setTimeout(refresh, times.behind, true)
    })
  }
  /** Reloads soon, and at most once per `apart`: in a rush of binds one reload covers many. */
  const refreshSoon = () => {
    const wait = Math.max(0, updatedAt + times.apart - performance.now())
    clearTimeout(late)
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
    const onChange = (event: Event) => {
      onSign()
      changedAt = blockOf((event as MessageEvent).data) ?? changedAt
      // The first event only marks the start of the stream: the queries load everything before it.
      if (state === 'known') refreshSoon()
      state = 'known'
    }
    source.addEventListener('beat', onSign)
    source.addEventListener('alerts', () => {
      live?.add(alerts)
      askAlerts()
    })
    for (const name of ['bind', 'retracted', 'counts', 'reset']) source.addEventListener(name, onChange)
    source.addEventListener('error', () => {
      // The browser reconnects by itself, unless the stream was refused.
      if (source?.readyState === EventSource.CLOSED) fallBack()
    })
  }
  const watchFor = (milliseconds: number) => {
    clearTimeout(watch)
    watch = setTimeout(fallBack, milliseconds)
  }
  /** Returns to the normal refresh rate, and reconnects later. */
  const fallBack = () => {
    close()
    watch = setTimeout(open, times.again)
  }
  const close = () => {
    source?.close()
    clearTimeout(watch)
    clearTimeout(update)
    clearTimeout(late)
    update = undefined
    // A query reads its new refresh rate after its next answer.
    if (live?.delete(community)) void ask()
    if (live?.delete(alerts)) askAlerts()
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

/** Returns whether a query refreshes by itself. Long lists do not, because all their pages would reload. */
const isAskedAgain = (query: Query): boolean =>
  query.observers.some(({ options: { refetchInterval } }) =>
    Boolean(typeof refetchInterval === 'function' ? refetchInterval(query as never) : refetchInterval),
  )

/** Returns the block of an event's data; `undefined` for other data. */
function blockOf(data: unknown): number | undefined {
  try {
    const { asOf, block } = JSON.parse(String(data))
    const number = asOf?.block ?? block
    return typeof number === 'number' ? number : undefined
  } catch {
    return undefined
  }
}

/** Returns whether a lookup on the page has the state of an earlier block. */
const isBehind = (queryClient: QueryClient, community: string, block: number): boolean =>
  queryClient
    .getQueryCache()
    .findAll({ queryKey: [community], type: 'active', predicate: isAskedAgain })
    .some(({ state }) => ((state.data as { asOf?: { block?: number } } | undefined)?.asOf?.block ?? block) < block)

/** Returns the communities with an open stream, which `refreshEvery` reads. */
export const liveCommunities = (queryClient: QueryClient): LiveCommunities | undefined =>
  queryClient.getDefaultOptions().queries?.meta?.live
