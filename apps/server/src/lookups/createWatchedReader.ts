import type { WatchedEvents, WatchedRequest } from '@lineage/referral-api/watched'
import type { Community } from '../../../config/index.ts'
import { ProblemError } from '../http/problems.ts'
import { requireCommunity, requireView } from '../lookups/createLookupReader.ts'
import type { Sources } from '../lookups/lookup.ts'
import type { IndexReader } from '../reader/createIndexReader.ts'
import type { Tables } from '../tables/createTables.ts'
import type { EventRow } from '../tables/eventRow.ts'
import { findWatchedEvents } from './findWatchedEvents.ts'

export type WatchedReaderParameters = {
  sources: Pick<Sources, 'communities' | 'index' | 'inSlices' | 'withheld'>
  tail: IndexReader['tail']
  readEvents: Tables['readEvents']
  /** Number of events of final blocks that are read for an answer. */
  limit?: number
}

/**
 * Creates a function that returns the events since a block that touch watched addresses. An answer covers either only
 * final blocks, oldest first, or only the other blocks: final blocks do not change while an answer is computed in
 * slices.
 */
export function createWatchedReader({ sources, tail, readEvents, limit = 500 }: WatchedReaderParameters) {
  return async (community: string, { addresses, after }: WatchedRequest): Promise<WatchedEvents> => {
    const asked = requireView(sources)
    requireCommunity(sources, community, asked)
    const { finalizedBlock } = asked.asOf
    const reads = after !== null && after < finalizedBlock
    const final = reads
      ? await readBlocks((range, most) => readEvents(community, range, most), { after, upTo: finalizedBlock }, limit)
      : { rows: [], upTo: finalizedBlock }
    // Synchronous from here on, so that rows and forest belong to the same moment.
    const view = requireView(sources)
    const forest = requireCommunity(sources, community, view)
    const rest = tail()
    if (!rest || view.forests !== asked.forests)
      throw new ProblemError('indexing', 'The index is being built again. Try again later.')
    const { asOf } = view
    if (after === null) return { asOf, upTo: asOf.block, items: [] }
    const one = sources.communities.find(({ id }) => id === community)
    const search = { forest, isMoving: one !== undefined && canMove(one), watched: new Set(addresses) }
    if (final.rows.length > 0) {
      const { rows, upTo } = final
      const { answer: items } = await sources.inSlices(findWatchedEvents({ ...search, rows, upTo }))
      return { asOf, upTo, items }
    }
    // Blocks that became final during the read are in neither part.
    if (asOf.finalizedBlock !== finalizedBlock)
      throw new ProblemError('unavailable', 'The index has changed. Ask again.')
    const isNew = ({ block, community: id }: EventRow) => block > after && id === community
    const slices = findWatchedEvents({ ...search, rows: rest.filter(isNew), upTo: 'newest' })
    for (;;) {
      const slice = slices.next()
      if (slice.done) return { asOf, upTo: asOf.block, items: slice.value }
    }
  }
}

type Range = { after: number; upTo: number }
type Read = (range: Range, limit: number) => Promise<EventRow[]>

/** Reads the first complete blocks of a range; `upTo` is the last of them. */
async function readBlocks(read: Read, range: Range, limit: number): Promise<{ rows: EventRow[]; upTo: number }> {
  const rows = await read(range, limit)
  const last = rows.length < limit ? undefined : rows.at(-1)
  if (!last) return { rows, upTo: range.upTo }
  const whole = rows.filter(({ block }) => block < last.block)
  if (whole.length > 0) return { rows: whole, upTo: last.block - 1 }
  // The first block alone reaches the limit.
  return { rows: await read({ after: last.block - 1, upTo: last.block }, 2 ** 31 - 1), upTo: last.block }
}

/** Returns whether members may change or lose their referrer later. */
const canMove = ({ rebind, unbind, more }: Community): boolean =>
  rebind === 'last' || unbind !== undefined || more.unbinds.length > 0
