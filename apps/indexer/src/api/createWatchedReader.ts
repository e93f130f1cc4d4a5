import type { WatchedEvent, WatchedEvents, WatchedRequest } from '@lineage/referral-api/watched'
import type { Community } from '../../config/index.ts'
import type { IndexReader } from './createIndexReader.ts'
import { requireCommunity, requireView } from './createLookupReader.ts'
import type { Tables } from './createTables.ts'
import type { EventRow } from './eventRow.ts'
import { findWatchedEvents } from './findWatchedEvents.ts'
import type { Sources } from './lookup.ts'
import { ProblemError } from './problems.ts'

export type WatchedReaderParameters = {
  sources: Sources
  tail: IndexReader['tail']
  readEvents: Tables['readEvents']
  /** Most final events that are looked at: of more, the newest. */
  limit?: number
}

/** Creates the function that answers which events since a block touch watched addresses. */
export function createWatchedReader({ sources, tail, readEvents, limit = 20_000 }: WatchedReaderParameters) {
  return async (community: string, { addresses, after }: WatchedRequest): Promise<WatchedEvents> => {
    const asked = requireView(sources)
    requireCommunity(sources, community, asked)
    const { finalizedBlock } = asked.asOf
    const reads = after !== null && after < finalizedBlock
    const final = reads ? await readEvents(community, { after, upTo: finalizedBlock }, limit) : []
    // From here on without a pause: rows and forest are of one moment.
    const view = requireView(sources)
    const forest = requireCommunity(sources, community, view)
    const rest = tail()
    if (!rest || view.forests !== asked.forests) throw new ProblemError('indexing', 'The index is being read anew.')
    const { asOf } = view
    if (after === null) return { asOf, from: asOf.block + 1, items: [] }
    // What became final during the read is in neither part.
    if (asOf.finalizedBlock !== finalizedBlock)
      throw new ProblemError('unavailable', 'The index has changed. Ask again.')
    const isNew = ({ block, community: id }: EventRow) => block > after && id === community
    const items: WatchedEvent[] = findWatchedEvents({
      forest,
      isMoving: sources.communities.some((one) => one.id === community && canMove(one)),
      watched: new Set(addresses),
      rows: [...final, ...rest.filter(isNew)],
    })
    // Of the oldest block that was read, events may be missing.
    const from = final.length < limit ? after + 1 : (final[0]?.block ?? after) + 1
    return { asOf, from, items: items.filter(({ block }) => block >= from) }
  }
}

/** Whether members may get another referrer later, or none. */
const canMove = ({ rebind, unbind, more }: Community): boolean =>
  rebind === 'last' || unbind !== undefined || more.unbinds.length > 0
