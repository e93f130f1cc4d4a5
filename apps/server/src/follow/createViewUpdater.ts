import type { Forest, Snapshots } from '@lineage/forest'
import type { TableAudit } from '../audit/createTableAudit.ts'
import { describeError } from '../lib/describeError.ts'
import type { EventRow } from '../tables/eventRow.ts'
import { type IndexState, type IndexView, isReloading, nextView } from './indexState.ts'
import type { CompleteBlocks } from './takeCompleteBlocks.ts'

/** Receives the changes of the index. */
export type Live = {
  /** Called after forests were loaded. `tail` are the rows that are not final. */
  begin(view: IndexView, tail: readonly EventRow[]): Promise<void>
  /** Called after rows were added. `fork` is the first block that a reorganisation rolled back. */
  advance(view: IndexView, change: { fork: number | undefined; rows: readonly EventRow[] }): void
}

export type ViewUpdaterParameters = {
  state: IndexState
  audit: Pick<TableAudit, 'addRows' | 'save'>
  live: Live
  snapshots: Pick<Snapshots, 'refresh'> | undefined
  log: (message: string) => void
  /** Replaces the forests by empty ones and throws the error. */
  startAgain: (error: unknown) => never
}

/** Rows of complete blocks. `reorg`: they replace all rows that are not final. */
export type NewBlocks = Omit<CompleteBlocks, 'newest'> & {
  newest: NonNullable<CompleteBlocks['newest']>
  kind: 'new' | 'reorg'
}

/** Creates the function that adds blocks to the forests and replaces the view of the lookups. */
export function createViewUpdater({ state, audit, live, snapshots, log, startAgain }: ViewUpdaterParameters) {
  function addRows({ kind, rows }: NewBlocks, finalizedBlock: number) {
    const { forests } = state
    try {
      const added = kind === 'reorg' ? forests.rollback(rows) : { rows, fork: undefined }
      audit.addRows(forests.append(added.rows, finalizedBlock), finalizedBlock)
      return added
    } catch (error) {
      return startAgain(error)
    }
  }

  /** Takes the first snapshot before the forest is used, and later ones in a worker. */
  function refreshSnapshot(forest: Forest): void {
    if (isReloading(state)) {
      if (forest.isSnapshotDue) forest.takeSnapshot()
    } else
      snapshots?.refresh(forest).catch((error: unknown) => {
        log(`A snapshot of a community failed, so its lookups become slower: ${describeError(error)}`)
      })
  }

  /** Adds blocks. Returns the new rows, the first block that was rolled back, and the view if it has changed. */
  function append(blocks: NewBlocks) {
    const { block, timestamp } = blocks.newest
    const finalizedBlock = Math.min(state.checkpoint?.finalizedBlock ?? block, block)
    const { rows, fork } = addRows(blocks, finalizedBlock)
    state.reached = block
    const change = blocks.kind === 'reorg' || blocks.rows.length > 0 ? 'rows' : 'none'
    const asOf = { block, timestamp, finalizedBlock }
    const view = nextView(state, { asOf, standing: blocks.standing, change })
    if (!view || view === state.view) return { view: undefined, rows, fork }
    for (const forest of view.forests.values()) refreshSnapshot(forest)
    return { view, rows, fork }
  }

  /**
   * Adds blocks and replaces the view synchronously, so that no lookup sees one without the other. Saves the digests
   * before the first view, to recognise the rows after a restart; a full disk must not delay the view.
   */
  return async function update(blocks: NewBlocks): Promise<void> {
    const start = isReloading(state) ? 'first' : 'later'
    const { view, rows, fork } = append(blocks)
    if (!view) return
    if (start === 'first') await live.begin(view, state.forests.tail)
    if (!state.view) {
      await audit.save().catch(() => undefined)
      log(`Ready at block ${view.asOf.block}.`)
    }
    state.view = view
    if (start === 'later') live.advance(view, { rows, fork })
  }
}
