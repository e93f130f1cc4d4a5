import type { Address, Delivery } from '@lineage/referral-api'
import type { Accounts } from '../accounts/openAccounts.ts'
import { createDatabase, createPast, type Query } from '../database/database.ts'
import type { Index } from '../lookups/Index.ts'
import type { Metrics } from '../monitoring/metrics.ts'
import type { Settings } from '../settings/settings.ts'
import type { AlertStore, WebhookTarget } from './alertStore.ts'
import { createDeliver, type DeliverParameters } from './deliver.ts'
import { createDeliveryStore, type DueWebhook, listActive } from './deliveryStore.ts'
import { deriveAlerts } from './deriveAlerts.ts'
import { createDeriveStore, type DeriveStore } from './deriveStore.ts'
import { createJobs, createRound, type JobsParameters } from './jobs.ts'
import { createResolve, createWebhookSender, resolveLocal } from './sendWebhook.ts'

export type AlertsParameters = {
  accounts: Pick<Accounts, 'alerts' | 'pool'>
  index: Pick<Index, 'communities' | 'findWatchedEvents' | 'stateOf' | 'subscribe'>
  settings: Pick<Settings, 'origins' | 'webhooks'>
  metrics?: Pick<Metrics, 'noteAlerts' | 'noteDelivery'> | undefined
  /** Milliseconds between two looks for watched communities, each of which gets a job. */
  interval?: number
} & Pick<DeliverParameters, 'firstRetry' | 'patience'> &
  Pick<JobsParameters, 'pollingInterval'>

export type Alerts = ReturnType<typeof createAlerts>

/** Milliseconds between two looks for watches of accounts that did not come back. */
const restBetweenEnds = 3_600_000

/** Milliseconds until a community that is not served yet is looked at again. */
const restWhileStarting = 2_000

/** Creates the services that derive alerts and deliver them. */
export function createAlerts({
  accounts,
  index,
  settings,
  metrics,
  interval = 5_000,
  ...parameters
}: AlertsParameters) {
  const { webhooks: scope, origins } = settings
  // Not the statements of `accounts`, whose queue is for requests of visitors.
  const database = createDatabase(accounts.pool)
  const [deliveryStore, deriveStore] = [createDeliveryStore(database), createDeriveStore(database)]
  const news = createAlertNews(accounts.alerts)
  let state: 'open' | 'closed' = 'open'
  const send = createWebhookSender({
    scope: scope === 'off' ? 'public' : scope,
    resolve: scope === 'any' ? resolveLocal : createResolve(),
  })
  const derive = createDerive({
    store: deriveStore,
    readEvents: index.findWatchedEvents,
    sendJobs: (webhooks, query) => jobs.requestDeliveries(scope === 'off' ? [] : webhooks, query),
    onStored(alerts) {
      metrics?.noteAlerts(alerts)
      jobs.look()
      news.request()
    },
  })
  const jobs = createJobs({
    ...parameters,
    pool: accounts.pool,
    communities: index.communities,
    async listDue() {
      // Creates the tables of accounts.
      await accounts.alerts.listNews(undefined)
      return scope === 'off' ? [] : deliveryStore.listDue()
    },
    async derive(community) {
      if (!index.stateOf(community)) return restWhileStarting
      return (await derive(community)) === 'behind' ? 0 : undefined
    },
    deliver: createDeliver({
      ...parameters,
      store: deliveryStore,
      send,
      origin: origins[0],
      onDelivery: metrics?.noteDelivery,
      isClosed: () => state === 'closed',
    }),
  })
  const watches = followWatches({
    index,
    interval,
    request: jobs.requestDerive,
    list: deriveStore.listWatchedCommunities,
  })

  const findPast = createPast()
  const ends = setInterval(() => {
    // `/v1/status` reports that the accounts' database fails; the next look tries again.
    void accounts.alerts.endUnusedWatches(findPast()).catch(() => undefined)
  }, restBetweenEnds).unref()

  return {
    /** Derives the alerts of a community that is watched from now on. */
    noteWatch: watches.add,
    /** Calls a listener at new alerts of a signed-in account. Returns a function that stops it. */
    subscribe: news.subscribe,
    /** Delivers what a webhook has missed while it was paused. */
    async deliver(id: string): Promise<void> {
      const webhook = await deliveryStore.findActive(id)
      if (webhook) await jobs.requestDeliveries([webhook])
      jobs.look()
    },
    /** Sends a test to a webhook, which is not repeated. */
    async test({ id: webhook, url, secret }: WebhookTarget, id: string): Promise<Delivery> {
      const body = { type: 'test', timestamp: new Date().toISOString(), data: {} }
      const delivery: Delivery = { alert: null, ...(await send({ url, secret, id, body })) }
      await deliveryStore.noteDelivery(webhook, delivery)
      return delivery
    },
    async start(): Promise<void> {
      await jobs.start()
      watches.start()
    },
    async close(): Promise<void> {
      state = 'closed'
      clearInterval(ends)
      watches.close()
      await Promise.all([jobs.close(), news.close()])
    },
  }
}

