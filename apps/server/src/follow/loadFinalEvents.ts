import { setImmediate } from 'node:timers/promises'
import type { Checkpoint } from '../../../ponderInternals.ts'
import type { TableAudit } from '../audit/createTableAudit.ts'
import type { Tables } from '../tables/createTables.ts'
import { lastLogIndex, type Position } from '../tables/position.ts'
import type { ForestSet } from './createForestSet.ts'

/** Number of blocks in the first piece. */
const firstSize = 1_000

export type LoadFinalEventsParameters = {
  tables: Pick<Tables, 'readFinal'>
  forests: ForestSet
  startBlock: number
  /** Last block to load; it is final. */
  end: number
  /** Approximate number of events in a piece. */
  limit: number
  audit: Pick<TableAudit, 'borderAfter' | 'add'>
}

/**
 * Loads final events into the forests piece by piece, reading the next piece while one is added. Yields the last block of each
 * piece.
 */
export async function* loadFinalEvents(parameters: LoadFinalEventsParameters): AsyncGenerator<number> {
  const { tables, forests, startBlock, end, limit, audit } = parameters
  let size = firstSize
  const readAfter = (after: Position) => {
    const last = Math.max(after.block, startBlock - 1)
    // A range with a known digest is read separately, to compare it.
    const border = audit.borderAfter(last)
    const upTo = border !== undefined && border <= end ? border : Math.min(last + size, end)
    const reading = tables.readFinal({ after, upTo })
    // Awaited after the previous piece. Without this, an earlier failure would be an unhandled rejection.
    reading.catch(() => undefined)
    return { upTo, reading }
  }
  let next = forests.final.block < end ? readAfter(forests.final) : undefined
  while (next) {
    const { upTo, reading } = next
    const { events, texts } = await reading
    next = upTo < end ? readAfter({ block: upTo, logIndex: lastLogIndex }) : undefined
    // The driver sends a statement in the next tick: let it do so before this thread is busy.
    await setImmediate()
    audit.add(texts, upTo)
    size = nextSize(size, { limit, added: forests.load(events, upTo) })
    yield upTo
  }
}

/**
 * Returns the number of blocks in the next piece: enough for `limit` events, and at most four times as many as
 * before.
 */
export function nextSize(size: number, { limit, added }: { limit: number; added: number }): number {
  return Math.max(1, Math.min(size * 4, Math.floor((size * limit) / Math.max(added, 1))))
}

/**
 * Returns the last block that is final and complete. The newest block may be incomplete while the tables are being
 * filled.
 */
export function lastCompleteFinalBlock({ backfill, block, finalizedBlock }: Checkpoint): number {
  return Math.min(backfill === 'running' ? block - 1 : block, finalizedBlock)
}
