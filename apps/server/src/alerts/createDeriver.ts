import { randomUUID } from 'node:crypto'
import type { WatchedEvents, WatchedRequest } from '@lineage/referral-api/watched'
import type { Indexers } from '../indexer/createIndexers.ts'
import { apiPath } from '../lib/apiPath.ts'
import { summarizeError } from '../lib/log.ts'
import type { Live } from '../live/createLive.ts'
import { createRound } from './createRound.ts'
import { deriveAlerts } from './deriveAlerts.ts'
import type { AlertStore } from './store/createAlertStore.ts'

export type DeriverParameters = {
  store: AlertStore
  live: Pick<Live, 'subscribe'>
  readEvents: ReturnType<typeof createEventReader>
  /** Called after alerts were stored, with their number. */
  onStored: (alerts: number) => void
  /** Milliseconds between two checks for communities that were watched or unwatched at other servers. */
  interval?: number
}

/** Milliseconds for which one server holds a community to derive its alerts. */
const holdFor = 10_000
/** Milliseconds between two rounds while no event comes. They move the cursor over blocks that are final by now. */
const idleInterval = 5_000

/** The state of the service. */
type DeriverState = Pick<DeriverParameters, 'store' | 'live'> & {
  derive: ReturnType<typeof createDerive>
  /** Functions that end the subscription to each watched community. */
  subscriptions: Map<string, () => Promise<void>>
  state: 'open' | 'closed'
  /** The review in progress. */
  review: Promise<void> | undefined
}

/**
 * Creates the service that updates the alerts of all watched communities when the chain changes. Each round recomputes
 * the alerts of all blocks that are not final, so restarts, other servers and reorganisations cause no errors.
 */
export function createDeriver({ store, live, readEvents, onStored, interval = 5_000 }: DeriverParameters) {
  const holder = randomUUID()
  const derive = createDerive({ store, readEvents, onStored, holder })
  const deriver: DeriverState = { store, live, derive, subscriptions: new Map(), state: 'open', review: undefined }
  let timer: NodeJS.Timeout | undefined
  return {
    start(): void {
      timer = setInterval(() => void review(deriver), interval).unref()
      void review(deriver)
    },
    /** Subscribes to a community that is watched from now on. */
    noteWatch(community: string): void {
      if (deriver.state === 'open') subscribe(deriver, community)
    },
    async close(): Promise<void> {
      deriver.state = 'closed'
      clearInterval(timer)
      await deriver.review
      await Promise.all([...deriver.subscriptions.values()].map((stop) => stop()))
      await store.releaseCursors(holder).catch(() => undefined)
    },
  }
}

/** Subscribes to the communities that are watched now, and ends the subscriptions to others. One review runs at a time. */
function review(deriver: DeriverState): Promise<void> {
  deriver.review ??= reviewNow(deriver)
    // `/v1/status` reports that the accounts' database fails; the next review tries again.
    .catch(() => undefined)
    .finally(() => {
      deriver.review = undefined
    })
  return deriver.review
}

async function reviewNow(deriver: DeriverState): Promise<void> {
  const { store, subscriptions } = deriver
  // A watch may be added while the list is read.
  const before = [...subscriptions]
  const watched = new Set(await store.listWatchedCommunities())
  if (deriver.state === 'closed') return
  for (const [community, stop] of before) if (!watched.has(community) && subscriptions.delete(community)) await stop()
  for (const community of watched) subscribe(deriver, community)
}

/** Derives the alerts of a community whenever it changes, unless that is done already. */
function subscribe(deriver: DeriverState, community: string): void {
  const { live, derive, subscriptions } = deriver
  if (subscriptions.has(community)) return
  let lastAt = 0
  const round = createRound(async () => {
    lastAt = Date.now()
    try {
      if ((await derive(community)) === 'behind') round.request()
    } catch (error) {
      if (deriver.state === 'open') console.error(`Alerts of ${community} cannot be derived: ${summarizeError(error)}.`)
    }
  })
  const unsubscribe = live.subscribe(community, (type) => {
    if (type !== 'beat' || Date.now() - lastAt >= idleInterval) round.request()
  })
  subscriptions.set(community, () => {
    unsubscribe()
    return round.stop()
  })
}

export type DeriveParameters = Pick<DeriverParameters, 'store' | 'readEvents' | 'onStored'> & {
  /** Id of this server. */
  holder: string
}

/**
 * Creates a function that derives the next alerts of a community. It returns `behind` if there are more events, and
 * does nothing while another server holds the community.
 */
export function createDerive({ store, readEvents, onStored, holder }: DeriveParameters) {
  return async (community: string): Promise<'behind' | 'current'> => {
    const cursor = await store.holdCursor(community, holder, holdFor)
    if (!cursor) return 'current'
    const [watches, pending] = await Promise.all([
      store.readWatches(community),
      store.readPending(community, cursor.block),
    ])
    const addresses = new Set([...watches, ...pending].map(({ address }) => (address ?? '').toLowerCase()))
    if (addresses.size === 0) return 'current'
    const events = await readEvents(community, { addresses: [...addresses], after: cursor.block })
    const derived = deriveAlerts({ community, events, watches, pending })
    const { asOf, upTo } = events
    const isSame = derived.alerts.length + derived.retracted.length + derived.counted.length === 0
    if (isSame && Math.min(asOf.finalizedBlock, upTo) <= cursor.block) return 'current'
    const outcome = await store.storeDerived({ community, cursor, derived, upTo, asOf })
    if (outcome === 'stored') onStored(derived.alerts.length + derived.retracted.length)
    return outcome === 'stored' && upTo < asOf.block ? 'behind' : 'current'
  }
}

/** The indexers do not answer, or refuse. `status` is that of the refusal. */
export class WatchedEventsError extends Error {
  override readonly name = 'WatchedEventsError'
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

/**
 * Creates a function that reads events from an indexer. It stays with one indexer while that answers, so that
 * successive answers are consistent.
 */
export function createEventReader({ indexers, timeout = 30_000 }: { indexers: Indexers; timeout?: number }) {
  return async (community: string, request: WatchedRequest): Promise<WatchedEvents> => {
    const one = indexers.choose({ prefer: 'first' })
    if (!one) throw new WatchedEventsError('No indexer answers', 503)
    const tooLong = AbortSignal.timeout(timeout)
    const send = (silent: AbortSignal) =>
      fetch(`${one.origin}${apiPath('watched', community)}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(request),
        signal: AbortSignal.any([silent, tooLong]),
      })
    // Health checks find out whether an indexer is silent; a slow answer to a large request is no fault.
    const response = await indexers
      .track(one, send, () => tooLong.aborted)
      .catch((error: unknown) => {
        throw new WatchedEventsError(`The ${one.name} does not answer: ${summarizeError(error)}`, 503)
      })
    if (response.ok) {
      const events = (await response.json()) as WatchedEvents
      // An indexer of an earlier version answers in another format.
      if (Number.isSafeInteger(events.upTo)) return events
      throw new WatchedEventsError(`The ${one.name} is of another version: update it`, 503)
    }
    await response.body?.cancel()
    throw new WatchedEventsError(`The ${one.name} answers ${response.status}`, response.status)
  }
}
