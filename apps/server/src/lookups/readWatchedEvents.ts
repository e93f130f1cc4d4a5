import type { Community } from '@lineage/communities'
import type { EventRow, Position } from '../follow/events.ts'
import { ProblemError } from '../lib/problem.ts'
import type { EventTables } from './eventTables.ts'
import { findWatchedEvents, type Heals, type WatchedEvents, type WatchedRequest } from './findWatchedEvents.ts'
import type { Sources } from './lookup.ts'

/**
 * Reads the events since a block that involve watched addresses. An answer covers either only final blocks, oldest
 * first, or only the other blocks: final blocks do not change while an answer is computed in slices. Blocks before the
 * requested one that were replaced come before both.
 *
 * @param limit Number of events of final blocks that are read for an answer.
 */
export async function readWatchedEvents(
  sources: Pick<Sources, 'communities' | 'requireView' | 'inSlices'> & {
    tables: Pick<EventTables, 'readEvents' | 'readHealed'>
  },
  community: string,
  { addresses, after, heals: known }: WatchedRequest,
  limit = 500,
): Promise<WatchedEvents> {
  const asked = sources.requireView(community)
  const { finalizedBlock } = asked.asOf
  const readsFinal = after !== null && after < finalizedBlock
  const read: Read = (range, most) => sources.tables.readEvents(asked, range, most)
  const heals: Heals = { index: asked.index, number: asked.rebuilds }
  const late = await readLate()
  const final =
    readsFinal && !late
      ? await readBlocks(read, { after, upTo: finalizedBlock }, limit)
      : { rows: late?.rows ?? [], upTo: late ? late.after : finalizedBlock }
  // Synchronous from here on, so that rows and forest belong to the same moment.
  const { asOf, forest, tail } = sources.requireView(community)
  if (forest !== asked.forest) throw new ProblemError('indexing', 'The index is being built again. Try again later.')
  if (after === null) return { asOf, heals, upTo: asOf.block, items: [] }
  const one = sources.communities.find(({ id }) => id === community)
  const search = { forest, isMoving: one !== undefined && canMove(one), watched: new Set(addresses) }
  if (late || final.rows.length > 0) {
    const { rows, upTo } = final
    const isLate = late && ((row: Position) => late.healed.added.includes(nameOf(row)))
    const items = await sources.inSlices(findWatchedEvents({ ...search, rows, upTo, isLate }))
    return { asOf, upTo, items, heals: late?.heals ?? heals, ...(late && { healed: late.healed }) }
  }
  // Blocks that became final during the read are in neither part.
  if (asOf.finalizedBlock !== finalizedBlock) throw new ProblemError('unavailable', 'The index has changed. Ask again.')
  const rows = tail.filter(({ block }) => block > after)
  const slices = findWatchedEvents({ ...search, rows, upTo: 'newest' })
  for (;;) {
    const slice = slices.next()
    if (slice.done) return { asOf, heals, upTo: asOf.block, items: slice.value }
  }

  /** Reads the blocks that were replaced since the known state; `undefined` if there are none before `after`. */
  async function readLate() {
    if (after === null || known?.index !== asked.index || known.number === asked.rebuilds) return undefined
    // Another server knows more.
    if (known.number > asked.rebuilds) throw new ProblemError('unavailable', 'The index is behind. Ask again.')
    const replaced = await sources.tables.readHealed(asked, known.number)
    const last = replaced.at(-1)
    if (!last) return undefined
    const added = new Set(replaced.flatMap((one) => one.added.map((logIndex) => nameOf({ ...one, logIndex }))))
    // Later blocks are read as all others.
    const blocks = [...new Set(replaced.map(({ block }) => block).filter((block) => block <= after))]
    const rows: EventRow[] = []
    for (const block of blocks.toSorted((left, right) => left - right))
      rows.push(...(await read({ after: block - 1, upTo: block }, allRows)))
    return { rows, after, heals: { ...heals, number: last.number }, healed: { blocks, added: [...added] } }
  }
}

const nameOf = ({ block, logIndex }: Position) => `${block}-${logIndex}`
const allRows = 2 ** 31 - 1

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
  return { rows: await read({ after: last.block - 1, upTo: last.block }, allRows), upTo: last.block }
}

/** Returns whether members may change or lose their referrer later. */
const canMove = ({ rebind, unbinds }: Community): boolean => rebind === 'last' || unbinds.length > 0