type WatchesParameters = {
  index: Pick<Index, 'communities' | 'subscribe'>
  interval: number
  request: (community: string) => Promise<void>
  list: () => Promise<string[]>
}

/** Requests a job for a watched community when its events change, and regularly: blocks become final, others add watches. */
function followWatches({ index, interval, request, list }: WatchesParameters) {
  const watched = new Set<string>()
  let timer: NodeJS.Timeout | undefined

  async function review(): Promise<void> {
    // A watch may be added while the list is read.
    const before = [...watched]
    // `/v1/status` reports that the accounts' database fails; the next review tries again.
    const listed = await list().catch(() => before)
    for (const community of before) if (!listed.includes(community)) watched.delete(community)
    for (const community of listed) watched.add(community)
    for (const community of watched) if (index.communities.includes(community)) void request(community)
  }
  const unsubscribe = index.subscribe(({ community, events }) => {
    if (timer && events === 'some' && watched.has(community)) void request(community)
  })
  return {
    start(): void {
      timer = setInterval(() => void review(), interval)
      void review()
    },
    add: (community: string): void => void watched.add(community),
    close(): void {
      clearInterval(timer)
      timer = undefined
      unsubscribe()
    },
  }
}

/** Milliseconds between two looks for alerts that other servers have stored. */
const interval = 1_000

/** Creates the service that calls listeners of signed-in accounts when they have new alerts. */
function createAlertNews(store: Pick<AlertStore, 'listNews'>) {
  const listeners = new Map<Address, Set<() => void>>()
  /** Number of the newest alert at the last look; `undefined` before the first one. */
  let last: number | undefined
  let timer: NodeJS.Timeout | undefined

  const round = createRound(async () => {
    if (listeners.size === 0) return
    // `/v1/status` says that the database does not answer.
    const news = await store.listNews(last).catch(() => undefined)
    if (!news) return
    const accounts = last === undefined ? [...listeners.keys()] : news.accounts
    last = news.number
    for (const account of accounts) for (const listener of listeners.get(account) ?? []) listener()
  })

  return {
    /** Looks for new alerts at once. */
    request: round.request,
    /** Calls a listener at once, and after each new alert of an account. Returns a function that stops it. */
    subscribe(account: Address, listener: () => void): () => void {
      const group = listeners.get(account) ?? new Set()
      listeners.set(account, group.add(listener))
      timer ??= setInterval(round.request, interval).unref()
      listener()
      return () => {
        group.delete(listener)
        if (group.size === 0) listeners.delete(account)
        if (listeners.size > 0) return
        clearInterval(timer)
        timer = undefined
        last = undefined
      }
    },
    async close(): Promise<void> {
      clearInterval(timer)
      await round.stop()
    },
  }
}

export type DeriveParameters = {
  store: DeriveStore
  readEvents: Index['findWatchedEvents']
  /** Sends the jobs that deliver to webhooks, in a transaction. */
  sendJobs: (webhooks: readonly DueWebhook[], query: Query) => Promise<void>
  /** Called after alerts were stored, with their number. */
  onStored: (alerts: number) => void
}

/**
 * Creates the function that derives the next alerts of a community. It returns `behind` if there are more events. Each
 * call computes the alerts of all blocks that are not final again, so restarts, other servers and reorganisations cause
 * no errors.
 */
export function createDerive({ store, readEvents, sendJobs, onStored }: DeriveParameters) {
  return async (community: string): Promise<'behind' | 'current'> => {
    const cursor = await store.readCursor(community)
    if (!cursor) return 'current'
    const [watches, pending] = await Promise.all([
      store.readWatches(community),
      store.readPending(community, { after: cursor.block }),
    ])
    const addresses = new Set([...watches, ...pending].map(({ address }) => (address ?? '').toLowerCase()))
    if (addresses.size === 0) return 'current'
    const { block: after, heals } = cursor
    const events = await readEvents(community, { addresses: [...addresses], after, heals })
    const { healed } = events
    const ofHealed = healed ? await store.readPending(community, { blocks: healed.blocks }) : []
    const known = healed ? ofHealed.filter(({ address }) => addresses.has((address ?? '').toLowerCase())) : pending
    const derived = deriveAlerts({ community, events, watches, pending: known })
    const { asOf, upTo } = events
    const alerts = derived.alerts.length + derived.retracted.length
    const isKnown = heals?.index === events.heals.index && heals.number === events.heals.number
    const isSame = isKnown && alerts + derived.counted.length === 0
    if (isSame && Math.min(asOf.finalizedBlock, upTo) <= cursor.block) return 'current'
    const outcome = await store.storeDerived({
      ...{ community, cursor, derived, events },
      sendJobs: async (query, accounts) => sendJobs(await listActive(query, accounts), query),
    })
    if (outcome === 'stored') onStored(alerts)
    return outcome === 'stored' && (healed || upTo < asOf.block) ? 'behind' : 'current'
  }
}
