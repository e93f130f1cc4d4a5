import type { Checkpoint } from '../../../ponderInternals.ts'
import type { EventRow } from '../tables/eventRow.ts'

/** Rows of complete blocks, and the newest of these blocks; `undefined` if no block is complete. */
export type CompleteBlocks = {
  rows: readonly EventRow[]
  newest: Pick<Checkpoint, 'block' | 'timestamp'> | undefined
  /** `behind`: the tables may hold more. */
  standing: Standing
}

export type Standing = 'behind' | 'level'

/**
 * Returns the rows of complete blocks: those up to the checkpoint, without the last block of a read that reached its
 * limit.
 */
export function takeCompleteBlocks(
  all: readonly EventRow[],
  { checkpoint, limit }: { checkpoint: Checkpoint; limit: number },
): CompleteBlocks {
  const rows = all.filter((row) => row.block <= checkpoint.block)
  if (rows.length < limit) return { rows, newest: checkpoint, standing: 'level' }
  const cut = rows.at(-1)?.block
  const complete = rows.filter((row) => row.block !== cut)
  return { rows: complete, newest: complete.at(-1), standing: 'behind' }
}
