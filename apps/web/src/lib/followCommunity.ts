import type { Query, QueryClient } from '@tanstack/react-query'
import type { LiveCommunities } from './api.ts'

/** First part of the keys of the account's alerts. */
const alerts = 'alerts'

/**
 * Time limits in milliseconds: `first` until the first event of a stream, `silence` between two signs of life,
 * `again` between two attempts, `apart` between two updates, `behind` until a state that was older than the change is
 * asked for again. Each page waits a random time up to `spread` before an update, so that not all ask at once.
 */
export type LiveTimes = typeof defaultTimes

/** Default times. The server sends a sign of life every 10 s. */
const defaultTimes = {
  first: 5_000,
  silence: 25_000,
  again: 30_000,
  apart: 1_000,
  behind: 5_000,
  spread: 300,
}

type Timer = ReturnType<typeof setTimeout> | undefined

/** The state of a page that follows a community. */
type Following = {
  queryClient: QueryClient
  /** Open streams, which `refreshEvery` reads. */
  live: LiveCommunities | undefined
  url: string
  community: string
  onBlock: (block: number) => void
  times: LiveTimes
  source: EventSource | undefined
  /** Runs out when the stream is silent; between two streams, until the next one opens. */
  watch: Timer
  /** The next reload. */
  update: Timer
  /** Another reload, because the server had not reached the change. */
  late: Timer
  updatedAt: number
  /** Block of the latest change. */
  changedAt: number
}

type FollowParameters = {
  queryClient: QueryClient
  url: string
  community: string
  /** Called with each block that the stream names: later answers must not be older. */
  onBlock: (block: number) => void
  times?: LiveTimes
}

/**
 * Follows the stream of a community, and reloads the queries of the page when a change arrives. Without a working
 * stream the queries refresh at their normal rate. Returns a function that stops it.
 */
export function followCommunity({ times = defaultTimes, ...parameters }: FollowParameters): () => void {
  const page: Following = {
    ...parameters,
    live: liveCommunities(parameters.queryClient),
    times,
    source: undefined,
    watch: undefined,
    update: undefined,
    late: undefined,
    updatedAt: Number.NEGATIVE_INFINITY,
    changedAt: 0,
  }
  const onVisibility = () => {
    closeStream(page)
    if (document.visibilityState === 'visible') openStream(page)
  }
  onVisibility()
  document.addEventListener('visibilitychange', onVisibility)
  return () => {
    document.removeEventListener('visibilitychange', onVisibility)
    closeStream(page)
  }
}

function openStream(page: Following): void {
  const { live, community, times } = page
  const source = new EventSource(page.url)
  page.source = source
  watchFor(page, times.first)
  let phase: 'new' | 'known' = 'new'
  const onSign = (event: Event): number | undefined => {
    live?.add(community)
    watchFor(page, times.silence)
    const block = blockOf((event as MessageEvent).data)
    if (block !== undefined) page.onBlock(block)
    return block
  }
  source.addEventListener('beat', onSign)
  source.addEventListener('change', (event) => {
    page.changedAt = onSign(event) ?? page.changedAt
    // The first one only tells the newest block: nothing has changed if the page has it.
    if (phase === 'known' || isBehind(page, page.changedAt)) reloadSoon(page)
    phase = 'known'
  })
  source.addEventListener('alerts', () => {
    live?.add(alerts)
    reloadAlerts(page)
  })
  source.addEventListener('error', () => {
    // The browser reconnects by itself, unless the stream was refused.
    if (source.readyState === EventSource.CLOSED) fallBack(page)
  })
}

function watchFor(page: Following, milliseconds: number): void {
  clearTimeout(page.watch)
  page.watch = setTimeout(fallBack, milliseconds, page)
}

/** Returns to the normal refresh rate, and reconnects later. */
function fallBack(page: Following): void {
  closeStream(page)
  page.watch = setTimeout(openStream, page.times.again, page)
}

function closeStream(page: Following): void {
  const { source, watch, update, late, live, community } = page
  source?.close()
  for (const timer of [watch, update, late]) clearTimeout(timer)
  page.update = undefined
  // A query reads its new refresh rate after its next answer.
  if (live?.delete(community)) void reload(page)
  if (live?.delete(alerts)) reloadAlerts(page)
}

/** Reloads soon, and at most once per `apart`: in a rush of binds one reload covers many. */
function reloadSoon(page: Following): void {
  const { updatedAt, times } = page
  const wait = Math.max(0, updatedAt + times.apart - performance.now())
  clearTimeout(page.late)
  page.update ??= setTimeout(update, wait + Math.random() * times.spread, page)
}

/** Reloads; once more later (`isLast`) if the server has not reached the change yet, or saves costly lookups. */
function update(page: Following, isLast = false): void {
  page.updatedAt = performance.now()
  page.update = undefined
  const { live, community, changedAt, times } = page
  void reload(page).then(() => {
    if (!isLast && live?.has(community) && isBehind(page, changedAt))
      page.late = setTimeout(update, times.behind, page, true)
  })
}

const reload = ({ queryClient, community }: Following): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: [community], predicate: isAskedAgain })

const reloadAlerts = ({ queryClient }: Following): void =>
  void queryClient.invalidateQueries({ queryKey: [alerts], predicate: isAskedAgain })

/**
 * Returns whether a query refreshes by itself. Long lists do not, because all their pages would reload, and one whose next page is on
 * its way does not now, because that page would be cancelled.
 */
const isAskedAgain = (query: Query): boolean =>
  !(query.state.fetchStatus === 'fetching' && query.state.fetchMeta?.fetchMore) &&
  query.observers.some(({ options: { refetchInterval } }) =>
    Boolean(typeof refetchInterval === 'function' ? refetchInterval(query as never) : refetchInterval),
  )

/** Returns the block of an event's data; `undefined` for other data. */
function blockOf(data: unknown): number | undefined {
  try {
    const block = JSON.parse(String(data)).asOf?.block
    return typeof block === 'number' ? block : undefined
  } catch {
    return undefined
  }
}

/** Returns whether a lookup on the page has the state of an earlier block. */
const isBehind = ({ queryClient, community }: Following, block: number): boolean =>
  queryClient
    .getQueryCache()
    .findAll({ queryKey: [community], type: 'active', predicate: isAskedAgain })
    .some(({ state }) => ((state.data as { asOf?: { block?: number } } | undefined)?.asOf?.block ?? block) < block)

/** Returns the communities with an open stream, which `refreshEvery` reads. */
export const liveCommunities = (queryClient: QueryClient): LiveCommunities | undefined =>
  queryClient.getDefaultOptions().queries?.meta?.live
