import type { Community } from '@lineage/communities'
import { ProblemError } from '../lib/problem.ts'
import type { EventTables } from './eventTables.ts'
import { findWatchedEvents, type WatchedEvents, type WatchedRequest } from './findWatchedEvents.ts'
import type { Sources } from './lookup.ts'

/**
 * Reads the events since a block that involve watched addresses. An answer covers either only final blocks, oldest
 * first, or only the other blocks: final blocks do not change while an answer is computed in slices.
 *
 * @param limit Number of events of final blocks that are read for an answer.
 */
export async function readWatchedEvents(
  sources: Pick<Sources, 'communities' | 'requireView' | 'inSlices'> & { tables: Pick<EventTables, 'readEvents'> },
  community: string,
  { addresses, after }: WatchedRequest,
  limit = 500,
): Promise<WatchedEvents> {
  const asked = sources.requireView(community)
  const { finalizedBlock } = asked.asOf
  const readsFinal = after !== null && after < finalizedBlock
  const read: Read = (range, most) => sources.tables.readEvents(asked, range, most)
  const final = readsFinal
    ? await readBlocks(read, { after, upTo: finalizedBlock }, limit)
    : { rows: [], upTo: finalizedBlock }
  // Synchronous from here on, so that rows and forest belong to the same moment.
  const { asOf, forest, tail } = sources.requireView(community)
  if (forest !== asked.forest) throw new ProblemError('indexing', 'The index is being built again. Try again later.')
  if (after === null) return { asOf, upTo: asOf.block, items: [] }
  const one = sources.communities.find(({ id }) => id === community)
  const search = { forest, isMoving: one !== undefined && canMove(one), watched: new Set(addresses) }
  if (final.rows.length > 0) {
    const { rows, upTo } = final
    const { answer: items } = await sources.inSlices(findWatchedEvents({ ...search, rows, upTo }))
    return { asOf, upTo, items }
  }
  // Blocks that became final during the read are in neither part.
  if (asOf.finalizedBlock !== finalizedBlock) throw new ProblemError('unavailable', 'The index has changed. Ask again.')
  const rows = tail.filter(({ block }) => block > after)
  const slices = findWatchedEvents({ ...search, rows, upTo: 'newest' })
  for (;;) {
    const slice = slices.next()
    if (slice.done) return { asOf, upTo: asOf.block, items: slice.value }
  }
}

type Range = { after: number; upTo: number }
type Read = (range: Range, limit: number) => ReturnType<EventTables['readEvents']>

/** Reads the first complete blocks of a range; `upTo` is the last of them. */
async function readBlocks(read: Read, range: Range, limit: number) {
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
