import { createHash } from 'node:crypto'
import { createForest, type Forest, type ForestEvent } from '@lineage/forest'
import type { Community } from '../../../config/index.ts'
import type { Changes } from '../tables/createTables.ts'
import type { EventRow } from '../tables/eventRow.ts'
import { isSamePosition, lastLogIndex, type Position } from '../tables/position.ts'

export type ForestSet = ReturnType<typeof createForestSet>

/** Creates an empty forest per community, and tracks the rows they contain. */
export function createForestSet(communities: readonly Community[]) {
  const forests: ReadonlyMap<string, Forest> = new Map(
    communities.map(({ id, roots, rebind }) => [id, createForest({ sentinels: roots, rebind: rebind === 'last' })]),
  )
  /** All rows up to here are in the forests, and final. */
  let final: Position = { block: -1, logIndex: -1 }
  /** Rows in the forests that are not final. */
  let tail: readonly EventRow[] = []
  let digest = digestOf(tail)

  return {
    forests,
    get final() {
      return final
    },
    /** Position of the last row in the forests. */
    get applied() {
      return tail.at(-1) ?? final
    },
    /** Returns whether the tables still hold the same rows that are not final. */
    matches: (found: Changes['tail']) => found.count === tail.length && found.digest === digest,
    /** Rows in the forests that are not final. */
    get tail() {
      return tail
    },
    /**
     * Rolls the forests back to the first difference between their rows and these rows, which are all those after
     * `final`. Returns the rows to append, and the first block that was rolled back.
     */
    rollback(rows: readonly EventRow[]): { rows: readonly EventRow[]; fork: number | undefined } {
      const { fork, kept } = findFork(tail, rows)
      const isShorter = kept.length < tail.length
      if (isShorter) for (const forest of forests.values()) forest.rollback(fork - 1)
      tail = kept
      return { rows: rows.slice(kept.length), fork: isShorter ? fork : undefined }
    },
    /** Adds all final events up to a block, and returns their number. */
    load(events: ReadonlyMap<string, Iterable<ForestEvent>>, upTo: number): number {
      let added = 0
      for (const [id, forest] of forests) {
        if (forest.finalBlock < upTo) forest.commit(upTo)
        const before = forest.version
        forest.load(events.get(id) ?? [])
        added += forest.version - before
      }
      final = { block: upTo, logIndex: lastLogIndex }
      return added
    },
    /** Adds rows synchronously, so that no lookup sees only a part of them. Returns the rows that became final. */
    append(rows: readonly EventRow[], finalizedBlock: number): readonly EventRow[] {
      // Forests keep no undo data below their final block: setting it first saves memory in a long load.
      for (const forest of forests.values()) if (forest.finalBlock < finalizedBlock) forest.commit(finalizedBlock)
      for (const row of rows) addTo(forests.get(row.community), row)
      const all = tail.concat(rows)
      const settled = settle(all, finalizedBlock)
      final = settled.final ?? final
      tail = settled.tail
      digest = digestOf(tail)
      return settled.final ? all.filter((row) => row.block <= finalizedBlock) : []
    },
  }
}

/** Returns the MD5 of the rows' distinct block hashes in order, as computed by the tables. */
export function digestOf(rows: readonly EventRow[]): string {
  const hashes = [...new Set(rows.map((row) => row.blockHash))].sort()
  return createHash('md5').update(hashes.join('')).digest('hex')
}

/** Finds the first block in which two lists of rows differ, and the rows before it. */
export function findFork(tail: readonly EventRow[], rows: readonly EventRow[]): { fork: number; kept: EventRow[] } {
  let same = 0
  while (same < tail.length && isSameRow(tail[same], rows[same])) same++
  const fork = Math.min(tail[same]?.block ?? Number.POSITIVE_INFINITY, rows[same]?.block ?? Number.POSITIVE_INFINITY)
  return { fork, kept: tail.filter((row) => row.block < fork) }
}

/** Splits rows at a final block: the position of the last final one, and those that are not final. */
export function settle(
  rows: readonly EventRow[],
  finalizedBlock: number,
): { final?: Position; tail: readonly EventRow[] } {
  const last = rows.findLast((row) => row.block <= finalizedBlock)
  if (!last) return { tail: rows }
  const { block, logIndex } = last
  return { final: { block, logIndex }, tail: rows.filter((row) => row.block > finalizedBlock) }
}

function addTo(forest: Forest | undefined, row: EventRow): void {
  if (row.kind === 'bind') forest?.bind(row)
  else if (row.kind === 'volume') forest?.addVolume(row)
  else forest?.addReward(row)
}

function isSameRow(left: EventRow | undefined, right: EventRow | undefined): boolean {
  return (
    left !== undefined &&
    right !== undefined &&
    isSamePosition(left, right) &&
    left.blockHash === right.blockHash &&
    left.kind === right.kind &&
    left.community === right.community
  )
}
