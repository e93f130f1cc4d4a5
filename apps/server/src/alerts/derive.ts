import type { Query } from '../database/database.ts'
import type { Index } from '../lookups/Index.ts'
import { type DueWebhook, listActive } from './deliveryStore.ts'
import { deriveAlerts } from './deriveAlerts.ts'
import type { DeriveStore } from './deriveStore.ts'

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
