import { isDeepStrictEqual } from 'node:util'
import type { Community } from '@lineage/communities'
import { createForest, type ForestEvent } from '@lineage/forest'
import { changesForest, type EventRow } from './events.ts'
import type { EventParser } from './readEvents.ts'

export type SourceForest = ReturnType<typeof createSourceForest>

/** Creates an empty forest for the events of a source, and tracks the rows it contains. */
export function createSourceForest({ roots, rebind }: Pick<Community, 'roots' | 'rebind'>) {
  const forest = createForest({ sentinels: roots, rebind: rebind === 'last' })
  /** All rows up to here are in the forest, and final. */
  let finalBlock = -1
  /** Rows in the forest that are not final. */
  let tail: readonly EventRow[] = []
  /** Position of the last row in the forest. */
  let applied: { block: number; logIndex?: number; kind?: number } = { block: -1 }

  /** Forests keep no data to undo final events: setting the final block first saves memory in a long load. */
  function commit(block: number): void {
    finalBlock = Math.max(finalBlock, block)
    if (forest.finalBlock < finalBlock) forest.commit(finalBlock)
    tail = tail.filter((row) => row.block > finalBlock)
  }

  return {
    forest,
    commit,
    get finalBlock() {
      return finalBlock
    },
    get tail() {
      return tail
    },
    /** Position after which rows are missing. */
    get applied() {
      return applied
    },
    /** Adds the events that a piece of the tables' output completes, before the forest is queried. */
    load(parser: EventParser, piece: Buffer): void {
      const added: EventRow[] = []
      function* noting(): Generator<ForestEvent> {
        for (const event of parser.parse(piece)) {
          if (event.block > finalBlock) added.push(parser.row())
          if (changesForest(event)) yield event
        }
      }
      forest.load(noting())
      if (parser.last.block >= 0) applied = { ...parser.last }
      if (added.length > 0) tail = tail.concat(added)
    },
    /**
     * Rolls the forest back to the first difference between its rows and these rows, which are all those after
     * `finalBlock`. Returns the rows to append, those that were taken back, and the first block that differs.
     */
    rollback(rows: readonly EventRow[]) {
      const { fork, kept } = findFork(tail, rows)
      const gone = tail.slice(kept.length)
      if (gone.length > 0) forest.rollback(fork - 1)
      tail = kept
      return { rows: rows.slice(kept.length), gone, fork: gone.length > 0 ? fork : null }
    },
    /** Adds all rows up to a block synchronously, so that no lookup sees only a part of them. */
    append(rows: readonly EventRow[], upTo: number): void {
      for (const row of rows) if (changesForest(row)) forest.add(row)
      tail = tail.concat(rows.filter((row) => row.block > finalBlock))
      applied = { block: upTo }
    },
  }
}

/**
 * Finds the first block in which two lists of rows differ, and the rows before it. Rows of the same log may differ too: a
 * node may have returned a false one.
 */
export function findFork(tail: readonly EventRow[], rows: readonly EventRow[]): { fork: number; kept: EventRow[] } {
  let same = 0
  while (same < tail.length && isDeepStrictEqual(tail[same], rows[same])) same++
  const fork = Math.min(tail[same]?.block ?? Number.POSITIVE_INFINITY, rows[same]?.block ?? Number.POSITIVE_INFINITY)
  return { fork, kept: tail.filter((row) => row.block < fork) }
}
